// Kolter's example: the values are almost linear in the one feature, yet the off-policy TD(0) fixed point is
// arbitrarily far from them near d1 ≈ 0.7114, where A is singular. Kolter (2011), "The Fixed Points of Off-Policy TD",
// with ε = 0.001.
#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

MdpDescription make(const DomainRequest& request) {
    constexpr std::size_t states = 2;
    constexpr double gamma = 0.99, values[states]{1, 1.05};
    MdpDescription d = blank_description(request, states, 2);
    for (std::size_t s = 0; s < states; ++s) {
        // r = V − γ P_π V, with P_π all ½
        const double reward = values[s] - gamma * (values[0] + values[1]) / 2;
        for (std::size_t a = 0; a < 2; ++a) add_outcome(d, s, a, a, 1, reward, gamma);  // action a leads to state a
    }
    // The same choice in both states: so d_μ = (d1, 1 − d1).
    const double d1 = request.value("d1");
    set_policies(
        d, request, [](std::size_t, std::size_t) { return 0.5; },
        [=](std::size_t, std::size_t a) { return a == 0 ? d1 : 1 - d1; });
    set_features(d, 1, [](std::size_t s, std::size_t) { return s == 0 ? 1.0 : 1.051; });
    return d;
}

constexpr DomainParameter parameters[]{
    {{"d1", {0, 1, false}, "share of time that the behaviour policy spends in the first state, off-policy", 0.7}}};
constexpr std::string_view features[]{"classic"};

}  // namespace

const DomainInfo builtin::kolter{
    .id = "kolter",
    .summary = "Kolter's example: two states, one feature, a singular fixed point at d1 = 0.7114",
    .source = "Kolter (2011)",
    .parameters = parameters,
    .features = features,
    .make = make,
};

}  // namespace bellwether
