// Scores over instances, and the choice of the best configuration.
#include "analysis/selection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plan/study_text.hpp"
#include "store/store_fixture.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ScoreSummary summary_of(std::initializer_list<double> scores) {
    ScoreSummary summary;
    for (const double score : scores) summary.add(score, 1);
    return summary;
}

TEST(Combine, MeansOverInstancesOfMeansOverRuns) {
    const ConfigurationScore total = combine(std::vector{summary_of({1, 3}), summary_of({4, 5, 9})});
    EXPECT_EQ(total.instances, 2U);
    EXPECT_EQ(total.runs, 5U);
    EXPECT_EQ(total.score, (2.0 + 6.0) / 2);
    // Variances 2 and 7 over 2 and 3 runs.
    EXPECT_DOUBLE_EQ(total.standard_error.value(), std::sqrt(2.0 / 2 + 7.0 / 3) / 2);
}

TEST(Combine, HasNoStandardErrorWithOneRun) {
    EXPECT_FALSE(combine(std::vector{summary_of({1, 3}), summary_of({4})}).standard_error.has_value());
}

TEST(Combine, LeavesOutInstancesWithoutARun) {
    const ConfigurationScore total = combine(std::vector{summary_of({1, 3}), ScoreSummary{}});
    EXPECT_EQ(total.instances, 1U);
    EXPECT_EQ(total.score, 2);
    EXPECT_EQ(combine(std::vector{ScoreSummary{}}).runs, 0U);
}

TEST(Combine, IsInfiniteWhereARunDiverged) {
    const ConfigurationScore total = combine(std::vector{summary_of({1, infinity, 3}), summary_of({2})});
    EXPECT_EQ(total.diverged, 1U);
    EXPECT_EQ(total.mean, 2);
    EXPECT_EQ(total.score, infinity);
    EXPECT_EQ(total.standard_error, infinity);
}

using SelectionTest = StoreTest;

TEST(StepOf, RefusesACurveThatWasCutShort) {
    const std::vector<Recording> whole{{.runs = 2, .curve_mean = {1, 2}, .curve_m2 = {0, 0}, .scores = {}}};
    EXPECT_EQ(step_of(whole, 1).at(0).mean, 2);
    for (const bool of_means : {true, false}) {
        std::vector<Recording> cut = whole;
        (of_means ? cut[0].curve_mean : cut[0].curve_m2).pop_back();
        EXPECT_THROW(step_of(cut, 1), WorkError);
    }
}

// A setting that the study does not have is none of its own.
TEST_F(SelectionTest, KnowsHowManyInstancesOfTheStudyAreStored) {
    const Study one = study_of(small_study("domain = 'baird'", "['rmsve']"));
    Store store = Store::create(directory, study());
    store.set_extents(std::vector<Extent>{{0, "a", 3, 2}, {1, "b", 7, 2}});
    EXPECT_EQ(stored_instances(store, one), (std::vector<std::size_t>{3}));
    store.write(unit({1, 0, 0}, 2));
    EXPECT_THROW(stored_instances(store, one), WorkError);
}

TEST_F(SelectionTest, PrefersNoDivergenceThenLowScoresThenLowNumbers) {
    const Study two = study_of(small_study("domain = 'baird'", "['rmsve']"));
    Store store = Store::create(directory, study());
    const auto best = [&](std::vector<ScoreSummary> summaries) {
        const auto count = static_cast<std::uint32_t>(summaries.size());
        store.write({{0, 0, 0}, count, 2, std::move(summaries)});
        return best_configuration(store, two, 0, 1, 0, 0, count);
    };
    const ScoreSummary low = summary_of({1, 2}), high = summary_of({5, 6}), once = summary_of({0, infinity}),
                       twice = summary_of({infinity, infinity});
    EXPECT_EQ(best({high, low, low}), 1U);
    EXPECT_EQ(best({once, high, twice}), 1U);
    EXPECT_EQ(best({twice, once, twice}), 1U);
    EXPECT_EQ(best({twice, twice, twice}), 0U);
    EXPECT_EQ(best({ScoreSummary{}, high, high}), 1U);
    EXPECT_EQ(best({ScoreSummary{}, ScoreSummary{}, ScoreSummary{}}), std::nullopt);
}

}  // namespace
}  // namespace bellwether::test
