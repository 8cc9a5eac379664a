// A problem with one trajectory, and what is timed on it: a block of configurations in the sweep's kernels, and a
// learner by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"
#include "engine/backend.hpp"
#include "plan/study.hpp"
#include "run/instance.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

inline constexpr std::size_t block_size = 512;
inline constexpr std::size_t trajectory_steps = 500;
inline constexpr double block_agent_steps = static_cast<double>(block_size * trajectory_steps);

// An instance of a problem with its first trajectories and one error.
class SweepProblem {
public:
    SweepProblem(Problem problem, Metric metric, std::uint32_t instance = 0, std::size_t runs = 1);
    // A built-in domain.
    SweepProblem(std::string_view domain, std::string_view features, bool on_policy, Metric metric,
                 std::uint32_t instance = 0, std::size_t runs = 1);
    SweepProblem(const SweepProblem&) = delete;
    SweepProblem& operator=(const SweepProblem&) = delete;

    const Instance& instance() const { return instance_; }
    std::span<const LaneTrajectory> trajectories() const { return trajectories_; }
    const LaneTrajectory& trajectory() const { return trajectories_[0]; }
    const ErrorData& error() const { return error_; }
    // Those of the instance or, of a tabular problem, the same with all their zeros.
    LaneFeatures features(TimedFeatures features) const;

private:
    void write_out_features();

    Study study_;
    Instance instance_;
    std::span<const LaneTrajectory> trajectories_;
    ErrorData error_;
    std::vector<double> dense_;  // of a tabular problem: the features of every state
};

// Step sizes from the least to the greatest, geometrically; the other parameters are the same in all configurations.
struct SweepGrid {
    double least_alpha = 1e-4, greatest_alpha = 0.02;
    double eta = 1, lambda = 0.9;

    double alpha(std::size_t configuration) const;
    double value(const ParameterInfo& parameter, std::size_t configuration) const;
};

// Every run has other step sizes than the one before, by a little: nothing can be computed once for all of them.
inline constexpr double alpha_change = 1 - 1e-6;

// On all trajectories of the problem.
class EngineBlock {
public:
    EngineBlock(const SweepProblem& problem, const Backend& backend, std::string_view algorithm, const SweepGrid& grid,
                std::size_t scored_steps, TimedFeatures features = TimedFeatures::one_hot);

    void run();
    // Whether devices have a kernel for it; otherwise they leave it to the processor.
    bool has_device_kernel() const;
    std::span<const double> scores() const { return scores_; }

    std::span<double> alphas() { return std::span(parameters_).subspan(first_alpha_, alpha_count_); }
    std::span<double> rewards() { return rewards_; }  // of the first trajectory

private:
    LaneRequest request_of(std::span<const LaneTrajectory> trajectories, const LaneError& error) const;

    const SweepProblem& problem_;
    const Backend& backend_;
    LaneFeatures features_;
    std::size_t algorithm_, scored_steps_;
    std::size_t first_alpha_ = 0, alpha_count_ = 0;  // 0: the algorithm has no step size
    std::vector<double> parameters_;                 // parameter by parameter
    std::vector<double> rewards_, scores_;
};

// One learner behind the run-time interface, with the greatest step size of the grid. Tabular problems only.
class LearnerRun {
public:
    LearnerRun(const SweepProblem& problem, const InstructionSet& instruction_set, std::string_view algorithm,
               const SweepGrid& grid, TimedFeatures features);

    // From now on one that has learned nothing, at another place in memory: one that lies across two pages can take
    // twice the time of the others.
    void renew();
    void run();  // the trajectory, as a new segment
    bool diverged() const { return learners_.back()->diverged(); }

private:
    template <class FeaturesOf>
    void learn(FeaturesOf features_of);

    const SweepProblem& problem_;
    LaneFeatures features_;
    std::unique_ptr<Learner> fresh_;
    std::deque<std::unique_ptr<Learner>> learners_;  // the last one runs; the others keep their places taken
};

}  // namespace bellwether
