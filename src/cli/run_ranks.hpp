// 'bellwether run' as one of several processes that a launcher has started.
#pragma once

#include <functional>
#include <memory>

#include "cli/run_request.hpp"
#include "cluster/communicator.hpp"

namespace bellwether {

// The processes that were started together with this one; null where it is alone. UsageError where several were started
// that cannot work together.
std::unique_ptr<Communicator> join_launched();

// Every rank but 0: the whole command. How it has ended is rank 0's to say.
void run_as_worker(Communicator& ranks, const RunArguments& arguments);

// Rank 0: makes what has to be made before the work begins. Where that fails all others are dismissed.
void prepare(Communicator* ranks, const std::function<void()>& make);
// Rank 0: tells the others what it is about.
void assign(Communicator& ranks, const RunRequest& request, std::uint64_t agent_steps_between_writes);

}  // namespace bellwether
