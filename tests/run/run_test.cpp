// Whatever way a study is run, its results are the same to the byte.
#include "run/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "plan/study_text.hpp"
#include "plan/text_to_share.hpp"
#include "problems/exact.hpp"
#include "problems/refusal.hpp"
#include "run/study_run_fixture.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

const std::string small_text =
    "seed = 3\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 8 }\n"
    "steps = 60\n"
    "instances = 3\n"
    "runs = 5\n"
    "metrics = ['mave', 'rmspbe']\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -3, to = 8 }, lambda = [0, 0.5, 1], eta = [0.1, 1] }\n"
    "algorithms = ['td0', 'gtd', 'to-etd']\n" +
    collision_setting;

class RunTest : public StudyRunTest {
protected:
    RunTest() : StudyRunTest(small_text) {}
};

TEST_F(RunTest, DoesNotDependOnThreads) {
    const std::string one = expected();
    EXPECT_GT(one.size(), 100'000U);
    for (const std::size_t threads : {2, 3, 8}) {
        Store store = make_store(std::to_string(threads));
        run(store, options(threads));
        EXPECT_EQ(all_of(store), one) << threads << " threads";
    }
}

TEST_F(RunTest, DoesNotDependOnTheInstructionSet) {
    const std::string best = expected();
    for (const InstructionSet* set : instruction_sets()) {
        Store store = make_store(std::string(set->name()));
        RunOptions how = options();
        how.backend = set;
        run(store, how);
        EXPECT_EQ(all_of(store), best) << set->name();
    }
}

TEST_F(RunTest, DoesNotDependOnTheOrder) {
    Store store = make_store("order");
    RunOptions how = options();
    how.settings = {1};
    run(store, how);
    how.settings = {0};
    run(store, how);
    EXPECT_EQ(all_of(store), expected());
}

TEST_F(RunTest, GrowsAsIfItHadAlwaysBeenLarge) {
    Store store = make_store("growth");
    run_sized(store, 1, 2, options());
    EXPECT_NE(all_of(store), expected());
    run_sized(store, 2, 2, options(2));
    run_sized(store, 1, 3, options());
    EXPECT_GT(run(store, options()).agent_steps, 0U);
    EXPECT_EQ(all_of(store), expected());
    EXPECT_EQ(run(store, options()).agent_steps, 0U);
}

TEST_F(RunTest, LosesNothingWhereLessIsAskedFor) {
    Store store = make_store("less");
    run(store, options());
    const std::string before = all_of(store);
    const RunReport report = run_sized(store, 1, 2, options());
    EXPECT_EQ(report.agent_steps, 0U);
    EXPECT_EQ(report.tasks_done, report.tasks);
    EXPECT_EQ(all_of(store), before);
}

// A backend that asks for the end at its fortieth call, and waits until somebody must have seen that.
std::atomic<int> calls = 0;
std::atomic<bool> asks_to_stop = false;
class StoppingBackend final : public Backend {
public:
    std::string_view name() const override { return "stopping"; }
    void run(std::span<const LaneRequest> batch) const override {
        best_instruction_set().run(batch);
        if (++calls != 40) return;
        asks_to_stop = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
};

TEST_F(RunTest, ResumesAfterBeingStoppedInTheMiddle) {
    Store store = make_store("stops");
    RunOptions how = options();
    const StoppingBackend stopping;
    how.backend = &stopping;
    how.should_stop = [] { return asks_to_stop.load(); };
    int stops = 0;
    std::size_t done = 0;
    for (bool stopped = true; stopped && stops < 100; stops += stopped) {
        calls = 0;
        asks_to_stop = false;
        const RunReport report = run(store, how);
        stopped = report.stopped;
        EXPECT_TRUE(!stopped || report.tasks_done < report.tasks);
        EXPECT_GE(report.tasks_done, done);
        done = report.tasks_done;
    }
    EXPECT_GT(stops, 3);
    EXPECT_EQ(all_of(store), expected());
}

// A backend that fails at its fortieth call.
class FailingBackend final : public Backend {
public:
    std::string_view name() const override { return "failing"; }
    void run(std::span<const LaneRequest> batch) const override {
        if (++calls == 40) throw WorkError("the card is gone");
        best_instruction_set().run(batch);
    }
};

TEST_F(RunTest, KeepsWhatWasDoneBeforeSomethingFailed) {
    Store store = make_store("fails");
    RunOptions how = options();
    const FailingBackend failing;
    how.backend = &failing;
    const auto stored = [&] {
        std::size_t amount = store.recordings().size();
        for (const Store::UnitProgress& unit : store.units()) amount += unit.runs;
        return amount;
    };
    std::size_t done = 0;
    for (int attempt = 0; attempt < 3; ++attempt, done = stored()) {
        calls = 0;
        EXPECT_THROW(run(store, how), WorkError);
        EXPECT_GT(stored(), done);
    }
    run(store, options());
    EXPECT_EQ(all_of(store), expected());
}

TEST_F(RunTest, WritesLongUnitsNowAndThen) {
    Store store = make_store("now-and-then");
    RunOptions how = options();
    how.agent_steps_between_writes = 1;
    run(store, how);
    EXPECT_EQ(all_of(store), expected());
}

TEST_F(RunTest, GivesAMetricItsMissingRuns) {
    Store store = make_store("metric");
    run(store, options());
    for (const std::size_t score : {2, 3}) study.settings[1].metrics[score].runs = 4;  // of mspbe
    EXPECT_GT(run(store, options()).agent_steps, 0U);
    const std::string grown = all_of(store);
    Store whole = make_store("whole");
    run(whole, options());
    EXPECT_EQ(grown, all_of(whole));
}

// The runs that a configuration was chosen on, recorded, are those that were summarised; fresh ones are others.
TEST_F(RunTest, RecordsTheRunsOfTheSweepAndOthers) {
    Store store = make_store("recorded");
    run(store, options());
    for (const RecordingKey& key : store.recordings()) {
        const Recording recording = store.recording(key).value();
        EXPECT_EQ(recording.curve_mean.size(), study.settings[key.setting].measurements() + 1);
        EXPECT_EQ(recording.scores.size(), recording.runs);
        ScoreSummary again;
        for (const double score : recording.scores) again.add(score, 0);
        const auto metrics = static_cast<std::uint32_t>(study.settings[key.setting].metrics.size());
        const ScoreSummary swept =
            store.summaries(key.setting, key.instance, key.configuration, 1, metrics).at(key.metric);
        EXPECT_EQ(again.mean == swept.mean && again.m2 == swept.m2, key.stage == Stage::selection);
    }
    EXPECT_EQ(store.recordings().size(), 3U * 2 * 3 * 2 + 2 * 4 * 2);
}

// The error of w_0 tells one instance from another.
TEST_F(RunTest, RecordsFreshInstances) {
    Store store = make_store("fresh-instances");
    run(store, options());
    study.settings[0].fresh_instances = true;
    EXPECT_GT(run(store, options()).agent_steps, 0U);
    std::size_t fresh = 0;
    for (const RecordingKey& key : store.recordings()) {
        if (key.stage != Stage::fresh_instances) continue;
        ++fresh;
        EXPECT_EQ(key.setting, 0U);
        EXPECT_LT(key.instance, 3U);
        if (key.metric != 1) continue;
        const FiniteMdp mdp = study.settings[0].problem.make(study.seed, first_fresh_instance + key.instance, 0);
        const AlgorithmGrid& grid = study.settings[0].algorithms[0];  // td0 has no lambda
        if (key.configuration >= grid.configurations()) continue;
        const ExactSolution solution(mdp, 0);
        const Eigen::VectorXd zero = Eigen::VectorXd::Zero(solution.X.cols());
        EXPECT_NEAR(store.recording(key)->curve_mean[0], exact_error(Metric::rmspbe, solution, zero).value(), 1e-12);
        EXPECT_EQ(store.recording(key)->runs, 5U);
    }
    EXPECT_EQ(fresh, 3U * 2 * 3);
    // What was there stays, and comes back.
    study.settings[0].fresh_instances = false;
    EXPECT_EQ(run(store, options()).agent_steps, 0U);
    // From the start with fresh instances there is no recording of fresh runs of the same ones.
    study.settings[0].fresh_instances = true;
    Store other = make_store("fresh-from-the-start");
    run(other, options());
    for (const RecordingKey& key : other.recordings())
        EXPECT_TRUE(key.stage == Stage::selection || key.setting == 1 || key.stage == Stage::fresh_instances);
    EXPECT_EQ(other.recordings().size(), 3U * 2 * 3 * 2 + 2 * 4 * 2);
}

TEST_F(RunTest, RethrowsWhatGoesWrongInAThread) {
    Study broken = study_of(small_study("domain = 'walk19'", "['rmsve']"));
    broken.settings[0].metrics[0].metric = Metric::mave;
    Store store = make_store("broken");
    RunOptions how = options(2);
    how.settings = {0};
    RunObserver nobody;
    EXPECT_NE(refusal([&] { run_study(broken, store, how, nobody); }).find("instance 0: mave divides"),
              std::string::npos);
}

// A recording that is continued has as many numbers as it should, or the store is damaged.
TEST_F(RunTest, RefusesARecordingThatWasCutShort) {
    for (const std::ptrdiff_t change : {-1, 1}) {
        Store store = make_store(fmt::format("cut-short-{}", change));
        run_sized(store, {}, 2, options());
        for (const RecordingKey& key : store.recordings()) {
            Recording recording = store.recording(key).value();
            recording.curve_mean.resize(recording.curve_mean.size() + static_cast<std::size_t>(change));
            store.write(key, recording);
        }
        try {
            run(store, options());
            ADD_FAILURE() << "it went on";
        } catch (const WorkError& error) {
            EXPECT_STREQ(error.what(),
                         "the results are damaged: a recorded curve is too short or too long; remove them and run the "
                         "study again");
        }
    }
}

TEST_F(RunTest, TellsHowFarItIs) {
    struct Listener : RunObserver {
        void phase(std::string_view name, double agent_steps) override {
            said += fmt::format("{} {}; ", name, agent_steps);
        }
        void setting_done(const Setting& setting) override { said += setting.id + " done; "; }
        std::string said;
    } listener;
    Store store = make_store("told");
    const RunReport report = run_study(study, store, options(), listener);
    const std::size_t episodes = 70;  // steps of 16 of them: 35/8 each, in the mean
    const std::size_t sweep = (12 + 72 + 36) * 60 * 3 * 5 + 4 * episodes * 2 * 4;
    const std::size_t recording = 3 * 2 * 3 * 60 * (5 + 5) + 2 * episodes * 2 * (4 + 3 + 2 + 3);
    EXPECT_EQ(report.agent_steps, sweep + recording);
    EXPECT_EQ(report.tasks, 3U * 3 + 2 + 3 * 2 * 3 * 2 + 2 * 4 * 2);
    EXPECT_EQ(report.tasks_done, report.tasks);
    EXPECT_NE(listener.said.find(fmt::format("sweep {}; ", sweep)), std::string::npos) << listener.said;
    EXPECT_NE(listener.said.find(fmt::format("recording {}; ", recording)), std::string::npos) << listener.said;
    EXPECT_NE(listener.said.find("random done; "), std::string::npos);
    EXPECT_NE(listener.said.find("collision done; "), std::string::npos);
}

}  // namespace
}  // namespace bellwether::test
