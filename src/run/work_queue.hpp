// The tasks that are left to do, in their order, for threads here and processes elsewhere.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "run/task.hpp"

namespace bellwether {

// What a process says of itself when it asks for tasks.
struct WorkRequest {
    std::size_t threads;  // of it
    std::size_t idle;     // those that have nothing to do
};

// How many tasks go into one message, where the tasks that are left cost these agent-steps. Enough that messages are
// rare; but towards the end no more than the process's share of half of what is left, so that all end together, and
// then only as many as it has idle threads.
std::size_t tasks_of_message(std::span<const double> costs_left, const WorkRequest& request,
                             std::size_t threads_of_all);

class WorkQueue {
public:
    // `make` makes the task of that number.
    WorkQueue(std::vector<double> costs, std::function<Task(std::size_t)> make);

    bool is_empty();
    std::optional<Task> next();
    std::vector<Task> next_for(const WorkRequest& request, std::size_t threads_of_all);

private:
    std::vector<double> costs_;  // agent-steps
    std::function<Task(std::size_t)> make_;
    std::mutex mutex_;
    std::size_t next_ = 0;
};

}  // namespace bellwether
