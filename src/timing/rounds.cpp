#include "timing/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace bellwether {

namespace {

std::vector<double> medians(const std::vector<std::vector<double>>& answers) {
    std::vector<double> result;
    for (const std::vector<double>& values : answers) result.push_back(quantile(values, 0.5));
    return result;
}

double seconds_of_runs(const TimedWork& work, std::size_t runs) {
    work.before_turn();
    work.run();  // everything is in the caches now
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (std::size_t n = 0; n < runs; ++n) work.run();
    return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

}  // namespace

double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double quantile(std::vector<double> values, double share) {
    const auto place = static_cast<std::ptrdiff_t>(std::round(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

std::vector<std::vector<double>> answers_of_rounds(std::size_t count, const Rounds& rounds,
                                                   const std::function<double(std::size_t)>& turn) {
    std::mt19937 random(1);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::vector<double>> answers(count);
    for (std::size_t round = 0; round < rounds.count; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t k : order) answers[k].push_back(turn(k));
        rounds.after_round(round + 1);
    }
    return answers;
}

std::vector<double> medians_of_rounds(std::size_t count, const Rounds& rounds,
                                      const std::function<double(std::size_t)>& turn) {
    return medians(answers_of_rounds(count, rounds, turn));
}

std::vector<std::vector<double>> nanoseconds_of_rounds(const std::vector<TimedWork>& works, const Rounds& rounds,
                                                       double seconds_of_turn) {
    std::vector<std::size_t> runs;
    for (const TimedWork& work : works)
        runs.push_back(1 + static_cast<std::size_t>(seconds_of_turn / seconds_of_runs(work, 1)));
    return answers_of_rounds(works.size(), rounds, [&](std::size_t k) {
        return seconds_of_runs(works[k], runs[k]) * 1e9 / (works[k].agent_steps * static_cast<double>(runs[k]));
    });
}

std::vector<double> measure_nanoseconds(const std::vector<TimedWork>& works, std::size_t rounds) {
    return medians(nanoseconds_of_rounds(works, {.count = rounds}, 0.02));
}

}  // namespace bellwether
