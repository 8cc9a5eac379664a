// The store of a study that is running: many threads read from it and write to it, one at a time.
#pragma once

#include <mutex>
#include <span>

#include "analysis/pending_units.hpp"
#include "plan/study.hpp"
#include "run/recording.hpp"
#include "run/task.hpp"
#include "store/store.hpp"

namespace bellwether {

class SharedStore {
public:
    SharedStore(Store& store, const Study& study) : store_(store), study_(study) {}

    // The work that is left of something, beginning with what is stored of it.
    UnitTask task_of(const PendingUnit& pending);
    RecordingTask task_of(const PlannedRecording& planned);

    // In one transaction.
    void write(std::span<const TaskOutcome> outcomes);

private:
    Store& store_;
    const Study& study_;
    std::mutex mutex_;
};

}  // namespace bellwether
