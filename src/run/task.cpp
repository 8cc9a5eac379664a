#include "run/task.hpp"

#include <chrono>

namespace bellwether {

namespace {

using Clock = std::chrono::steady_clock;

// `run_next` says how many runs it has done, 0 where it was stopped; `result` is what there is to store, where there is
// something.
template <class Work, class RunNext, class HasResult, class Result>
void do_work(const Work& work, std::uint32_t setting, std::uint64_t steps_of_run, const TaskContext& context,
             Clock::time_point start, RunNext run_next, HasResult has_result, Result result) {
    std::uint64_t unwritten = 0;
    const auto deliver = [&] {
        if (unwritten == 0 || !has_result()) return;
        unwritten = 0;
        const auto spent = std::chrono::nanoseconds(Clock::now() - start).count();
        start = Clock::now();
        context.deliver({result(), setting, work.done(), static_cast<std::uint64_t>(spent)});
    };
    while (!work.done()) {
        const std::uint64_t steps = run_next() * steps_of_run;
        if (steps == 0) break;
        unwritten += steps;
        context.count(steps);
        if (unwritten >= context.agent_steps_between_writes) deliver();
    }
    deliver();
}

void do_unit(const UnitTask& task, InstanceCache& instances, const TaskContext& context) {
    const auto start = Clock::now();
    UnitWork work(instances, context.backend, task.unit, task.so_far);
    const std::uint64_t steps = task.unit.count * instances.study().settings[task.unit.setting].steps;
    do_work(
        work, task.unit.setting, steps, context, start, [&] { return work.run_next(context.stop); },
        [&] { return work.has_result(); }, [&] { return work.result(); });
}

void do_recording(const RecordingTask& task, InstanceCache& instances, const TaskContext& context) {
    const auto start = Clock::now();
    RecordingWork work(instances, context.backend, task.planned, task.so_far);
    const std::uint64_t steps = instances.study().settings[task.planned.key.setting].steps;
    const auto run_next = [&] { return context.stop ? std::size_t{0} : work.run_next(); };
    do_work(
        work, task.planned.key.setting, steps, context, start, run_next, [] { return true; },
        [&] {
            return RecordingResult{task.planned.key, work.recording()};
        });
}

}  // namespace

void do_task(const Task& task, InstanceCache& instances, const TaskContext& context) {
    if (const auto* unit = std::get_if<UnitTask>(&task))
        do_unit(*unit, instances, context);
    else
        do_recording(std::get<RecordingTask>(task), instances, context);
}

}  // namespace bellwether
