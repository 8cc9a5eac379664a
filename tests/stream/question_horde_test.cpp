// Questions whose answers are known exactly: the variance of a return, and the projected error of weights that stand
// still.
#include "stream/question_horde.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "files.hpp"
#include "problems/domain.hpp"
#include "problems/exact.hpp"
#include "problems/return_statistics.hpp"
#include "problems/trajectory.hpp"
#include "stream/horde_summary.hpp"

namespace bellwether::test {
namespace {

FiniteMdp small_mdp(std::string_view features, bool on_policy) {
    const NamedValue parameters[]{{"states", 6}, {"successors", 2}, {"terminations", 1}};
    return make_domain(request_domain(require_domain("random-mdp"), parameters, features, on_policy));
}

const std::vector<std::string> columns{"reward", "gamma", "rho"};

// A horde that has seen so many steps of the problem.
QuestionHorde taught(const FiniteMdp& mdp, const std::string& questions, std::size_t steps, bool rupee) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "questions.toml").string();
    std::ofstream(path) << questions;
    QuestionHorde horde(read_questions(path, columns), columns, mdp.dimension(), false, 1, rupee);
    const Sampler sampler(mdp);
    Sampler::Walk walk(sampler, 1, 0, 0);
    for (std::size_t t = 0; t <= steps; ++t) {
        StreamRow row;
        const auto x = mdp.features(walk.state());
        row.values.assign(x.begin(), x.end());
        const Sampler::Draw& draw = walk.step();
        row.others = {draw.reward, draw.gamma, draw.rho};
        horde.take(row, "row " + std::to_string(t), {});
    }
    horde.flush({});
    EXPECT_EQ(horde.steps(), steps);
    return horde;
}

// Least squares have no step size: what is left is the noise of 200,000 steps, some half a percent.
TEST(QuestionHorde, SquaredErrorsDiscountedBySquaresAreTheVarianceOfTheReturn) {
    const FiniteMdp mdp = small_mdp("tabular", false);
    const std::string group = "[[group]]\nalgorithm = 'lstd'\nratio = 'rho'\n";
    const std::string squared = "cumulant = 'td_error(return) * td_error(return)'\n";
    const QuestionHorde horde =
        taught(mdp,
               group + "discount = 'gamma'\n[[group.question]]\nname = 'return'\ncumulant = 'reward'\n" +  //
                   group + "[[group.question]]\nname = 'variance'\ndiscount = 'gamma * gamma'\n" + squared +
                   "[[group.question]]\nname = 'of the lambda-return'\ndiscount = '0.64 * gamma * gamma'\n" + squared +
                   "[[group.question]]\nname = 'wrong'\ndiscount = 'gamma'\n" + squared,
               200'000, false);
    const ExactSolution solution(mdp, 0);
    const auto error = [&](std::size_t question, const Eigen::VectorXd& exact) {
        const std::vector<double> found = horde.weights(question);
        return (Eigen::VectorXd::Map(found.data(), exact.size()) - exact).cwiseQuotient(exact).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(error(0, solution.v), 0.02);
    EXPECT_LT(error(1, return_variance(mdp, solution)), 0.02);
    EXPECT_LT(error(2, return_variance(mdp, solution, 0.8)), 0.02);
    EXPECT_GT(error(3, return_variance(mdp, solution)), 0.3);
}

// Weights of 0 that stay: the root of their mean squared projected error is known.
TEST(QuestionHorde, RupeeIsTheProjectedError) {
    for (const bool on_policy : {true, false})
        for (const char* features : {"tabular", "binary"})
            for (const double lambda : {0.0, 0.8}) {
                const FiniteMdp mdp = small_mdp(features, on_policy);
                const QuestionHorde horde =
                    taught(mdp,
                           "[[group]]\nalgorithm = 'off-policy-td'\nalpha = 0\nlambda = " + std::to_string(lambda) +
                               "\ndiscount = 'gamma'\nratio = 'rho'\n[[group.question]]\nname = 'return'\n"
                               "cumulant = 'reward'\n",
                           200'000, true);
                const ExactSolution solution(mdp, lambda);
                const double exact = solution.rmspbe(Eigen::VectorXd::Zero(solution.X.cols()));
                const QuestionSummary summary = summarize(horde).at(0);
                ASSERT_TRUE(summary.rupee);
                EXPECT_NEAR(*summary.rupee, exact, 0.05 * exact) << features << ", lambda " << lambda;
            }
}

// What is learned has little left that features could explain, and its predictions are what they are without a helper.
TEST(QuestionHorde, RupeeGoesDownAsAQuestionIsLearned) {
    const FiniteMdp mdp = small_mdp("tabular", true);
    const auto questions = [](const char* alpha) {
        return std::string("[[group]]\nalgorithm = 'td'\nlambda = 0.5\nalpha = ") + alpha +
               "\ndiscount = 'gamma'\n[[group.question]]\nname = 'return'\ncumulant = 'reward'\n";
    };
    const QuestionHorde learned = taught(mdp, questions("0.01"), 50'000, true);
    const QuestionHorde untaught = taught(mdp, questions("0"), 50'000, true);
    const double rupee = summarize(learned).at(0).rupee.value(), before = summarize(untaught).at(0).rupee.value();
    EXPECT_LT(rupee, 0.1 * before);  // what is left is the noise of h
    EXPECT_LT(summarize(learned).at(0).explainable.value(), 0.05);
    EXPECT_GT(summarize(untaught).at(0).explainable.value(), 0.5);
    EXPECT_EQ(learned.weights(0), taught(mdp, questions("0.01"), 50'000, false).weights(0));
    EXPECT_FALSE(summarize(taught(mdp, questions("0.01"), 100, false)).at(0).rupee);
}

}  // namespace
}  // namespace bellwether::test
