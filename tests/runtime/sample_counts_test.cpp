// How many samples are processed when an algorithm cannot keep up, in both readings of time.
#include "runtime/sample_counts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "problems/refusal.hpp"
#include "runtime/costs.hpp"
#include "runtime/real_time.hpp"
#include "support/random.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t iterations = 500;

SampleCounts quantised(const UpdateTime& update, double duration, std::size_t of_iterations = iterations) {
    return SampleCounts(TimeReading::quantised, update, duration, of_iterations);
}

// ---- proportional

TEST(SamplesProcessed, AreNotLostToRounding) {
    EXPECT_LT(35 * 0.1 / 0.14, 25);  // as computed
    EXPECT_EQ(samples_processed(35, 0.1, 0.14), 25U);
    EXPECT_EQ(samples_processed(0, 0.1, 0.14), 0U);
    EXPECT_EQ(samples_processed(1, 0.1, 0.14), 0U);
    EXPECT_EQ(samples_processed(2, 0.1, 0.14), 1U);
}

double any_time(const char* name) {
    return std::exp(*rc::gen::inRange(-5000, 5000).as(name) / 1000.0);
}

RC_GTEST_PROP(SamplesProcessed, GrowByOneAtMostAndNeverPassTheIterations, ()) {
    const double duration = any_time("duration"), cost = any_time("cost");
    const auto iteration = *rc::gen::inRange<std::size_t>(0, 100000).as("iteration");
    const std::size_t now = samples_processed(iteration, duration, cost);
    const std::size_t next = samples_processed(iteration + 1, duration, cost);
    RC_ASSERT(now <= iteration);
    RC_ASSERT(next == now || next == now + 1);
    const double exact = static_cast<double>(iteration) * std::min(1.0, duration / cost);
    RC_ASSERT(std::abs(static_cast<double>(now) - std::floor(exact)) <= 1);
    RC_ASSERT(static_cast<double>(now) <= exact * (1 + 1e-9));
}

RC_GTEST_PROP(SamplesProcessed, AreFewerWhereAnUpdateCostsMore, ()) {
    const double duration = any_time("duration"), cost = any_time("cost"), more = any_time("more");
    const auto iteration = *rc::gen::inRange<std::size_t>(0, 100000).as("iteration");
    RC_ASSERT(samples_processed(iteration, duration, cost + more) <= samples_processed(iteration, duration, cost));
}

TEST(ProportionalCounts, AreThoseOfTheMeanCost) {
    const SampleCounts counts(TimeReading::proportional, {0.1, 0.04}, 0.1, 35);
    EXPECT_EQ(counts.mean(35), 25);
    EXPECT_EQ(counts.mean(2), 1);
    EXPECT_EQ(counts.most(), 25U);
}

// ---- quantised, by hand

TEST(QuantisedCounts, AreTheIterationsWhereAnUpdateKeepsUp) {
    const SampleCounts counts = quantised({0.5}, 0.5);
    for (std::size_t t = 0; t <= iterations; ++t) EXPECT_EQ(counts.mean(t), t);
    EXPECT_EQ(counts.most(), iterations);
}

// ⌈2.5⌉ = 3 iterations, of which any may be the first that is seen: after 7 of them 2 samples, or 3 in one of three
// cases.
TEST(QuantisedCounts, AreWholeIterationsFromAnyPlaceInThem) {
    const SampleCounts counts = quantised({2.5}, 1, 7);
    const std::vector<double> count_itself{0, 1, 2, 3}, square{0, 1, 4, 9};
    EXPECT_DOUBLE_EQ(counts.mean(7), 7.0 / 3);
    EXPECT_DOUBLE_EQ(counts.error(count_itself, 7), 7.0 / 3);
    EXPECT_DOUBLE_EQ(counts.error(square, 7), (4 + 4 + 9) / 3.0);
    EXPECT_DOUBLE_EQ(counts.mean(1), 1.0 / 3);
    EXPECT_EQ(counts.mean(0), 0);
    EXPECT_EQ(counts.most(), 3U);
}

TEST(QuantisedCounts, AreNotLostToRounding) {
    EXPECT_GT(0.3 / 0.1 * 1.0, 2.9);
    EXPECT_DOUBLE_EQ(mean_iterations({0.1 + 0.2}, 0.1), 3);  // 0.30000000000000004
    EXPECT_DOUBLE_EQ(mean_iterations({0.3}, 0.1), 3);
    EXPECT_DOUBLE_EQ(mean_iterations({0.31}, 0.1), 4);
    EXPECT_DOUBLE_EQ(mean_iterations({1e-9}, 0.1), 1);
}

// K = Exp(1) alone, c = ln 2: D is geometric with P(D > j) = 2^−j, without memory, so that N(t) is binomial(t, 1/2).
TEST(QuantisedCounts, AreBinomialWithoutAFixedPart) {
    const SampleCounts counts = quantised({0, 1}, std::log(2.0), 6);
    EXPECT_NEAR(mean_iterations({0, 1}, std::log(2.0)), 2, 1e-15);
    const double choose[] = {1, 6, 15, 20, 15, 6, 1};
    for (std::size_t n = 0; n <= 6; ++n) {
        std::vector<double> is_n(7, 0.0);
        is_n[n] = 1;
        EXPECT_NEAR(counts.error(is_n, 6), choose[n] / 64, 1e-15) << n;
    }
}

TEST(QuantisedCounts, AreNoneWhereNothingIsDoneInTime) {
    const SampleCounts counts = quantised({1e9}, 1, 10);
    EXPECT_NEAR(counts.mean(10), 1e-8, 1e-20);
    EXPECT_EQ(counts.most(), 1U);
    EXPECT_EQ(quantised({1e30}, 1e-300, 10).mean(10), 0);
}

RC_GTEST_PROP(QuantisedCounts, HaveTheMeanThatTheirRateGives, ()) {
    const UpdateTime update{any_time("fixed"), any_time("noise") / 10};
    const double duration = any_time("duration");
    const double mean = mean_iterations(update, duration);
    RC_ASSERT(mean >= 1 - 1e-15);
    RC_ASSERT(mean * duration >= update.mean() * (1 - 1e-12) || mean < 1 + 1e-12);  // ⌈K/c⌉ c ≥ K
    if (mean > 1e6) return;
    const SampleCounts counts = quantised(update, duration, 60);
    const std::vector<double> ones(61, 1.0);
    for (std::size_t t = 0; t <= 60; ++t) {
        // A sum of up to 61 · 60 products.
        RC_ASSERT(std::abs(counts.error(ones, t) - 1) <= 1e-12);
        RC_ASSERT(std::abs(counts.mean(t) - static_cast<double>(t) / mean) <= 1e-12 * static_cast<double>(t));
    }
}

// ---- the paper's four counts

// Slowly, and without a formula: updates are drawn one after the other with numbers of their own.
struct Simulated {
    double from_anywhere;  // in iterations from the 10,000th on
    double from_the_start;
};
Simulated simulate(const UpdateTime& update, double duration, std::uint32_t address) {
    constexpr std::size_t runs = 2000, before = 10000;
    std::size_t anywhere = 0, start = 0;
    for (std::uint32_t run = 0; run < runs; ++run) {
        RandomStream random(2016, address, run, Purpose::trajectory);
        for (std::size_t now = 0; now <= before + iterations;) {
            const double cost = update.fixed - update.noise * std::log1p(-random.uniform());
            now += static_cast<std::size_t>(std::ceil(cost / duration));
            start += now <= iterations;
            anywhere += now > before && now <= before + iterations;
        }
    }
    return {static_cast<double>(anywhere) / runs, static_cast<double>(start) / runs};
}

struct PaperCount {
    double mean;            // of the model
    double from_the_start;  // where the first sample comes with the first iteration
};
const std::map<std::string, PaperCount> paper_counts{
    {"td0", {101.4, 101.0}}, {"td", {96.9, 96.5}}, {"to-td", {84.6, 84.2}}, {"to-htd", {30.9, 30.4}}};

TEST(QuantisedCounts, AreThePapersWithItsCosts) {
    const CostTable costs = paper_costs(the_paper());
    ASSERT_EQ(the_paper().real_time->samples.size(), paper_counts.size());
    std::uint32_t address = 0;
    for (const PublishedSamples& published : the_paper().real_time->samples) {
        const PaperCount& expected = paper_counts.at(published.algorithm);
        const UpdateTime update = costs.on.find(published.algorithm).value();
        const double mean = quantised(update, published.duration).mean(iterations);
        EXPECT_EQ(std::round(mean), published.samples) << published.algorithm;
        EXPECT_EQ(std::round(mean * 10) / 10, expected.mean) << published.algorithm;
        // The deviation of a count is at most 3 (of TO-HTD below 1): that of a mean of 2,000 at most 0.07, and 0.25 is
        // more than three of them.
        const Simulated drawn = simulate(update, published.duration, address++);
        EXPECT_NEAR(mean, drawn.from_anywhere, 0.25) << published.algorithm;
        EXPECT_NEAR(expected.from_the_start, drawn.from_the_start, 0.25) << published.algorithm;
    }
}

// "The slope is sharp".
TEST(QuantisedCounts, AreNotThePapersWithASlopeALittleLess) {
    EXPECT_NEAR(quantised({3.28 * 0.12, 0.033}, 0.1).mean(iterations), 102.8, 0.05);
}

// The paper gives counts, not costs: what K must be for them is the duration of all iterations over the count.
TEST(SamplesProcessed, AreThePapersAtTheCostsThatTheyImply) {
    for (const PublishedSamples& published : the_paper().real_time->samples) {
        const double implied = published.duration * iterations / static_cast<double>(published.samples);
        EXPECT_EQ(samples_processed(iterations, published.duration, implied), published.samples) << published.algorithm;
    }
}

// ---- curves

TEST(RealTimeCurve, HasTheErrorsOfTheSamplesThatWereProcessed) {
    const std::vector<double> learning{9, 8, 7, 6};
    const auto proportional = [](double duration, double cost, std::size_t of_iterations) {
        return SampleCounts(TimeReading::proportional, {cost}, duration, of_iterations);
    };
    EXPECT_EQ(real_time_curve(learning, proportional(2, 1, 3)), learning);
    EXPECT_EQ(real_time_curve(learning, quantised({1}, 2, 3)), learning);
    EXPECT_EQ(real_time_curve(learning, proportional(1, 2, 5)), (std::vector<double>{9, 9, 8, 8, 7, 7}));
    EXPECT_EQ(real_time_curve(learning, quantised({2}, 1, 5)), (std::vector<double>{9, 8.5, 8, 7.5, 7, 6.5}));
    EXPECT_EQ(real_time_curve(learning, proportional(1, 2, 0)), std::vector<double>{9});
}

// An infinite error that cannot be reached yet does not enter: 0 · ∞ is not a number.
TEST(RealTimeCurve, IsInfiniteFromWhereTheLearnerMayHaveDiverged) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> learning{1, 1, infinity, infinity};
    EXPECT_EQ(real_time_curve(learning, quantised({2}, 1, 3)), (std::vector<double>{1, 1, 1, infinity}));
}

TEST(RealTimeCurve, RefusesACurveThatIsTooShort) {
    const std::vector<double> learning{9, 8};
    EXPECT_EQ(refusal([&] { real_time_curve(learning, quantised({1}, 1, 2)); }),
              "2 iterations take 2 samples; the learning curve has 2 errors");
}

TEST(TimeReading, IsFoundByItsName) {
    EXPECT_EQ(find_time_reading("quantised"), TimeReading::quantised);
    EXPECT_EQ(find_time_reading("proportional"), TimeReading::proportional);
    EXPECT_EQ(find_time_reading("quantized"), std::nullopt);
}

}  // namespace
}  // namespace bellwether::test
