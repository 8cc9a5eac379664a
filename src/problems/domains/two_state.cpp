// The θ → 2θ problem: two states with features 1 and 2. Off-policy, A = −0.2 for TD(0), which diverges from any w ≠ 0.
// Tsitsiklis & Van Roy (1996), "Feature-Based Methods for Large Scale Dynamic Programming"; Sutton, Mahmood & White
// (2016), "An Emphatic Approach to the Problem of Off-policy Temporal-Difference Learning", section 3.
#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

MdpDescription make(const DomainRequest& request) {
    constexpr std::size_t states = 2;
    MdpDescription d = blank_description(request, states, 2);
    for (std::size_t s = 0; s < states; ++s)  // action a leads to state a
        for (std::size_t a = 0; a < 2; ++a) add_outcome(d, s, a, a, 1, 0, request.value("gamma"));
    set_policies(
        d, request, [](std::size_t, std::size_t a) { return a == 1 ? 1.0 : 0.0; },
        [](std::size_t, std::size_t) { return 0.5; });
    set_features(d, 1, [](std::size_t s, std::size_t) { return s == 0 ? 1.0 : 2.0; });
    d.initial_weights = {1};  // from 0 nothing would ever happen: every reward is 0
    return d;
}

constexpr DomainParameter parameters[]{{{"gamma", {0, 1}, "discount γ", 0.9}}};
constexpr std::string_view features[]{"classic"};

}  // namespace

const DomainInfo builtin::two_state{
    .id = "two-state",
    .summary = "from w to 2w: two states with features 1 and 2, off-policy TD(0) diverges",
    .source = "Tsitsiklis & Van Roy (1996); Sutton, Mahmood & White (2016)",
    .parameters = parameters,
    .features = features,
    .make = make,
};

}  // namespace bellwether
