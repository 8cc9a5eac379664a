// What can be seen of a log before anything is estimated: can it answer?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logs/linear_system.hpp"
#include "logs/log.hpp"
#include "logs/products.hpp"

namespace bellwether {

// Least, mean or median, and most.
struct NumberRange {
    double least, middle, most;
};
NumberRange lengths_of(const Log& log);  // with their median
NumberRange rewards_of(const Log& log);  // with their mean, as the discounts
NumberRange discounts_of(const Log& log);

// The `share` quantile, between two neighbours in proportion.
double quantile_between(std::span<const double> sorted, double share);

struct RatioSummary {
    double mean, median, q90, q99, largest;
};
RatioSummary ratios_of(const Log& log);
RatioSummary final_products_of(const Log& log, const Products& products);
double share_of_zero_ratios(const Log& log);

// How ratios are distributed: counts in bins that are even in log₂ ρ, of which the outer two take what lies beyond, and
// ρ = 0 apart.
struct RatioHistogram {
    static constexpr int per_doubling = 4, doublings = 8;  // from 2⁻⁸ to 2⁸
    std::size_t zeros = 0;
    std::vector<std::size_t> counts = std::vector<std::size_t>(std::size_t{2} * per_doubling * doublings);
    void add(double ratio);
};
RatioHistogram ratio_histogram(const Log& log);

// 1 − mean ρ, with its standard error by segments: what the target does where the behaviour never goes.
struct RatioDeficit {
    double value, se;
};
RatioDeficit ratio_deficit(const Log& log);

// The average over steps of Σ_a π(a|S_t) over actions with μ(a|S_t) at most `below` (below it, where that is not 0).
double unsupported_share(const Log& log, double below);

// z_j = Σ_i s_ij / √(Σ_i s_ij²), s_ij = Σ_t (ρ_t − 1) x_tj: right ratios balance every feature.
std::vector<double> balance(const Log& log);
inline constexpr double balance_limit = 4;

// c = max_i |Σ_{j≤i} (ψ_j − ψ̄)| / (sd(ψ) √n): numbers by segment that change along the log have a large one.
struct Drift {
    double statistic;
    std::size_t segment;         // after which the change is largest
    std::vector<double> path{};  // the running sum over sd(ψ) √n, after segments at even distances: at most 200 numbers
};
Drift drift_of(std::span<const double> by_segment);
inline constexpr double drift_limit = 1.63;  // 1%

// Features that are 0 in every step.
std::vector<std::size_t> empty_features(const SquareMatrix& feature_moments);
std::vector<std::size_t> empty_features(const Log& log);

}  // namespace bellwether
