// The program, killed again and again at any moment and resumed, ends with the results of one that nobody disturbed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/backend.hpp"
#include "files.hpp"
#include "process.hpp"
#include "store/store.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// About a second of work in some hundred tasks, so that a killed program has always done some and never all. The last
// setting hardly learns and writes much: there kills fall into the writing.
const char* const study_text =
    "seed = 5\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "features = 'binary'\n"
    "steps = 400\n"
    "instances = 12\n"
    "runs = 24\n"
    "fresh-runs = 2\n"
    "metrics = ['mave', 'rmspbe']\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -5, to = 6 }, eta = [0.1, 1, 8], lambda = [0, 0.5, 0.9, 1] }\n"
    "algorithms = ['td0', 'off-policy-td', 'gtd', 'to-etd', 'htd', 'gtd2-mp']\n"
    "[[settings]]\n"
    "id = 'collision'\n"
    "domain = 'collision'\n"
    "steps = 300\n"
    "instances = 1\n"
    "runs = 60\n"
    "fresh-runs = 5\n"
    "metrics = { rmsve = 60, mspbe = 30 }\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -5, to = 3 }, lambda = [0, 0.5, 0.9] }\n"
    "algorithms = ['off-policy-td', 'tdrc']\n"
    "[[settings]]\n"
    "id = 'writes'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 8 }\n"
    "steps = 5\n"
    "instances = 40\n"
    "runs = 1\n"
    "record = false\n"
    "metrics = ['mave', 'rmspbe']\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -7, to = 8 }, eta = [0.1, 1, 8, 9], lambda = [0, 0.5, 0.9, 1] "
    "}\n"
    "algorithms = ['gtd', 'htd', 'gtd2']\n";

// ---- processes

bool was_killed(int status) {
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}
int exit_status(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// ---- the study under test

// Threads and instruction set are others for every process: results do not depend on them.
struct Manner {
    std::size_t threads;
    std::string_view isa;
};
Manner manner(std::size_t k) {
    const auto sets = instruction_sets();
    return {k % 2 + 1, sets[k / 2 % sets.size()]->name()};
}

class KillTest : public testing::Test {
protected:
    KillTest() { std::ofstream(base / "study.toml") << study_text; }

    Process start(const fs::path& directory, const Manner& how) const {
        return {{BELLWETHER_PROGRAM, "run", (base / "study.toml").string(), "--out", directory.string(), "--quiet",
                 "--threads", std::to_string(how.threads), "--isa", std::string(how.isa)},
                base / "out",
                base / "err"};
    }
    // Runs it to its end; how long that took.
    double finish(const fs::path& directory, const Manner& how) const {
        const auto begin = Clock::now();
        EXPECT_EQ(exit_status(start(directory, how).wait()), 0) << content_of(base / "err");
        return Seconds(Clock::now() - begin).count();
    }
    // Everything that export says about it.
    std::string exports_of(const fs::path& directory) const {
        std::string all;
        for (const std::vector<std::string>& options :
             {std::vector<std::string>{}, {"--by-instance"}, {"--curves"}, {"--curves", "--by-instance"}}) {
            std::vector<std::string> words{BELLWETHER_PROGRAM, "export", directory.string()};
            words.insert(words.end(), options.begin(), options.end());
            EXPECT_EQ(exit_status(Process(words, base / "csv", base / "err").wait()), 0);
            EXPECT_EQ(content_of(base / "err"), "") << "a complete study has nothing to warn of";
            all += content_of(base / "csv");
        }
        return all;
    }

    TemporaryFolder folder;
    fs::path base = folder.path();
};

// How much is stored: what a process has left behind can always be read. None before there is a store.
std::optional<std::uint64_t> stored_work(const fs::path& directory) {
    if (!fs::exists(directory / "results.db")) return std::nullopt;
    try {
        const Store store = Store::open(directory);
        std::uint64_t work = store.recordings().size();
        for (const Store::UnitProgress& unit : store.units()) work += unit.runs;
        return work;
    } catch (const UsageError&) {  // killed, or still at it, between making the file and what is in it
        return std::nullopt;
    }
}

// ---- kill -9

// One study after another, each from nothing to its end through kills at random moments.
class Killer {
public:
    explicit Killer(double longest_wait) : longest_wait_(longest_wait) {}

    // Whether the process was killed before it came to its end. What was stored never gets less.
    bool kill_at_random(Process& process, const fs::path& directory, std::uint64_t& stored) {
        std::this_thread::sleep_for(Seconds(longest_wait_ * static_cast<double>(random_()) / 0x1p32));
        process.signal(SIGKILL);
        const int status = process.wait();
        EXPECT_TRUE(was_killed(status) || exit_status(status) == 0);
        EXPECT_FALSE(Store::is_locked(directory));
        const std::uint64_t now = stored_work(directory).value_or(0);
        EXPECT_GE(now, stored);
        stored = now;
        if (!was_killed(status)) return false;
        ++kills;
        if (now > 0) stages.insert(now);
        return true;
    }

    std::size_t kills = 0;
    std::set<std::uint64_t> stages{};  // how much was stored after them

private:
    double longest_wait_;
    std::mt19937 random_{1};
};

TEST_F(KillTest, LosesNothingToKills) {
    constexpr std::size_t wanted_kills = 25, wanted_stages = 8, most_kills_of_study = 40;
    const double whole = finish(base / "undisturbed", {1, best_instruction_set().name()});
    const std::string expected = exports_of(base / "undisturbed");
    EXPECT_GT(expected.size(), 1'000'000U);

    Killer killer(whole / 4);
    std::size_t processes = 0;
    for (int study = 0; killer.kills < wanted_kills || killer.stages.size() < wanted_stages; ++study) {
        ASSERT_LT(study, 20) << "it ends before it can be killed, or the kills fall outside of the work";
        const fs::path directory = base / fmt::format("killed-{}", study);
        std::uint64_t stored = 0;
        bool killed = true;
        for (std::size_t k = 0; killed && k < most_kills_of_study; ++k) {
            Process process = start(directory, manner(processes++));
            killed = killer.kill_at_random(process, directory, stored);
        }
        finish(directory, {2, best_instruction_set().name()});
        EXPECT_TRUE(exports_of(directory) == expected) << "study " << study;
    }
    RecordProperty("kills", std::to_string(killer.kills));
    RecordProperty("stages", std::to_string(killer.stages.size()));
    RecordProperty("seconds_undisturbed", fmt::format("{:.2f}", whole));
}

// ---- SIGINT and SIGTERM

class SignalTest : public KillTest, public testing::WithParamInterface<int> {};

INSTANTIATE_TEST_SUITE_P(Signals, SignalTest, testing::Values(SIGINT, SIGTERM), [](const auto& signal) {
    return std::string(signal.param == SIGINT ? "interrupt" : "terminate");
});

TEST_P(SignalTest, StopsAndResumes) {
    finish(base / "undisturbed", {2, best_instruction_set().name()});
    const fs::path directory = base / "stopped";
    Process process = start(directory, {1, best_instruction_set().name()});
    while (process.running() && stored_work(directory).value_or(0) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.signal(GetParam());
    EXPECT_EQ(exit_status(process.wait()), 128 + GetParam());
    EXPECT_EQ(content_of(base / "out"), "");
    std::size_t done = 0, units = 0;
    EXPECT_EQ(std::sscanf(content_of(base / "err").c_str(), "bellwether run: stopped after %zu of %zu units; ", &done,
                          &units),
              2);
    EXPECT_EQ(content_of(base / "err"),
              fmt::format("bellwether run: stopped after {} of {} units; the same command resumes\n", done, units));
    EXPECT_GT(done, 0U);
    EXPECT_LT(done, units);
    EXPECT_FALSE(Store::is_locked(directory));
    finish(directory, {2, best_instruction_set().name()});
    EXPECT_TRUE(exports_of(directory) == exports_of(base / "undisturbed"));
}

}  // namespace
}  // namespace bellwether::test
