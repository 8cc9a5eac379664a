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

Picture run_gnuplot(const std::string& script, const std::string& format) {
    const std::string program = program_name();
    // -d: a user's own start-up file does not change the figures. By the name of a file: "-" is read byte by byte.
    ChildProcess child = run_child({program, "-d", "-e", fmt::format("format='{}'", format), "/dev/stdin"}, script);
    if (child.is_missing)
        return {{}, fmt::format("{}; install gnuplot, or name it in BELLWETHER_GNUPLOT", child.problem), true};
    // What gnuplot says of an error: the line, a mark below the place, and what is wrong on the last line.
    if (!child.problem.empty()) return {{}, child.problem};
    if (child.output.empty()) return {{}, fmt::format("{} failed: it has drawn nothing", program)};
    if (format == "pdf") fix_creation_date(child.output);
    return {std::move(child.output)};
}

}  // namespace bellwether
