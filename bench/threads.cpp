#include "threads.hpp"

#include <benchmark/benchmark.h>

#include <barrier>
#include <numeric>
#include <thread>

#include "register_loop.hpp"
#include "timing/rounds.hpp"

namespace bench {

namespace {

using namespace bellwether;

constexpr double seconds_of_a_turn = 0.2;

double rate_of(const std::function<void()>& work, clockid_t clock) {
    const double start = seconds_of(clock);
    double runs = 0, elapsed = 0;
    while (elapsed < seconds_of_a_turn) {
        work();
        ++runs;
        elapsed = seconds_of(clock) - start;
    }
    return runs / elapsed;
}

// Of the first so many works at the same time.
double rate_together(const std::vector<std::function<void()>>& works, std::size_t threads, clockid_t clock) {
    std::vector<double> rates(threads);
    std::barrier start(static_cast<std::ptrdiff_t>(threads));
    {
        std::vector<std::jthread> running;
        for (std::size_t k = 0; k < threads; ++k)
            running.emplace_back([&, k] {
                start.arrive_and_wait();
                rates[k] = rate_of(works[k], clock);
            });
    }
    return std::accumulate(rates.begin(), rates.end(), 0.0);
}

void run_arithmetic() {
    double total = run_register_loop(200'000);
    benchmark::DoNotOptimize(total);
}

}  // namespace

Gain measure_gain_of_second_thread(const std::vector<std::function<void()>>& works, clockid_t clock,
                                   std::size_t rounds) {
    const std::vector<std::function<void()>> arithmetic(2, run_arithmetic);
    const std::vector<double> rates = medians_of_rounds(4, {.count = rounds}, [&](std::size_t k) {
        return rate_together(k < 2 ? works : arithmetic, k % 2 + 1, clock);
    });
    return {.rate_of_one = rates[0], .rate_of_two = rates[1], .arithmetic = rates[3] / rates[2]};
}

}  // namespace bench
