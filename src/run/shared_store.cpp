#include "run/shared_store.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "analysis/stored_study.hpp"
#include "plan/stored_scores.hpp"
#include "support/error.hpp"

namespace bellwether {

UnitTask SharedStore::task_of(const PendingUnit& pending) {
    const Unit& unit = pending.unit;
    if (pending.is_new) return {unit, {}};
    UnitResult so_far{key_of(unit), unit.count, 0, {}};
    const std::lock_guard lock(mutex_);
    so_far.summaries = store_.summaries(unit.setting, unit.instance, unit.first_configuration, unit.count,
                                        stored_scores(study_.settings[unit.setting]));
    for (const ScoreSummary& summary : so_far.summaries) so_far.runs = std::max(so_far.runs, summary.runs);
    return {unit, std::move(so_far)};
}

RecordingTask SharedStore::task_of(const PlannedRecording& planned) {
    const std::lock_guard lock(mutex_);
    std::optional<Recording> so_far = store_.recording(planned.key);
    if (so_far && !is_whole(*so_far, study_.settings[planned.key.setting]))
        throw WorkError(
            "the results are damaged: a recorded curve is too short or too long; remove them and run the "
            "study again");
    return {planned, std::move(so_far)};
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
