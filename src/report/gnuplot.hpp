// Pictures by gnuplot, as a child process.
#pragma once

#include <string>
#include <string_view>

namespace bellwether {

// The text as a quoted string of a gnuplot script, which shows it as it is: no markup, no commands.
std::string gnuplot_text(std::string_view text, bool bold = false);

struct Pictures {
    std::string svg, pdf;
    std::string problem{};    // one line; empty where all is well
    bool is_missing = false;  // the problem is that there is no gnuplot
};

// Runs a script that draws to its standard output and asks the variable `format` what: "svg", "pdf". The program is
// `gnuplot` on the PATH, or what the environment variable BELLWETHER_GNUPLOT names.
Pictures run_gnuplot(const std::string& script);

}  // namespace bellwether
