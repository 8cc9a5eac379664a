// What there is to know of the returns of a finite MDP beside their mean: their variance, and the average reward.
#pragma once

#include "problems/exact.hpp"
#include "problems/learning_target.hpp"

namespace bellwether {

// The variance under π, state by state, of the return (κ = 1) or of the λ-return from exact values with λ = κ:
//     σ² = (I − κ²Q)⁻¹y,  Q(s,s') = Σ_a π(a|s)P(s'|s,a)γ²,  y(s) = E_π[(R + γV*(S') − V*(s))²]
Eigen::VectorXd return_variance(const FiniteMdp& mdp, const ExactSolution& solution, double target_lambda = 1);

// The exact solution, with what a target's error is measured against in the place of V*: the variance of the return
// where that is learned. Its matrices and weights stay those of values.
ExactSolution solution_for(const FiniteMdp& mdp, LearningTarget target, double lambda);

// The mean update b − Am of the second learner of `variance`, once the first one stands at w: A and b of TD with
// κ²Q for P_{π,γ}, `variance_lambda` for λ and the squared TD error for the reward.
LinearUpdate variance_update(const FiniteMdp& mdp, const ExactSolution& solution, const Eigen::VectorXd& w,
                             double target_lambda, double variance_lambda);

// The average reward r̄ = d_π·r_π, and the differential values: (I − P_π)V = r_π − r̄ with d_π·V = 0. Discounts do not
// enter. UsageError where the chain under π has several closed classes.
struct AverageReward {
    Eigen::VectorXd d;  // stationary distribution under π
    double reward;
    Eigen::VectorXd values;
};
AverageReward average_reward(const FiniteMdp& mdp);

}  // namespace bellwether
