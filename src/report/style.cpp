#include "report/style.hpp"

#include <iterator>

#include "bellwether/registry.hpp"

namespace bellwether {

namespace {

// Colours after Okabe and Ito, light and dark enough for thin lines. Those of the paper's algorithms stay apart for
// readers with protanopia, deuteranopia and tritanopia.
struct Colours {
    std::string_view light, dark;
    int point;
};
constexpr Colours unknown{"#767676", "#9a9a9a", 6};

constexpr Colours colours_of(Family family) {
    switch (family) {
        case Family::td:
            return {"#222222", "#e8e8e8", 6};
        case Family::gradient:
            return {"#0063a6", "#4fa8f0", 4};
        case Family::mirror_prox:
            return {"#2f9bd0", "#8ad3f5", 12};
        case Family::hybrid:
            return {"#00875f", "#2cc79a", 8};
        case Family::emphatic:
            return {"#d55e00", "#f58a3c", 10};
        case Family::provisional:
            return {"#b5548c", "#e79bc6", 14};
        case Family::cut_traces:
            return {"#7d5f00", "#f2d35b", 6};
        case Family::least_squares:
            return {"#6a2c91", "#b08cff", 4};
        case Family::learned_steps:
            return {"#a3003d", "#ff7a9c", 8};
        case Family::bounded_steps:
            return {"#5c6b2f", "#b9cf7a", 10};
        case Family::weighted_sampling:
            return {"#00707a", "#4fd0dc", 12};
        case Family::beyond_values:
            return {"#8a4b2a", "#dba27e", 14};
    }
    return unknown;
}

constexpr std::string_view solid, dashed = "4 2", dotted = "1.3 1.5", dash_dot = "5 1.5 1.3 1.5",
                                  dash_dot_dot = "5 1.5 1.3 1.5 1.3 1.5", long_dashed = "9 2",
                                  long_dash_dot = "9 2 1.3 2";

constexpr std::string_view dash_of(Variant variant) {
    switch (variant) {
        case Variant::base:
            return solid;
        case Variant::true_online:
            return dashed;
        case Variant::second:
            return dotted;
        case Variant::third:
            return dash_dot;
        case Variant::fourth:
            return dash_dot_dot;
        case Variant::fifth:
            return long_dash_dot;
        case Variant::reference:
            return long_dashed;
    }
    return solid;
}

}  // namespace

LineStyle style_on_ramp(std::size_t place, std::size_t count) {
    // viridis, without its ends that are hard to see on white and on dark grounds
    constexpr std::string_view light[] = {"#440154", "#481d6f", "#453781", "#3d4e8a", "#33638d", "#2a768e",
                                          "#23898e", "#1e9c89", "#28ae80", "#46c06f", "#70cf57", "#94c82f"};
    constexpr std::string_view dark[] = {"#5d7fc0", "#4a8bb8", "#3d93ad", "#2f9aa3", "#1f9a8a", "#24aa83",
                                         "#38b977", "#56c667", "#7cd250", "#a8db34", "#d5e21a", "#fde725"};
    constexpr std::size_t last = std::size(light) - 1;
    constexpr int points[] = {6, 4, 8, 10, 12, 14};  // those of gnuplot that come filled as well
    const std::size_t at = count > 1 ? (place * last + (count - 1) / 2) / (count - 1) : 0;
    return {light[at], dark[at], solid, points[place % std::size(points)]};
}

LineStyle style_of(std::string_view algorithm_id) {
    const AlgorithmInfo* info = find_algorithm(algorithm_id);
    const Colours colours = info ? colours_of(info->family) : unknown;
    return {colours.light, colours.dark, info ? dash_of(info->variant) : solid, colours.point};
}

}  // namespace bellwether
