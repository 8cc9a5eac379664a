#include "study/piece.hpp"

#include <chrono>

namespace bellwether {

namespace {

using Clock = std::chrono::steady_clock;

// `run_next` is false where it was stopped; `outcome` is what there is to store.
template <class Work, class RunNext, class Result>
void do_work(const Work& work, std::uint32_t setting, std::uint64_t steps_of_run, const Workbench& workbench,
             Clock::time_point start, RunNext run_next, Result result) {
    std::uint64_t unwritten = 0;
    const auto deliver = [&] {
        if (unwritten == 0) return;
        unwritten = 0;
        const auto spent = std::chrono::nanoseconds(Clock::now() - start).count();
        start = Clock::now();
        workbench.deliver({result(), setting, work.done(), static_cast<std::uint64_t>(spent)});
    };
    while (!work.done() && run_next()) {
        unwritten += steps_of_run;
        workbench.count(steps_of_run);
        if (unwritten >= workbench.agent_steps_between_writes) deliver();
    }
    deliver();
}

void do_unit(const UnitPiece& piece, InstanceCache& instances, const Workbench& workbench) {
    const auto start = Clock::now();
    UnitWork work(instances, workbench.kernel, piece.unit, piece.so_far);
    const std::uint64_t steps = piece.unit.count * instances.study().settings[piece.unit.setting].steps;
    do_work(
        work, piece.unit.setting, steps, workbench, start, [&] { return work.run_next(workbench.stop); },
        [&] { return work.result(); });
}

void do_recording(const RecordingPiece& piece, InstanceCache& instances, const Workbench& workbench) {
    const auto start = Clock::now();
    RecordingWork work(instances, workbench.kernel, piece.task, piece.so_far);
    const std::uint64_t steps = instances.study().settings[piece.task.key.setting].steps;
    const auto run_next = [&] {
        if (workbench.stop) return false;
        work.run_next();
        return true;
    };
    do_work(work, piece.task.key.setting, steps, workbench, start, run_next, [&] {
        return RecordingResult{piece.task.key, work.recording()};
    });
}

}  // namespace

void do_piece(const Piece& piece, InstanceCache& instances, const Workbench& workbench) {
    if (const auto* unit = std::get_if<UnitPiece>(&piece))
        do_unit(*unit, instances, workbench);
    else
        do_recording(std::get<RecordingPiece>(piece), instances, workbench);
}

}  // namespace bellwether
