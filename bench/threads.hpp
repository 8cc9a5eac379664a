// What a second thread gains.
#pragma once

#include <time.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace bench {

struct Gain {
    double rate_of_one, rate_of_two;  // runs of the work a second
    double arithmetic;                // how many times as fast two threads are where nothing but registers is used

    double work() const { return rate_of_two / rate_of_one; }
    double share() const { return work() / arithmetic; }
};

// Each of two threads has its own work. Both gains are measured in the same rounds, since cores that share their units
// or their frequency, or have other things to do, bound them alike. The clock is the wall's, or each thread's own
// processor time, which leaves out the moments in which something else ran.
Gain measure_gain_of_second_thread(const std::vector<std::function<void()>>& works, clockid_t clock,
                                   std::size_t rounds);

}  // namespace bench
