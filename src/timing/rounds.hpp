// Times of several pieces of work that are compared with each other: in every round each of them has its turn, in
// random order, so that whatever else happens on the machine happens to all of them.
#pragma once

#include <time.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace bellwether {

double seconds_of(clockid_t clock);

// The value below which that share of the values lies: one of them, the nearest in rank.
double quantile(std::vector<double> values, double share);

struct Rounds {
    std::size_t count;
    std::function<void(std::size_t done)> after_round = [](std::size_t) {};
};

// Calls turn(k) for every k below `count` in each round; what it answered, by k.
std::vector<std::vector<double>> answers_of_rounds(std::size_t count, const Rounds& rounds,
                                                   const std::function<double(std::size_t)>& turn);
std::vector<double> medians_of_rounds(std::size_t count, const Rounds& rounds,
                                      const std::function<double(std::size_t)>& turn);

struct TimedWork {
    std::function<void()> run;
    double agent_steps;                         // of one run
    std::function<void()> before_turn = [] {};  // not timed
};

// The processor's nanoseconds per agent-step, by the thread's own clock: by work, one per round. A turn lasts about so
// many seconds, and begins with a run that is not timed.
std::vector<std::vector<double>> nanoseconds_of_rounds(const std::vector<TimedWork>& works, const Rounds& rounds,
                                                       double seconds_of_turn);
// Their medians, in turns of 20 ms.
std::vector<double> measure_nanoseconds(const std::vector<TimedWork>& works, std::size_t rounds);

}  // namespace bellwether
