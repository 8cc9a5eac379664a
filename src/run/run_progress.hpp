// How far a run is, counted by all of its threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "run/task.hpp"

namespace bellwether {

class RunProgress {
public:
    explicit RunProgress(std::size_t settings) : open_units_(settings), nanoseconds_(settings) {}

    // The sweep and the recording are counted one after the other.
    void begin_phase() { earlier_agent_steps_ += agent_steps_.exchange(0); }
    void add_tasks(std::size_t all, std::size_t done) {
        tasks_ += all;
        tasks_done_ += done;
    }
    void open_unit(std::size_t setting) { ++open_units_[setting]; }

    void add_agent_steps(std::uint64_t agent_steps) { agent_steps_ += agent_steps; }
    void add(const TaskOutcome& outcome);

    double agent_steps_of_phase() const { return static_cast<double>(agent_steps_); }
    std::uint64_t agent_steps() const { return earlier_agent_steps_ + agent_steps_; }
    std::size_t tasks() const { return tasks_; }
    std::size_t tasks_done() const { return tasks_done_; }
    bool is_swept(std::size_t setting) const { return open_units_[setting] == 0; }
    // Spent on each setting's sweep.
    std::vector<double> thread_seconds() const;

private:
    std::atomic<std::uint64_t> agent_steps_ = 0;  // of this phase
    std::uint64_t earlier_agent_steps_ = 0;
    std::size_t tasks_ = 0;
    std::atomic<std::size_t> tasks_done_ = 0;
    std::vector<std::atomic<std::size_t>> open_units_;     // by setting
    std::vector<std::atomic<std::uint64_t>> nanoseconds_;  // by setting
};

}  // namespace bellwether
