// Where everything of a figure stands, in pixels from the upper left corner.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/figure_model.hpp"

namespace bellwether {

// Sizes of text.
inline constexpr double title_size = 15, heading_size = 12, text_size = 11, small_size = 10;

// How wide a text is at most in the fonts that stand for a sans-serif one.
double text_width(std::string_view text, double size);
// Lines of at most that width, broken at spaces.
std::vector<std::string> wrap_text(std::string_view text, double size, double width);

// Whether some point is off the scale.
bool is_beyond(const FigureLine& line, const Axis& y);
bool is_beyond(const Panel& panel, const Axis& y);

struct Box {
    double left, top, right, bottom;
};

struct PanelLayout {
    Box plot;
    Box beyond;         // the strip above the plot for what is off its scale; empty where there is nothing
    bool error_labels;  // whether the axis of errors has its numbers here
};

struct TextLayout {
    double x, top;
    std::string text;
    bool ends_at_x = false;
};

struct RowLayout {
    std::vector<TextLayout> heading, note;
    double titles = 0;                  // the upper edge of the panels' titles
    std::vector<std::string> beyond{};  // lines with something off the scale, a lane of the strip for each
    std::vector<PanelLayout> panels{};
};

struct FigureLayout {
    double width, height;
    std::vector<TextLayout> title, caption;
    std::vector<TextLayout> legend;  // by entry; the sample of the line stands before the text
    std::vector<RowLayout> rows;
};

inline constexpr double sample_length = 30, sample_gap = 5;  // of a legend's entry
inline constexpr double leader_length = 16;                  // from the end of a curve to its name

FigureLayout lay_out(const FigureModel& figure);

// The middles of labels of that height, as near as can be to where they are wanted, in the same order, without overlap
// and between the bounds (below the lower one where they are too many).
std::vector<double> spread_labels(std::span<const double> wanted, double height, double low, double high);

}  // namespace bellwether
