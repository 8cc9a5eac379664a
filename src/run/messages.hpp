// What the processes that run a study together say to each other.
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
    std::uint64_t agent_steps_between_writes = 0;
};

// From rank 0.
struct Work {
    std::vector<Task> tasks;
};
struct Stop {};
struct Dismissal {};
using Order = std::variant<Work, Stop, Dismissal>;

// To rank 0.
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
using Report = std::variant<Asker, Delivery, Failure, Interruption, Stopped, StillThere>;
struct Letter {
    std::uint64_t agent_steps;  // done since the last one
    Report report;
};

Bytes pack(const Assignment& assignment);
Bytes pack(const Order& order);
Bytes pack(const Letter& letter);
Assignment unpack_assignment(std::span<const std::byte> bytes);
Order unpack_order(std::span<const std::byte> bytes);
Letter unpack_letter(std::span<const std::byte> bytes);

// The study of an assignment, with its sizes. UsageError where this program understands it in another way than the one
// that sent it.
Study study_of(const Assignment& assignment, const std::string& version);

}  // namespace bellwether
