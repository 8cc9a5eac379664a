#include "report/style.hpp"

#include <algorithm>
#include <iterator>

namespace bellwether {

namespace {

// Colours after Okabe and Ito, light and dark enough for thin lines. Those of the paper's algorithms stay apart for
// readers with protanopia, deuteranopia and tritanopia.
struct Family {
    std::string_view light, dark;
    int point;
};
constexpr Family plain{"#222222", "#e8e8e8", 6};
constexpr Family provisional{"#b5548c", "#e79bc6", 14};
constexpr Family gradient{"#0063a6", "#4fa8f0", 4};
constexpr Family mirror_prox{"#2f9bd0", "#8ad3f5", 12};
constexpr Family hybrid{"#00875f", "#2cc79a", 8};
constexpr Family emphatic{"#d55e00", "#f58a3c", 10};
constexpr Family cut_traces{"#7d5f00", "#f2d35b", 6};
constexpr Family least_squares{"#6a2c91", "#b08cff", 4};
constexpr Family unknown{"#767676", "#9a9a9a", 6};

constexpr std::string_view solid, dashed = "4 2", dotted = "1.3 1.5", dash_dot = "5 1.5 1.3 1.5",
                                  dash_dot_dot = "5 1.5 1.3 1.5 1.3 1.5", long_dashed = "9 2";

struct Look {
    std::string_view algorithm;
    const Family& family;
    std::string_view dash;  // true-online algorithms: dashed
};
constexpr Look looks[] = {
    {"td0", plain, dotted},
    {"td", plain, solid},
    {"to-td", plain, dashed},
    {"off-policy-td", plain, dash_dot},
    {"ptd", provisional, solid},
    {"ptd-as-printed", provisional, dash_dot},
    {"gtd", gradient, solid},
    {"to-gtd", gradient, dashed},
    {"gtd2", gradient, dotted},
    {"tdrc", gradient, dash_dot},
    {"gtd2-mp", mirror_prox, solid},
    {"tdc-mp", mirror_prox, dash_dot},
    {"htd", hybrid, solid},
    {"to-htd", hybrid, dashed},
    {"to-htd-as-printed", hybrid, dash_dot},
    {"etd", emphatic, solid},
    {"to-etd", emphatic, dashed},
    {"etd-beta", emphatic, dotted},
    {"to-etd-beta", emphatic, dash_dot_dot},
    {"tb", cut_traces, solid},
    {"vtrace", cut_traces, dotted},
    {"abtd", cut_traces, dash_dot},
    {"lstd", least_squares, long_dashed},
};

}  // namespace

LineStyle style_of(std::string_view algorithm_id) {
    const Look* found = std::find_if(std::begin(looks), std::end(looks),
                                     [&](const Look& look) { return look.algorithm == algorithm_id; });
    if (found == std::end(looks)) return {unknown.light, unknown.dark, solid, unknown.point};
    return {found->family.light, found->family.dark, found->dash, found->family.point};
}

}  // namespace bellwether
