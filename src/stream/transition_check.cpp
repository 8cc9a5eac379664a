#include "stream/transition_check.hpp"

#include <limits>

#include "bellwether/learner.hpp"

namespace bellwether {

namespace {

using Field = TransitionField;

constexpr double smallest = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();
constexpr NumberRule fraction{0, 1, "in [0, 1]"};
constexpr NumberRule positive_fraction{smallest, 1, "above 0 and at most 1"};
constexpr NumberRule not_negative{0, largest, "finite and at least 0"};
// In the order of TransitionField.
constexpr std::array<NumberRule, transition_fields> rules{fraction, not_negative, fraction,    positive_fraction,
                                                          fraction, fraction,     not_negative};

std::string both(const TransitionNames& names) {
    return std::string(names[Field::pi]) + " and " + std::string(names[Field::mu]);
}

std::optional<TransitionProblem> find_disagreement(const TransitionNumbers& numbers, const TransitionNames& names) {
    const double ratio = *numbers.pi / *numbers.mu;
    if (agrees(*numbers.rho, ratio)) return std::nullopt;
    const std::string quotient = std::string(names[Field::pi]) + "/" + std::string(names[Field::mu]);
    return TransitionProblem{Field::rho,
                             "is " + number_text(*numbers.rho) + ", but " + quotient + " is " + number_text(ratio)};
}

}  // namespace

const NumberRule& rule_of(TransitionField field) {
    return rules[static_cast<std::size_t>(field)];
}

std::optional<TransitionProblem> find_problem(TransitionField field, double value) {
    const NumberRule& rule = rule_of(field);
    if (rule.allows(value)) return std::nullopt;
    return TransitionProblem{field, "is " + number_text(value) + ": it must be " + std::string(rule.words)};
}

std::optional<TransitionProblem> find_problem(const TransitionNumbers& numbers, const TransitionNames& names) {
    std::optional<TransitionProblem> problem;
    const auto check = [&](Field field, const std::optional<double>& value) {
        if (!problem && value) problem = find_problem(field, *value);
    };
    check(Field::gamma, numbers.gamma);
    check(Field::pi, numbers.pi);
    check(Field::mu, numbers.mu);
    check(Field::rho, numbers.ratio());
    if (!problem && numbers.rho && numbers.pi) problem = find_disagreement(numbers, names);
    check(Field::lambda, numbers.lambda);
    check(Field::lambda_next, numbers.lambda_next);
    check(Field::interest, numbers.interest);
    return problem;
}

std::optional<TransitionProblem> find_off_policy(const AlgorithmInfo& algorithm, double rho) {
    if (!algorithm.on_policy_only || rho == 1) return std::nullopt;
    return TransitionProblem{Field::rho, "is " + number_text(rho) + ": " + std::string(algorithm.id) +
                                             " learns on-policy only, where rho is 1"};
}

std::string missing_policy(bool has_pi, bool has_mu, const TransitionNames& names) {
    if (has_pi == has_mu) return {};
    const Field missing = has_pi ? Field::mu : Field::pi;
    return std::string(names[missing]) + (names.many ? " are" : " is") + " missing: " + both(names) + " come together";
}

std::string missing_policies(const AlgorithmInfo& algorithm, bool has_policies, const TransitionNames& names) {
    if (!algorithm.needs_policies || has_policies) return {};
    return std::string(algorithm.id) + " needs " + both(names) + ", the probabilities of the " +
           (names.many ? "actions taken" : "action taken");
}

}  // namespace bellwether
