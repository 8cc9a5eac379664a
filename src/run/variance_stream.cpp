#include "run/variance_stream.hpp"

#include <memory>
#include <optional>

#include "engine/backend.hpp"

namespace bellwether {

VarianceStream variance_stream(LearningTarget target, const ValueLearner& values, const FiniteMdp& problem_of_values,
                               const Trajectory& run, const std::vector<std::uint8_t>& measured) {
    const bool is_direct = target == LearningTarget::variance;
    const std::unique_ptr<Learner> learner = best_instruction_set().make_learner(
        *values.info, problem_of_values.dimension(), values.parameters, std::nullopt);
    const auto x = [&](std::size_t state) { return Dense<double>{problem_of_values.features(state)}; };
    VarianceStream stream;
    stream.reward.reserve(run.steps());
    stream.gamma.reserve(run.steps());
    for (std::size_t t = 0; t < run.steps(); ++t) {
        const std::uint32_t state = run.features[t], next = run.features[t + 1];
        const double reward = run.reward[t], gamma = run.gamma[t];
        const double error = is_direct ? reward + gamma * learner->predict(x(next)) - learner->predict(x(state)) : 0;
        learner->step(Transition<Dense<double>>{.x = x(state),
                                                .reward = reward,
                                                .gamma = gamma,
                                                .x_next = x(next),
                                                .rho = run.rho[t],
                                                .interest = problem_of_values.interest(state),
                                                .pi = run.pi[t],
                                                .mu = run.mu[t]});
        stream.gamma.push_back(gamma * gamma);
        stream.reward.push_back(is_direct ? error * error
                                          : reward * reward + 2 * gamma * reward * learner->predict(x(next)));
        if (is_direct || !(measured.empty() || measured[t])) continue;
        for (std::size_t s = 0; s < problem_of_values.states(); ++s) {
            const double value = learner->predict(x(s));
            stream.squared_values.push_back(value * value);
        }
    }
    return stream;
}

}  // namespace bellwether
