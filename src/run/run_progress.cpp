#include "run/run_progress.hpp"

#include <variant>

namespace bellwether {

void RunProgress::add(const TaskOutcome& outcome) {
    tasks_done_ += outcome.done;
    if (std::holds_alternative<RecordingResult>(outcome.result)) return;
    nanoseconds_[outcome.setting] += outcome.nanoseconds;
    open_units_[outcome.setting] -= outcome.done;
}

std::vector<double> RunProgress::thread_seconds() const {
    std::vector<double> seconds;
    for (const std::uint64_t nanoseconds : nanoseconds_) seconds.push_back(1e-9 * static_cast<double>(nanoseconds));
    return seconds;
}

}  // namespace bellwether
