// How much scores would differ, were the instances and runs drawn again: percentile bootstrap.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plan/study.hpp"

namespace bellwether {

struct Interval {
    double low, high;
};

// Scores this close differ by rounding alone, as those of two algorithms that are the same for some parameters.
inline bool are_tied(double one, double other) {
    return one == other || std::abs(one - other) < 1e-9 * std::max(std::abs(one), std::abs(other));
}
// Ties have the difference 0 and the ratio 1, two that both diverged as well.
inline double difference_of(double one, double other) {
    return are_tied(one, other) ? 0 : one - other;
}
inline double ratio_of(double one, double other) {
    return are_tied(one, other) ? 1 : one / other;
}

inline constexpr std::size_t bootstrap_resamples = 10'000;
inline constexpr double bootstrap_confidence = 0.95;

// The scores of one competitor, instance by instance and run by run. Competitors are compared on common runs: all have
// the same number of runs, and entry k of each is the same run.
using RunScores = std::vector<std::vector<double>>;

// Resamples instances with replacement, and runs with replacement within each that was drawn; the same draws for every
// competitor, so that differences between them are paired. With one instance only runs are drawn again.
class Bootstrap {
public:
    // `address` tells bootstraps of one seed apart.
    Bootstrap(std::span<const RunScores> competitors, std::uint64_t seed, std::uint32_t address,
              std::size_t resamples = bootstrap_resamples, Aggregate aggregate = Aggregate::mean);

    // The mean over instances of the mean (or median) over runs; infinite where a drawn run diverged (or half of them).
    Interval score(std::size_t competitor) const;
    // The score of one less that of another.
    Interval difference(std::size_t one, std::size_t other) const;
    // The score of one over that of another.
    Interval ratio(std::size_t one, std::size_t other) const;
    // The same of the standard deviations between runs of one instance (root of the mean variance).
    Interval deviation_ratio(std::size_t one, std::size_t other) const;
    // A deviation over the median of those of all others.
    Interval deviation_over_median(std::size_t competitor) const;
    // The share of resamples in which no other score is lower; where several are lowest, each has its part.
    double probability_first(std::size_t competitor) const { return first_[competitor]; }

private:
    std::vector<std::vector<double>> scores_, deviations_;  // by competitor and resample
    std::vector<double> first_;
};

// The standard deviation between runs of one instance: sqrt(Σ_i s_i² / I). Not a number where an instance has one run.
double deviation_between_runs(const RunScores& scores);

// The probability of each configuration to be the best of them, were the instances drawn again; where several are best,
// each has its part, and where all diverge none has. `means` has configurations × instances numbers, infinite where a
// run diverged.
std::vector<double> probabilities_best(std::span<const double> means, std::size_t instances, std::uint64_t seed,
                                       std::uint32_t address, std::size_t resamples = bootstrap_resamples);

// The interval of a statistic of instances, were they drawn again: `statistic` takes how often each was drawn. The same
// seed and address mean the same draws.
template <class Statistic>
Interval resample_instances(std::size_t instances, std::uint64_t seed, std::uint32_t address, Statistic statistic,
                            std::size_t resamples = bootstrap_resamples);

// The central part of the values, in the order of size: the bounds are values, never between two.
Interval central_interval(std::vector<double> values, double confidence = bootstrap_confidence);

double median_of(std::vector<double> values);

// How often each instance is drawn in a resample.
void draw_instances(std::uint64_t seed, std::uint32_t address, std::size_t resample, std::span<double> times);

template <class Statistic>
Interval resample_instances(std::size_t instances, std::uint64_t seed, std::uint32_t address, Statistic statistic,
                            std::size_t resamples) {
    std::vector<double> times(instances), values(resamples);
    for (std::size_t b = 0; b < resamples; ++b) {
        draw_instances(seed, address, b, times);
        values[b] = statistic(std::span<const double>(times));
    }
    return central_interval(std::move(values));
}

}  // namespace bellwether
