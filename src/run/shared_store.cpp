#include "run/shared_store.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/stored_study.hpp"

namespace bellwether {

UnitTask SharedStore::task_of(const PendingUnit& pending) {
    const Unit& unit = pending.unit;
    const auto metrics = static_cast<std::uint32_t>(study_.settings[unit.setting].metrics.size());
    UnitTask task{unit, {key_of(unit), unit.count, 0, {}}};
    if (pending.is_new) {
        task.so_far.summaries.resize(std::size_t{metrics} * unit.count);
        return task;
    }
    const std::lock_guard lock(mutex_);
    task.so_far.summaries =
        store_.summaries(unit.setting, unit.instance, unit.first_configuration, unit.count, metrics);
    for (const ScoreSummary& summary : task.so_far.summaries)
        task.so_far.runs = std::max(task.so_far.runs, summary.runs);
    return task;
}

RecordingTask SharedStore::task_of(const PlannedRecording& planned) {
    const std::lock_guard lock(mutex_);
    return {planned, store_.recording(planned.key)};
}

void SharedStore::write(std::span<TaskOutcome> outcomes) {
    const std::lock_guard lock(mutex_);
    std::vector<UnitResult> units;
    for (TaskOutcome& outcome : outcomes) {
        if (auto* unit = std::get_if<UnitResult>(&outcome.result)) {
            units.push_back(std::move(*unit));
        } else {
            const auto& [key, recording] = std::get<RecordingResult>(outcome.result);
            store_.write(key, recording);
        }
    }
    if (!units.empty()) store_.write(units);
}

}  // namespace bellwether
