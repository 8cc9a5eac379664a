// Boyan's chain: states 12 … 1, each to the next or the one after, with features in which the values are linear.
// Boyan (2002), "Technical Update: Least-Squares Temporal Difference Learning", Machine Learning 49.
#include <algorithm>
#include <cmath>

#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

constexpr std::size_t states = 12;  // the literature's state n is state n − 1 here; its state 0 is the end

MdpDescription make(const DomainRequest& request) {
    MdpDescription d = blank_description(request, states, 1);
    start_in(d, states - 1);
    // n → n−1 or n−2 with reward −3, and 1 → 0 with reward −2. So V(n) = −2n.
    for (std::size_t n = states; n >= 3; --n) {
        add_outcome(d, n - 1, 0, n - 2, 0.5, -3, 1);
        add_outcome(d, n - 1, 0, n - 3, 0.5, -3, 1);
    }
    add_outcome(d, 1, 0, 0, 0.5, -3, 1);
    add_end(d, 1, 0, 0.5, -3);
    add_end(d, 0, 0, 1, -2);
    const auto only_action = [](std::size_t, std::size_t) { return 1.0; };
    set_policies(d, request, only_action, only_action);
    // Four features, linear between the states 12, 8, 4 and 0, where one of them is 1 and the others 0.
    set_features(d, 4, [](std::size_t s, std::size_t i) {
        const double n = static_cast<double>(s) + 1, corner = 12 - 4 * static_cast<double>(i);
        return std::max(0.0, 1 - std::abs(n - corner) / 4);
    });
    return d;
}

constexpr std::string_view features[]{"interpolated"};

}  // namespace

const DomainInfo builtin::boyan{
    .id = "boyan",
    .summary = "Boyan's chain: twelve states, four interpolated features, V(n) = -2n",
    .source = "Boyan (2002)",
    .parameters = {},
    .features = features,
    .make = make,
};

}  // namespace bellwether
