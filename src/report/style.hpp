// How algorithms look, the same in every figure and on the report's page.
#pragma once

#include <string_view>

#include "analysis/names.hpp"

namespace bellwether {

struct LineStyle {
    std::string_view light, dark;  // "#rrggbb": on white, and on dark_background
    std::string_view dash;         // SVG stroke-dasharray, in line widths; "" is solid
    int point;                     // gnuplot's point type; the next one is the same shape filled
};
inline constexpr std::string_view dark_background = "#16181d";

// The colour is that of the family and the dash that of the variant. Unknown algorithms are grey.
LineStyle style_of(std::string_view algorithm_id);

}  // namespace bellwether
