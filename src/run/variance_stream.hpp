// The variance of the return as a prediction of its own. A learner of values goes through a run; what it makes of every
// step is the reward of another learner, whose discount is γ²:
//     variance:       δ², the squared TD error, of which the variance is the discounted sum
//     second moment:  R² + 2γR v(S'), with v as it is after the step; the variance is what is learned less v²
// (Sherstan et al. 2018). That other learner may be any algorithm, with features and step sizes of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/study.hpp"
#include "problems/finite_mdp.hpp"
#include "problems/trajectory.hpp"

namespace bellwether {

struct VarianceStream {
    std::vector<double> reward, gamma;  // by step, in the place of the trajectory's
    // Of a second moment: measurement by measurement v(s)² of every state, which is not of the variance.
    std::vector<double> squared_values;
};

// `measured` says after which steps errors are; empty: after all.
VarianceStream variance_stream(LearningTarget target, const ValueLearner& values, const FiniteMdp& problem_of_values,
                               const Trajectory& run, const std::vector<std::uint8_t>& measured);

}  // namespace bellwether
