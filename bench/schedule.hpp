// The schedule of a study on many processes, simulated: rank 0's one thread of messages and store, and the hand-out
// that the program uses.
#pragma once

#include <cstddef>
#include <span>

namespace bench {

struct Unit {
    double seconds;      // of a thread
    double agent_steps;  // what the hand-out goes by
};

struct Costs {
    double latency;  // seconds on the way, and until the other side looks
    double answer;   // rank 0's, for a message that asks for work
    double receive;  // rank 0's, for a result: unpacking
    double write;    // rank 0's, for a result: the store
};

struct Schedule {
    double seconds = 0;
    double idle_share = 0;   // of all threads
    double owner_share = 0;  // of the time rank 0 is busy with messages and the store
    std::size_t messages = 0;
};

// Each rank has one thread, rank 0 too.
Schedule simulate(std::span<const Unit> units, std::size_t ranks, const Costs& costs);

}  // namespace bench
