// Random walks: a line of states, left or right, an episode ends beyond either end.
// The 5-state walk and its features: Sutton, Maei et al. (2009), "Fast Gradient-Descent Methods for Temporal-Difference
// Learning with Linear Function Approximation"; its two policies: Ghiassian et al. (2020), "Gradient
// Temporal-Difference Learning with Regularized Corrections". The 11-state walk: Mahmood & Sutton (2015), "Off-policy
// Learning Based on Weighted Importance Sampling with Linear Computational Complexity". The 19-state walk: Sutton &
// Barto (2018), section 7.1. The 30-state walk, with one end: Sherstan et al. (2018), "Comparing Direct and Indirect
// Temporal-Difference Methods for Estimating the Variance of the Return".
#include <array>
#include <bit>
#include <string_view>

#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

enum Action : std::size_t { left, right };

void set_walk_policies(MdpDescription& d, const DomainRequest& request) {
    const auto policy = [](double to_the_right) {
        return [=](std::size_t, std::size_t a) { return a == right ? to_the_right : 1 - to_the_right; };
    };
    set_policies(d, request, policy(request.value("target-right")), policy(request.value("behaviour-right")));
}

// The left end brings `left_reward`, the right one 1.
MdpDescription describe_walk(const DomainRequest& request, std::size_t states, double left_reward) {
    const double gamma = request.value("gamma");
    MdpDescription d = blank_description(request, states, 2);
    start_in(d, states / 2);  // the middle: the literature's state 3 of 5, 6 of 11, 10 of 19
    for (std::size_t s = 0; s < states; ++s) {
        if (s == 0) {
            add_end(d, s, left, 1, left_reward);
        } else {
            add_outcome(d, s, left, s - 1, 1, 0, gamma);
        }
        if (s == states - 1) {
            add_end(d, s, right, 1, 1);
        } else {
            add_outcome(d, s, right, s + 1, 1, 0, gamma);
        }
    }
    set_walk_policies(d, request);
    return d;
}

MdpDescription make_walk5(const DomainRequest& request) {
    constexpr std::size_t states = 5;
    MdpDescription d = describe_walk(request, states, -1);
    if (request.features == "tabular") {
        set_tabular_features(d);
    } else if (request.features == "inverted") {  // (1 − 1_s)/2, of length 1
        set_features(d, states, [](std::size_t s, std::size_t i) { return s == i ? 0.0 : 0.5; });
    } else {  // dependent: 100, 110, 111, 011, 001, normalised
        constexpr std::string_view rows[states]{"100", "110", "111", "011", "001"};
        set_features(d, 3, [&](std::size_t s, std::size_t i) { return rows[s][i] == '1' ? 1.0 : 0.0; });
        normalise_by_default(d, request);
    }
    return d;
}

// The digits of the literature's state n in base 2, the most significant first.
MdpDescription make_walk11(const DomainRequest& request) {
    constexpr std::size_t states = 11, digits = std::bit_width(states);
    MdpDescription d = describe_walk(request, states, 0);
    if (request.features == "tabular") {
        set_tabular_features(d);
    } else {
        set_features(d, digits, [](std::size_t s, std::size_t i) {
            return static_cast<double>((s + 1) >> (digits - 1 - i) & 1u);
        });
    }
    return d;
}

MdpDescription make_walk19(const DomainRequest& request) {
    MdpDescription d = describe_walk(request, 19, -1);
    set_tabular_features(d);
    return d;
}

// From the first state to beyond the last; a step to the left of the first one stays. All steps but the last cost 1.
MdpDescription make_walk30(const DomainRequest& request) {
    constexpr std::size_t states = 30;
    MdpDescription d = blank_description(request, states, 2);
    start_in(d, 0);
    for (std::size_t s = 0; s < states; ++s) {
        add_outcome(d, s, left, s == 0 ? 0 : s - 1, 1, -1, request.value("gamma"));
        if (s + 1 < states) {
            add_outcome(d, s, right, s + 1, 1, -1, request.value("gamma"));
        } else {
            add_end(d, s, right, 1, 0);
        }
    }
    set_walk_policies(d, request);
    // Powers of the place n/30.
    if (request.features == "tabular") {
        set_tabular_features(d);
    } else {
        set_features(d, request.features == "linear" ? 2 : 3, [](std::size_t s, std::size_t i) {
            const double place = static_cast<double>(s + 1) / states;
            return i == 0 ? 1 : i == 1 ? place : place * place;
        });
    }
    return d;
}

constexpr DomainParameter gamma_parameter{{"gamma", {0, 1}, "discount γ within an episode", 1}};
constexpr DomainParameter right_parameter(std::string_view name, std::string_view help, double by_default) {
    return {{name, {0, 1}, help, by_default}};
}
constexpr std::array<DomainParameter, 3> walk_parameters(double target_right, double behaviour_right) {
    return {gamma_parameter,
            right_parameter("target-right", "probability of right under the target policy", target_right),
            right_parameter("behaviour-right", "probability of right under the behaviour policy, off-policy",
                            behaviour_right)};
}
constexpr auto walk5_parameters = walk_parameters(0.6, 0.5);
constexpr auto walk11_parameters = walk_parameters(0.99, 0.5);
constexpr auto walk19_parameters = walk_parameters(0.5, 0.5);
constexpr auto walk30_parameters = walk_parameters(0.7, 0.7);
constexpr std::string_view walk5_features[]{"tabular", "inverted", "dependent"};
constexpr std::string_view walk11_features[]{"binary", "tabular"};
constexpr std::string_view walk19_features[]{"tabular"};
constexpr std::string_view walk30_features[]{"linear", "quadratic", "tabular"};

}  // namespace

const DomainInfo builtin::walk5{
    .id = "walk5",
    .summary = "a random walk of five states, off-policy, with tabular, inverted or dependent features",
    .source = "Sutton, Maei et al. (2009); Ghiassian et al. (2020)",
    .parameters = walk5_parameters,
    .features = walk5_features,
    .make = make_walk5,
};

const DomainInfo builtin::walk11{
    .id = "walk11",
    .summary = "a random walk of eleven states to a reward at its right end, far off-policy, with binary features",
    .source = "Mahmood & Sutton (2015)",
    .parameters = walk11_parameters,
    .features = walk11_features,
    .make = make_walk11,
};

const DomainInfo builtin::walk19{
    .id = "walk19",
    .summary = "a random walk of nineteen states, V(n) = (n - 10)/10",
    .source = "Sutton & Barto (2018), section 7.1",
    .parameters = walk19_parameters,
    .features = walk19_features,
    .make = make_walk19,
};

const DomainInfo builtin::walk30{
    .id = "walk30",
    .summary = "a random walk of thirty states with one end, steps to it, with polynomial features",
    .source = "Sherstan et al. (2018)",
    .parameters = walk30_parameters,
    .features = walk30_features,
    .make = make_walk30,
};

}  // namespace bellwether
