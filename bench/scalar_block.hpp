// A block of configurations on one trajectory as the plain loops run it.
#pragma once

#include <span>
#include <vector>

#include "scalar_sweep.hpp"
#include "timing/sweep_block.hpp"

namespace bench {

// Tabular problems only.
class ScalarBlock {
public:
    ScalarBlock(const bellwether::SweepProblem& problem, ScalarRun* loop, const bellwether::SweepGrid& grid);
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
