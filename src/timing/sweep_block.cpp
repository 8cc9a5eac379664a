#include "timing/sweep_block.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bellwether/registry.hpp"
#include "engine/device/packing.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

namespace {

Study make_study(Problem problem, Metric metric) {
    Study study;
    study.name = "bench";
    study.seed = 1;
    Setting setting{.id = "bench", .problem = std::move(problem)};
    setting.steps = trajectory_steps;
    setting.instances = setting.runs = 1;
    setting.metrics.push_back({.metric = metric, .runs = 1, .scored = trajectory_steps});
    study.settings.push_back(std::move(setting));
    return study;
}

}  // namespace

SweepProblem::SweepProblem(std::string_view domain, std::string_view features, bool on_policy, Metric metric,
                           std::uint32_t instance, std::size_t runs)
    : SweepProblem(Problem(request_domain(require_domain(domain), {}, features, on_policy)), metric, instance, runs) {}

SweepProblem::SweepProblem(Problem problem, Metric metric, std::uint32_t instance, std::size_t runs)
    : study_(make_study(std::move(problem), metric)),
      instance_(study_, 0, instance, 0, 0),
      trajectories_(instance_.trajectories(0, runs, trajectory_steps)),
      error_(instance_.error(0, {})) {
    if (instance_.features().kind == LaneFeatures::Kind::one_hot) write_out_features();
}

void SweepProblem::write_out_features() {
    const LaneFeatures& one_hot = instance_.features();
    std::uint32_t last = 0;
    for (const LaneTrajectory& t : trajectories_)
        last = std::max(last, *std::max_element(t.rows, t.rows + t.steps + 1));
    dense_.assign((std::size_t{last} + 1) * one_hot.dimension, 0.0);
    for (std::size_t row = 0; row <= last; ++row) dense_[row * one_hot.dimension + one_hot.indices[row]] = 1;
}

LaneFeatures SweepProblem::features(TimedFeatures features) const {
    if (features == TimedFeatures::one_hot) return instance_.features();
    return {.kind = LaneFeatures::Kind::dense,
            .dimension = instance_.features().dimension,
            .first = nullptr,
            .indices = nullptr,
            .values = dense_.data()};
}

double SweepGrid::alpha(std::size_t configuration) const {
    const double place = static_cast<double>(configuration) / static_cast<double>(block_size - 1);
    return least_alpha * std::pow(greatest_alpha / least_alpha, place);
}

double SweepGrid::value(const ParameterInfo& parameter, std::size_t configuration) const {
    if (parameter.name == "alpha") return alpha(configuration);
    if (parameter.name == "eta") return eta;
    if (parameter.name == "lambda") return lambda;
    return parameter.required() ? 0.5 : parameter.default_value;
}

EngineBlock::EngineBlock(const SweepProblem& problem, const Backend& backend, std::string_view algorithm,
                         const SweepGrid& grid, std::size_t scored_steps, TimedFeatures features)
    : problem_(problem),
      backend_(backend),
      features_(problem.features(features)),
      algorithm_(registry_index(*find_algorithm(algorithm))),
      scored_steps_(scored_steps),
      rewards_(problem.trajectory().reward, problem.trajectory().reward + trajectory_steps),
      scores_(problem.trajectories().size() * block_size) {
    for (const ParameterInfo& parameter : algorithm_table[algorithm_].parameters) {
        if (parameter.name == "alpha") {
            first_alpha_ = parameters_.size();
            alpha_count_ = block_size;
        }
        for (std::size_t c = 0; c < block_size; ++c) parameters_.push_back(grid.value(parameter, c));
    }
}

LaneRequest EngineBlock::request_of(std::span<const LaneTrajectory> trajectories, const LaneError& error) const {
    return {.block = {.algorithm = algorithm_, .count = block_size, .parameters = parameters_.data()},
            .features = features_,
            .states = problem_.instance().states(),
            .initial_weights = problem_.instance().initial_weights(),
            .trajectories = trajectories.data(),
            .trajectory_count = trajectories.size(),
            .errors = &error,
            .error_count = 1,
            .scored_steps = scored_steps_,
            .scores = nullptr,
            .curves = nullptr};
}

void EngineBlock::run() {
    std::vector<LaneTrajectory> trajectories(problem_.trajectories().begin(), problem_.trajectories().end());
    trajectories[0].reward = rewards_.data();
    const LaneError error = problem_.error().view();
    LaneRequest request = request_of(trajectories, error);
    request.scores = scores_.data();
    backend_.run({&request, 1});
    for (double& alpha : alphas()) alpha *= alpha_change;
}

bool EngineBlock::has_device_kernel() const {
    const LaneError error = problem_.error().view();
    return device_numbers(request_of(problem_.trajectories(), error)) > 0;
}

LearnerRun::LearnerRun(const SweepProblem& problem, const InstructionSet& instruction_set, std::string_view algorithm,
                       const SweepGrid& grid, TimedFeatures features)
    : problem_(problem), features_(problem.features(features)) {
    const AlgorithmInfo& info = *find_algorithm(algorithm);
    std::vector<double> parameters;
    for (const ParameterInfo& parameter : info.parameters) parameters.push_back(grid.value(parameter, block_size - 1));
    const std::size_t dimension = features_.dimension;
    fresh_ = instruction_set.make_learner(info, dimension, parameters, std::nullopt);
    fresh_->set_weights({problem.instance().initial_weights(), dimension});
    renew();
}

void LearnerRun::renew() {
    constexpr std::size_t places = 16;
    learners_.push_back(fresh_->clone());
    if (learners_.size() > places) learners_.pop_front();
}

template <class FeaturesOf>
void LearnerRun::learn(FeaturesOf features_of) {
    Learner& learner = *learners_.back();
    const LaneTrajectory& trajectory = problem_.trajectory();
    learner.start();
    for (std::size_t t = 0; t < trajectory.steps; ++t)
        learner.step(Transition<decltype(features_of(0U))>{.x = features_of(trajectory.rows[t]),
                                                           .reward = trajectory.reward[t],
                                                           .gamma = trajectory.gamma[t],
                                                           .x_next = features_of(trajectory.rows[t + 1]),
                                                           .rho = trajectory.rho[t],
                                                           .pi = trajectory.pi[t],
                                                           .mu = trajectory.mu[t]});
}

void LearnerRun::run() {
    const std::size_t dimension = features_.dimension;
    if (features_.kind == LaneFeatures::Kind::one_hot)
        learn([index = features_.indices](std::uint32_t row) { return OneHot{index[row]}; });
    else
        learn([values = features_.values, dimension](std::uint32_t row) {
            return Dense<double>{{values + row * dimension, dimension}};
        });
}

}  // namespace bellwether
