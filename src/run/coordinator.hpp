// The coordinator, rank 0's side of a study that several processes run: tasks go out, outcomes come in.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/communicator.hpp"
#include "run/messages.hpp"
#include "run/work_queue.hpp"

namespace bellwether {

class Coordinator {
public:
    // Called with what has come in, and with the agent-steps done elsewhere.
    using Take = std::function<void(std::vector<TaskOutcome> outcomes, std::uint64_t agent_steps)>;

    // `threads` of this process.
    Coordinator(const Study& study, Communicator& ranks, std::size_t threads, Take take);

    // Takes what has come in and gives tasks to those who have asked for them; at once. What a worker failed at is
    // thrown here.
    void serve(WorkQueue& queue);
    // Whether some worker has tasks that are not done.
    bool is_waiting() const { return handed_out_ > done_; }
    // The signal that a worker was interrupted by, or 0.
    int interruption() const { return interruption_; }

    // Takes what all have done until they have stopped, or for this long.
    void stop(std::chrono::milliseconds patience);
    // The last word.
    void dismiss();

private:
    void receive_all();
    void receive(std::size_t from, MessageToCoordinator message);
    void answer(WorkQueue& queue);
    void tell_all(const MessageToWorker& message);
    std::size_t threads_of_all() const;

    const Study& study_;
    Communicator& ranks_;
    Take take_;
    std::vector<std::size_t> threads_;                  // by rank
    std::vector<std::optional<WorkRequest>> requests_;  // by rank, that have no answer yet
    std::vector<TaskOutcome> outcomes_;
    std::uint64_t agent_steps_ = 0;
    std::size_t handed_out_ = 0, done_ = 0;
    std::size_t stopped_ = 0;
    bool all_stopped_ = true;
    int interruption_ = 0;
};

}  // namespace bellwether
