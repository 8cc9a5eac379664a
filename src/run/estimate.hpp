// What a study will take on this machine.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/backend.hpp"
#include "plan/study.hpp"

namespace bellwether {

// Seconds per agent-step of one thread, by setting and algorithm: measured on configurations that are spread over the
// grid, on the first instance and a short trajectory, in about `seconds` in all. Empty for settings that are not asked
// for. A grid that does not fill the lanes is dearer by what it leaves empty; with `full_lanes` its configurations are
// repeated, so that algorithms are compared and not their grids.
std::vector<std::vector<double>> measure_costs(const Study& study, const Backend* backend,
                                               const std::vector<std::size_t>& settings, double seconds,
                                               bool full_lanes = false);

// Bytes that a run takes: nearly all of it is the trajectories and curves of the threads where runs are long, and the
// plan where units are many.
double memory_of_run(const Study& study, const std::vector<std::size_t>& settings, std::size_t threads, bool record);

// UsageError where this machine has less, or a learning curve does not fit into a store.
void refuse_too_large(const Study& study, const std::vector<std::size_t>& settings, std::size_t threads, bool record);

}  // namespace bellwether
