// Times of several pieces of work that are compared with each other: in every round each of them has its turn, in
// random order, so that whatever else happens on the machine happens to all of them.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace bench {

inline double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Calls turn(k) for every k below count in each round, and returns the medians of its answers.
template <class Turn>
std::vector<double> medians_of_rounds(std::size_t count, std::size_t rounds, Turn turn) {
    std::mt19937 random(1);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::vector<double>> answers(count);
    for (std::size_t round = 0; round < rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t k : order) answers[k].push_back(turn(k));
    }
    std::vector<double> medians;
    for (const std::vector<double>& values : answers) medians.push_back(median(values));
    return medians;
}

struct Work {
    std::function<void()> run;
    double agent_steps;  // of one run
};

// The processor's nanoseconds per agent-step. A turn lasts about 20 ms.
inline std::vector<double> measure_nanoseconds(const std::vector<Work>& works, std::size_t rounds) {
    const auto timed = [](const Work& work, std::size_t runs) {
        const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        for (std::size_t n = 0; n < runs; ++n) work.run();
        return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
    };
    std::vector<std::size_t> runs;
    for (const Work& work : works) runs.push_back(1 + static_cast<std::size_t>(0.02 / timed(work, 1)));
    return medians_of_rounds(works.size(), rounds, [&](std::size_t k) {
        return timed(works[k], runs[k]) * 1e9 / (works[k].agent_steps * static_cast<double>(runs[k]));
    });
}

}  // namespace bench
