// Every other rank's side of a study that several processes run.
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

// Computes what rank 0 hands out, until it says that all is over. How it has ended is rank 0's to say.
void run_worker(const Study& study, const Assignment& assignment, Communicator& ranks, const WorkerOptions& options);

// Tells rank 0 what is wrong here, and waits for its last word.
void fail_rank(Communicator& ranks, bool is_usage, const std::string& problem);

}  // namespace bellwether
