// The plan of a study, and the computation of its pieces.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/store.hpp"
#include "study/study.hpp"
#include "study/trial.hpp"

namespace bellwether {

// A block of neighbouring configurations of one algorithm, in one setting and instance.
struct Unit {
    std::uint32_t setting, algorithm, instance;
    std::uint32_t first;                // number within the algorithm's grid
    std::uint32_t first_configuration;  // the same number within the setting
    std::uint32_t count;

    UnitKey key() const { return {setting, instance, first_configuration}; }
};

inline constexpr std::size_t most_configurations_of_unit = 512;
// How many units so many configurations of an algorithm make.
constexpr std::size_t units_of(std::size_t configurations) {
    return (configurations + most_configurations_of_unit - 1) / most_configurations_of_unit;
}

// Every unit of a study, by index: a function of the study alone. Instance 0 of every setting comes first, and within
// an instance the settings with long runs, so that what is left for the end is short.
std::vector<Unit> plan_units(const Study& study);

// A unit on its way, run by run. Which runs are missing is known for each metric by its summaries.
class UnitWork {
public:
    // `so_far` has the summaries that are stored, or empty ones.
    UnitWork(InstanceCache& instances, LaneKernel* kernel, const Unit& unit, UnitResult so_far);

    bool done() const;
    // The next run; false where it was stopped on the way, and then nothing is added.
    bool run_next(const std::atomic<bool>& stop);
    const UnitResult& result() const { return result_; }

private:
    std::uint64_t runs_done(std::size_t metric) const {
        return result_.summaries[metric * result_.configurations].runs;
    }
    bool is_done(std::size_t metric) const { return runs_done(metric) >= setting_.metrics[metric].runs; }
    void add_scores(std::size_t metric, std::size_t place);

    const Setting& setting_;
    UnitResult result_;
    std::vector<Trial> trials_;  // parts of the unit: between two of them the work can stop
};

// The runs of a unit that some metric is missing, where its metrics have these many.
std::uint64_t missing_runs(const Setting& setting, const std::vector<std::uint64_t>& runs_of_metrics);

}  // namespace bellwether
