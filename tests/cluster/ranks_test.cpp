// The program under a real mpirun: the same results to the byte for any number of ranks, and after any of them was
// killed; what is wrong is said once; nobody but rank 0 touches a file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "files.hpp"
#include "store/store.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

// In a session of its own, so that what a dying mpirun signals is not this program.
const char* const mpirun = "setsid --wait '" BELLWETHER_MPIRUN "'";

const char* const study_text =
    "name = 'ranked'\n"
    "seed = 5\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "features = 'binary'\n"
    "steps = 300\n"
    "instances = 8\n"
    "runs = 5\n"
    "fresh-runs = 2\n"
    "metrics = ['mave', 'rmspbe']\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -5, to = 6 }, eta = [0.1, 1, 8], lambda = [0, 0.5, 0.9, 1] }\n"
    "algorithms = ['td0', 'off-policy-td', 'gtd', 'to-etd']\n"
    "[[settings]]\n"
    "id = 'machine'\n"
    "model = 'machine.toml'\n"
    "steps = 200\n"
    "runs = 20\n"
    "metrics = { rmsve = 20, mspbe = 10 }\n"
    "grid = { alpha = [0.01, 0.05, 0.1], lambda = [0, 0.9] }\n"
    "algorithms = ['off-policy-td', 'gtd']\n";

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

class RanksTest : public testing::Test {
protected:
    RanksTest() {
        std::ofstream(base / "study.toml") << study_text;
        fs::copy(BELLWETHER_SOURCE "/examples/models/machine.toml", base);
        // For a test machine with fewer cores than ranks, and as root; where this is not Open MPI they mean nothing.
        for (const char* permission :
             {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
            ::setenv(permission, "1", 1);
        // An MPI keeps what it has allocated until the process ends: not this program's leak.
        ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    }

    // The exit status; what was said is in `output` and `errors`.
    int shell(const std::string& command) {
        const std::string line =
            fmt::format("cd '{0}' && {{ {1}\n}} >'{0}/out' 2>'{0}/err' </dev/null", base.string(), command);
        const int status = std::system(line.c_str());
        output = content_of(base / "out");
        errors = content_of(base / "err");
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int run_ranks(std::size_t ranks, const std::string& arguments) {
        return shell(fmt::format("{} -n {} '{}' run {}", mpirun, ranks, BELLWETHER_PROGRAM, arguments));
    }
    int run_alone(const std::string& arguments) { return shell(fmt::format("'{}' {}", BELLWETHER_PROGRAM, arguments)); }
    std::string exports_of(const std::string& directory) {
        std::string all;
        for (const char* options : {"", "--by-instance", "--curves", "--curves --by-instance"}) {
            EXPECT_EQ(run_alone(fmt::format("export {} {}", directory, options)), 0);
            EXPECT_EQ(errors, "");
            all += output;
        }
        return all;
    }
    const std::string& expected() {
        if (expected_.empty()) {
            EXPECT_EQ(run_alone("run study.toml --quiet --threads 1 --out alone"), 0) << errors;
            expected_ = exports_of("alone");
            EXPECT_GT(expected_.size(), 100'000U);
        }
        return expected_;
    }
    // A script that leaves the number of its process behind and then becomes the program.
    std::string in_script(const std::string& arguments) {
        std::ofstream(base / "rank.sh") << "echo $$ > pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\nexec '"
                                        << BELLWETHER_PROGRAM << "' run " << arguments << "\n";
        return "sh rank.sh";
    }
    std::uint64_t stored_runs(const std::string& directory) const {
        try {
            std::uint64_t runs = 0;
            const Store store = Store::open(base / directory);
            for (const Store::UnitProgress& unit : store.units()) runs += unit.runs;
            return runs;
        } catch (const UsageError&) {  // it is not there yet
            return 0;
        }
    }
    // Signals a rank of a long run as soon as something is stored; the exit status of mpirun.
    int disturb(std::size_t rank, int signal) {
        const std::string script = in_script("study.toml --quiet --threads 1 --instances 4000 --out disturbed");
        std::jthread disturber([&] {
            for (int k = 0; k < 30'000 && stored_runs("disturbed") == 0; ++k)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const int process = std::atoi(content_of(base / fmt::format("pid.{}", rank)).c_str());
            ASSERT_GT(process, 1);
            ::kill(process, signal);
        });
        return shell(fmt::format("{} -n 3 {}", mpirun, script));
    }
    // After that the same command with the study's own size has everything, and more.
    void expect_resumed() {
        EXPECT_FALSE(Store::is_locked(base / "disturbed"));
        EXPECT_GT(stored_runs("disturbed"), 0U);
        EXPECT_EQ(run_ranks(2, "study.toml --quiet --threads 1 --instances 40 --out disturbed"), 0) << errors;
        EXPECT_EQ(run_alone("run study.toml --quiet --threads 1 --instances 40 --out undisturbed"), 0) << errors;
        EXPECT_TRUE(exports_without_more("disturbed") == exports_without_more("undisturbed"));
    }
    // By instance, those that were asked for at the end.
    std::string exports_without_more(const std::string& directory) {
        EXPECT_EQ(run_alone(fmt::format("export {} --by-instance | awk -F, '$1 != \"random\" || $7 < 40'", directory)),
                  0);
        return output;
    }

    TemporaryFolder folder;
    fs::path base = folder.path();
    std::string output, errors;

private:
    std::string expected_;
};

TEST_F(RanksTest, GiveTheSameResults) {
    for (const std::size_t ranks : {1U, 2U, 3U, 5U}) {
        const std::string directory = fmt::format("ranks-{}", ranks);
        EXPECT_EQ(run_ranks(ranks, "study.toml --quiet --threads 1 --out " + directory), 0) << errors;
        EXPECT_EQ(count_of(output, "results in"), 1U) << output;
        EXPECT_TRUE(exports_of(directory) == expected()) << ranks;
    }
}

TEST_F(RanksTest, GiveTheSameResultsWhereTheyAreMoreThanCores) {
    EXPECT_EQ(run_ranks(6, "study.toml --quiet --threads 3 --out crowded"), 0) << errors;
    EXPECT_TRUE(exports_of("crowded") == expected());
}

TEST_F(RanksTest, GrowWhatIsThere) {
    EXPECT_EQ(run_ranks(3, "study.toml --quiet --threads 1 --runs 2 --instances 3 --out grown"), 0) << errors;
    EXPECT_EQ(run_ranks(2, "study.toml --quiet --threads 2 --isa portable --out grown"), 0) << errors;
    EXPECT_TRUE(exports_of("grown") == expected());
}

TEST_F(RanksTest, LoseNothingWhenAWorkerIsKilled) {
    EXPECT_NE(disturb(2, SIGKILL), 0);
    expect_resumed();
}

TEST_F(RanksTest, LoseNothingWhenRank0IsKilled) {
    EXPECT_NE(disturb(0, SIGKILL), 0);
    expect_resumed();
}

TEST_F(RanksTest, StopWhenOneIsTerminated) {
    EXPECT_NE(disturb(1, SIGTERM), 0);
    EXPECT_EQ(count_of(errors, "the same command resumes"), 1U) << errors;
    expect_resumed();
}

// The study, its model and the store are where only rank 0 is.
TEST_F(RanksTest, NeedNoFileButRank0s) {
    fs::create_directory(base / "private");
    fs::create_directory(base / "elsewhere");
    expected();
    for (const char* file : {"study.toml", "machine.toml"}) fs::rename(base / file, base / "private" / file);
    std::ofstream(base / "apart.sh") << "rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n"
                                        "if [ $rank = 0 ]; then cd private; else cd elsewhere; fi\nexec '"
                                     << BELLWETHER_PROGRAM << "' run study.toml --quiet --threads 1 --out mine\n";
    EXPECT_EQ(shell(fmt::format("{} -n 3 sh apart.sh", mpirun)), 0) << errors;
    EXPECT_TRUE(fs::is_empty(base / "elsewhere"));
    EXPECT_TRUE(exports_of("private/mine") == expected());
}

TEST_F(RanksTest, SayOnceWhatIsWrong) {
    const auto expect_refusal = [&](const std::string& arguments, const std::string& problem) {
        EXPECT_NE(run_ranks(3, arguments), 0) << arguments;
        EXPECT_EQ(count_of(errors, "bellwether run: "), 1U) << errors;
        EXPECT_EQ(count_of(errors, problem), 1U) << errors;
        EXPECT_EQ(output, "");
    };
    expect_refusal("study.toml --thread 1", "unknown option '--thread'");
    expect_refusal("none.toml", "none.toml: cannot read");
    expect_refusal("study.toml --setting none", "no setting 'none'");
    expect_refusal("study.toml --out study.toml", "a file is in its way");
    expect_refusal("study.toml --shard 4/3", "'4/3' is not a shard");
    EXPECT_FALSE(fs::exists(base / "results"));
}

TEST_F(RanksTest, NameTheRankThatFails) {
    EXPECT_NE(shell(fmt::format("{0} -n 1 '{1}' run study.toml --out failed : -n 1 '{1}' run study.toml --isa none",
                                mpirun, BELLWETHER_PROGRAM)),
              0);
    EXPECT_EQ(count_of(errors, "bellwether run: rank 1: --isa: 'none' is not an instruction set"), 1U) << errors;
}

TEST_F(RanksTest, AreRefusedWithoutMpi) {
    EXPECT_EQ(shell(fmt::format("SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 '{}' run study.toml", BELLWETHER_PROGRAM)), 2);
    EXPECT_EQ(count_of(errors, "srun has started 4 processes without MPI"), 1U) << errors;
}

TEST_F(RanksTest, RunAShardTogether) {
    for (int shard = 1; shard <= 2; ++shard)
        EXPECT_EQ(run_ranks(2, fmt::format("study.toml --quiet --threads 1 --shard {}/2", shard)), 0) << errors;
    EXPECT_EQ(run_alone("merge merged results/ranked/shards/* --quiet"), 0) << errors;
    EXPECT_TRUE(exports_of("merged") == expected());
}

}  // namespace
}  // namespace bellwether::test
