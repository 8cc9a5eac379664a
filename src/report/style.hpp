// How algorithms look, the same in every figure and on the report's page.
#pragma once

#include <cstddef>
#include <string_view>

#include "analysis/names.hpp"

namespace bellwether {

struct LineStyle {
    std::string_view light, dark;  // "#rrggbb": on white, and on dark_background
    std::string_view dash;         // SVG stroke-dasharray, in line widths; "" is solid
    int point;                     // gnuplot's point type; the next one is the same shape filled
};
inline constexpr std::string_view dark_background = "#16181d";

// What is written and ruled, on white.
inline constexpr std::string_view ink = "#333333", faint_ink = "#6b6b6b", grid_ink = "#e6e6e6";

// Of one of several lines that have an order, as the values of a parameter: from dark to bright, on dark grounds from
// less to more.
LineStyle style_on_ramp(std::size_t place, std::size_t count);

// The colour is that of the family and the dash that of the variant. Unknown algorithms are grey.
LineStyle style_of(std::string_view algorithm_id);

}  // namespace bellwether
