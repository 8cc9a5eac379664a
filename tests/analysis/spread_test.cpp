// The bootstrap: against what is known about normal data, against brute force, and where nothing is left to chance.
#include "analysis/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Deterministic: the engine's numbers are fixed by the standard, those of std::normal_distribution are not.
class Normal {
public:
    explicit Normal(std::uint64_t seed) : engine_(seed) {}
    double operator()() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    std::mt19937_64 engine_;
};

RunScores normal_scores(std::size_t instances, std::size_t runs, double mean, double deviation, std::uint64_t seed) {
    Normal normal(seed);
    RunScores scores(instances, std::vector<double>(runs));
    for (std::vector<double>& of_instance : scores)
        for (double& score : of_instance) score = mean + deviation * normal();
    return scores;
}

double width(const Interval& interval) {
    return interval.high - interval.low;
}
void expect_interval(const Interval& interval, double low, double high) {
    EXPECT_EQ(interval.low, low);
    EXPECT_EQ(interval.high, high);
}

// ---- order statistics

TEST(CentralInterval, HasValuesForBounds) {
    std::vector<double> values;
    for (int k = 990; k >= 1; --k) values.push_back(k);
    // The lowest values below which at least 2.5% and 97.5% of them lie, themselves included: 24.75 and 965.25 of 990.
    expect_interval(central_interval(values), 25, 966);
    expect_interval(central_interval(values, 0.9), 50, 941);  // 49.5 and 940.5
    expect_interval(central_interval({7}), 7, 7);
    expect_interval(central_interval({2, 1}), 1, 2);
    expect_interval(central_interval({1, infinity, 2}), 1, infinity);
}

TEST(Median, IsTheMiddleOne) {
    EXPECT_EQ(median_of({3, 1, 2}), 2);
    EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
    EXPECT_EQ(median_of({5}), 5);
    EXPECT_EQ(median_of({infinity, 1, 2}), 2);
}

// ---- by hand

TEST(DeviationBetweenRuns, IsTheRootOfTheMeanVariance) {
    // Variances 2 and 7.
    EXPECT_DOUBLE_EQ(deviation_between_runs({{1, 3}, {4, 5, 9}}), std::sqrt((2.0 + 7.0) / 2));
    EXPECT_EQ(deviation_between_runs({{2, 2}, {8, 8}}), 0);
    EXPECT_TRUE(std::isnan(deviation_between_runs({{1, 3}, {4}})));
    EXPECT_EQ(deviation_between_runs({{1, 3}, {4, infinity}}), infinity);
}

TEST(DrawInstances, DrawsAsManyAsThereAre) {
    std::vector<double> times(7), drawn(7, 0.0);
    for (std::size_t b = 0; b < 1000; ++b) {
        draw_instances(3, 0, b, times);
        double sum = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            sum += times[i];
            drawn[i] += times[i];
        }
        EXPECT_EQ(sum, 7);
    }
    // Each of 7000 draws takes one of seven: 1000 times, with a deviation of 29. Five of them.
    for (const double count : drawn) EXPECT_NEAR(count, 1000, 150);
}

// Of very many instances they are not kept, and are the same ones.
TEST(DrawInstances, AreTheSameKeptAndMadeAgain) {
    for (const std::size_t instances : {std::size_t{5}, InstanceDraws::most_kept / 3}) {
        const InstanceDraws draws(instances, 3, 1, 4);
        std::vector<double> times(instances);
        for (const std::size_t resample : {2, 0, 3}) {
            draw_instances(3, 1, resample, times);
            EXPECT_TRUE(std::equal(times.begin(), times.end(), draws.times(resample).begin()));
        }
    }
}

TEST(ResampleInstances, KnowsASingleInstance) {
    const auto sum = [](std::span<const double> times) { return 3 * times[0]; };
    expect_interval(central_interval(resample_instances(1, 1, 0, sum)), 3, 3);
}

// ---- reproducible

void expect_equal(const Interval& one, const Interval& other) {
    EXPECT_EQ(one.low, other.low);
    EXPECT_EQ(one.high, other.high);
}

TEST(BootstrapTest, DependsOnSeedAndAddressAlone) {
    const std::vector<RunScores> competitors{normal_scores(4, 6, 1, 0.1, 1), normal_scores(4, 6, 1, 0.1, 2)};
    const Bootstrap one(competitors, 7, 3), same(competitors, 7, 3), other_address(competitors, 7, 4),
        other_seed(competitors, 8, 3);
    expect_equal(one.score(0), same.score(0));
    expect_equal(one.difference(0, 1), same.difference(0, 1));
    EXPECT_EQ(one.probability_first(0), same.probability_first(0));
    EXPECT_NE(one.score(0).low, other_address.score(0).low);
    EXPECT_NE(one.score(0).low, other_seed.score(0).low);
}

// ---- known distributions

// The interval of a mean of many is its mean ± 1.96 standard errors. The bounds are quantiles of 10,000 resamples,
// which have a deviation of sqrt(0.025·0.975/10000)/φ(1.96) = 0.027 standard errors; four times that, rounded down.
// What the data's own skewness adds is a tenth of it.
constexpr double tolerance_of_bounds = 0.1;

TEST(BootstrapTest, HasTheSpreadOfRuns) {
    constexpr std::size_t runs = 1000;
    const std::vector<RunScores> competitors{normal_scores(1, runs, 5, 2, 11)};
    double mean = 0;
    for (const double score : competitors[0][0]) mean += score / runs;
    const double standard_error = deviation_between_runs(competitors[0]) / std::sqrt(runs);
    const Interval interval = Bootstrap(competitors, 1, 0).score(0);
    EXPECT_NEAR(interval.low, mean - 1.96 * standard_error, tolerance_of_bounds * standard_error);
    EXPECT_NEAR(interval.high, mean + 1.96 * standard_error, tolerance_of_bounds * standard_error);
}

// Instances that differ while runs do not: the interval is that of a mean of instances.
TEST(BootstrapTest, HasTheSpreadOfInstances) {
    constexpr std::size_t instances = 40;
    RunScores scores;
    double variance = 0;  // as the resamples have it, over all and not over all but one
    for (std::size_t i = 0; i < instances; ++i) {
        const double distance = static_cast<double>(i) - (instances - 1) / 2.0;
        scores.push_back(std::vector<double>(3, 100 + distance));
        variance += distance * distance / instances;
    }
    const double standard_error = std::sqrt(variance / instances);
    const Interval interval = Bootstrap(std::vector<RunScores>{scores}, 1, 0).score(0);
    // The resamples' mean of whole numbers has steps of 1/40, a hundredth of a standard error.
    EXPECT_NEAR(interval.low, 100 - 1.96 * standard_error, tolerance_of_bounds * standard_error);
    EXPECT_NEAR(interval.high, 100 + 1.96 * standard_error, tolerance_of_bounds * standard_error);
}

// Runs that differ within instances: both levels are drawn again, and the variance of the mean is that of the
// instances' means plus that of the runs within.
TEST(BootstrapTest, HasTheSpreadOfBoth) {
    constexpr std::size_t instances = 50, runs = 8;
    const RunScores scores = normal_scores(instances, runs, 10, 1, 5);
    std::vector<double> means;
    double mean = 0, within = 0;
    for (const std::vector<double>& of_instance : scores) {
        double sum = 0, squares = 0;
        for (const double score : of_instance) sum += score, squares += score * score;
        means.push_back(sum / runs);
        mean += means.back() / instances;
        within += (squares / runs - means.back() * means.back()) / runs / instances;
    }
    double between = 0;
    for (const double of_instance : means) between += (of_instance - mean) * (of_instance - mean) / instances;
    const double standard_error = std::sqrt((between + within) / instances);
    const Interval interval = Bootstrap(std::vector<RunScores>{scores}, 1, 0).score(0);
    EXPECT_NEAR(interval.low, mean - 1.96 * standard_error, tolerance_of_bounds * standard_error);
    EXPECT_NEAR(interval.high, mean + 1.96 * standard_error, tolerance_of_bounds * standard_error);
}

TEST(BootstrapTest, DrawsOnlyRunsWhereThereIsOneInstance) {
    const Bootstrap constant(std::vector<RunScores>{{{3, 3, 3}}}, 1, 0);
    expect_interval(constant.score(0), 3, 3);
    // Two runs: both resamples of one run alone have a probability of a quarter.
    expect_interval(Bootstrap(std::vector<RunScores>{{{1, 2}}}, 1, 0).score(0), 1, 2);
    // And two instances likewise, although their runs are all alike.
    expect_interval(Bootstrap(std::vector<RunScores>{{{1, 1}, {3, 3}}}, 1, 0).score(0), 1, 3);
}

// ---- comparisons

TEST(BootstrapTest, PairsCommonRuns) {
    RunScores one = normal_scores(5, 20, 10, 1, 21), other = one;
    Normal own(22);
    for (std::vector<double>& runs : other)
        for (double& score : runs) score += 0.5 + 0.01 * own();
    const Bootstrap both(std::vector{one, other}, 1, 0);
    const Interval difference = both.difference(1, 0);
    EXPECT_LT(width(difference), width(both.score(0)) / 20);  // a hundredth of it is the noise of their own
    EXPECT_GT(difference.low, 0.49);
    EXPECT_LT(difference.high, 0.51);
    EXPECT_NEAR(both.probability_first(0), 1, 1e-9);  // 10,000 additions of 1/10,000
    EXPECT_EQ(both.probability_first(1), 0);
    // The same values, but no longer of the same runs.
    const RunScores strangers = normal_scores(5, 20, 10.5, 1, 23);
    EXPECT_GT(width(Bootstrap(std::vector{one, strangers}, 1, 0).difference(1, 0)), 20 * width(difference));
}

TEST(BootstrapTest, CannotTellTwinsApart) {
    const RunScores scores = normal_scores(3, 5, 2, 1, 31);
    const Bootstrap twins(std::vector{scores, scores}, 1, 0);
    expect_interval(twins.difference(0, 1), 0, 0);
    expect_interval(twins.ratio(0, 1), 1, 1);
    expect_interval(twins.deviation_ratio(0, 1), 1, 1);
    EXPECT_NEAR(twins.probability_first(0), 0.5, 1e-9);  // 10,000 additions of 1/20,000
    EXPECT_NEAR(twins.probability_first(1), 0.5, 1e-9);
}

TEST(BootstrapTest, ComparesByRatioAndDeviation) {
    const RunScores one = normal_scores(4, 30, 2, 0.1, 41);
    RunScores half = one;
    for (std::vector<double>& runs : half)
        for (double& score : runs) score /= 2;
    const Bootstrap all(std::vector{one, half, one}, 1, 0);
    // Every resample has the same ratio, to rounding: of sums of 120 terms, and of squares less the square of a sum.
    EXPECT_NEAR(all.ratio(0, 1).low, 2, 1e-13);
    EXPECT_NEAR(all.ratio(0, 1).high, 2, 1e-13);
    EXPECT_NEAR(all.deviation_ratio(0, 1).low, 2, 1e-10);
    EXPECT_NEAR(all.deviation_ratio(0, 1).high, 2, 1e-10);
    // The median of the deviations s and s/2 of the two others is 3s/4.
    EXPECT_NEAR(all.deviation_over_median(0).low, 4.0 / 3, 1e-10);
    EXPECT_NEAR(all.deviation_over_median(0).high, 4.0 / 3, 1e-10);
}

// The squares of scores near 1e9 are 1e18: taken around 0, they would leave nothing of a deviation of 1.
TEST(BootstrapTest, HasDeviationsOfScoresFarFromZero) {
    const RunScores near = normal_scores(3, 20, 0, 1, 51);
    RunScores far = near;
    for (std::vector<double>& runs : far)
        for (double& score : runs) score += 1e9;
    const Bootstrap both(std::vector{near, far}, 1, 0);
    EXPECT_NEAR(both.deviation_ratio(1, 0).low, 1, 1e-5);  // the scores themselves have an ulp of 1.2e-7
    EXPECT_NEAR(both.deviation_ratio(1, 0).high, 1, 1e-5);
    // Of 60 runs in three groups, half the resamples have 57/60 of their variance or less, and each some tenth more or
    // less.
    const std::span<const double> deviations = both.deviations(0);
    EXPECT_NEAR(median_of(std::vector(deviations.begin(), deviations.end())) / deviation_between_runs(near), 0.97, 0.1);
}

TEST(BootstrapTest, SharesTheProbabilityToBeFirst) {
    std::vector<RunScores> competitors;
    for (std::uint64_t k = 0; k < 5; ++k) competitors.push_back(normal_scores(3, 4, 1, 0.1, k));
    const Bootstrap spread(competitors, 1, 0);
    double sum = 0;
    for (std::size_t c = 0; c < competitors.size(); ++c) sum += spread.probability_first(c);
    EXPECT_NEAR(sum, 1, 1e-9);  // 10,000 additions of 1/10,000
}

// ---- divergence

TEST(BootstrapTest, IsInfiniteWhereADrawnRunDiverged) {
    const RunScores stable{std::vector<double>(10, 1.0)};
    RunScores once{std::vector<double>(10, 0.5)};
    once[0][3] = infinity;
    const Bootstrap spread(std::vector{stable, once}, 1, 0);
    // A resample of ten runs lacks the one that diverged with a probability of 0.9^10 = 0.35.
    expect_interval(spread.score(0), 1, 1);
    expect_interval(spread.score(1), 0.5, infinity);
    expect_interval(spread.difference(1, 0), -0.5, infinity);
    expect_interval(spread.difference(0, 1), -infinity, 0.5);
    EXPECT_EQ(spread.ratio(1, 0).high, infinity);
    EXPECT_NEAR(spread.probability_first(1), 0.349, 0.02);  // four deviations of 10,000 draws
}

TEST(BootstrapTest, TakesTwoThatDivergedForEqual) {
    const RunScores diverged{std::vector<double>(4, infinity), std::vector<double>(4, infinity)};
    const Bootstrap spread(std::vector{diverged, diverged}, 1, 0);
    expect_interval(spread.score(0), infinity, infinity);
    expect_interval(spread.difference(0, 1), 0, 0);
    expect_interval(spread.ratio(0, 1), 1, 1);
    expect_interval(spread.deviation_ratio(0, 1), 1, 1);
    EXPECT_NEAR(spread.probability_first(0), 0.5, 1e-9);
}

// Finite but absurd scores happen. Where a resample lacks the run, the other scores must still be what they are.
TEST(BootstrapTest, KeepsTheOthersBesideAnAbsurdScore) {
    for (const double absurd : {1e10, 1e20, 1e200}) {
        RunScores scores{std::vector<double>(10, 0.5)};
        scores[0][3] = absurd;
        const Interval interval = Bootstrap(std::vector<RunScores>{scores}, 1, 0).score(0);
        EXPECT_DOUBLE_EQ(interval.low, 0.5) << absurd;
        EXPECT_GT(interval.high, absurd / 10) << absurd;
    }
}

// ---- the best configuration

// Without leaving anybody out: every configuration's total in every resample.
std::vector<double> brute_force(const std::vector<double>& means, std::size_t instances, std::uint64_t seed,
                                std::uint32_t address, std::size_t resamples) {
    const std::size_t count = means.size() / instances;
    std::vector<double> probabilities(count, 0.0), times(instances);
    for (std::size_t b = 0; b < resamples; ++b) {
        draw_instances(seed, address, b, times);
        std::vector<std::size_t> lowest;
        double least = infinity;
        for (std::size_t c = 0; c < count; ++c) {
            double total = 0;
            for (std::size_t i = 0; i < instances; ++i)
                if (times[i] > 0) total += times[i] * means[c * instances + i];
            if (total < least) lowest.clear();
            least = std::min(least, total);
            if (total == least) lowest.push_back(c);
        }
        for (const std::size_t c : lowest)
            probabilities[c] += 1 / static_cast<double>(lowest.size()) / static_cast<double>(resamples);
    }
    return probabilities;
}

std::vector<double> random_means(std::size_t configurations, std::size_t instances, std::uint64_t seed) {
    Normal normal(seed);
    std::vector<double> means(configurations * instances);
    for (double& mean : means) mean = 5 + normal();
    return means;
}

TEST(ResampledChoice, AgreesWithBruteForce) {
    constexpr std::size_t configurations = 40, instances = 6, resamples = 2000;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::vector<double> means = random_means(configurations, instances, seed);
        // The second half is far worse in all instances but one, and some are twins.
        for (std::size_t k = means.size() / 2; k < means.size(); ++k) means[k] += k % instances == 0 ? 0 : 20;
        for (std::size_t i = 0; i < instances; ++i) means[3 * instances + i] = means[7 * instances + i];
        const std::vector<double> found = resample_choice(means, instances, 0, seed, 9, resamples).probabilities;
        const std::vector<double> expected = brute_force(means, instances, seed, 9, resamples);
        ASSERT_EQ(found.size(), configurations);
        double sum = 0;
        std::size_t contenders = 0;
        for (std::size_t c = 0; c < configurations; ++c) {
            EXPECT_NEAR(found[c], expected[c], 1e-12) << "configuration " << c;  // 2000 additions
            sum += found[c];
            contenders += found[c] > 0;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_GT(contenders, 1U);
        EXPECT_EQ(found[3], found[7]);
    }
}

// Who is beaten in every instance needs no look at all.
TEST(Contenders, AreThoseThatNobodyBeatsEverywhere) {
    const std::vector<double> means{2, 3, 4, 1, 2, 3, 5, 1, 5};
    EXPECT_EQ(Contenders(means, 3, std::vector<std::size_t>{0, 1, 2}).numbers(), (std::vector<std::size_t>{1, 2}));
}

TEST(ResampledChoice, IsOneWhereOneIsBestEverywhere) {
    const std::vector<double> means{2, 3, 4, 1, 2, 3, 5, 5, 5};
    EXPECT_EQ(resample_choice(means, 3, 1, 1, 0, 100).probabilities[0], 0);
    EXPECT_NEAR(resample_choice(means, 3, 1, 1, 0, 100).probabilities[1], 1, 1e-12);
}

TEST(ResampledChoice, LeavesOutWhatDivergedInEveryInstance) {
    std::vector<double> means = random_means(6, 4, 3);
    for (std::size_t i = 0; i < 4; ++i) means[2 * 4 + i] = infinity;
    const std::vector<double> found = resample_choice(means, 4, 0, 1, 0, 500).probabilities;
    const std::vector<double> expected = brute_force(means, 4, 1, 0, 500);
    EXPECT_EQ(found[2], 0);
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(found[c], expected[c], 1e-12);
}

// One run of nine is absurd or has diverged: it is most of a mean, and in the middle of nine draws with a probability
// of 0.0013 alone.
TEST(Bootstrap, MayBeOfMedians) {
    for (const double absurd : {1e6, infinity}) {
        const std::vector<RunScores> competitors{{{3, 3, 3, 3, 3, 3, 3, 3, absurd}}, {{2, 2, 2, 2, 2, 2, 2, 2, 2}}};
        const Bootstrap medians(competitors, 3, 1, 4000, Aggregate::median), means(competitors, 3, 1, 4000);
        EXPECT_EQ(medians.score(0).low, 3);
        EXPECT_EQ(medians.score(0).high, 3);
        EXPECT_EQ(medians.difference(0, 1).high, 1);
        EXPECT_NEAR(medians.probability_first(1), 1, 1e-12);  // a sum of 4,000 parts
        EXPECT_GT(means.score(0).high, 1e5);
    }
    const std::vector<RunScores> even{{{0, 0, 1, 1}}};
    const Bootstrap medians(even, 3, 1, 4000, Aggregate::median);
    EXPECT_EQ(medians.score(0).low, 0);  // three or four 0 of four: probability 5/16
    EXPECT_EQ(medians.score(0).high, 1);
}

}  // namespace
}  // namespace bellwether::test
