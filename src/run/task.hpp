// The tasks that a study's work is cut into, as threads of any process do them, and what comes of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>

#include "engine/backend.hpp"
#include "plan/unit.hpp"
#include "run/recording.hpp"
#include "run/unit_work.hpp"
#include "store/store.hpp"

namespace bellwether {

struct UnitTask {
    Unit unit;
    std::optional<UnitResult> so_far;  // as it is stored
};
struct RecordingTask {
    PlannedRecording planned;
    std::optional<Recording> so_far;
};
using Task = std::variant<UnitTask, RecordingTask>;

struct RecordingResult {
    RecordingKey key;
    Recording recording;
};
// What is to be stored of a task: at its end, when it is stopped, and now and then before.
struct TaskOutcome {
    std::variant<UnitResult, RecordingResult> result;
    std::uint32_t setting;
    bool done;                  // nothing of the task is left
    std::uint64_t nanoseconds;  // spent since the last outcome of the task
};

struct TaskContext {
    const Backend* backend;
    const std::atomic<bool>& stop;
    std::uint64_t agent_steps_between_writes;
    std::function<void(std::uint64_t agent_steps)> count;  // told after each run
    std::function<void(TaskOutcome)> deliver;
};

// Run after run, until it is done or stopped.
void do_task(const Task& task, InstanceCache& instances, const TaskContext& context);

}  // namespace bellwether
