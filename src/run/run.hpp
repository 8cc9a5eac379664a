// Runs a study into a store: the sweep, then the recording of the best configurations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "cluster/communicator.hpp"
#include "engine/backend.hpp"
#include "plan/shard.hpp"
#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

struct RunOptions {
    std::size_t threads = 1;
    const Backend* backend = nullptr;
    std::vector<std::size_t> settings{};  // their numbers, in order
    bool record = true;
    std::optional<Shard> shard{};   // only its units; nothing is recorded then
    Communicator* ranks = nullptr;  // other processes, workers (run/worker.hpp), which are dismissed at the end
    std::function<int()> should_stop = [] { return 0; };  // asked many times a second: the signal that has come, or 0
    std::uint64_t agent_steps_between_writes = 500'000'000;
};

// Told by the thread that runs the study.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void phase(std::string_view /*name*/, double /*agent_steps*/) {}
    virtual void progress(double /*agent_steps_of_phase*/) {}
    virtual void setting_done(const Setting& /*setting*/) {}
};

struct RunReport {
    std::uint64_t agent_steps = 0;  // done now
    std::size_t tasks = 0;          // units and recordings of the settings
    std::size_t tasks_done = 0;     // now or before
    bool stopped = false;
    int signal = 0;  // that has stopped it
    double seconds = 0;
    std::uint64_t messages = 0;  // between the processes
    std::uint64_t message_bytes = 0;
    std::vector<double> thread_seconds{};  // spent on each setting's sweep, summed over threads
};

// Results depend on the study alone: not on threads, backend, order, or how often it was stopped.
RunReport run_study(const Study& study, Store& store, const RunOptions& options, RunObserver& observer);

}  // namespace bellwether
