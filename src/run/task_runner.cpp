#include "run/task_runner.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

// Others see what was done in a stopped run within this time, or do without.
constexpr auto patience_at_stop = std::chrono::milliseconds(600);
// How often the other processes are served.
constexpr auto serve_interval = std::chrono::milliseconds(1), watch_interval = std::chrono::milliseconds(50);
// How long an outcome waits to be written with others, and how many may wait before a thread that brings one writes.
constexpr auto write_interval = std::chrono::milliseconds(50);
constexpr std::size_t most_waiting = 1024;

}  // namespace

TaskRunner::TaskRunner(const Study& study, const RunOptions& options, SharedStore& store, RunProgress& progress)
    : options_(options), store_(store), progress_(progress), context_(make_context()) {
    for (std::size_t k = 0; k < std::max<std::size_t>(1, options.threads); ++k)
        instances_.push_back(std::make_unique<InstanceCache>(study));
    if (options.ranks)
        coordinator_.emplace(study, *options.ranks, instances_.size(),
                             [this](std::vector<TaskOutcome> outcomes, std::uint64_t agent_steps) {
                                 progress_.add_agent_steps(agent_steps);
                                 take(std::move(outcomes));
                             });
}

TaskContext TaskRunner::make_context() {
    return {.backend = options_.backend,
            .stop = stop_,
            .agent_steps_between_writes = options_.agent_steps_between_writes,
            .count = [this](std::uint64_t agent_steps) { progress_.add_agent_steps(agent_steps); },
            .deliver =
                [this](TaskOutcome outcome) {
                    std::vector<TaskOutcome> one;
                    one.push_back(std::move(outcome));
                    take(std::move(one));
                }};
}

void TaskRunner::take(std::vector<TaskOutcome> outcomes) {
    std::unique_lock lock(taken_mutex_);
    std::move(outcomes.begin(), outcomes.end(), std::back_inserter(taken_));
    const bool are_many = taken_.size() >= most_waiting;
    lock.unlock();
    if (are_many) write_taken();
}

void TaskRunner::write_taken() {
    const std::lock_guard writing(writing_mutex_);
    std::unique_lock lock(taken_mutex_);
    const std::vector<TaskOutcome> outcomes = std::exchange(taken_, {});
    lock.unlock();
    if (!outcomes.empty()) store_.write(outcomes);
    for (const TaskOutcome& outcome : outcomes) progress_.add(outcome);
}

void TaskRunner::run(WorkQueue& queue, const std::function<void()>& watch) {
    const auto look = [&] {
        look_around(queue);
        watch();
    };
    try {
        work_on(queue, look);
    } catch (...) {
        // What was done before something failed is kept, unless it is the writing that fails.
        try {
            write_taken();
        } catch (const std::exception&) {
        }
        throw;
    }
    write_taken();
}

void TaskRunner::work_on(WorkQueue& queue, const std::function<void()>& look) {
    parallel_for(
        instances_.size(), instances_.size(), stop_,
        [&](std::size_t thread, std::size_t) { do_tasks(queue, *instances_[thread]); }, look,
        coordinator_ ? serve_interval : watch_interval);
    while (coordinator_ && coordinator_->is_waiting() && !stop_) {
        std::this_thread::sleep_for(serve_interval);
        look();
    }
}

void TaskRunner::do_tasks(WorkQueue& queue, InstanceCache& instances) {
    while (!stop_) {
        const std::optional<Task> task = queue.next();
        if (!task) return;
        do_task(*task, instances, context_);
    }
}

void TaskRunner::look_around(WorkQueue& queue) {
    if (coordinator_ && !stop_) coordinator_->serve(queue);
    if (const auto now = std::chrono::steady_clock::now(); now - last_write_ >= write_interval) {
        write_taken();
        last_write_ = now;
    }
    if (coordinator_ && coordinator_->interruption() != 0) stop_for(coordinator_->interruption());
    if (const int signal = options_.should_stop(); signal != 0) stop_for(signal);
}

void TaskRunner::stop_for(int signal) {
    signal_ = signal;
    stop_ = true;
}

void TaskRunner::stop_workers() {
    if (coordinator_) coordinator_->stop(patience_at_stop);
    write_taken();
}

void TaskRunner::dismiss_workers() {
    if (coordinator_) coordinator_->dismiss();
}

}  // namespace bellwether
