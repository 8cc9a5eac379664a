#include "timing/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <optional>

#include "bellwether/registry.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"
#include "support/parallel_for.hpp"
#include "timing/rounds.hpp"
#include "timing/sweep_block.hpp"

namespace bellwether {

namespace {

constexpr double seconds_of_turn = 0.001;
constexpr double low_share = 0.05, high_share = 0.95;

// One work for each instance, which have their turns one after the other.
template <class Work>
struct Instances {
    std::deque<Work> all{};
    std::size_t turns = 0;

    Work& current() { return all[(turns - 1) % all.size()]; }
};

// The works of one row of the table.
struct Contestant {
    Policy policy;
    const AlgorithmInfo* algorithm;
    TimedFeatures features;
    Instances<LearnerRun> learners{};
    Instances<EngineBlock> blocks{};

    Contestant(Policy policy_, const AlgorithmInfo* algorithm_, TimedFeatures features_,
               const std::deque<SweepProblem>& problems, const InstructionSet& set)
        : policy(policy_), algorithm(algorithm_), features(features_) {
        for (const SweepProblem& problem : problems) {
            learners.all.emplace_back(problem, set, algorithm->id, SweepGrid{}, features);
            blocks.all.emplace_back(problem, set, algorithm->id, SweepGrid{}, trajectory_steps / 2, features);
        }
    }

    bool diverged() const {
        const auto is_infinite = [](double score) { return !std::isfinite(score); };
        return std::any_of(learners.all.begin(), learners.all.end(),
                           [](const LearnerRun& learner) { return learner.diverged(); }) ||
               std::any_of(blocks.all.begin(), blocks.all.end(), [&](const EngineBlock& block) {
                   return std::any_of(block.scores().begin(), block.scores().end(), is_infinite);
               });
    }
};

void add_contestants(const MeasureOptions& options, TimedFeatures features, Policy policy,
                     const std::deque<SweepProblem>& problems, std::deque<Contestant>& contestants) {
    for (const AlgorithmInfo* algorithm : options.algorithms)
        if (policy == Policy::on || !algorithm->on_policy_only)
            contestants.emplace_back(policy, algorithm, features, problems, *options.instruction_set);
}

// The problem of the paper's table, in as many instances as there are rounds for.
std::deque<SweepProblem> problems_of(const MeasureOptions& options, bool on_policy) {
    std::deque<SweepProblem> problems;
    for (std::uint32_t i = 0; i < timed_instances && i < options.rounds; ++i)
        problems.emplace_back("random-mdp", "tabular", on_policy, Metric::mave, i);
    return problems;
}

// Two of each: its learner's, its block's.
std::vector<TimedWork> works_of(std::deque<Contestant>& contestants) {
    std::vector<TimedWork> works;
    for (Contestant& contestant : contestants) {
        works.push_back({.run = [&contestant] { contestant.learners.current().run(); },
                         .agent_steps = trajectory_steps,
                         .before_turn =
                             [&contestant] {
                                 ++contestant.learners.turns;
                                 contestant.learners.current().renew();
                             }});
        works.push_back({.run = [&contestant] { contestant.blocks.current().run(); },
                         .agent_steps = block_agent_steps,
                         .before_turn = [&contestant] { ++contestant.blocks.turns; }});
    }
    return works;
}

// ---- on a device ----

// As many batches on their way as a run with that many threads has, each of several runs; by the clock.
constexpr std::size_t batches_on_their_way = 8, batches_of_turn = 8, turns_of_device = 3;

// None where the device would leave it to the processor.
std::optional<double> nanoseconds_on(const Backend& device, const SweepProblem& problem, const Runtime& row) {
    std::deque<EngineBlock> blocks;
    for (std::size_t k = 0; k < batches_on_their_way; ++k)
        blocks.emplace_back(problem, device, row.algorithm, SweepGrid{}, trajectory_steps / 2, row.features);
    if (!blocks[0].has_device_kernel()) return std::nullopt;
    const auto run_all = [&](std::size_t batches) {
        std::atomic<bool> stop = false;
        parallel_for(
            blocks.size(), blocks.size() * batches, stop,
            [&](std::size_t thread, std::size_t) { blocks[thread].run(); }, [] {});
    };
    run_all(1);
    std::vector<double> nanoseconds;
    for (std::size_t turn = 0; turn < turns_of_device; ++turn) {
        const double start = seconds_of(CLOCK_MONOTONIC);
        run_all(batches_of_turn);
        const double agent_steps = block_agent_steps * static_cast<double>(problem.trajectories().size() *
                                                                           batches_on_their_way * batches_of_turn);
        nanoseconds.push_back((seconds_of(CLOCK_MONOTONIC) - start) * 1e9 / agent_steps);
    }
    return quantile(nanoseconds, 0.5);
}

void measure_device(const MeasureOptions& options, RuntimeTable& table) {
    const Backend& device = *options.device;
    const auto wanted = static_cast<std::size_t>(static_cast<double>(device.agent_steps_at_once()) / block_agent_steps);
    const std::size_t runs = std::max<std::size_t>(1, wanted);
    const SweepProblem on_policy("random-mdp", "tabular", true, Metric::mave, 0, runs);
    const SweepProblem off_policy("random-mdp", "tabular", false, Metric::mave, 0, runs);
    for (Runtime& row : table.rows) {
        row.device_nanoseconds = nanoseconds_on(device, row.policy == Policy::on ? on_policy : off_policy, row);
        options.after_round(options.rounds);  // so that it can be interrupted
    }
    table.device = device.name();
}

}  // namespace

RuntimeTable measure_runtimes(const MeasureOptions& options) {
    const std::deque<SweepProblem> on_policy = problems_of(options, true), off_policy = problems_of(options, false);
    std::deque<Contestant> contestants;
    for (const TimedFeatures features : options.features) {
        add_contestants(options, features, Policy::on, on_policy, contestants);
        add_contestants(options, features, Policy::off, off_policy, contestants);
    }
    const std::vector<std::vector<double>> nanoseconds = nanoseconds_of_rounds(
        works_of(contestants), {.count = options.rounds, .after_round = options.after_round}, seconds_of_turn);

    RuntimeTable table{.machine = processor_name(),
                       .instruction_set = std::string(options.instruction_set->name()),
                       .steps = trajectory_steps};
    for (std::size_t k = 0; k < contestants.size(); ++k) {
        const Contestant& contestant = contestants[k];
        if (contestant.diverged())
            throw WorkError(fmt::format("{} diverged {}-policy: its time says nothing", contestant.algorithm->id,
                                        id_of(contestant.policy)));
        const auto microseconds = [&](double share) {
            return quantile(nanoseconds[2 * k], share) * static_cast<double>(trajectory_steps) / 1000;
        };
        table.rows.push_back({.policy = contestant.policy,
                              .algorithm = std::string(contestant.algorithm->id),
                              .microseconds = microseconds(0.5),
                              .low = microseconds(low_share),
                              .high = microseconds(high_share),
                              .sweep_nanoseconds = quantile(nanoseconds[2 * k + 1], 0.5),
                              .features = contestant.features});
    }
    if (options.device) measure_device(options, table);
    return table;
}

}  // namespace bellwether
