// What the stored scores say: per configuration, and which configuration is the best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

// A configuration's score over instances: the mean over instances of the mean over runs. Infinite where some run
// diverged.
struct ConfigurationScore {
    std::uint64_t instances = 0;  // that have some run
    std::uint64_t runs = 0, diverged = 0;
    double mean = 0;                         // over the runs that did not diverge
    double score = 0;                        // mean, or infinite
    std::optional<double> standard_error{};  // sqrt(Σ_i s_i²/R_i)/I; none where some instance has one run
};
ConfigurationScore combine(std::span<const ScoreSummary> by_instance);

// Which of two configurations is chosen: the one with fewer diverged runs, so that those without any come before those
// with some; then the one with the lower mean.
bool is_better(const ConfigurationScore& one, const ConfigurationScore& other);

// Scores of neighbouring configurations of a setting: by metric, configuration and instance; by every stored score
// (plan/stored_scores.hpp) where those of single questions are wanted too.
class ScoreBlock {
public:
    ScoreBlock(const Store& store, const Study& study, std::uint32_t setting, std::size_t instances,
               std::uint32_t first_configuration, std::uint32_t count, bool with_questions = false);

    // `configuration` counts from the first one of the block.
    std::span<const ScoreSummary> by_instance(std::size_t metric, std::size_t configuration) const {
        return std::span(summaries_).subspan((metric * count_ + configuration) * instances_, instances_);
    }

private:
    std::size_t count_, instances_;
    std::vector<ScoreSummary> summaries_;
};

// Calls use(first, count) with ranges of the configurations first … end − 1, so that a large setting is never in memory
// as a whole: of many instances shorter ones, but not so short that the blocks of the store are read many times.
template <class Use>
void for_each_block(std::uint32_t first, std::uint32_t end, std::size_t instances, Use use) {
    constexpr std::size_t scores_of_block = std::size_t{1} << 22, least = 64, most = 4096;
    const auto length =
        static_cast<std::uint32_t>(std::clamp(scores_of_block / std::max<std::size_t>(1, instances), least, most));
    for (; first < end; first += std::min(length, end - first)) use(first, std::min(length, end - first));
}

// The best of the configurations first … end − 1, of equal ones the first. None where none has a run.
std::optional<std::uint32_t> best_configuration(const Store& store, const Study& study, std::uint32_t setting,
                                                std::size_t instances, std::size_t metric, std::uint32_t first,
                                                std::uint32_t end);

// The best configuration of every algorithm and metric of these settings, in the order of the study.
struct BestConfiguration {
    std::uint32_t setting, algorithm, metric;  // algorithm and metric: numbers in the setting
    std::uint32_t configuration;               // number within the setting
    std::uint32_t first_configuration;         // its algorithm's first
    friend bool operator==(const BestConfiguration&, const BestConfiguration&) = default;
};
std::vector<BestConfiguration> best_configurations(const Store& store, const Study& study,
                                                   std::span<const std::size_t> settings);

// Those that figures of curves state of these settings (plan/study.hpp), in the order of the figures.
std::vector<BestConfiguration> stated_configurations(const Study& study, std::span<const std::size_t> settings);

// How many instances of each setting the store has, at least as many as it was asked for.
std::vector<std::size_t> stored_instances(const Store& store, const Study& study);

// Where what is reported of a setting's best configurations is recorded.
inline Stage fresh_stage(const Setting& setting) {
    return setting.fresh_instances ? Stage::fresh_instances : Stage::fresh;
}

// What is recorded of a configuration, by instance; empty where there is nothing.
std::vector<Recording> recordings_of(const Store& store, const BestConfiguration& best, Stage stage,
                                     std::size_t instances);
// One point of every instance's curve; empty where there is none. One that is infinite counts as diverged.
std::vector<ScoreSummary> step_of(std::span<const Recording> recordings, std::size_t step);

}  // namespace bellwether
