// Baird's counterexample: seven states, eight features, off-policy TD(0) diverges.
// Baird (1995), "Residual Algorithms: Reinforcement Learning with Function Approximation", in the form of Sutton &
// Barto (2018), section 11.2, and White & White (2016).
#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

constexpr std::size_t states = 7, dimension = 8, solid_state = 6;  // the literature's state 7
enum Action : std::size_t { dashed, solid };

MdpDescription make(const DomainRequest& request) {
    const double gamma = request.value("gamma");
    MdpDescription d = blank_description(request, states, 2);
    for (std::size_t s = 0; s < states; ++s) {
        for (std::size_t next = 0; next < solid_state; ++next) add_outcome(d, s, dashed, next, 1.0 / 6, 0, gamma);
        add_outcome(d, s, solid, solid_state, 1, 0, gamma);
    }
    set_policies(
        d, request, [](std::size_t, std::size_t a) { return a == solid ? 1.0 : 0.0; },
        [](std::size_t, std::size_t a) { return a == solid ? 1.0 / 7 : 6.0 / 7; });
    // x(s) = 2·1_s + 1_8, but x(7) = 1_7 + 2·1_8
    set_features(d, dimension, [](std::size_t s, std::size_t i) {
        if (i == s) return s == solid_state ? 1.0 : 2.0;
        if (i == dimension - 1) return s == solid_state ? 2.0 : 1.0;
        return 0.0;
    });
    d.initial_weights = {1, 1, 1, 1, 1, 1, 10, 1};
    if (const std::size_t start = request.count("start"); start > 0) start_in(d, start - 1);
    return d;
}

constexpr bool whole = true, is_addition = true;
constexpr DomainParameter parameters[]{
    {{"gamma", {0, 1}, "discount γ", 0.99}},
    {{"start", {0, states}, "the state that a run starts in, counted from 1; 0: any", 0}, whole, is_addition},
};
constexpr std::string_view features[]{"classic"};

}  // namespace

const DomainInfo builtin::baird{
    .id = "baird",
    .summary = "Baird's counterexample: seven states, eight features, off-policy TD(0) diverges",
    .source = "Baird (1995); White & White (2016)",
    .parameters = parameters,
    .features = features,
    .make = make,
};

}  // namespace bellwether
