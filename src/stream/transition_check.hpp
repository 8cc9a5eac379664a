// What the numbers of a transition may be. This is the one place that knows it, for the rows of a file, the arguments
// of a step and the arrays of a stream; who asks knows where a number stands, and says so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bellwether/info.hpp"

namespace bellwether {

enum class TransitionField : std::uint8_t { gamma, rho, pi, mu, lambda, lambda_next, interest };
inline constexpr std::size_t transition_fields = 7;

// What a number may be; `least` is not negative.
struct NumberRule {
    double least, greatest;
    std::string_view words;

    constexpr bool allows(double value) const { return value >= least && value <= greatest; }
};
const NumberRule& rule_of(TransitionField field);

// How far a given ρ may be from π/μ: logs often carry six digits.
constexpr bool agrees(double rho, double ratio) {
    const double difference = rho < ratio ? ratio - rho : rho - ratio;
    return difference <= 1e-6 * (ratio > 1 ? ratio : 1);
}

// What the fields are called where the numbers come from, and whether a name stands for a number per step.
struct TransitionNames {
    std::array<std::string_view, transition_fields> fields;
    bool many;

    std::string_view operator[](TransitionField field) const { return fields[static_cast<std::size_t>(field)]; }
};

// One transition's numbers as they were given. π and μ come together.
struct TransitionNumbers {
    double gamma = 0;
    std::optional<double> rho{}, pi{}, mu{}, lambda{}, lambda_next{}, interest{};

    // ρ as given, else π/μ, else 1.
    double ratio() const { return rho ? *rho : pi ? *pi / *mu : 1; }
};

// Which number cannot be, and why: "is 1.5: it must be in [0, 1]".
struct TransitionProblem {
    TransitionField field;
    std::string text;
};

// One number out of its range.
std::optional<TransitionProblem> find_problem(TransitionField field, double value);
// The first number out of its range, or a ρ that is not π/μ where all are given.
std::optional<TransitionProblem> find_problem(const TransitionNumbers& numbers, const TransitionNames& names);
// A ratio that an algorithm which learns on-policy only must not see.
std::optional<TransitionProblem> find_off_policy(const AlgorithmInfo& algorithm, double rho);

// "mu is missing: pi and mu come together", or an empty text where both are given or neither is.
std::string missing_policy(bool has_pi, bool has_mu, const TransitionNames& names);
// "tb needs pi and mu, the probabilities of the action taken", or an empty text where it does not or has them.
std::string missing_policies(const AlgorithmInfo& algorithm, bool has_policies, const TransitionNames& names);

}  // namespace bellwether
