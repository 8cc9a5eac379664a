// Intervals of several quantities that hold together: what the claims of a paper are decided by.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/spread.hpp"

namespace bellwether {

// A quantity as it was found, and what every resample makes of it. Entry b of several is the same resample.
struct Resampled {
    double value;
    std::vector<double> draws;
};

// Max-T. How far draw b of quantity k lies from what was found, in standard deviations of its draws, is
//     T_kb = |draw_kb − value_k| / s_k,
// and the critical value is the 95% quantile over b of max_k T_kb: the intervals value_k ± critical · s_k all hold
// together in 95% of the resamples. A quantity that is infinite, as found or in some resample, has no deviation; its
// draws are taken by their ranks, T_kb = |Φ⁻¹(share of draws below, half of those equal)|, which is the same for normal
// draws, and its interval goes from the Φ(−critical) to the Φ(critical) quantile of its draws. A quantity that no
// resample changes has T = 0 and an interval of no width.
double critical_value(std::span<const Resampled> quantities, double confidence = bootstrap_confidence);
Interval interval_of(const Resampled& quantity, double critical);

// In every resample and as found: the difference, and the least, the greatest, the median and the mean of several.
// Differences up to rounding are 0, and so are those of two that are both infinite.
inline constexpr double rounding = 1e-9;
Resampled difference_of(const Resampled& one, const Resampled& other);
Resampled least_of(std::span<const Resampled* const> all);
Resampled greatest_of(std::span<const Resampled* const> all);
Resampled median_of(std::span<const Resampled* const> all);
Resampled mean_of(std::span<const Resampled* const> all);

// Φ and Φ⁻¹ of the standard normal distribution.
double normal_probability(double at);
double normal_quantile(double probability);

}  // namespace bellwether
