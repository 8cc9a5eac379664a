// The kernels of devices, on a stand-in that needs none.
#include <gtest/gtest.h>

#include "device_checks.hpp"
#include "device_stream_checks.hpp"
#include "engine/device/device.hpp"
#include "engine/device/images.hpp"
#include "engine/device/packing.hpp"
#include "plan/study_text.hpp"
#include "run/study_run_fixture.hpp"
#include "stand_in.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

TEST(DeviceKernels, ComputeWhatTheProcessorDoes) {
    expect_results_of_processor(*make_stand_in());
}

TEST(DeviceKernels, SweepStreamsAsTheProcessorDoes) {
    expect_sweeps_of_processor(*make_stand_in());
}

TEST(DeviceKernels, HaveTheNamesThatAreLookedFor) {
    EXPECT_EQ(device_kernel_name(4, 2, false), "_Z16bellwether_sweepILj4ELj2ELb0EEvN10bellwether13DeviceRequestE");
}

// From the study to its exports: several metrics with different numbers of runs, recordings, a median, rewards that
// change on the way, resuming.
const std::string two_settings =
    "seed = 3\n"
    "[grids.small]\n"
    "alpha = [0.01, 0.1, 100]\n"
    "eta = [0.5, 2]\n"
    "lambda = [0, 0.4, 0.9, 1]\n"
    "[[settings]]\n"
    "id = 'tabular'\ndomain = 'random-mdp'\nparameters = { states = 10 }\npolicy = 'off'\nsteps = 90\ninstances = 2\n"
    "runs = 7\nscore = 0.5\nmetrics = { mave = 7, rmspbe = 3 }\nrecord = true\nfresh-runs = 4\ngrid = 'small'\n"
    "algorithms = ['ptd', 'gtd', 'to-htd']\n"
    "[[settings]]\n"
    "id = 'binary'\ndomain = 'random-mdp'\nparameters = { states = 10, redraw-after = 50 }\nfeatures = "
    "'binary'\npolicy = 'off'\n"
    "steps = 90\ninstances = 2\nruns = 5\nscore = 0.9\naggregate = 'median'\nmetrics = ['rmsve']\nrecord = true\n"
    "fresh-runs = 4\ngrid = 'small'\nalgorithms = ['htd', 'swift-td', "
    "'to-etd-beta']\n[settings.for.to-etd-beta]\nbeta-scale = "
    "0.5\n";

// As papers have them: errors after some updates and at the ends of episodes, several scores, transitions over several
// steps, several questions about one stream, what is learned beside values.
const std::string papers =
    "seed = 4\n"
    "[[settings]]\n"
    "id = 'every'\ndomain = 'random-mdp'\nparameters = { states = 10 }\nfeatures = 'binary'\npolicy = 'off'\nsteps = "
    "90\nevery = 7\nmeasure = 'before'\nruns = 5\nscore = [1, 0.2, 'end']\nmetrics = ['rmsve', 'rmspbe']\nfresh-runs = "
    "3\nalgorithms = ['gtd', 'to-gtd', 'tdrc']\n"
    "grid = { alpha = [0.01, 0.1, 100], eta = [0.5, 2], lambda = [0, 0.4, 0.9, 1] }\n"
    "[[settings]]\n"
    "id = 'episodes'\ndomain = 'walk19'\npolicy = 'on'\nepisodes = 4\nmeasure = 'episode'\nweighting = "
    "'uniform'\nruns = 5\nscore = 1\nmetrics = ['rmsve']\nfresh-runs = 3\nalgorithms = ['td', 'to-td', "
    "'td-replacing', 'offline-td']\n"
    "grid = { alpha = [0, 0.1, 0.4, 1], lambda = [0, 0.5, 0.9, 1] }\n"
    "[[settings]]\n"
    "id = 'ahead'\ndomain = 'walk19'\npolicy = 'on'\nepisodes = 4\nmeasure = 'episode'\nsteps-ahead = 4\nruns = 7\n"
    "score = 'end'\nmetrics = ['rmsve']\nfresh-runs = 3\nalgorithms = ['td0']\n"
    "grid = { alpha = { factor = 1.1, from = -40, to = 0 } }\n"
    "[[settings]]\n"
    "id = 'questions'\ndomain = 'rooms'\nquestions = 'all'\nsteps = 300\nruns = 5\nscore = [1, 0.1]\nmetrics = "
    "['rmsve']\nfresh-runs = 3\nalgorithms = ['htd', 'etd', 'off-policy-td']\n"
    "grid = { alpha = [0.01, 0.1, 100], eta = [0.5, 2], lambda = [0, 0.9, 1] }\n"
    "[[settings]]\n"
    "id = 'second-moment'\ndomain = 'walk30'\nfeatures = 'quadratic'\npolicy = 'on'\nlearn = 'second-moment'\nvalues = "
    "{ algorithm = 'td', alpha = 0.01, lambda = 0.9, features = 'linear' }\nsteps = 400\nevery = 9\nruns = 5\nscore = "
    "[1, 0.1]\nmetrics = ['rmsve']\nfresh-runs = 3\nalgorithms = ['td']\n"
    "grid = { alpha = { factor = 1.3, from = -40, to = 0 }, lambda = [0, 0.9] }\n"
    "[[settings]]\n"
    "id = 'adagrad'\ndomain = 'baird'\nsteps = 90\nruns = 5\nscore = 0.5\nmetrics = ['rmsve']\nfresh-runs = 3\n"
    "step-size = 'adagrad'\nalgorithms = ['gtd', 'htd', 'tdrc']\n"
    "grid = { alpha = [0.01, 0.1, 100], eta = [0.5, 2], lambda = [0, 0.4, 0.9, 1] }\n"
    "[[settings]]\n"
    "id = 'power'\ndomain = 'baird'\nsteps = 90\nruns = 5\nscore = 0.5\nmetrics = ['rmsve']\nfresh-runs = 3\n"
    "step-size = { rule = 'power', exponent = 0.5 }\nalgorithms = ['gtd', 'gtd2', 'off-policy-td']\n"
    "grid = { alpha = [0.01, 0.1, 100], eta = [0.5, 2], lambda = [0, 0.4, 0.9, 1] }\n"
    "[[settings]]\n"
    "id = 'variance'\ndomain = 'walk30'\nfeatures = 'quadratic'\npolicy = 'on'\nlearn = 'variance'\nvalues = "
    "{ algorithm = 'td', alpha = 0.01, lambda = 0.9, features = 'linear' }\nsteps = 400\nruns = 5\nscore = "
    "0.5\nmetrics "
    "= ['msve']\nfresh-runs = 3\nalgorithms = ['td']\n"
    "grid = { alpha = { factor = 1.3, from = -40, to = 0 }, lambda = [0, 0.9] }\n";

class DeviceRun : public StudyRunTest {
protected:
    explicit DeviceRun(const std::string& study_text = two_settings) : StudyRunTest(study_text) {}

    RunOptions on_device(std::size_t threads = 1) const {
        RunOptions how = options(threads);
        how.backend = stand_in_.get();
        return how;
    }

private:
    std::unique_ptr<Device> stand_in_ = make_stand_in();
};

TEST_F(DeviceRun, StoresWhatTheProcessorDoes) {
    Store store = make_store("device");
    run(store, on_device(2));
    EXPECT_EQ(all_of(store), expected());
}

TEST_F(DeviceRun, GoesOnWithWhatTheProcessorHasBegun) {
    Store store = make_store("both");
    run_sized(store, 1, 4, options());
    run_sized(store, 2, 5, on_device());
    run_sized(store, {}, {}, options());
    Store other = make_store("other");
    run_sized(other, 1, 3, on_device());
    run(other, options());
    EXPECT_EQ(all_of(store), all_of(other));
    EXPECT_EQ(all_of(other), expected());
}

class DeviceRunOfPapers : public DeviceRun {
protected:
    DeviceRunOfPapers() : DeviceRun(papers) {}
};

TEST_F(DeviceRunOfPapers, StoresWhatTheProcessorDoes) {
    Store store = make_store("device");
    run(store, on_device());
    EXPECT_EQ(all_of(store), expected());
}

TEST(DeviceNumbers, LeaveOutWhatNoKernelTakes) {
    LaneRequest request{};
    request.features.dimension = 30;
    request.block.algorithm = static_cast<std::size_t>(find_algorithm("lstd") - algorithm_table.data());
    EXPECT_EQ(device_numbers(request), 0U);
    request.block.algorithm = static_cast<std::size_t>(find_algorithm("gtd") - algorithm_table.data());
    EXPECT_EQ(device_numbers(request), 3U * 30U) << "w, h and e";
    std::size_t without_kernels = 0;
    for (std::size_t algorithm = 0; algorithm < Algorithms::count; ++algorithm) {
        LaneRequest of{};
        of.features.dimension = 30;
        of.block.algorithm = algorithm;
        without_kernels += device_numbers(of) == 0;
        EXPECT_EQ(device_numbers(of) == 0, algorithm_table[algorithm].quadratic) << algorithm_table[algorithm].id;
    }
    EXPECT_EQ(without_kernels, 2U) << "lstd and wis-lstd";
    request.step_sizes.kind = StepSizeRule::Kind::adagrad;
    EXPECT_EQ(device_numbers(request), 3U * 30U + 2U * 2U * 30U) << "and what w and h were, and their sums of squares";
    request.step_sizes = {};
    const std::vector<LaneError> errors(most_device_errors + 1);
    request.errors = errors.data();
    request.error_count = errors.size();
    EXPECT_EQ(device_numbers(request), 0U);
}

TEST(Devices, AreTakenInTurnByTheProcessesOfAMachine) {
    for (std::size_t process = 0; process < 7; ++process) {
        EXPECT_EQ(choose_device("--device", "cuda", 3, process), process % 3);
        EXPECT_EQ(choose_device("--device", "cuda", 1, process), 0U) << "shared";
        EXPECT_EQ(choose_device("--device", "cuda:2", 3, process), 2U) << "the same for all";
    }
    EXPECT_THROW(choose_device("--device", "cuda:3", 3, 0), UsageError);
    EXPECT_THROW(choose_device("--device", "cuda:", 3, 0), UsageError);
    EXPECT_THROW(choose_device("--device", "cuda:-1", 3, 0), UsageError);
}

TEST(Devices, AreRefusedByNamesThatAreNone) {
    EXPECT_THROW(open_device("--device", "gpu", {}), UsageError);
    EXPECT_EQ(open_device("--device", "cpu", {}), nullptr);
    if (!find_devices().problem.empty()) {
        EXPECT_EQ(open_device("--device", "auto", {}), nullptr);
        EXPECT_THROW(open_device("--device", "cuda", {}), UsageError);
    }
}

// ---- with a card: `make test-gpu`; skipped where there is none

template <class Run>
class OnCard : public Run {
protected:
    void SetUp() override {
        const DevicesFound found = find_devices();
        if (!found.problem.empty()) GTEST_SKIP() << found.problem;
        device_ = open_device("--device", "cuda",
                              {.notice = [this](const std::string& notice) { notices_.push_back(notice); }});
    }
    RunOptions on_card(std::size_t threads) const {
        RunOptions how = this->options(threads);
        how.backend = device_.get();
        return how;
    }

    std::unique_ptr<Device> device_;
    std::vector<std::string> notices_;
};
using Gpu = OnCard<DeviceRun>;
using GpuOfPapers = OnCard<DeviceRunOfPapers>;

TEST_F(Gpu, ComputesWhatTheProcessorDoes) {
    expect_results_of_processor(*device_);
    EXPECT_TRUE(notices_.empty());
    EXPECT_GT(device_->busy_seconds(), 0);
}

TEST_F(Gpu, SweepsStreamsAsTheProcessorDoes) {
    expect_sweeps_of_processor(*device_);
    ASSERT_EQ(notices_.size(), 2U);
    EXPECT_NE(notices_[0].find("lstd is run on the processor beside cuda:"), std::string::npos) << notices_[0];
}

// Few, for tools that watch every access.
TEST_F(Gpu, SweepsAStream) {
    expect_sweeps_of_processor(*device_,
                               {find_algorithm("gtd"), find_algorithm("swift-td"), find_algorithm("tidbd-full")});
}

TEST_F(Gpu, StoresWhatTheProcessorDoes) {
    for (const std::size_t threads : {1, 2, 16}) {
        Store store = make_store(std::to_string(threads));
        run(store, on_card(threads));
        EXPECT_EQ(all_of(store), expected()) << threads << " batches in flight";
    }
}

TEST_F(GpuOfPapers, StoresWhatTheProcessorDoes) {
    for (const std::size_t threads : {1, 16}) {
        Store store = make_store(std::to_string(threads));
        run(store, on_card(threads));
        EXPECT_EQ(all_of(store), expected()) << threads << " batches in flight";
    }
    EXPECT_TRUE(notices_.empty());
    EXPECT_GT(device_->busy_seconds(), 0);
}

TEST_F(Gpu, GoesOnWithWhatTheProcessorHasBegun) {
    Store store = make_store("both");
    run_sized(store, 1, 4, options());
    run_sized(store, 2, 5, on_card(2));
    run_sized(store, {}, {}, options());
    EXPECT_EQ(all_of(store), expected());
}

TEST_F(Gpu, LeavesToTheProcessorWhatItCannotTake) {
    const auto gtd = static_cast<std::size_t>(find_algorithm("gtd") - algorithm_table.data());
    for (int twice = 0; twice < 2; ++twice) expect_results_of_processor(*device_, gtd, {.dimension = 400});
    ASSERT_EQ(notices_.size(), 1U) << "told once";
    EXPECT_NE(notices_[0].find("gtd is run on the processor beside cuda:"), std::string::npos) << notices_[0];
    EXPECT_NE(notices_[0].find("with 400 features"), std::string::npos) << notices_[0];
}

TEST_F(Gpu, SaysThatItHasNoMemory) {
    // So many curves that no card has memory for them; what is asked for comes before anything is computed.
    const std::uint32_t row = 0;
    const LaneTrajectory trajectory{.steps = 100'000,
                                    .rows = nullptr,
                                    .reward = nullptr,
                                    .gamma = nullptr,
                                    .rho = nullptr,
                                    .pi = nullptr,
                                    .mu = nullptr};
    const std::size_t configurations = 10'000'000;
    const std::vector<double> parameters(2 * configurations, 0.5);
    const LaneError::Term term{0, 1, 1};
    const LaneError error{.kind = LaneError::Kind::absolute, .root = false, .terms = &term, .term_count = 1};
    double nowhere = 0;
    LaneRequest request{};
    request.block = {static_cast<std::size_t>(find_algorithm("td") - algorithm_table.data()), configurations,
                     parameters.data()};
    request.features = {LaneFeatures::Kind::one_hot, 1, nullptr, &row, nullptr};
    request.trajectories = &trajectory;
    request.trajectory_count = 1;
    request.errors = &error;
    request.error_count = 1;
    request.scored_steps = 1;
    request.scores = request.curves = &nowhere;
    try {
        device_->run({&request, 1});
        FAIL() << "there is no such memory";
    } catch (const WorkError& refused) {
        const std::string problem = refused.what();
        EXPECT_NE(problem.find("out of memory"), std::string::npos) << problem;
        EXPECT_NE(problem.find("the same command resumes, also with --device cpu"), std::string::npos) << problem;
    }
    const auto td = static_cast<std::size_t>(find_algorithm("td") - algorithm_table.data());
    expect_results_of_processor(*device_, td, {});  // and goes on
}

}  // namespace
}  // namespace bellwether::test
