#include "logs/rupee.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.hpp"
#include "logs/training_stream.hpp"
#include "logs/vectors.hpp"
#include "stream/learn_steps.hpp"

namespace bellwether {

double rupee_of(const Log& log, const AlgorithmInfo& algorithm, std::span<const double> parameters,
                double largest_square) {
    constexpr double beta = 0.002, share_of_largest = 0.05;
    const double alpha = share_of_largest / largest_square;
    const ParameterInfo* const own = algorithm.find("lambda");
    const double lambda = own ? parameters[static_cast<std::size_t>(own - algorithm.parameters.data())] : 0;
    const std::size_t d = log.dimension;
    const std::unique_ptr<Learner> learner =
        best_instruction_set().make_learner(algorithm, d, {parameters.begin(), parameters.end()}, std::nullopt);
    const TrainingStream training(log, std::nullopt);
    const StreamView stream = training.view();
    std::vector<double> h(d), mean(d), z(d);
    double tau = 0;
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        std::fill(z.begin(), z.end(), 0.0);
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) {
            const std::span<const double> x = log.x(row), w = learner->weights();
            const bool last = row + 1 == segment.first + segment.steps;
            const double next = last && segment.ended ? 0 : log.gamma[row] * dot(log.x(row + 1), w);
            const double error = log.reward[row] + next - dot(x, w);
            const double decay = row == segment.first ? 0 : log.gamma[row - 1] * lambda;
            add_to_decayed(log.rho[row] * decay, log.rho[row], x, 0, x, z);
            const double correction = dot(h, x);
            tau = (1 - beta) * tau + beta;
            add_to_decayed(1, alpha * error, z, -alpha * correction, x, h);
            add_to_decayed(1 - beta / tau, beta / tau * error, z, 0, z, mean);
            learn_steps(*learner, stream, row, row + 1, nullptr);
        }
    });
    return std::sqrt(std::abs(dot(h, mean)));
}

}  // namespace bellwether
