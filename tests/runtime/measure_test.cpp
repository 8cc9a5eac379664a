// What measuring gives, whatever the machine is doing meanwhile: no test here asks how long something took.
#include "timing/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bellwether/registry.hpp"
#include "runtime/costs.hpp"
#include "timing/rounds.hpp"

namespace bellwether::test {
namespace {

TEST(Quantile, IsOneOfTheValues) {
    EXPECT_EQ(quantile({7}, 0.05), 7);
    EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
    EXPECT_EQ(quantile({4, 3, 1, 2}, 0.5), 3);
    EXPECT_EQ(quantile({5, 4, 3, 2, 1}, 0), 1);
    EXPECT_EQ(quantile({5, 4, 3, 2, 1}, 1), 5);
}

TEST(Rounds, GiveEachWorkOneTurnInEveryRound) {
    std::vector<std::size_t> turns, ends;
    const auto answers = answers_of_rounds(
        3, {.count = 4, .after_round = [&](std::size_t done) { ends.push_back(done); }}, [&](std::size_t k) {
            turns.push_back(k);
            return static_cast<double>(turns.size());
        });
    EXPECT_EQ(ends, (std::vector<std::size_t>{1, 2, 3, 4}));
    ASSERT_EQ(answers.size(), 3U);
    for (const auto& of_work : answers) {
        ASSERT_EQ(of_work.size(), 4U);
        for (std::size_t round = 0; round < 4; ++round)  // its turn lay in that round
            EXPECT_EQ(static_cast<std::size_t>(of_work[round] - 1) / 3, round);
    }
}

void expect_whole(const RuntimeTable& table) {
    EXPECT_EQ(table.steps, the_paper().runtimes->steps);
    EXPECT_FALSE(table.machine.empty());
    for (const Runtime& row : table.rows) {
        EXPECT_GT(row.low, 0) << row.algorithm;
        EXPECT_LE(row.low, row.microseconds) << row.algorithm;
        EXPECT_LE(row.microseconds, row.high) << row.algorithm;
        EXPECT_TRUE(std::isfinite(row.high)) << row.algorithm;
        ASSERT_TRUE(row.sweep_nanoseconds.has_value()) << row.algorithm;
        EXPECT_GT(*row.sweep_nanoseconds, 0) << row.algorithm;
        EXPECT_TRUE(std::isfinite(*row.sweep_nanoseconds)) << row.algorithm;
    }
    EXPECT_EQ(parse_runtimes("runtimes.csv", runtimes_csv(table)), table);
}

// Any backend will do for a device. What has no kernel there is left out.
TEST(MeasureRuntimes, HasTheTimesOfADevice) {
    const MeasureOptions options{.algorithms = {find_algorithm("td"), find_algorithm("gtd"), find_algorithm("lstd")},
                                 .features = {TimedFeatures::one_hot},
                                 .device = &best_instruction_set(),
                                 .rounds = 1};
    const RuntimeTable table = measure_runtimes(options);
    EXPECT_EQ(table.device, best_instruction_set().name());
    EXPECT_EQ(table.rows.size(), 5U);  // td on-policy only
    for (const Runtime& row : table.rows)
        EXPECT_EQ(row.device_nanoseconds.value_or(0) > 0, row.algorithm != "lstd") << row.algorithm;
}

TEST(MeasureRuntimes, HasTheRowsOfThePaper) {
    MeasureOptions options{.rounds = 3};
    for (const PublishedRuntime& row : the_paper().runtimes->rows)
        options.algorithms.push_back(find_algorithm(row.algorithm));
    const RuntimeTable table = measure_runtimes(options);
    expect_whole(table);
    EXPECT_EQ(table.instruction_set, best_instruction_set().name());
    ASSERT_EQ(table.rows.size(), 2 * 22U);
    for (const TimedFeatures features : both_timed_features)
        EXPECT_NE(table.find(Policy::off, "to-htd", features), nullptr) << id_of(features);
    for (const Runtime& row : table.rows)
        EXPECT_TRUE(the_paper().runtimes->microseconds(row.policy, row.algorithm).has_value()) << row.algorithm;
}

TEST(MeasureRuntimes, TakesEveryAlgorithmThereIs) {
    MeasureOptions options{.rounds = 1};
    std::size_t expected = 0;
    for (const AlgorithmInfo& info : algorithm_table) {
        options.algorithms.push_back(&info);
        expected += info.on_policy_only ? 1 : 2;
    }
    const RuntimeTable table = measure_runtimes(options);
    expect_whole(table);
    EXPECT_EQ(table.rows.size(), 2 * expected);
    EXPECT_EQ(table.find(Policy::off, "td"), nullptr);
}

TEST(MeasureRuntimes, TakesTheInstructionSetThatItIsTold) {
    MeasureOptions options{.algorithms = {find_algorithm("td0")}, .rounds = 2};
    std::size_t rounds = 0;
    options.after_round = [&](std::size_t done) { EXPECT_EQ(done, ++rounds); };
    options.features = {TimedFeatures::dense};
    options.instruction_set = instruction_sets().back();
    const RuntimeTable table = measure_runtimes(options);
    expect_whole(table);
    EXPECT_EQ(rounds, 2U);
    EXPECT_EQ(table.instruction_set, "portable");
    EXPECT_FALSE(table.has(TimedFeatures::one_hot));
    EXPECT_TRUE(table.has(TimedFeatures::dense));
}

}  // namespace
}  // namespace bellwether::test
