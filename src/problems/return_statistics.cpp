#include "problems/return_statistics.hpp"

namespace bellwether {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// use(s, π(a|s)P(s'|s,a), outcome) for all that π may do.
template <class Use>
void for_each_outcome(const FiniteMdp& mdp, Use use) {
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) use(static_cast<Index>(s), mdp.target(s, a) * o.probability, o);
}

// κ²Q
MatrixXd squared_discounts(const FiniteMdp& mdp, double target_lambda) {
    const auto n = static_cast<Index>(mdp.states());
    MatrixXd Q = MatrixXd::Zero(n, n);
    for_each_outcome(mdp, [&](Index s, double weight, const Outcome& o) {
        const double discount = target_lambda * o.discount;
        Q(s, o.next) += weight * discount * discount;
    });
    return Q;
}

// E_π[(R + γv(S') − v(s))²], to which noise on R adds its variance
VectorXd squared_errors(const FiniteMdp& mdp, const VectorXd& v) {
    VectorXd y = VectorXd::Constant(v.size(), mdp.reward_noise() * mdp.reward_noise());
    for_each_outcome(mdp, [&](Index s, double weight, const Outcome& o) {
        const double error = o.reward + o.discount * v(o.next) - v(s);
        y(s) += weight * error * error;
    });
    return y;
}

MatrixXd one_minus(const MatrixXd& P) {
    return MatrixXd::Identity(P.rows(), P.cols()) - P;
}

}  // namespace

VectorXd return_variance(const FiniteMdp& mdp, const ExactSolution& solution, double target_lambda) {
    return solve(one_minus(squared_discounts(mdp, target_lambda)), squared_errors(mdp, solution.v));
}

ExactSolution solution_for(const FiniteMdp& mdp, LearningTarget target, double lambda) {
    ExactSolution solution = lambda == 0 ? *exact_solution(mdp) : ExactSolution(mdp, lambda);
    if (target != LearningTarget::value) solution.v = return_variance(mdp, solution);
    return solution;
}

LinearUpdate variance_update(const FiniteMdp& mdp, const ExactSolution& solution, const VectorXd& w,
                             double target_lambda, double variance_lambda) {
    const MatrixXd Q = squared_discounts(mdp, target_lambda);
    // Ēᵀ = XᵀD(I − λQ)⁻¹
    const MatrixXd trace =
        solve(one_minus(variance_lambda * Q).transpose(), MatrixXd(solution.d.asDiagonal() * solution.X)).transpose();
    return {trace * (one_minus(Q) * solution.X), trace * squared_errors(mdp, solution.X * w)};
}

AverageReward average_reward(const FiniteMdp& mdp) {
    AverageReward result{stationary_distribution(mdp, PolicyOf::target), 0, {}};
    const Index n = result.d.size();
    MatrixXd P = MatrixXd::Zero(n, n);
    VectorXd r = VectorXd::Zero(n);
    for_each_outcome(mdp, [&](Index s, double weight, const Outcome& o) {
        P(s, o.next) += weight;
        r(s) += weight * o.reward;
    });
    result.reward = result.d.dot(r);
    // With d_π·V = 0 the same solution as without the second term, whose matrix is singular.
    const MatrixXd equations = one_minus(P) + VectorXd::Ones(n) * result.d.transpose();
    result.values = solve(equations, VectorXd(r - VectorXd::Constant(n, result.reward)));
    return result;
}

}  // namespace bellwether
