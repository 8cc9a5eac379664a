// Logs that do not fit into their memory, and several threads: the same numbers, to the bit.
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "logs/estimate.hpp"
#include "logs/evaluation.hpp"
#include "logs/evaluation_json.hpp"
#include "logs/log_reader.hpp"
#include "logs/ratios.hpp"
#include "logs/tuning.hpp"
#include "logs/tuning_text.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

const std::string folder = BELLWETHER_TEST_DATA "/logs/";

std::shared_ptr<LogMemory> memory_of(std::size_t bytes) {
    return std::make_shared<LogMemory>(bytes, testing::TempDir());
}

std::string evaluated(const std::string& name, const std::shared_ptr<LogMemory>& memory, std::size_t threads) {
    Log log = read_log(folder + name + ".csv", {.memory = memory});
    return evaluation_json(evaluate(std::move(log), {.threads = threads}));
}

TEST(LogMemory, AFileInsteadOfMemoryChangesNoBit) {
    for (const char* name : {"random", "chain", "continuing", "bandit"}) {
        const auto memory = memory_of(100'000);
        const std::string there = evaluated(name, memory, 1);
        EXPECT_TRUE(memory->spills()) << name;
        EXPECT_EQ(there, evaluated(name, nullptr, 1)) << name;
    }
}

TEST(LogMemory, ThreadsChangeNoBit) {
    for (const char* name : {"random", "chain", "continuing"}) {
        const std::string one = evaluated(name, nullptr, 1);
        EXPECT_EQ(one, evaluated(name, nullptr, 3)) << name;
        EXPECT_EQ(one, evaluated(name, memory_of(100'000), 5)) << name;
    }
}

TEST(LogMemory, TuningHasTheSameBitsToo) {
    const auto tuned = [](const std::shared_ptr<LogMemory>& memory) {
        Log log = read_log(folder + "random.csv", {.memory = memory});
        set_ratios(log, {}, {});
        return tuning_json(tune(std::move(log), {.algorithms = {"vtrace"}}));
    };
    EXPECT_EQ(tuned(memory_of(100'000)), tuned(nullptr));
}

TEST(LogMemory, VectorsGrowFromMemoryIntoAFile) {
    const auto memory = memory_of(1'000'000);
    LongVector<double> numbers(memory);
    for (std::size_t k = 0; k < 200'000; ++k) {
        numbers.push_back(static_cast<double>(k));
        if (k % 10'000 == 0) memory->release();
    }
    EXPECT_TRUE(memory->spills());
    const LongVector<double> copy = numbers;
    memory->release();
    double sum = 0;
    for (const double number : copy) sum += number;
    EXPECT_EQ(sum, 200'000.0 * 199'999 / 2);
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), copy.begin(), copy.end()));
}

TEST(LogMemory, WhereNoFileCanBeTheLimitIsNamed) {
    const auto memory = std::make_shared<LogMemory>(std::size_t{100'000}, "/proc/no-such-place");
    LongVector<double> numbers(memory);
    try {
        numbers.resize(1'000'000);
        FAIL() << "it must not fit";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("does not fit into --memory"), std::string::npos) << error.what();
    }
}

TEST(Groups, KeepTheMeanAndItsStandardError) {
    std::vector<double> few(1000), many(250'000);
    std::iota(few.begin(), few.end(), 0.0);
    EXPECT_EQ(by_group(few), few);
    std::uint64_t state = 1;
    for (double& number : many)
        number = static_cast<double>((state = state * 6364136223846793005u + 1) >> 11) * 0x1p-53;
    const std::vector<double> groups = by_group(many);
    ASSERT_EQ(groups.size(), 100'000u);
    EXPECT_NEAR(mean_of(groups), mean_of(many), 1e-12);
    const auto error = [](const std::vector<double>& numbers) {
        return deviation_of(numbers) / std::sqrt(static_cast<double>(numbers.size()));
    };
    // Independent numbers: groups of two and three lose little.
    EXPECT_NEAR(error(groups) / error(many), 1, 0.2);
}

}  // namespace
}  // namespace bellwether::test
