#include "support/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace bellwether {

namespace {

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

}  // namespace

Terminal terminal_of(std::FILE* output) {
    Terminal terminal;
    const int file = ::fileno(output);
    terminal.is_terminal = ::isatty(file);
    if (!terminal.is_terminal) return terminal;
    const char* kind = std::getenv("TERM");
    terminal.colours = !is_set("NO_COLOR") && kind && std::string_view(kind) != "dumb";
    winsize size{};
    if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        terminal.columns = size.ws_col;
        terminal.rows = size.ws_row;
    }
    return terminal;
}

void LiveText::show(std::string_view text) {
    // up to where the last text began, and everything below that is cleared
    if (terminal_.is_terminal && lines_ > 0) fmt::print(output_, "\x1b[{}A\x1b[J", lines_);
    std::fwrite(text.data(), 1, text.size(), output_);
    std::fflush(output_);
    lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace bellwether
