// How much scores would differ, were the instances and runs drawn again: percentile bootstrap.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
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
// competitor, so that differences between them are paired. With one instance only runs are drawn again. The instances
// of resample b are those of draw_instances, so that statistics of one address can be compared resample by resample.
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

    // What every resample says.
    std::span<const double> scores(std::size_t competitor) const { return scores_[competitor]; }
    std::span<const double> deviations(std::size_t competitor) const { return deviations_[competitor]; }

private:
    std::vector<std::vector<double>> scores_, deviations_;  // by competitor and resample
    std::vector<double> first_;
};

// The standard deviation between runs of one instance: sqrt(Σ_i s_i² / I). Not a number where an instance has one run.
double deviation_between_runs(const RunScores& scores);

// What becomes of the choice of a configuration, were the instances drawn again. `means` has configurations × instances
// numbers, infinite where a run diverged.
struct ResampledChoice {
    // Of each configuration to be the best; where several are best, each has its part, and where all diverge none has.
    std::vector<double> probabilities;
    // In each resample: how much worse than `chosen` the configuration that would have been chosen instead is, in the
    // mean over the instances there are. 0 where all diverge.
    std::vector<double> costs;
};
ResampledChoice resample_choice(std::span<const double> means, std::size_t instances, std::size_t chosen,
                                std::uint64_t seed, std::uint32_t address, std::size_t resamples = bootstrap_resamples);

// The configurations that can be the best of some in a resample of the instances: those than which none is better in
// every instance.
class Contenders {
public:
    // Of the configurations with these numbers.
    Contenders(std::span<const double> means, std::size_t instances, std::span<const std::size_t> of);

    const std::vector<std::size_t>& numbers() const { return numbers_; }
    // The sums over the instances, each as often as it was drawn.
    void add_up(std::span<const double> times, std::span<double> totals) const;
    // The least of them.
    double least(std::span<const double> times) const;

private:
    static constexpr std::size_t side_by_side = 16;

    std::vector<std::size_t> numbers_;
    std::vector<double> columns_;  // by block of configurations side by side, instance, configuration
    mutable std::vector<double> totals_;
    mutable std::vector<std::size_t> drawn_;
};

// How often each instance is drawn in every resample. Of very many instances the draws are made again each time: kept,
// those of a hundred thousand would take gigabytes.
class InstanceDraws {
public:
    static constexpr std::size_t most_kept = std::size_t{1} << 24;  // numbers: 128 MB
    static bool are_kept(std::size_t instances, std::size_t resamples) { return resamples <= most_kept / instances; }

    InstanceDraws(std::size_t instances, std::uint64_t seed, std::uint32_t address, std::size_t resamples);
    // Valid until the next call.
    std::span<const double> times(std::size_t resample) const;

private:
    std::size_t instances_;
    std::uint64_t seed_;
    std::uint32_t address_;
    bool are_kept_;
    mutable std::vector<double> times_;  // of all resamples, or of the one that was asked for last
};
// The latest are kept: statistic after statistic is of the same draws.
std::shared_ptr<const InstanceDraws> instance_draws(std::size_t instances, std::uint64_t seed, std::uint32_t address,
                                                    std::size_t resamples);

// A statistic of instances in every resample of them: `statistic` takes how often each was drawn. The same seed and
// address mean the same draws.
template <class Statistic>
std::vector<double> resample_instances(std::size_t instances, std::uint64_t seed, std::uint32_t address,
                                       Statistic statistic, std::size_t resamples = bootstrap_resamples);

// The lowest value below which at least this part of them lies, itself included.
double quantile_of(std::vector<double> values, double level);

// An interval of 95% of a normal number has so many on either side: 97.5% of them lie below it.
inline constexpr double standard_errors_of_95 = 1.959963984540054;

// The central part of the values, in the order of size: the bounds are values, never between two.
Interval central_interval(std::vector<double> values, double confidence = bootstrap_confidence);

double median_of(std::vector<double> values);

// How often each instance is drawn in a resample.
void draw_instances(std::uint64_t seed, std::uint32_t address, std::size_t resample, std::span<double> times);

template <class Statistic>
std::vector<double> resample_instances(std::size_t instances, std::uint64_t seed, std::uint32_t address,
                                       Statistic statistic, std::size_t resamples) {
    const auto draws = instance_draws(instances, seed, address, resamples);
    std::vector<double> values(resamples);
    for (std::size_t b = 0; b < resamples; ++b) values[b] = statistic(draws->times(b));
    return values;
}

}  // namespace bellwether
