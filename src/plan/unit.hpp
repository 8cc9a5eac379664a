// The plan of a study: which units of work there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/study.hpp"

namespace bellwether {

// A block of neighbouring configurations of one algorithm, in one setting and instance.
struct Unit {
    std::uint32_t setting, algorithm, instance;
    std::uint32_t first;                // number within the algorithm's grid
    std::uint32_t first_configuration;  // the same number within the setting
    std::uint32_t count;
};

inline constexpr std::size_t most_configurations_of_unit = 512;
// How many units so many configurations of an algorithm make.
constexpr std::size_t units_of(std::size_t configurations) {
    return (configurations + most_configurations_of_unit - 1) / most_configurations_of_unit;
}

double count_units(const Study& study);
// Of a plan and what is made of it: which units are pending, and what they cost.
inline constexpr double bytes_of_planned_unit = 140;
// Every unit of a study, by index: a function of the study alone. Instance 0 of every setting comes first, and within
// an instance the settings with long runs, so that what is left for the end is short. UsageError where they do not fit
// into the memory of this machine.
std::vector<Unit> plan_units(const Study& study);

// The runs of a unit that some metric is missing, where its metrics have these many.
std::uint64_t missing_runs(const Setting& setting, const std::vector<std::uint64_t>& runs_of_metrics);

}  // namespace bellwether
