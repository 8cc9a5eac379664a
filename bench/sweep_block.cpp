#include "sweep_block.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "bellwether/registry.hpp"

namespace bench {

using namespace bellwether;

namespace {

Study make_study(std::string_view domain, std::string_view features, bool on_policy, Metric metric) {
    Study study{.name = "bench", .seed = 1, .settings = {}, .text = {}};
    study.settings.push_back({.id = std::string(domain),
                              .problem = Problem(request_domain(require_domain(domain), {}, features, on_policy)),
                              .steps = trajectory_steps,
                              .instances = 1,
                              .runs = 1,
                              .scored_steps = trajectory_steps,
                              .metrics = {{.metric = metric, .runs = 1}}});
    return study;
}

double value_in_grid(const ParameterInfo& parameter, const Grid& grid, std::size_t configuration) {
    if (parameter.name == "alpha") return grid.alpha(configuration);
    if (parameter.name == "eta") return grid.eta;
    if (parameter.name == "lambda") return grid.lambda;
    return parameter.required() ? 0.5 : parameter.default_value;
}

}  // namespace

SweepProblem::SweepProblem(std::string_view domain, std::string_view features, bool on_policy, Metric metric)
    : study_(make_study(domain, features, on_policy, metric)),
      instance_(study_, 0, 0, 0),
      trajectory_(instance_.trajectory(0, trajectory_steps)),
      error_(instance_.error(0, {})) {}

double Grid::alpha(std::size_t configuration) const {
    const double place = static_cast<double>(configuration) / static_cast<double>(block_size - 1);
    return least_alpha * std::pow(greatest_alpha / least_alpha, place);
}

EngineBlock::EngineBlock(const SweepProblem& problem, const LaneTarget& target, std::string_view algorithm,
                         const Grid& grid, std::size_t scored_steps)
    : problem_(problem),
      kernel_(target.run),
      algorithm_(static_cast<std::size_t>(find_algorithm(algorithm) - algorithm_table.data())),
      scored_steps_(scored_steps),
      rewards_(problem.trajectory().reward, problem.trajectory().reward + trajectory_steps),
      scores_(block_size) {
    for (const ParameterInfo& parameter : algorithm_table[algorithm_].parameters) {
        if (parameter.name == "alpha") first_alpha_ = parameters_.size();
        for (std::size_t c = 0; c < block_size; ++c) parameters_.push_back(value_in_grid(parameter, grid, c));
    }
}

void EngineBlock::run() {
    LaneTrajectory trajectory = problem_.trajectory();
    trajectory.reward = rewards_.data();
    const LaneError error = problem_.error().view();
    kernel_({.block = {.algorithm = algorithm_, .count = block_size, .parameters = parameters_.data()},
             .features = problem_.instance().features(),
             .states = problem_.instance().states(),
             .initial_weights = problem_.instance().initial_weights(),
             .trajectory = trajectory,
             .errors = &error,
             .error_count = 1,
             .scored_steps = scored_steps_,
             .scores = scores_.data(),
             .curves = nullptr,
             .weights = nullptr});
    benchmark::DoNotOptimize(scores_.data());
    for (double& alpha : alphas()) alpha *= alpha_change;
}

ScalarBlock::ScalarBlock(const SweepProblem& problem, ScalarRun* loop, const Grid& grid)
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
