// What an output can show: a terminal has a size and may have colours; a file or a pipe gets plain text.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace bellwether {

struct Terminal {
    bool is_terminal = false;
    bool colours = false;  // a terminal, and the user has not asked for none (NO_COLOR, or TERM=dumb)
    std::size_t columns = 80, rows = 24;
};

Terminal terminal_of(std::FILE* output);

// Text that is shown again and again as it changes: in the same place on a terminal, one after the other elsewhere.
class LiveText {
public:
    explicit LiveText(std::FILE* output) : output_(output), terminal_(terminal_of(output)) {}

    const Terminal& terminal() const { return terminal_; }
    void show(std::string_view text);  // whole lines

private:
    std::FILE* output_;
    Terminal terminal_;
    std::size_t lines_ = 0;  // that stand there and are to be replaced
};

}  // namespace bellwether
