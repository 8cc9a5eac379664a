// What is found in stores that were made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "analysis/findings.hpp"
#include "plan/study_text.hpp"
#include "problems/exact.hpp"
#include "store/store_fixture.hpp"
#include "support/infinity.hpp"

namespace bellwether::test {
namespace {

const std::string hand_text = small_study("domain = 'baird'", "['rmspbe']") +
                              "[settings.for.off-policy-td]\nalpha = [0.1, 0.2]\nlambda = [0, 0.5]\n"
                              "[settings.for.gtd]\nalpha = [0.1, 0.2]\nlambda = 0\neta = 1\n";

class HandMade : public StoreTest {
protected:
    HandMade()
        : study_(study_of(replaced(hand_text, "['td0']", "['off-policy-td', 'gtd']"))),
          store_(Store::create(directory, study())) {}

    static ScoreSummary summary(std::initializer_list<double> scores) {
        ScoreSummary result;
        for (const double score : scores) result.add(score, infinity);
        return result;
    }
    // Scores of the first algorithm's four configurations (alpha fastest) and of the second one's two.
    void write(const std::vector<ScoreSummary>& first, const std::vector<ScoreSummary>& second) {
        store_.write({{0, 0, 0}, static_cast<std::uint32_t>(first.size()), 2, first});
        if (!second.empty()) store_.write({{0, 0, 4}, static_cast<std::uint32_t>(second.size()), 2, second});
    }
    void write_scores(double a, double b, double c, double d) {
        write({summary({a, a}), summary({b, b}), summary({c, c}), summary({d, d})}, {summary({1, 2}), summary({3, 4})});
    }
    void record(std::uint32_t configuration, Stage stage, const std::vector<double>& scores) {
        Recording recording{scores.size(), std::vector<double>(11, 1.0), std::vector<double>(11, 0.0), scores};
        store_.write({0, 0, 0, configuration, stage}, recording);
    }

    Study study_;
    Store store_;
};

// The error of w_0 depends on λ: a score between those of λ = 0 and of λ = 0.5 is worse than the start for one of them.
TEST_F(HandMade, ComparesWithTheStartAtItsOwnLambda) {
    const FiniteMdp mdp = study_.settings[0].problem.make(0, 0, 0);
    Eigen::VectorXd w(8);
    w << 1, 1, 1, 1, 1, 1, 10, 1;
    const double at_0 = ExactSolution(mdp, 0).rmspbe(w), at_half = ExactSolution(mdp, 0.5).rmspbe(w);
    EXPECT_NEAR(at_0, 8.221407596, 1e-9);
    ASSERT_GT(std::fabs(at_0 - at_half), 0.1);
    const double between = (at_0 + at_half) / 2, above = std::max(at_0, at_half) + 1;
    write_scores(between, 1, between, 1);
    EXPECT_EQ(find_all(store_, study_).metrics.at(0).algorithms.at(0).distribution.worse_than_start, 0.25);
    write_scores(between, above, between, above);
    EXPECT_EQ(find_all(store_, study_).metrics.at(0).algorithms.at(0).distribution.worse_than_start, 0.75);
    write_scores(between, infinity, 1, 1);
    const ScoreDistribution some = find_all(store_, study_).metrics.at(0).algorithms.at(0).distribution;
    EXPECT_EQ(some.diverged, 0.25);
    EXPECT_EQ(some.worse_than_start, at_0 < at_half ? 0.5 : 0.25);
}

TEST_F(HandMade, NeverDropsWhatDiverged) {
    write({summary({1, infinity}), summary({infinity, infinity}), summary({9, 9}), summary({8, infinity})},
          {summary({infinity, 1}), summary({infinity, infinity})});
    const MetricFindings metric = find_all(store_, study_).metrics.at(0);
    const AlgorithmFindings& first = metric.algorithms[0];
    EXPECT_EQ(first.best, 2U);
    EXPECT_EQ(first.configurations.size(), 4U);
    EXPECT_EQ(first.distribution.diverged, 0.75);
    EXPECT_EQ(first.distribution.worse_than_start, 1);
    EXPECT_EQ(first.distribution.within_50, 0.25);
    EXPECT_EQ(first.distribution.quantiles,
              (std::vector<double>{9, 9, infinity, infinity, infinity, infinity, infinity}));
    // All have diverged: the best is the one that did so least often, and its score is still infinite.
    const AlgorithmFindings& second = metric.algorithms[1];
    EXPECT_EQ(second.best, 0U);
    EXPECT_EQ(second.selection.score, infinity);
    EXPECT_EQ(second.selection.diverged, 1U);
    EXPECT_EQ(second.distribution.diverged, 1);
    EXPECT_EQ(second.distribution.within_50, 0);
}

TEST_F(HandMade, LeavesOutWhatIsNotWhole) {
    const auto left_out = [&] { return find_all(store_, study_).left_out; };
    EXPECT_EQ(left_out(), std::vector<std::string>{"a"});
    write({summary({1, 2}), summary({1, 2}), summary({1, 2}), summary({1, 2})}, {});
    EXPECT_EQ(left_out(), std::vector<std::string>{"a"});
    EXPECT_TRUE(find_all(store_, study_).metrics.empty());
    write_scores(1, 2, 3, 4);
    EXPECT_TRUE(left_out().empty());
    EXPECT_EQ(find_all(store_, study_).metrics.size(), 1U);
}

TEST_F(HandMade, ComparesOnCommonRunsOfTheSameStage) {
    write_scores(1, 2, 3, 4);
    record(0, Stage::fresh, {1, 2, 30});
    const MetricFindings one = find_all(store_, study_).metrics.at(0);
    EXPECT_FALSE(one.spread.has_value());
    EXPECT_FALSE(one.algorithms[0].fresh.has_value()) << "fresh runs of all algorithms or of none";
    record(4, Stage::fresh, {4, 5});
    const MetricFindings both = find_all(store_, study_).metrics.at(0);
    ASSERT_TRUE(both.spread.has_value());
    EXPECT_EQ(both.fresh_runs, 2U);
    EXPECT_EQ(both.spread->score(0).high, 2) << "the third run is not common";
    EXPECT_EQ(both.spread->difference(0, 1).low, -3);
    EXPECT_EQ(both.spread->difference(0, 1).high, -3);
    EXPECT_EQ(both.algorithms[0].fresh->estimate.score, 11);
}

TEST_F(HandMade, TakesTheSelectionWhereNothingIsFresh) {
    write_scores(1, 2, 3, 4);
    record(0, Stage::selection, {1, 2});
    record(4, Stage::selection, {1, 4});
    const MetricFindings metric = find_all(store_, study_).metrics.at(0);
    ASSERT_TRUE(metric.spread.has_value());
    EXPECT_EQ(metric.fresh_runs, 0U);
    EXPECT_EQ(metric.algorithms[0].estimate().score, 1);
    EXPECT_EQ(metric.algorithms[0].estimate().interval->high, 2);
    EXPECT_DOUBLE_EQ(metric.algorithms[0].selection.deviation.value(), std::sqrt(0.5));
    EXPECT_EQ(metric.algorithms[0].curve(), &metric.algorithms[0].recorded_selection->curve);
}

}  // namespace
}  // namespace bellwether::test
