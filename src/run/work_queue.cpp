#include "run/work_queue.hpp"

#include <algorithm>
#include <utility>

namespace bellwether {

namespace {

// A tenth of a second or more of a thread: a message takes some tens of microseconds.
constexpr double agent_steps_of_message = 20e6;

}  // namespace

std::size_t tasks_of_message(std::span<const double> costs_left, const WorkRequest& request,
                             std::size_t threads_of_all) {
    const std::size_t share = costs_left.size() * request.threads / (2 * threads_of_all);
    const std::size_t most = std::min(std::max(share, request.idle), costs_left.size());
    const double enough = agent_steps_of_message * static_cast<double>(request.threads);
    double cost = 0;
    std::size_t count = 0;
    while (count < most && (cost < enough || count < request.idle)) cost += costs_left[count++];
    return count;
}

WorkQueue::WorkQueue(std::vector<double> costs, std::function<Task(std::size_t)> make)
    : costs_(std::move(costs)), make_(std::move(make)) {}

bool WorkQueue::is_empty() {
    const std::lock_guard lock(mutex_);
    return next_ == costs_.size();
}

std::optional<Task> WorkQueue::next() {
    std::size_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        if (next_ == costs_.size()) return std::nullopt;
        number = next_++;
    }
    return make_(number);
}

std::vector<Task> WorkQueue::next_for(const WorkRequest& request, std::size_t threads_of_all) {
    std::size_t first = 0, count = 0;
    {
        const std::lock_guard lock(mutex_);
        first = next_;
        count = tasks_of_message(std::span(costs_).subspan(next_), request, threads_of_all);
        next_ += count;
    }
    std::vector<Task> tasks;
    for (std::size_t k = 0; k < count; ++k) tasks.push_back(make_(first + k));
    return tasks;
}

}  // namespace bellwether
