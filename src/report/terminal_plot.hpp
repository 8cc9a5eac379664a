// Plots in a terminal, of braille dots, two by four to a character.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bellwether {

struct TerminalLine {
    std::string label;         // stands at its right end
    std::vector<double> x, y;  // x ascends; the line ends where y is not finite
};

struct TerminalPlot {
    std::string title{}, x_name{};
    std::vector<TerminalLine> lines{};
    std::size_t columns = 80;  // in all: ticks, dots and labels
    std::size_t rows = 12;     // of dots; as many as there are lines, where that is more
    bool colours = false;      // the terminal's own six, which fit its background
};

// Lines of text. From 0 up where all values are positive and not far from it. Where no value is finite it says so.
std::string draw(const TerminalPlot& plot);

// A share from 0 to 1 as a bar of so many columns.
std::string draw_bar(double share, std::size_t columns);

}  // namespace bellwether
