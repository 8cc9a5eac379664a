#include "report/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "report/child_process.hpp"

namespace bellwether {

namespace {

std::string program_name() {
    const char* named = std::getenv("BELLWETHER_GNUPLOT");
    return named && *named ? named : "gnuplot";
}

// cairo stamps the time of day; figures of the same results are to be the same.
void fix_creation_date(std::string& pdf) {
    constexpr std::string_view key = "/CreationDate (D:", date = "20000101000000";
    const std::size_t place = pdf.find(key);
    if (place == std::string::npos || place + key.size() + date.size() > pdf.size()) return;
    const auto digits = pdf.begin() + static_cast<std::ptrdiff_t>(place + key.size());
    const auto end = digits + static_cast<std::ptrdiff_t>(date.size());
    if (std::all_of(digits, end, [](char c) { return c >= '0' && c <= '9'; }))
        std::copy(date.begin(), date.end(), digits);
}

}  // namespace

std::string gnuplot_text(std::string_view text, bool bold) {
    constexpr std::string_view markup = "\\_^{}@&~";
    std::string quoted = bold ? "'{/:Bold " : "'";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
            quoted += ' ';
            continue;
        }
        if (c == '\'') quoted += '\'';
        if (markup.find(c) != std::string_view::npos) quoted += '\\';
        quoted += c;
    }
    return quoted + (bold ? "}'" : "'");
}

Pictures run_gnuplot(const std::string& script) {
    const std::string program = program_name();
    // Both by one process: half of its time goes into starting it. What is drawn ends where the terminal is let go of.
    const std::string both = fmt::format("format = 'svg'\n{0}\nunset output\nreset\nformat = 'pdf'\n{0}", script);
    // -d: a user's own start-up file does not change the figures. By the name of a file: "-" is read byte by byte.
    ChildProcess child = run_child({program, "-d", "/dev/stdin"}, both);
    if (child.is_missing)
        return {{}, {}, fmt::format("{}; install gnuplot, or name it in BELLWETHER_GNUPLOT", child.problem), true};
    // What gnuplot says of an error: the line, a mark below the place, and what is wrong on the last line.
    if (!child.problem.empty()) return {{}, {}, child.problem};
    const std::size_t pdf = child.output.find("%PDF-");
    if (pdf == 0 || pdf == std::string::npos) {
        const char* const drawn = child.output.empty() ? "nothing" : pdf == 0 ? "no SVG" : "no PDF";
        return {{}, {}, fmt::format("{} failed: it has drawn {}", program, drawn)};
    }
    Pictures pictures{child.output.substr(0, pdf), child.output.substr(pdf)};
    fix_creation_date(pictures.pdf);
    return pictures;
}

}  // namespace bellwether
