// What is measured of a run, and when: the keys episodes, measure, every, score, weighting, the metrics that are
// relative to the projection, unions of grids, alpha-h, learn, values and step-size. Each against an account of it that
// shares nothing with the kernels (slow_study.hpp), and to the bit over instruction sets and parts. (run_test.cpp and
// the tests of shards and ranks have a setting with such keys among theirs.)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "analysis/stored_study.hpp"
#include "engine/backend.hpp"
#include "plan/study_text.hpp"
#include "plan/unit.hpp"
#include "run/unit_work.hpp"
#include "slow_study.hpp"

namespace bellwether::test {
namespace {

// Every algorithm that rules for step sizes are for.
std::string with_step_sizes(bool on_policy_only) {
    std::string algorithms;
    for (const AlgorithmInfo& info : algorithm_table)
        if (info.plain_alpha && info.on_policy_only == on_policy_only) algorithms += fmt::format("'{}', ", info.id);
    return fmt::format("grid = {{ alpha = [0.03, 0.4], lambda = [0, 0.8], eta = [0.5, 2] }}\nalgorithms = [{}]\n",
                       algorithms);
}

// Step sizes from where little moves to where much diverges, and every key at least once.
struct Case {
    std::string name, lines;
};
std::vector<Case> cases() {
    const std::string walk = "domain = 'walk5'\n", mdp = "domain = 'random-mdp'\nparameters = { states = 8 }\n";
    const std::string own =
        "grid = { alpha = [0.05, 0.5, 1e4], lambda = [0, 0.8], eta = [0, 2] }\nalgorithms = ['off-policy-td', 'gtd', "
        "'lstd']\n";
    return {
        {"episodes", walk + "episodes = 9\nmeasure = 'episode'\nscore = 1\nmetrics = ['rmsve']\n" + own},
        {"last_episodes",
         walk + "episodes = 9\nmeasure = 'episode'\nscore = [0.5, 'end']\nmetrics = ['rmspbe']\n" + own},
        {"uniform", walk +
                        "features = 'dependent'\nepisodes = 5\nmeasure = 'episode'\nweighting = 'uniform'\n"
                        "metrics = ['rmsve', 'mspve', 'nmspve']\n" +
                        own},
        {"given", walk +
                      "features = 'dependent'\nsteps = 150\nweighting = [1, 0, 2, 0.5, 1]\n"
                      "metrics = ['rmsve', 'mspve', 'nmspve']\n" +
                      own},
        {"before",
         mdp + "steps = 150\nmeasure = 'before'\nscore = [1, 0.3, 'end']\nmetrics = ['mave', 'rmspbe']\n" + own},
        {"before_every",
         mdp + "steps = 151\nevery = 10\nmeasure = 'before'\nscore = [1, 0.3]\nmetrics = ['rmsve']\n" + own},
        {"every", mdp + "steps = 150\nevery = 7\nscore = [1, 0.3]\nmetrics = ['mave', 'rmspve']\n" + own},
        {"last_step_is_not_measured", mdp + "steps = 150\nevery = 149\nscore = 'end'\nmetrics = ['mave']\n" + own},
        {"scores", mdp +
                       "features = 'binary'\nsteps = 150\nscore = [0.01, 1, 0.5]\n"
                       "metrics = ['rmspbe', 'nmspve', 'mspve']\n" +
                       own},
        {"changing",
         "domain = 'random-mdp'\nparameters = { redraw-after = 90 }\nsteps = 150\nevery = 4\n"
         "score = [0.2, 1]\nmetrics = ['rmsve']\n" +
             own},
        {"variance", walk +
                         "features = 'dependent'\npolicy = 'on'\nsteps = 150\nscore = [1, 0.2]\n"
                         "metrics = ['rmsve', 'msve']\nlearn = 'variance'\n"
                         "values = { algorithm = 'td', alpha = 0.1, lambda = 0.5, features = 'tabular' }\n" +
                         own},
        {"second_moment", walk +
                              "features = 'dependent'\nsteps = 150\nevery = 4\nscore = [0.2, 1]\n"
                              "metrics = ['rmsve', 'msve']\nlearn = 'second-moment'\n"
                              "values = { algorithm = 'off-policy-td', alpha = 0.1, features = 'inverted' }\n" +
                              own},
        {"second_moment_at_ends",
         walk +
             "policy = 'on'\nepisodes = 9\nmeasure = 'episode'\nscore = 1\nmetrics = ['rmsve']\n"
             "learn = 'second-moment'\nvalues = { algorithm = 'lstd', epsilon = 1 }\n" +
             own},
        {"power", mdp +
                      "steps = 150\nscore = [1, 0.3]\nmetrics = ['mave', 'rmspbe']\n"
                      "step-size = { rule = 'power', exponent = 0.5 }\n" +
                      own},
        {"power_of_every_algorithm", mdp +
                                         "features = 'binary'\nsteps = 90\nevery = 4\nmetrics = ['rmsve']\n"
                                         "step-size = { rule = 'power', exponent = 0.75 }\n" +
                                         with_step_sizes(false)},
        {"adagrad", mdp +
                        "steps = 150\nscore = [1, 0.3]\nmetrics = ['mave', 'rmspbe']\n"
                        "step-size = 'adagrad'\n" +
                        own},
        {"adagrad_before", mdp + "steps = 60\nmeasure = 'before'\nmetrics = ['rmsve']\nstep-size = 'adagrad'\n" + own},
        {"adagrad_of_every_algorithm", mdp +
                                           "features = 'binary'\nsteps = 90\nmetrics = ['rmsve']\n"
                                           "step-size = 'adagrad'\n" +
                                           with_step_sizes(false)},
        {"adagrad_of_on_policy_algorithms", mdp +
                                                "policy = 'on'\nsteps = 90\nmetrics = ['rmsve']\n"
                                                "step-size = 'adagrad'\n" +
                                                with_step_sizes(true)},
        {"adagrad_of_a_second_moment",
         walk +
             "features = 'dependent'\nsteps = 90\nmetrics = ['rmsve']\nlearn = 'second-moment'\n"
             "step-size = 'adagrad'\n"
             "values = { algorithm = 'off-policy-td', alpha = 0.1, features = 'inverted' }\n" +
             own},
        {"second_step_size", mdp + "steps = 150\nmetrics = ['mave']\n"
                                   "grid = { alpha = [0.05, 0.5], lambda = [0, 0.8], alpha-h = [0, 0.01, 0.3] }\n"
                                   "algorithms = ['off-policy-td', 'gtd', 'htd']\n"},
        {"union", mdp + "steps = 150\nmetrics = ['mave']\nalgorithms = ['gtd', 'off-policy-td']\n"
                        "grid = { eta = 0.5, alpha = 0.1 }\n"
                        "[[settings.for.gtd]]\nlambda = [0, 0.4]\nalpha = [0.1, 0.2, 0.5]\n"
                        "[[settings.for.gtd]]\nlambda = 0.9\nalpha = [0.05, 0.1]\neta = [1, 2]\n"
                        "[[settings.for.gtd]]\nlambda = 0.4\nalpha = [0.5, 0.01]\n"}};
}

Study study_with(const std::string& lines, std::size_t runs = 3) {
    return study_of(fmt::format("seed = 5\n[[settings]]\nid = 'a'\nruns = {}\n{}", runs, lines));
}

UnitResult compute(const Study& study, const Unit& unit, const Backend& backend) {
    InstanceCache instances(study);
    UnitWork work(instances, &backend, unit, std::nullopt);
    const std::atomic<bool> stop = false;
    while (!work.done()) EXPECT_TRUE(work.run_next(stop));
    return work.result();
}

class Measures : public testing::TestWithParam<Case> {};

TEST_P(Measures, AreThoseOfAnIndependentAccount) {
    if (GetParam().name == "changing") return;  // GoesOnThroughAChange of unit_test.cpp, and below
    const Study study = study_with(GetParam().lines);
    const Setting& setting = study.settings[0];
    SlowInstance slow(study, 0, 0);
    Comparison comparison(setting.runs, 10);
    for (const Unit& unit : plan_units(study)) {
        const UnitResult found = compute(study, unit, best_instruction_set());
        const AlgorithmGrid& grid = setting.algorithms[unit.algorithm];
        for (std::size_t c = 0; c < unit.count; ++c) {
            const Configuration configuration = configuration_of(grid, unit.first + c);
            const std::vector<Scores> expected = slow.scores(configuration);
            for (std::size_t m = 0; m < setting.metrics.size(); ++m)
                comparison.compare(found.summaries.at(m * unit.count + c), expected[m],
                                   describe(configuration, setting.metrics[m].id(), 0));
        }
    }
    EXPECT_GT(comparison.bands().front().compared, 5U);
}

TEST_P(Measures, AreTheSameOnEveryInstructionSet) {
    const Study study = study_with(GetParam().lines);
    for (const Unit& unit : plan_units(study)) {
        const UnitResult best = compute(study, unit, best_instruction_set());
        for (const InstructionSet* set : instruction_sets())
            EXPECT_EQ(compute(study, unit, *set).summaries, best.summaries)
                << study.settings[0].algorithms[unit.algorithm].info->id << " on " << set->name();
    }
}

// Scores are means of the last errors of the curve, one configuration at a time or all together, curves kept or not.
TEST_P(Measures, OfCurvesMakeTheScores) {
    const Study study = study_with(GetParam().lines);
    const Setting& setting = study.settings[0];
    std::vector<std::size_t> metrics;
    for (std::size_t m = 0; m < setting.metrics.size(); ++m) metrics.push_back(m);
    InstanceCache instances(study);
    for (std::size_t a = 0; a < setting.algorithms.size(); ++a) {
        std::vector<std::size_t> all;
        for (std::size_t c = 0; c < setting.algorithms[a].configurations(); ++c) all.push_back(c);
        ConfigurationBlock scores(instances, &best_instruction_set(), 0, a, 0, all);
        scores.run(0, 2, metrics);
        for (const std::size_t c : all) {
            ConfigurationBlock alone(instances, &best_instruction_set(), 0, a, 0, std::span(all).subspan(c, 1));
            alone.keep_curves();
            alone.run(0, 2, metrics);
            for (std::size_t m = 0; m < metrics.size(); ++m)
                for (std::size_t run = 0; run < 2; ++run) {
                    const std::span<const double> curve = alone.curve(m, 0, run);
                    ASSERT_EQ(curve.size(), setting.measurements() + 1);
                    EXPECT_EQ(curve[0], scores.initial_error(m, c));
                    // The error of w_0, where it counts, is added to the mean of the others.
                    const std::size_t scored = setting.metrics[m].scored,
                                      learned = std::min(scored, setting.measurements());
                    double sum = 0;
                    for (const double error : curve.last(learned)) sum += error;
                    double score = sum / static_cast<double>(learned);
                    if (scored > learned)
                        score = (curve[0] + score * static_cast<double>(learned)) / static_cast<double>(scored);
                    if (std::isfinite(score)) {
                        EXPECT_EQ(scores.score(m, c, run), score) << m << ", configuration " << c;
                        EXPECT_EQ(alone.score(m, 0, run), score);
                    } else {
                        EXPECT_FALSE(std::isfinite(scores.score(m, c, run)));
                        EXPECT_FALSE(std::isfinite(alone.score(m, 0, run)));
                    }
                }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Keys, Measures, testing::ValuesIn(cases()), [](const auto& one) { return one.param.name; });

// Each of several scores is the score that a study with it alone has, to the bit.
TEST(SeveralScores, AreThoseOfEachAlone) {
    for (const char* length : {"steps = 150\n", "steps = 150\nevery = 3\n"}) {
        const std::string rest = std::string("domain = 'baird'\n") + length +
                                 "metrics = ['rmsve', 'rmspbe']\ngrid = { alpha = [0.001, 0.1, 10, 1e4], eta = 1 }\n"
                                 "algorithms = ['gtd', 'off-policy-td']\n";
        const Study several = study_with(replaced(rest, "metrics", "score = [1, 0.01, 0.4]\nmetrics"), 2);
        const std::vector<Unit> units = plan_units(several);
        const char* shares[] = {"1", "0.01", "0.4"};
        for (std::size_t k = 0; k < 3; ++k) {
            const Study alone = study_with(replaced(rest, "metrics", fmt::format("score = {}\nmetrics", shares[k])), 2);
            for (const Unit& unit : units) {
                const std::vector<ScoreSummary> found = compute(several, unit, best_instruction_set()).summaries;
                const std::vector<ScoreSummary> expected = compute(alone, unit, best_instruction_set()).summaries;
                for (std::size_t m = 0; m < 2; ++m)
                    for (std::size_t c = 0; c < unit.count; ++c)
                        EXPECT_EQ(found[(m * 3 + k) * unit.count + c], expected[m * unit.count + c]);
            }
        }
    }
}

}  // namespace
}  // namespace bellwether::test
