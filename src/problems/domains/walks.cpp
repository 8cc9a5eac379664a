// Random walks: a line of states, left or right, an episode ends beyond either end with −1 or +1.
// The 5-state walk and its features: Sutton, Maei et al. (2009), "Fast Gradient-Descent Methods for Temporal-Difference
// Learning with Linear Function Approximation"; its two policies: Ghiassian et al. (2020), "Gradient
// Temporal-Difference Learning with Regularized Corrections". The 19-state walk: Sutton & Barto (2018), section 7.1.
#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

enum Action : std::size_t { left, right };

MdpDescription describe_walk(const DomainRequest& request, std::size_t states) {
    const double gamma = request.value("gamma");
    MdpDescription d = blank_description(request, states, 2);
    start_in(d, states / 2);  // the middle: the literature's state 3 of 5, 10 of 19
    for (std::size_t s = 0; s < states; ++s) {
        if (s == 0) {
            add_end(d, s, left, 1, -1);
        } else {
            add_outcome(d, s, left, s - 1, 1, 0, gamma);
        }
        if (s == states - 1) {
            add_end(d, s, right, 1, 1);
        } else {
            add_outcome(d, s, right, s + 1, 1, 0, gamma);
        }
    }
    const auto policy = [](double to_the_right) {
        return [=](std::size_t, std::size_t a) { return a == right ? to_the_right : 1 - to_the_right; };
    };
    set_policies(d, request, policy(request.value("target-right")), policy(request.value("behaviour-right")));
    return d;
}

MdpDescription make_walk5(const DomainRequest& request) {
    constexpr std::size_t states = 5;
    MdpDescription d = describe_walk(request, states);
    if (request.features == "tabular") {
        set_tabular_features(d);
    } else if (request.features == "inverted") {  // (1 − 1_s)/2, of length 1
        set_features(d, states, [](std::size_t s, std::size_t i) { return s == i ? 0.0 : 0.5; });
    } else {  // dependent: 100, 110, 111, 011, 001, normalised
        constexpr double rows[states][3]{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
        set_features(d, 3, [&](std::size_t s, std::size_t i) { return rows[s][i]; });
        normalise_by_default(d, request);
    }
    return d;
}

MdpDescription make_walk19(const DomainRequest& request) {
    MdpDescription d = describe_walk(request, 19);
    set_tabular_features(d);
    return d;
}

constexpr DomainParameter gamma_parameter{{"gamma", {0, 1}, "discount γ within an episode", 1}};
constexpr DomainParameter right_parameter(std::string_view name, std::string_view help, double by_default) {
    return {{name, {0, 1}, help, by_default}};
}
constexpr DomainParameter walk5_parameters[]{
    gamma_parameter,
    right_parameter("target-right", "probability of right under the target policy", 0.6),
    right_parameter("behaviour-right", "probability of right under the behaviour policy, off-policy", 0.5),
};
constexpr DomainParameter walk19_parameters[]{
    gamma_parameter,
    right_parameter("target-right", "probability of right under the target policy", 0.5),
    right_parameter("behaviour-right", "probability of right under the behaviour policy, off-policy", 0.5),
};
constexpr std::string_view walk5_features[]{"tabular", "inverted", "dependent"};
constexpr std::string_view walk19_features[]{"tabular"};

}  // namespace

const DomainInfo builtin::walk5{
    .id = "walk5",
    .summary = "a random walk of five states, off-policy, with tabular, inverted or dependent features",
    .source = "Sutton, Maei et al. (2009); Ghiassian et al. (2020)",
    .parameters = walk5_parameters,
    .features = walk5_features,
    .make = make_walk5,
};

const DomainInfo builtin::walk19{
    .id = "walk19",
    .summary = "a random walk of nineteen states, V(n) = (n - 10)/10",
    .source = "Sutton & Barto (2018), section 7.1",
    .parameters = walk19_parameters,
    .features = walk19_features,
    .make = make_walk19,
};

}  // namespace bellwether
