// What a mean over runs hides: statistics that a few absurd runs do not move, and how many such runs there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/spread.hpp"

namespace bellwether {

// The mean of the middle half: a quarter of the values, rounded down, is cut off at each end. Infinite where more than
// a quarter is.
double interquartile_mean(std::vector<double> values);

// Wilson's 95% interval of a probability, from so many independent trials. It stays within [0, 1] and has a width where
// none or all of the trials count.
Interval wilson_interval(std::uint64_t count, std::uint64_t of);

// A number with what it would be, were the instances and runs drawn again.
struct Spread {
    double value = 0;
    Interval interval{};
};

// The scores of one configuration's runs, those of all instances together.
struct RobustStatistics {
    std::uint64_t runs = 0, diverged = 0;
    std::uint64_t failed = 0;     // diverged, or worse than w_0 in their instance
    Interval failure_interval{};  // of the share failed / runs: Wilson's, as if runs of one instance were independent
    Spread interquartile_mean{}, median{};
    std::vector<Spread> profile{};  // at each threshold, the share of the runs with a score of at most that

    double failure_rate() const { return static_cast<double>(failed) / static_cast<double>(runs); }
};

// Enough for the bounds of an interval to two digits; every run of every competitor is sorted into each of them.
inline constexpr std::size_t robust_resamples = 2'000;

// The statistics of every competitor on common runs. `start_errors` has the error of w_0 for each competitor and
// instance, `thresholds` are in ascending order. Resamples are drawn as for Bootstrap.
std::vector<RobustStatistics> robust_statistics(std::span<const RunScores> competitors,
                                                const std::vector<std::vector<double>>& start_errors,
                                                std::span<const double> thresholds, std::uint64_t seed,
                                                std::uint32_t address, std::size_t resamples = robust_resamples);

// Where profiles are looked at: a hundred steps by equal factors from the lowest score of all to twice the error of
// w_0, three decades at most.
std::vector<double> profile_thresholds(std::span<const RunScores> competitors, double initial_error);

// Whether a mean says little about its runs: it is above the error of w_0 and more than twice the median, or infinite.
bool hides_its_runs(double mean, double median, double initial_error);
// "3 of 3000 runs diverged; median 0.2134, IQM 0.2182", for such a mean; where none diverged, how many are worse than
// w_0.
std::string what_it_hides(const RobustStatistics& statistics);

}  // namespace bellwether
