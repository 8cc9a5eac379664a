// What the processes that run a study together send to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cluster/communicator.hpp"
#include "plan/study.hpp"
#include "run/task.hpp"
#include "run/work_queue.hpp"

namespace bellwether {

// The study and the sizes that were asked for, told to everybody once. Nobody but rank 0 reads a file.
struct Assignment {
    bool is_refused = false;  // there is no work: rank 0 says why
    std::string version{}, identity{};
    std::string file{}, text{};
    ModelTexts models{};
    std::vector<std::size_t> settings{};  // those that are run
    std::optional<std::size_t> instances{}, runs{};
    bool cut = false;
    std::uint64_t agent_steps_between_writes = 0;
};

// From the coordinator, rank 0, to a worker.
struct NewTasks {
    std::vector<Task> tasks;
};
struct Stop {};
struct Dismissal {};
using MessageToWorker = std::variant<NewTasks, Stop, Dismissal>;

// From a worker to the coordinator.
struct Delivery {
    TaskOutcome outcome;
};
struct Failure {
    bool is_usage;  // a UsageError, else a WorkError
    std::string text;
};
struct Interruption {
    int signal;
};
struct Stopped {};
struct StillThere {};
using WorkerEvent = std::variant<WorkRequest, Delivery, Failure, Interruption, Stopped, StillThere>;
struct MessageToCoordinator {
    std::uint64_t agent_steps;  // done since the last one
    WorkerEvent event;
};

Bytes encode(const Assignment& assignment);
Bytes encode(const MessageToWorker& message);
Bytes encode(const MessageToCoordinator& message);
Assignment decode_assignment(std::span<const std::byte> bytes);
MessageToWorker decode_message_to_worker(std::span<const std::byte> bytes);
MessageToCoordinator decode_message_to_coordinator(std::span<const std::byte> bytes);

// The study of an assignment, with its sizes. UsageError where this program understands it in another way than the one
// that sent it.
Study study_of(const Assignment& assignment, const std::string& version);

}  // namespace bellwether
