// What a run would do: sizes, expected time, memory and disk.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pending_units.hpp"
#include "engine/backend.hpp"
#include "engine/device/device.hpp"
#include "plan/shard.hpp"
#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

// `store` is null where there are no results yet.
std::string describe_plan(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                          const std::optional<Shard>& shard, const InstructionSet& instruction_set,
                          const Device* device, std::size_t threads, bool record);

// Seconds that one thread, or the device, would need here, by a short measurement. `pending` are the units that are
// left.
struct WorkEstimate {
    double sweep = 0, recording = 0;
};
WorkEstimate estimate_work(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                           const std::vector<PendingUnit>& pending, const InstructionSet& instruction_set,
                           const Device* device, bool record);

// Seconds that all of a study and its cut would need here with as many threads as there are cores, by a shorter
// measurement.
struct StudyTimes {
    double whole = 0, cut = 0;
};
StudyTimes expected_times(const Study& study, const InstructionSet& instruction_set);

// "1 setting", "7 settings"
std::string counted(std::size_t count, std::string_view thing);
// "12 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);
// "130 billion"
std::string amount_text(double amount);

}  // namespace bellwether
