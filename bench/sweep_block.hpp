// Blocks of configurations on one trajectory, as the engine runs them and as the plain loops do.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "engine/lanes.hpp"
#include "scalar_sweep.hpp"
#include "study/instance.hpp"
#include "study/study.hpp"

namespace bench {

inline constexpr std::size_t block_size = 512;
inline constexpr std::size_t trajectory_steps = 500;
inline constexpr double block_agent_steps = static_cast<double>(block_size * trajectory_steps);

// Instance 0 of a built-in domain with its first trajectory and one error.
class SweepProblem {
public:
    SweepProblem(std::string_view domain, std::string_view features, bool on_policy, bellwether::Metric metric);
    SweepProblem(const SweepProblem&) = delete;
    SweepProblem& operator=(const SweepProblem&) = delete;

    const bellwether::Instance& instance() const { return instance_; }
    const bellwether::LaneTrajectory& trajectory() const { return trajectory_; }
    const bellwether::ErrorData& error() const { return error_; }

private:
    bellwether::Study study_;
    bellwether::Instance instance_;
    bellwether::LaneTrajectory trajectory_;
    bellwether::ErrorData error_;
};

// Step sizes from the least to the greatest, geometrically; the other parameters are the same in all configurations.
struct Grid {
    double least_alpha = 1e-4, greatest_alpha = 0.02;
    double eta = 1, lambda = 0.9;

    double alpha(std::size_t configuration) const;
};

// Every run has other step sizes than the one before, by a little: nothing can be computed once for all of them.
inline constexpr double alpha_change = 1 - 1e-6;

class EngineBlock {
public:
    EngineBlock(const SweepProblem& problem, const bellwether::LaneTarget& target, std::string_view algorithm,
                const Grid& grid, std::size_t scored_steps);

    void run();
    std::span<const double> scores() const { return scores_; }

    std::span<double> alphas() { return std::span(parameters_).subspan(first_alpha_, block_size); }
    std::span<double> rewards() { return rewards_; }

private:
    const SweepProblem& problem_;
    bellwether::LaneKernel* kernel_;
    std::size_t algorithm_, first_alpha_ = 0, scored_steps_;
    std::vector<double> parameters_;  // parameter by parameter
    std::vector<double> rewards_, scores_;
};

// Tabular problems only.
class ScalarBlock {
public:
    ScalarBlock(const SweepProblem& problem, ScalarRun* loop, const Grid& grid);
    ScalarBlock(const ScalarBlock&) = delete;
    ScalarBlock& operator=(const ScalarBlock&) = delete;

    void run();
    std::span<const double> scores() const { return scores_; }

private:
    ScalarRun* loop_;
    std::vector<double> error_scale_, truth_;
    ScalarProblem problem_;
    std::vector<ScalarConfiguration> configurations_;
    std::vector<double> scores_;
};

}  // namespace bench
