#include "scalar_block.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace bench {

using namespace bellwether;

ScalarBlock::ScalarBlock(const SweepProblem& problem, ScalarRun* loop, const SweepGrid& grid)
    : loop_(loop),
      error_scale_(problem.instance().features().dimension),
      truth_(problem.instance().features().dimension),
      problem_{.dimension = problem.instance().features().dimension,
               .steps = trajectory_steps,
               .features = problem.trajectory().rows,  // tabular: state i has feature i
               .reward = problem.trajectory().reward,
               .gamma = problem.trajectory().gamma,
               .rho = problem.trajectory().rho,
               .initial_weights = problem.instance().initial_weights(),
               .error_scale = error_scale_.data(),
               .truth = truth_.data()},
      scores_(block_size) {
    for (const LaneError::Term& term : problem.error().terms) {  // |ay + b| = |a| |y − (−b/a)|
        error_scale_[term.node] = std::fabs(term.a);
        truth_[term.node] = -term.b / term.a;
    }
    for (std::size_t c = 0; c < block_size; ++c)
        configurations_.push_back({.alpha = grid.alpha(c), .eta = grid.eta, .lambda = grid.lambda});
}

void ScalarBlock::run() {
    for (std::size_t c = 0; c < block_size; ++c) scores_[c] = loop_(problem_, configurations_[c]);
    benchmark::DoNotOptimize(scores_.data());
    for (ScalarConfiguration& configuration : configurations_) configuration.alpha *= alpha_change;
}

}  // namespace bench
