// The variance of the return and the average reward: recorded values, the second moment, and problems whose answer is
// known by hand.
#include "problems/return_statistics.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "bellwether/algorithms/differential_td.hpp"
#include "bellwether/algorithms/variance.hpp"
#include "bellwether/online.hpp"
#include "golden_mdp.hpp"
#include "inner_state.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

nlohmann::json json_of(const char* path) {
    return nlohmann::json::parse(std::ifstream(path));
}

TEST(ReturnStatistics, RecordedValues) {
    constexpr double golden = 1e-10;  // as the data says
    const FiniteMdp mdp = mdp_of(json_of(BELLWETHER_TEST_DATA "/mdp.json"));
    const auto expected = json_of(BELLWETHER_TEST_DATA "/mdp-since2016.json");
    const ExactSolution solution(mdp, 0);
    EXPECT_LE(deviation(return_variance(mdp, solution), vector_of(expected["variance"])), golden);
    EXPECT_LE(deviation(return_variance(mdp, solution, 0.8), vector_of(expected["variance_of_lambda_return_0_8"])),
              golden);
    const auto fixed_point = [&](double target_lambda, double variance_lambda) -> VectorXd {
        const LinearUpdate update =
            variance_update(mdp, solution, solution.fixed_point, target_lambda, variance_lambda);
        return bellwether::solve(update.A, update.b);
    };
    EXPECT_LE(deviation(fixed_point(1, 0), vector_of(expected["variance_fixed_point_target1_trace0"])), golden);
    EXPECT_LE(deviation(fixed_point(0.8, 0.6), vector_of(expected["variance_fixed_point_target0_8_trace0_6"])), golden);
    const AverageReward average = average_reward(mdp);
    EXPECT_LE(deviation(average.d, vector_of(expected["target_stationary"])), golden);
    EXPECT_NEAR(average.reward, expected["average_reward"].get<double>(), golden);
    EXPECT_LE(deviation(average.values, vector_of(expected["differential_values"])), golden);
}

// σ² = M − V*², with the second moment M = E[R²] + 2E[γRV*(S')] + E[γ²M(S')].
TEST(ReturnStatistics, VarianceIsTheSecondMomentLessTheSquareOfTheMean) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const FiniteMdp mdp(random_mdp(seed));
        const ExactSolution solution(mdp, 0);
        const auto n = static_cast<Index>(mdp.states());
        MatrixXd equations = MatrixXd::Identity(n, n);
        VectorXd right = VectorXd::Zero(n);
        for (std::size_t s = 0; s < mdp.states(); ++s)
            for (std::size_t a = 0; a < mdp.actions(); ++a)
                for (const Outcome& o : mdp.outcomes(s, a)) {
                    const double weight = mdp.target(s, a) * o.probability;
                    equations(static_cast<Index>(s), o.next) -= weight * o.discount * o.discount;
                    right(static_cast<Index>(s)) +=
                        weight * o.reward * (o.reward + 2 * o.discount * solution.v(o.next));
                }
        const VectorXd second_moment = bellwether::solve(equations, right);
        EXPECT_LE(deviation(return_variance(mdp, solution), second_moment - solution.v.cwiseAbs2()), 1e-12);
    }
}

// One state, a reward of 1 or 0 at even odds, discount γ: the return is a sum of independent terms.
TEST(ReturnStatistics, CoinsAreIndependent) {
    constexpr double gamma = 0.9;
    MdpDescription m = sized("coins", 1, 1, 1);
    m.outcomes = {{{0, 0.5, 1, gamma}, {0, 0.5, 0, gamma}}};
    m.target = m.behaviour = {1};
    m.features = {1};
    const FiniteMdp mdp(m);
    const ExactSolution solution(mdp, 0);
    EXPECT_NEAR(return_variance(mdp, solution)(0), 0.25 / (1 - gamma * gamma), 1e-13);
    EXPECT_NEAR(return_variance(mdp, solution, 0)(0), 0.25, 1e-15);
    EXPECT_NEAR(average_reward(mdp).reward, 0.5, 1e-15);
    EXPECT_NEAR(average_reward(mdp).values(0), 0, 1e-15);
}

// (I − P_π)V = r_π − r̄ and d_π·V = 0, by definition.
TEST(ReturnStatistics, DifferentialValuesSolveTheirEquation) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const FiniteMdp mdp(random_mdp(seed));
        const AverageReward average = average_reward(mdp);
        for (std::size_t s = 0; s < mdp.states(); ++s) {
            double right = -average.reward;
            for (std::size_t a = 0; a < mdp.actions(); ++a)
                for (const Outcome& o : mdp.outcomes(s, a))
                    right += mdp.target(s, a) * o.probability * (o.reward + average.values(o.next));
            EXPECT_NEAR(average.values(static_cast<Index>(s)), right, 1e-13);
        }
        EXPECT_NEAR(average.d.dot(average.values), 0, 1e-13);
    }
}

// use(learner after the step, share) for every (s, a, s'), each from the same learner, one feature per state; `share`
// is d(s)μ(a|s)P(s'|s,a).
template <class Learner, class Use>
void for_each_step(const FiniteMdp& mdp, const Learner& before, bool discounts, Use use) {
    const VectorXd d = stationary_distribution(mdp);
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) {
                if (mdp.behaviour(s, a) == 0) continue;
                Learner learner = before;
                learner.step({.x = OneHot{s},
                              .reward = o.reward,
                              .gamma = discounts ? o.discount : 1,
                              .x_next = OneHot{o.next},
                              .rho = mdp.ratio(s, a)});
                use(learner, d(static_cast<Index>(s)) * mdp.behaviour(s, a) * o.probability);
            }
}
// Off-policy: the mean step of the learners stands still at the exact answers.
TEST(ReturnStatistics, IsWhereTheLearnersStandStill) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const FiniteMdp mdp(random_mdp(seed));
        const ExactSolution solution(mdp, 0);
        const auto put_all = [](Online<Variance<double>>& l, const VectorXd& w, const VectorXd& m) {
            put(l.algorithm().w, Vec(w.begin(), w.end()));
            put(l.algorithm().m, Vec(m.begin(), m.end()));
        };
        const VectorXd sigma = return_variance(mdp, solution);
        Online<Variance<double>> with_variance(mdp.states(), {.alpha = 1});
        put_all(with_variance, solution.v, sigma);
        VectorXd change = VectorXd::Zero(solution.v.size());
        for_each_step(mdp, with_variance, true, [&](const auto& learner, double share) {
            change += share * (to_eigen(numbers_of(learner.algorithm().m)) - sigma);
        });
        EXPECT_LE(change.cwiseAbs().maxCoeff(), 1e-12);

        const AverageReward average = average_reward(mdp);
        Online<DifferentialTd<double>> differential(mdp.states(), {.alpha = 1});
        put(differential.algorithm().w, Vec(average.values.begin(), average.values.end()));
        differential.algorithm().average_reward = average.reward;
        change.setZero();
        double change_of_average = 0;
        for_each_step(mdp, differential, false, [&](const auto& learner, double share) {
            change += share * (to_eigen(numbers_of(learner.algorithm().w)) - average.values);
            change_of_average += share * (learner.algorithm().average_reward - average.reward);
        });
        EXPECT_LE(change.cwiseAbs().maxCoeff(), 1e-12);
        EXPECT_NEAR(change_of_average, 0, 1e-12);
    }
}

}  // namespace
}  // namespace bellwether::test
