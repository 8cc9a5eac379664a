// Statistics beside the mean: known answers, and resamples drawn again one by one.
#include "analysis/robust.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/infinity.hpp"
#include "support/random.hpp"

namespace bellwether::test {
namespace {

constexpr double rounding = 1e-13;  // of sums of some hundred numbers

TEST(Robust, InterquartileMeanCutsAQuarterAtEachEnd) {
    EXPECT_DOUBLE_EQ(interquartile_mean({5}), 5);
    EXPECT_DOUBLE_EQ(interquartile_mean({1, 2, 6}), 3);  // a quarter of three is none
    EXPECT_DOUBLE_EQ(interquartile_mean({100, 1, 2, -50}), 1.5);
    EXPECT_DOUBLE_EQ(interquartile_mean({3, 1, 2, infinity, 0, 4, 5, 7}), 3.5);  // 2, 3, 4, 5
    EXPECT_EQ(interquartile_mean({1, infinity, infinity, 2}), infinity);         // half of them
    // Of eleven, two are cut at each end.
    std::vector<double> squares;
    for (int k = 1; k <= 11; ++k) squares.push_back(k * k);
    EXPECT_DOUBLE_EQ(interquartile_mean(squares), (9 + 16 + 25 + 36 + 49 + 64 + 81) / 7.0);
}

// z²/(n + z²) for none, and elsewhere the two roots of |p − p̂| = z sqrt(p(1−p)/n), which define the interval.
TEST(Robust, WilsonsInterval) {
    EXPECT_NEAR(wilson_interval(0, 10).high, 0.27753279, 1e-8);
    EXPECT_EQ(wilson_interval(0, 10).low, 0);
    EXPECT_NEAR(wilson_interval(10, 10).low, 0.72246721, 1e-8);
    EXPECT_EQ(wilson_interval(10, 10).high, 1);
    for (const std::uint64_t count : {1U, 3U, 17U, 29U}) {
        const Interval interval = wilson_interval(count, 30);
        const double share = static_cast<double>(count) / 30;
        EXPECT_LT(interval.low, share);
        EXPECT_GT(interval.high, share);
        for (const double p : {interval.low, interval.high})
            EXPECT_NEAR(std::abs(p - share), 1.959963984540054 * std::sqrt(p * (1 - p) / 30), rounding);
    }
    EXPECT_EQ(wilson_interval(0, 0).low, 0);
    EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

// ---- of runs

// Three instances with 7, 5 and 6 runs; some of the second competitor's diverge.
std::vector<RunScores> made_up_runs() {
    std::vector<RunScores> competitors(2);
    RandomStream random(3, 1, 4, Purpose::bootstrap);
    for (const std::size_t runs : {7U, 5U, 6U})
        for (std::size_t c = 0; c < 2; ++c) {
            std::vector<double>& scores = competitors[c].emplace_back();
            for (std::size_t r = 0; r < runs; ++r)
                scores.push_back(0.1 + 0.001 * static_cast<double>(random.below(900)));
        }
    competitors[1][0][2] = infinity;
    competitors[1][2][5] = NAN;
    competitors[1][1][0] = 1e12;
    return competitors;
}

double median_again(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

TEST(Robust, IsTheSameResampledRunByRun) {
    const std::vector<RunScores> competitors = made_up_runs();
    const std::vector<double> thresholds{0.05, 0.3, 0.5, 1, 2};
    const std::vector<std::vector<double>> start_errors{{1, 1, 1}, {1, 0.5, 1}};
    constexpr std::size_t resamples = 200;
    const auto found = robust_statistics(competitors, start_errors, thresholds, 9, 5, resamples);
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t c = 0; c < 2; ++c) {
        const auto score = [&](std::size_t i, std::size_t r) {
            return std::isfinite(competitors[c][i][r]) ? competitors[c][i][r] : infinity;
        };
        const auto share = [](const std::vector<double>& values, double threshold) {
            return static_cast<double>(
                       std::count_if(values.begin(), values.end(), [&](double value) { return value <= threshold; })) /
                   static_cast<double>(values.size());
        };
        std::vector<double> all;
        std::uint64_t failed = 0, diverged = 0;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t r = 0; r < competitors[c][i].size(); ++r) {
                all.push_back(score(i, r));
                failed += score(i, r) > start_errors[c][i];
                diverged += std::isinf(score(i, r));
            }
        std::vector<double> means, medians;
        std::vector<std::vector<double>> shares(thresholds.size());
        for (std::size_t b = 0; b < resamples; ++b) {
            RandomStream random(9, 5, static_cast<std::uint32_t>(b), Purpose::bootstrap);
            std::vector<std::size_t> instances;
            for (std::size_t k = 0; k < 3; ++k) instances.push_back(random.below(3));
            std::vector<double> drawn;
            for (const std::size_t i : instances)
                for (std::size_t k = 0; k < competitors[c][i].size(); ++k)
                    drawn.push_back(score(i, random.below(competitors[c][i].size())));
            means.push_back(interquartile_mean(drawn));
            medians.push_back(median_again(drawn));
            for (std::size_t k = 0; k < thresholds.size(); ++k) shares[k].push_back(share(drawn, thresholds[k]));
        }
        const auto expect = [](const Spread& spread, double value, const std::vector<double>& resampled) {
            const Interval interval = central_interval(resampled);
            const auto near = [](double one, double other) {
                if (std::isinf(other))
                    EXPECT_EQ(one, other);
                else
                    EXPECT_NEAR(one, other, rounding * std::max(1.0, std::abs(other)));
            };
            near(spread.value, value);
            near(spread.interval.low, interval.low);
            near(spread.interval.high, interval.high);
        };
        EXPECT_EQ(found[c].runs, 18U);
        EXPECT_EQ(found[c].failed, failed);
        EXPECT_EQ(found[c].diverged, diverged);
        EXPECT_EQ(found[c].failure_interval.high, wilson_interval(failed, 18).high);
        expect(found[c].interquartile_mean, interquartile_mean(all), means);
        expect(found[c].median, median_again(all), medians);
        ASSERT_EQ(found[c].profile.size(), thresholds.size());
        for (std::size_t k = 0; k < thresholds.size(); ++k)
            expect(found[c].profile[k], share(all, thresholds[k]), shares[k]);
    }
    EXPECT_EQ(found[1].diverged, 2U);
    EXPECT_GE(found[1].failed, 3U);
}

TEST(Robust, ThresholdsGoFromTheLowestScoreToTwiceTheStart) {
    const std::vector<RunScores> competitors{{{0.4, infinity}, {0.2, 7}}};
    const std::vector<double> thresholds = profile_thresholds(competitors, 1);
    ASSERT_EQ(thresholds.size(), 101U);
    EXPECT_NEAR(thresholds.front(), 0.2, rounding);
    EXPECT_NEAR(thresholds.back(), 2, rounding);
    EXPECT_NEAR(thresholds[1] / thresholds[0], std::pow(10, 0.01), rounding);
    EXPECT_NEAR(profile_thresholds(std::vector<RunScores>{{{1e-9, 3}}}, 1).front(), 2e-3, rounding);
    EXPECT_NEAR(profile_thresholds(std::vector<RunScores>{{{infinity}}}, 5).front(), 0.01, rounding);
    EXPECT_NEAR(profile_thresholds(std::vector<RunScores>{{{3.0, 4.0}}}, 0).back(), 4, rounding);
    EXPECT_NEAR(profile_thresholds(std::vector<RunScores>{{{4.0}}}, 0).front(), 4e-3, rounding);  // a single score
    EXPECT_EQ(profile_thresholds(std::vector<RunScores>{{{0.0}}}, 0).size(), 1U);
}

TEST(Robust, SaysWhatAMeanHides) {
    EXPECT_TRUE(hides_its_runs(infinity, 0.2, 1));
    EXPECT_TRUE(hides_its_runs(infinity, infinity, 1));
    EXPECT_TRUE(hides_its_runs(7e12, 0.3, 1));
    EXPECT_FALSE(hides_its_runs(0.9, 0.3, 1));  // better than w_0: as means are
    EXPECT_FALSE(hides_its_runs(1.5, 1.2, 1));
    EXPECT_FALSE(hides_its_runs(2, 1, 0.5));  // twice the median, and not more
    RobustStatistics statistics{.runs = 3000, .diverged = 3, .failed = 5};
    statistics.median.value = 0.21337;
    statistics.interquartile_mean.value = 0.2182;
    EXPECT_EQ(what_it_hides(statistics), "3 of 3000 runs diverged; median 0.2134, IQM 0.2182");
    statistics.diverged = 0;
    EXPECT_EQ(what_it_hides(statistics), "5 of 3000 runs are worse than w_0; median 0.2134, IQM 0.2182");
}

}  // namespace
}  // namespace bellwether::test
