// Measures the table of runtimes on this machine (docs/runtimes.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"
#include "engine/backend.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

// As many as the paper's table is over. Every round has the next of them.
inline constexpr std::uint32_t timed_instances = 30;

struct MeasureOptions {
    std::vector<const AlgorithmInfo*> algorithms{};
    std::vector<TimedFeatures> features{both_timed_features.begin(), both_timed_features.end()};
    const InstructionSet* instruction_set = &best_instruction_set();
    const Backend* device = nullptr;  // where the sweep is measured too
    std::size_t rounds = 100;
    std::function<void(std::size_t done)> after_round = [](std::size_t) {};
};

// By features: on-policy, then off-policy without the algorithms that are defined on-policy only. WorkError where
// something diverges: its time would say nothing.
RuntimeTable measure_runtimes(const MeasureOptions& options);

}  // namespace bellwether
