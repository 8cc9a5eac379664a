// The runs of a study's units.
#include "run/unit_work.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "analysis/stored_study.hpp"
#include "bellwether/registry.hpp"
#include "conformance_rows.hpp"
#include "engine/backend.hpp"
#include "plan/study_text.hpp"
#include "plan/unit.hpp"
#include "problems/exact.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

// Every algorithm with some step sizes, the last of which make most of them diverge.
std::string whole_registry(const std::string& problem, bool on_policy) {
    std::string ids, own;
    for (const ConformanceRow& row : conformance_rows()) {
        const AlgorithmInfo* info = find_algorithm(row.id);
        if (info->on_policy_only && !on_policy) continue;
        ids += fmt::format("'{}', ", row.id);
        own += fmt::format("[settings.for.{}]\n", row.id);
        for (const NamedValue& p : row.parameters)
            own += p.name == "alpha" ? "alpha = [0.01, 0.3, 20, 1e6]\n" : fmt::format("{} = {}\n", p.name, p.value);
    }
    return fmt::format(
        "[[settings]]\nid = 'all'\n{}\npolicy = '{}'\nsteps = 130\nruns = 3\nmetrics = {{ rmsve = 3, mspbe = 2 }}\n"
        "algorithms = [{}]\n{}",
        problem, on_policy ? "on" : "off", ids, own);
}

UnitResult empty_result(const Study& study, const Unit& unit) {
    return {key_of(unit), unit.count, 0,
            std::vector<ScoreSummary>(unit.count * study.settings[unit.setting].metrics.size())};
}

UnitResult compute(const Study& study, const Unit& unit, const Backend* backend) {
    InstanceCache instances(study);
    UnitWork work(instances, backend, unit, empty_result(study, unit));
    const std::atomic<bool> stop = false;
    while (!work.done()) EXPECT_TRUE(work.run_next(stop));
    return work.result();
}

TEST(Unit, IsTheSameOnEveryInstructionSet) {
    const std::string tabular = "domain = 'random-mdp'\nparameters = { states = 10 }";
    for (const std::string& text :
         {whole_registry(tabular, true), whole_registry(tabular + "\nfeatures = 'binary'", false),
          whole_registry("domain = 'collision'", false)}) {
        const Study study = study_of(text);
        for (const Unit& unit : plan_units(study)) {
            const UnitResult best = compute(study, unit, &best_instruction_set());
            for (const InstructionSet* set : instruction_sets())
                EXPECT_EQ(compute(study, unit, set).summaries, best.summaries)
                    << study.settings[0].algorithms[unit.algorithm].info->id << " on " << set->name();
        }
    }
}

TEST(Unit, DoesNotDependOnItsParts) {
    const Study study = study_of(whole_registry("domain = 'baird'", false));
    const std::vector<std::size_t> all{0, 1, 2, 3}, metrics{0, 1};
    InstanceCache instances(study);
    const Backend* backend = &best_instruction_set();
    ConfigurationBlock whole(instances, backend, 0, 2, 0, all);
    ConfigurationBlock front(instances, backend, 0, 2, 0, std::span(all).first(1));
    ConfigurationBlock back(instances, backend, 0, 2, 0, std::span(all).subspan(1));
    for (ConfigurationBlock* block : {&whole, &front, &back}) block->run(5, metrics);
    for (std::size_t m = 0; m < 2; ++m) {
        EXPECT_EQ(whole.score(m, 0), front.score(m, 0));
        EXPECT_EQ(whole.score(m, 1), back.score(m, 0));
    }
}

// Scores again, by the online learner and the exact solution.
double score_again(const Study& study, const AlgorithmGrid& grid, std::size_t configuration, std::uint32_t run) {
    const Setting& setting = study.settings[0];
    const FiniteMdp mdp = setting.problem.make(study.seed, 0, run);
    std::vector<double> parameters(grid.values.size());
    grid.parameters(configuration, parameters);
    const auto learner = best_instruction_set().make_learner(*grid.info, mdp.dimension(), parameters, std::nullopt);
    const ExactSolution solution(mdp, 0), later(mdp.changes_after() > 0 ? mdp.after_change() : mdp, 0);
    Trajectory trajectory;
    Sampler(mdp).sample(study.seed, 0, run, setting.steps, trajectory);
    for (const double w : mdp.initial_weights()) EXPECT_EQ(w, 0) << "the learner starts from there";
    double sum = 0;
    for (std::size_t t = 0; t < setting.steps; ++t) {
        learner->step(Transition<Dense<double>, double>{.x = {mdp.features(trajectory.features[t])},
                                                        .reward = trajectory.reward[t],
                                                        .gamma = trajectory.gamma[t],
                                                        .x_next = {mdp.features(trajectory.features[t + 1])},
                                                        .rho = trajectory.rho[t],
                                                        .pi = trajectory.pi[t],
                                                        .mu = trajectory.mu[t]});
        if (t < setting.steps - setting.metrics[0].scored) continue;
        const ExactSolution& now = mdp.changes_after() > 0 && t >= mdp.changes_after() ? later : solution;
        sum += now.rmsve(Eigen::Map<const Eigen::VectorXd>(learner->weights().data(), solution.X.cols()));
    }
    return sum / static_cast<double>(setting.metrics[0].scored);
}

TEST(Unit, ScoresAsTheOnlineLearnerWould) {
    for (const char* domain : {"domain = 'random-mdp'", "domain = 'random-mdp'\nparameters = { redraw-after = 90 }",
                               "domain = 'random-mdp'\nparameters = { redraw-after = 30 }\nfeatures = 'binary'",
                               "domain = 'collision'", "domain = 'boyan'"}) {
        const Study study = study_of(whole_registry(domain, false));
        InstanceCache instances(study);
        const std::vector<std::size_t> first{0}, metrics{0};
        for (std::size_t a = 0; a < study.settings[0].algorithms.size(); ++a) {
            ConfigurationBlock block(instances, &best_instruction_set(), 0, a, 0, first);
            block.run(2, metrics);
            const double again = score_again(study, study.settings[0].algorithms[a], 0, 2);
            // One-hot and dense features take their sums in another order, and 130 steps carry that on.
            EXPECT_NEAR(block.score(0, 0), again, 1e-9 * again)
                << domain << ", " << study.settings[0].algorithms[a].info->id;
        }
    }
}

// A problem that changes in mid-run: until then curves are those of one that does not, to the bit; scores are the same
// with and without curves, and for any number of configurations at a time.
TEST(Unit, GoesOnThroughAChange) {
    const auto study_with = [](const char* parameters) {
        return study_of(whole_registry(fmt::format("domain = 'random-mdp'\nparameters = {}", parameters), false));
    };
    const Study changing = study_with("{ redraw-after = 90 }"), plain = study_with("{ }");
    const std::vector<std::size_t> all{0, 1, 2, 3}, metrics{0, 1};
    InstanceCache instances(changing), plain_instances(plain);
    for (std::size_t a = 0; a < changing.settings[0].algorithms.size(); ++a) {
        const std::span own(all.data(), std::min(all.size(), changing.settings[0].algorithms[a].configurations()));
        const auto block = [&](InstanceCache& from, std::span<const std::size_t> configurations, bool curves) {
            ConfigurationBlock made(from, &best_instruction_set(), 0, a, 0, configurations);
            if (curves) made.keep_curves();
            made.run(1, 2, metrics);
            return made;
        };
        const ConfigurationBlock whole = block(instances, own, true), scores = block(instances, own, false);
        const ConfigurationBlock last = block(instances, own.last(1), true), before = block(plain_instances, own, true);
        for (std::size_t m = 0; m < metrics.size(); ++m)
            for (std::size_t n = 0; n < 2; ++n)
                for (std::size_t c = 0; c < own.size(); ++c) {
                    const std::span<const double> curve = whole.curve(m, c, n), unchanged = before.curve(m, c, n);
                    ASSERT_EQ(curve.size(), 131U);
                    double sum = 0;
                    for (std::size_t t = 0; t < curve.size(); ++t) {
                        if (t <= 90 && std::isfinite(unchanged[t])) {
                            ASSERT_EQ(curve[t], unchanged[t]);
                        }
                        if (t > 65) sum += curve[t];
                    }
                    if (!std::isfinite(sum)) {
                        EXPECT_FALSE(std::isfinite(scores.score(m, c, n)));
                        continue;
                    }
                    if (sum < 1e6) {  // beyond that rewards do not matter any more
                        EXPECT_NE(curve[130], unchanged[130]);
                    }
                    EXPECT_NEAR(whole.score(m, c, n), sum / 65, 1e-12 * sum);
                    EXPECT_EQ(whole.score(m, c, n), scores.score(m, c, n));
                    if (c + 1 == own.size()) {
                        EXPECT_EQ(whole.score(m, c, n), last.score(m, 0, n));
                    }
                }
    }
}

TEST(Unit, KnowsTheErrorOfTheInitialWeights) {
    const Study study = study_of(whole_registry("domain = 'baird'", false));
    InstanceCache instances(study);
    const std::vector<std::size_t> first{0}, metrics{0, 1};
    ConfigurationBlock block(instances, &best_instruction_set(), 0, 2, 0, first);
    block.run(0, metrics);
    const FiniteMdp mdp = study.settings[0].problem.make(0, 0, 0);
    const ExactSolution solution(mdp, 0.8);
    const Eigen::VectorXd w_0 = Eigen::Map<const Eigen::VectorXd>(mdp.initial_weights().data(), 8);
    EXPECT_NEAR(block.initial_error(0, 0), solution.rmsve(w_0), 1e-12 * solution.rmsve(w_0));
    EXPECT_NEAR(block.initial_error(1, 0), solution.mspbe(w_0), 1e-12 * solution.mspbe(w_0));
}

TEST(Unit, ScoresAMetricOnItsFirstRunsOnly) {
    const Study study = study_of(whole_registry("domain = 'baird'", false));
    const UnitResult result = compute(study, plan_units(study).front(), &best_instruction_set());
    EXPECT_EQ(result.runs, 3U);
    EXPECT_EQ(result.summaries.front().runs, 3U);
    EXPECT_EQ(result.summaries.back().runs, 2U);
}

TEST(Unit, StopsWithoutARest) {
    const Study study = study_of(whole_registry("domain = 'baird'", false));
    const Unit unit = plan_units(study).front();
    InstanceCache instances(study);
    UnitWork work(instances, &best_instruction_set(), unit, empty_result(study, unit));
    const std::atomic<bool> stop = true;
    EXPECT_FALSE(work.run_next(stop));
    EXPECT_EQ(work.result().summaries, empty_result(study, unit).summaries);
}

// The medians of the runs, again from the runs' own scores; nothing is to be stored before all of them are done.
TEST(Unit, MayScoreByTheMedian) {
    const std::string text =
        replaced(whole_registry("domain = 'baird'", false), "runs = 3\n", "runs = 6\naggregate = 'median'\n");
    const Study study = study_of(replaced(text, "rmsve = 3, mspbe = 2", "rmsve = 6, mspbe = 5"));
    const Unit unit = plan_units(study).at(2);
    InstanceCache instances(study);
    UnitWork work(instances, &best_instruction_set(), unit, empty_result(study, unit));
    const std::atomic<bool> stop = false;
    while (!work.done()) {
        EXPECT_FALSE(work.has_result());
        EXPECT_TRUE(work.run_next(stop));
    }
    EXPECT_TRUE(work.has_result());
    EXPECT_EQ(work.result().runs, 6U);
    std::vector<std::size_t> all(unit.count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    ConfigurationBlock block(instances, &best_instruction_set(), 0, unit.algorithm, 0, all);
    const std::vector<std::size_t> metrics{0, 1};
    for (std::size_t m = 0; m < 2; ++m)
        for (std::size_t c = 0; c < unit.count; ++c) {
            std::vector<double> scores;
            for (std::uint32_t r = 0; r < 6 - m; ++r) {
                block.run(r, metrics);
                scores.push_back(std::isfinite(block.score(m, c)) ? block.score(m, c) : 1e308);
            }
            std::sort(scores.begin(), scores.end());
            const double expected = m == 0 ? (scores[2] + scores[3]) / 2 : scores[2];
            const ScoreSummary& summary = work.result().summaries[m * unit.count + c];
            if (expected < 1e300) {
                EXPECT_EQ(summary.mean, expected);
                EXPECT_EQ(summary.diverged, 0U);
            } else {
                EXPECT_GE(summary.diverged, 3U);
            }
        }
}

// A median of fewer runs cannot be added to: the unit is done again from its first run.
TEST(Unit, ScoresByTheMedianOfAllRunsWhenItGrows) {
    const std::string text =
        replaced(whole_registry("domain = 'baird'", false), "runs = 3\n", "runs = 3\naggregate = 'median'\n");
    const Study small = study_of(text);
    const Study large =
        study_of(replaced(replaced(text, "runs = 3\n", "runs = 5\n"), "rmsve = 3, mspbe = 2", "rmsve = 5, mspbe = 2"));
    const Unit unit = plan_units(small).at(2);
    InstanceCache instances(large);
    UnitWork work(instances, &best_instruction_set(), unit, compute(small, unit, &best_instruction_set()));
    const std::atomic<bool> stop = false;
    while (!work.done()) EXPECT_TRUE(work.run_next(stop));
    EXPECT_EQ(work.result().summaries, compute(large, unit, &best_instruction_set()).summaries);
}

// Instances are named where they cannot be measured.
TEST(Unit, RefusesAnInstanceByName) {
    const Study study = study_of(small_study("domain = 'walk19'", "['rmsve']"));
    Study changed = study;
    changed.settings[0].metrics[0].metric = Metric::mave;
    try {
        compute(changed, plan_units(changed).front(), &best_instruction_set());
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "setting a, instance 0: mave divides by the true value, and that is 0 in some state: take rmsve");
    }
}

}  // namespace
}  // namespace bellwether::test
