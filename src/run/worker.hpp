// A worker: every other rank's side of a study that several processes run.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cluster/communicator.hpp"
#include "engine/backend.hpp"
#include "run/messages.hpp"

namespace bellwether {

struct WorkerOptions {
    std::size_t threads = 1;
    const Backend* backend = nullptr;
    std::function<int()> interrupted = [] { return 0; };  // the signal that has come, or 0
};

// Does the tasks that the coordinator hands out, until it says that all is over. How it has ended is the coordinator's
// to say.
void run_worker(const Study& study, const Assignment& assignment, Communicator& ranks, const WorkerOptions& options);

// Tells the coordinator what is wrong here, and waits for its last word.
void fail_worker(Communicator& ranks, bool is_usage, const std::string& problem);

}  // namespace bellwether
