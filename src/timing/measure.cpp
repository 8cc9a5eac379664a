#include "timing/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "bellwether/registry.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"
#include "timing/rounds.hpp"
#include "timing/sweep_block.hpp"

namespace bellwether {

namespace {

constexpr double seconds_of_turn = 0.001;
constexpr double low_share = 0.05, high_share = 0.95;

// The works of one row of the table.
struct Contestant {
    Policy policy;
    const AlgorithmInfo* algorithm;
    TimedFeatures features;
    LearnerRun learner;
    EngineBlock block;

    Contestant(Policy policy_, const AlgorithmInfo* algorithm_, TimedFeatures features_, const SweepProblem& problem,
               const InstructionSet& set)
        : policy(policy_),
          algorithm(algorithm_),
          features(features_),
          learner(problem, set, algorithm->id, {}, features),
          block(problem, set, algorithm->id, {}, trajectory_steps / 2, features) {}

    bool diverged() const {
        const auto scores = block.scores();
        return learner.diverged() ||
               std::any_of(scores.begin(), scores.end(), [](double score) { return !std::isfinite(score); });
    }
};

void add_contestants(const MeasureOptions& options, TimedFeatures features, Policy policy, const SweepProblem& problem,
                     std::deque<Contestant>& contestants) {
    for (const AlgorithmInfo* algorithm : options.algorithms)
        if (policy == Policy::on || !algorithm->on_policy_only)
            contestants.emplace_back(policy, algorithm, features, problem, *options.instruction_set);
}

// Two of each: its learner's, its block's.
std::vector<TimedWork> works_of(std::deque<Contestant>& contestants) {
    std::vector<TimedWork> works;
    for (Contestant& contestant : contestants) {
        works.push_back({.run = [&contestant] { contestant.learner.run(); },
                         .agent_steps = trajectory_steps,
                         .before_turn = [&contestant] { contestant.learner.renew(); }});
        works.push_back({.run = [&contestant] { contestant.block.run(); }, .agent_steps = block_agent_steps});
    }
    return works;
}

}  // namespace

RuntimeTable measure_runtimes(const MeasureOptions& options) {
    const SweepProblem on_policy("random-mdp", "tabular", true, Metric::mave);
    const SweepProblem off_policy("random-mdp", "tabular", false, Metric::mave);
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
    return table;
}

}  // namespace bellwether
