#include "run/shared_store.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "analysis/stored_study.hpp"
#include "plan/stored_scores.hpp"

namespace bellwether {

UnitTask SharedStore::task_of(const PendingUnit& pending) {
    const Unit& unit = pending.unit;
    const std::uint32_t scores = stored_scores(study_.settings[unit.setting]);
    UnitTask task{unit, {key_of(unit), unit.count, 0, {}}};
    if (pending.is_new) {
        task.so_far.summaries.resize(std::size_t{scores} * unit.count);
        return task;
    }
    const std::lock_guard lock(mutex_);
    task.so_far.summaries = store_.summaries(unit.setting, unit.instance, unit.first_configuration, unit.count, scores);
    for (const ScoreSummary& summary : task.so_far.summaries)
        task.so_far.runs = std::max(task.so_far.runs, summary.runs);
    return task;
}

RecordingTask SharedStore::task_of(const PlannedRecording& planned) {
    const std::lock_guard lock(mutex_);
    return {planned, store_.recording(planned.key)};
}

void SharedStore::write(std::span<const TaskOutcome> outcomes) {
    const std::lock_guard lock(mutex_);
    store_.in_one_transaction([&] {
        for (const TaskOutcome& outcome : outcomes) {
            if (const auto* unit = std::get_if<UnitResult>(&outcome.result)) {
                store_.write(*unit);
            } else {
                const auto& [key, recording] = std::get<RecordingResult>(outcome.result);
                store_.write(key, recording);
            }
        }
    });
}

}  // namespace bellwether
