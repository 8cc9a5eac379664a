#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "logs/log.hpp"
#include "stream/transition_check.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

void check_policy(std::span<const double> policy, std::string_view whose, std::string_view name, std::size_t step) {
    constexpr double sum_tolerance = 1e-6;
    double sum = 0;
    for (std::size_t a = 0; a < policy.size(); ++a) {
        if (!(policy[a] >= 0 && policy[a] <= 1))
            throw UsageError(
                fmt::format("step {}: {}{} = {}: a probability must be in [0, 1]", step, name, a, policy[a]));
        sum += policy[a];
    }
    if (!(std::abs(sum - 1) <= sum_tolerance))
        throw UsageError(fmt::format("step {}: the {}'s probabilities add up to {:.6g}, not 1", step, whose, sum));
}

void check_step(const Log& log, std::size_t row, std::size_t step) {
    const auto check = [&](const LongVector<double>& numbers, TransitionField field, std::string_view name) {
        if (numbers.empty()) return;
        if (const auto problem = find_problem(field, numbers[row]))
            throw UsageError(fmt::format("step {}: {} {}", step, name, problem->text));
    };
    if (!std::isfinite(log.reward[row]))
        throw UsageError(fmt::format("step {}: the reward is {}: it must be finite", step, log.reward[row]));
    check(log.gamma, TransitionField::gamma, "gamma");
    check(log.pi, TransitionField::pi, "pi");
    if (!log.mu.empty() && log.mu[row] == 0)
        throw UsageError(fmt::format("step {}: mu is 0 for an action that was taken", step));
    check(log.mu, TransitionField::mu, "mu");
    check(log.rho, TransitionField::rho, "rho");
    if (!log.action.empty() && log.action[row] >= log.actions)
        throw UsageError(fmt::format("step {}: action {}: the policies know actions 0 to {}", step, log.action[row],
                                     log.actions - 1));
    if (!log.target.empty()) check_policy(log.target_of(row), "target", "pi", step);
    if (!log.behaviour.empty()) {
        const std::span<const double> behaviour{&log.behaviour[row * log.actions], log.actions};
        check_policy(behaviour, "behaviour", "mu", step);
    }
}

}  // namespace

void check_log(const Log& log) {
    if (log.dimension == 0) throw UsageError("a log needs at least one feature");
    if (log.segments.empty()) throw UsageError("a log needs at least one step");
    std::size_t step = 0;
    for (const Segment& segment : log.segments)
        for (std::size_t h = 0; h < segment.steps; ++h) check_step(log, segment.first + h, step++);
    for (std::size_t k = 0; k < log.features.size(); ++k)
        if (!std::isfinite(log.features[k]))
            throw UsageError(fmt::format("row {}: x{} is {}: it must be finite", k / log.dimension, k % log.dimension,
                                         log.features[k]));
}

}  // namespace bellwether
