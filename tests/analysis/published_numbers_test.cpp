// Published numbers beside ours, with findings made by hand.
#include "analysis/published_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "plan/study_text.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

const std::string numbers =
    "[[numbers]]\ntitle = 'Table 1'\nsetting = 'first'\nerror = 0.05\n"
    "values = [\n  { algorithm = 'td0', value = 0.3 },\n  { algorithm = 'gtd', at = { lambda = 0.5 }, value = 0.9, "
    "standard-error = 0.1 },\n]\n";

std::vector<PublishedNumber> parsed(const std::string& text, const Study* study) {
    return parse_published_numbers("p.toml", text, study);
}

TEST(PublishedNumbers, AreRead) {
    const Study study = study_of(toml());
    const std::vector<PublishedNumber> all = parsed(numbers, &study);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].title, "Table 1");
    EXPECT_EQ(all[0].algorithm, "td0");
    EXPECT_EQ(all[0].value, 0.3);
    EXPECT_EQ(all[0].error, 0.05);
    EXPECT_EQ(all[1].at, (std::vector<std::pair<std::string, double>>{{"lambda", 0.5}}));
    EXPECT_NEAR(all[1].error, 0.196, 1e-3);  // 95% of a standard error of 0.1
    EXPECT_EQ(parsed(numbers, nullptr).size(), 2U);
    EXPECT_TRUE(parsed("", &study).empty());
}

TEST(PublishedNumbers, AreRefusedWithLineAndColumn) {
    const Study study = study_of(toml());
    const auto refused = [&](const std::string& from, const std::string& to) {
        return refusal([&] { parsed(replaced(numbers, from, to), &study); });
    };
    EXPECT_EQ(refused("'first'", "'fist'"),
              "p.toml:3:11: numbers[0].setting is 'fist', an unknown setting; did you mean 'first'?");
    EXPECT_EQ(
        refused("'td0'", "'td'"),
        "p.toml:6:17: numbers[0].values[0].algorithm is 'td', an unknown algorithm of first; did you mean 'td0'?");
    EXPECT_EQ(refused("lambda = 0.5", "lambda = 0.6"),
              "p.toml:7:40: numbers[0].values[1].at.lambda is 0.6, which is not in the grid of first");
    // A neighbour of a grid's value is another one, however small both are.
    EXPECT_EQ(refused("lambda = 0.5", "lambda = 1e-9"),
              "p.toml:7:40: numbers[0].values[1].at.lambda is 1e-09, which is not in the grid of first");
    const Study fine = study_of(toml("alpha = [0.1, 0.2]", "alpha = [1e-7, 0.2]"));
    EXPECT_EQ(refusal([&] { parsed(replaced(numbers, "'td0',", "'td0', at = { alpha = 1.00001e-7 },"), &fine); }),
              "p.toml:6:39: numbers[0].values[0].at.alpha is 1.00001e-07, which is not in the grid of first");
    EXPECT_EQ(refused("error = 0.05", "eror = 0.05").substr(0, 42), "p.toml:4:1: unknown key 'numbers[0].eror';");
    EXPECT_EQ(refused("lambda = 0.5", "zeta = 0.5").substr(0, 60),
              "p.toml:7:31: unknown key 'numbers[0].values[1].at.zeta'; did");
    EXPECT_EQ(refused("standard-error", "error = 1, standard-error").substr(0, 53),
              "p.toml:7:88: numbers[0].values[1].standard-error is t");
}

// td0 at its better α has the means 0.2, 0.3, 0.4 in three instances; gtd is the better the larger λ is.
class Compared : public testing::Test {
protected:
    Compared() {
        MetricFindings& metric = findings_.metrics.emplace_back(
            MetricFindings{.setting = &study_.settings[0], .metric = 0, .instances = 3, .runs = 20});
        for (const AlgorithmGrid& grid : study_.settings[0].algorithms) {
            AlgorithmFindings& algorithm = metric.algorithms.emplace_back();
            algorithm.grid = &grid;
            for (std::size_t c = 0; c < grid.configurations(); ++c) {
                const double base = 0.2 + 0.5 * static_cast<double>(grid.configurations() - 1 - c);
                for (const double more : {0.0, 0.1, 0.2}) algorithm.instance_means.push_back(base + more);
                algorithm.configurations.push_back(
                    {.instances = 3, .runs = 60, .mean = base + 0.1, .score = base + 0.1, .standard_error = 0.01});
            }
            algorithm.best = grid.configurations() - 1;
            algorithm.distribution.worse_than_start = 0.25;
        }
    }

    std::vector<ComparedNumber> compared(const std::string& text) const {
        return compare_numbers(parsed(text, &study_), findings_);
    }

    Study study_ = study_of(toml());
    Findings findings_{.study = &study_};
};

TEST_F(Compared, AreOursOfTheBestConfigurationThatHasTheValues) {
    const std::vector<ComparedNumber> all = compared(numbers);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].label, "TD(0)");
    EXPECT_DOUBLE_EQ(all[0].ours, 0.3);
    // Of 27 equally likely resamples of three instances one has the first alone, and one the last.
    EXPECT_NEAR(all[0].interval.low, 0.2, 1e-12);
    EXPECT_NEAR(all[0].interval.high, 0.4, 1e-12);
    EXPECT_TRUE(all[0].agrees());
    EXPECT_EQ(all[1].label, "GTD(λ), λ = 0.5");
    EXPECT_DOUBLE_EQ(all[1].ours, 0.8);  // λ = 1 would have 0.3
    EXPECT_TRUE(all[1].agrees());
    EXPECT_FALSE(compared(replaced(numbers, "value = 0.3", "value = 0.5"))[0].agrees());
}

// An instance in which runs diverged counts where it is drawn, and nowhere else.
TEST_F(Compared, DivergeWithTheInstancesThatAreDrawn) {
    std::vector<double>& means = findings_.metrics[0].algorithms[0].instance_means;
    means.back() = std::numeric_limits<double>::infinity();
    const ComparedNumber number = compared(numbers)[0];
    EXPECT_NEAR(number.interval.low, 0.2, 1e-12);
    EXPECT_EQ(number.interval.high, std::numeric_limits<double>::infinity());
}

TEST_F(Compared, OfOneInstanceHaveTheIntervalOfTheirRuns) {
    findings_.metrics[0].instances = 1;
    const ComparedNumber number = compared(numbers)[0];
    EXPECT_NEAR(number.interval.low, 0.3 - 0.0196, 1e-4);
    EXPECT_NEAR(number.interval.high, 0.3 + 0.0196, 1e-4);
}

// Both have the means 0.2, 0.3, 0.4 at their best, so that their ratio is 1 whichever instances are drawn.
TEST_F(Compared, MayBeOverTheBestScoreOfAnother) {
    const std::string relative = replaced(numbers, "error = 0.05", "relative-to = 'gtd'");
    const ComparedNumber number = compared(relative)[0];
    EXPECT_EQ(number.label, "TD(0), over GTD(λ)");
    EXPECT_DOUBLE_EQ(number.ours, 1);
    EXPECT_NEAR(number.interval.low, 1, 1e-12);
    EXPECT_NEAR(number.interval.high, 1, 1e-12);
    // Over runs: exp(±1.96·√2·0.01/0.3).
    findings_.metrics[0].instances = 1;
    EXPECT_NEAR(compared(relative)[0].interval.low, 1 / 1.0968, 1e-4);
    EXPECT_NEAR(compared(relative)[0].interval.high, 1.0968, 1e-4);
    EXPECT_EQ(refusal([&] { compared(replaced(relative, "'gtd'", "'gtd'\nquantity = 'fresh-score'")); }),
              "p.toml:4:15: numbers[0].relative-to is there with another quantity than 'score'");
}

// Numbers of a reading are compared with what that reading has found, and with nothing else.
TEST_F(Compared, MayBeOfAReading) {
    const std::vector<std::string> readings{"short", "long"};
    const std::string of_reading = replaced(numbers, "error = 0.05", "reading = 'long'");
    const std::vector<PublishedNumber> both =
        parse_published_numbers("p.toml", of_reading + replaced(numbers, "Table 1", "Table 2"), &study_, readings);
    ASSERT_EQ(both.size(), 4U);
    EXPECT_EQ(both[0].reading, "long");
    const std::vector<ComparedNumber> of_study = compare_numbers(both, findings_);
    ASSERT_EQ(of_study.size(), 2U);
    EXPECT_EQ(of_study[0].title, "Table 2");
    EXPECT_EQ(of_study[0].place, 2U);
    study_.reading = StudyReading{.id = "long", .statement = "It is longer."};
    const std::vector<ComparedNumber> of_long = compare_numbers(both, findings_);
    ASSERT_EQ(of_long.size(), 4U);
    EXPECT_EQ(of_long[0].label, "TD(0) (reading long)");
    EXPECT_EQ(of_long[0].reading, "long");
    EXPECT_EQ(refusal([&] {
                  parse_published_numbers("p.toml", replaced(of_reading, "'long'", "'lang'"), &study_, readings);
              }),
              "p.toml:4:11: numbers[0].reading is 'lang', an unknown reading; did you mean 'long'?");
}

TEST_F(Compared, OfSharesHaveNone) {
    const std::string share = replaced(numbers, "error = 0.05", "quantity = 'worse-than-start'");
    const ComparedNumber number = compared(share)[0];
    EXPECT_EQ(number.ours, 0.25);
    EXPECT_EQ(number.interval.low, 0.25);
    EXPECT_EQ(number.interval.high, 0.25);
    EXPECT_FALSE(number.agrees());
}

TEST_F(Compared, MayBeOfFreshRuns) {
    const std::string fresh = replaced(numbers, "error = 0.05", "quantity = 'fresh-score'");
    EXPECT_TRUE(compared(fresh).empty());  // nothing is recorded
    findings_.metrics[0].algorithms[0].fresh.emplace().estimate = {.score = 0.35, .interval = Interval{0.31, 0.39}};
    const std::vector<ComparedNumber> all = compared(fresh);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].ours, 0.35);
    EXPECT_EQ(all[0].interval.low, 0.31);
    EXPECT_EQ(all[0].interval.high, 0.39);
}

TEST_F(Compared, LeaveOutWhatWasNotRun) {
    findings_.metrics.clear();
    EXPECT_TRUE(compared(numbers).empty());
}

}  // namespace
}  // namespace bellwether::test
