// Does the tasks of a queue: by threads of this process, and by other processes where there are some.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "plan/study.hpp"
#include "run/coordinator.hpp"
#include "run/instance.hpp"
#include "run/run.hpp"
#include "run/run_progress.hpp"
#include "run/shared_store.hpp"
#include "run/task.hpp"
#include "run/work_queue.hpp"

namespace bellwether {

class TaskRunner {
public:
    TaskRunner(const Study& study, const RunOptions& options, SharedStore& store, RunProgress& progress);
    TaskRunner(const TaskRunner&) = delete;
    TaskRunner& operator=(const TaskRunner&) = delete;

    // Until every task is done, or it is to stop. The calling thread calls `watch` many times a second.
    void run(WorkQueue& queue, const std::function<void()>& watch);
    bool is_stopping() const { return stop_; }
    int signal() const { return signal_; }  // that has stopped it

    // After it was to stop: takes what the other processes have done.
    void stop_workers();
    void dismiss_workers();

private:
    TaskContext make_context();
    void take(std::vector<TaskOutcome> outcomes);
    void write_taken();
    void do_tasks(WorkQueue& queue, InstanceCache& instances);
    void look_around(WorkQueue& queue);
    void stop_for(int signal);
    void work_on(WorkQueue& queue, const std::function<void()>& look);

    const RunOptions& options_;
    SharedStore& store_;
    RunProgress& progress_;
    std::atomic<bool> stop_ = false;
    int signal_ = 0;
    std::vector<std::unique_ptr<InstanceCache>> instances_;  // by thread
    TaskContext context_;
    std::optional<Coordinator> coordinator_;  // where there are other processes

    // Outcomes that are not written yet. Threads leave them here and go on; the one that watches writes them together,
    // many times a second.
    std::mutex taken_mutex_,
        writing_mutex_;  // who writes locks the second one first, so that outcomes keep their order
    std::vector<TaskOutcome> taken_;
    std::chrono::steady_clock::time_point last_write_{};  // by the one that watches
};

}  // namespace bellwether
