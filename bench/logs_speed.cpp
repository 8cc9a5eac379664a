// How long `bellwether evaluate` takes beside `bellwether learn` on the same CSV, and `bellwether tune` beside the five
// plain sweeps of its grid: ratios in one run, one thread, of the least of several times each.
// bellwether_logs_speed [ROWS] [EPISODE_STEPS] [ROUNDS]
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "engine/backend.hpp"
#include "logs/evaluation.hpp"
#include "logs/log_reader.hpp"
#include "logs/training_stream.hpp"
#include "logs/tuning.hpp"
#include "logs_file.hpp"
#include "stream/row_learner.hpp"
#include "stream/stream_reader.hpp"
#include "temporary_directory.hpp"

namespace bench {
namespace {

using namespace bellwether;

// Of the processor, not of the wall: others may be at work beside.
double seconds_of(const std::function<void()>& work) {
    const std::clock_t before = std::clock();
    work();
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

// As `bellwether learn --algorithm gtd` does.
void learn(const std::string& path) {
    const AlgorithmInfo& gtd = algorithm_named("gtd");
    StreamReader stream(path, std::nullopt, gtd);
    auto checked = check_parameters(gtd, std::vector<NamedValue>{{"alpha", 0.001}, {"eta", 1}, {"lambda", 0.9}});
    const std::unique_ptr<Learner> learner =
        best_instruction_set().make_learner(gtd, stream.dimension(), checked.value(), std::nullopt);
    RowLearner learning(*learner, stream.sparse(), nullptr, nullptr);
    StreamRow row;
    while (stream.next(row)) learning.take(row);
    learning.finish();
}

void compare_evaluate(const std::string& path, const char* what, std::size_t rounds) {
    double learned = 1e300, evaluated = 1e300, read = 1e300;
    for (std::size_t round = 0; round < rounds; ++round) {
        learned = std::min(learned, seconds_of([&] { learn(path); }));
        evaluated = std::min(evaluated, seconds_of([&] {
                                 Log log;
                                 read = std::min(read, seconds_of([&] { log = read_log(path, {}); }));
                                 evaluate(std::move(log), {});
                             }));
    }
    fmt::print("| {} | {:.2f} s | {:.2f} s, {:.2f} s of them reading | {:.2f} |\n", what, learned, evaluated, read,
               evaluated / learned);
    std::fflush(stdout);
}

// The sweeps alone: what tune learns, without a score, with errors of a prediction instead.
double plain_sweeps(const Log& log, const std::vector<AlgorithmGrid>& grids) {
    double seconds = 0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        const TrainingStream training(log, fold);
        const std::vector<double> truth(log.rows());
        seconds += seconds_of([&] {
            sweep_stream(training.view(), grids, {.by_step = truth.data()},
                         {.metric = StreamMetric::mse, .keeps_weights = true});
        });
    }
    return seconds;
}

void compare_tune(const std::string& path, std::size_t rounds) {
    Log log = read_log(path, {});
    pad_features(log);
    double tuned = 1e300, swept = 1e300;
    for (std::size_t round = 0; round < rounds; ++round) {
        Tuning tuning;
        tuned = std::min(tuned, seconds_of([&] { tuning = tune(log, {.fresh = 0}); }));
        swept = std::min(swept, plain_sweeps(log, tuning_grid(log, {}, tuning.alpha_scale)));
    }
    fmt::print("| tune, {} steps | {:.2f} s | {:.2f} s | {:.2f} |\n", log.steps(), swept, tuned, tuned / swept);
}

int run(std::size_t rows, std::size_t episode, std::size_t rounds) {
    const TemporaryDirectory temporary;
    const std::filesystem::path& directory = temporary.path;
    const std::string ratios = directory / "ratios.csv", actions = directory / "actions.csv";
    write_log_file(ratios, rows, episode, false);
    write_log_file(actions, rows, episode, true);
    fmt::print("| {} rows, d = 30, episodes of {} | learn | evaluate | ratio |\n|---|--:|--:|--:|\n", rows, episode);
    compare_evaluate(ratios, "evaluate, column rho", rounds);
    compare_evaluate(actions, "evaluate, two actions", rounds);
    const std::string small = directory / "small.csv";
    write_log_file(small, rows / 20, episode, false);
    compare_tune(small, rounds);
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    const auto number = [&](int place, std::size_t otherwise) {
        return argc > place ? static_cast<std::size_t>(std::strtoul(argv[place], nullptr, 10)) : otherwise;
    };
    return bench::run(number(1, 1'000'000), number(2, 20), number(3, 3));
}
