#include "logs/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "logs/estimate.hpp"

namespace bellwether {

namespace {

std::vector<double> of_steps(const Log& log, const std::vector<double>& by_row) {
    std::vector<double> numbers;
    for (const Segment& segment : log.segments)
        for (std::size_t h = 0; h < segment.steps; ++h) numbers.push_back(by_row[segment.first + h]);
    return numbers;
}

NumberRange range_of(const std::vector<double>& numbers) {
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    return {*least, mean_of(numbers), *most};
}

RatioSummary summary_of(std::vector<double> ratios) {
    const double mean = mean_of(ratios);
    std::sort(ratios.begin(), ratios.end());
    return {mean, quantile_between(ratios, 0.5), quantile_between(ratios, 0.9), quantile_between(ratios, 0.99),
            ratios.back()};
}

}  // namespace

NumberRange lengths_of(const Log& log) {
    std::vector<double> lengths;
    for (const Segment& segment : log.segments) lengths.push_back(static_cast<double>(segment.steps));
    std::sort(lengths.begin(), lengths.end());
    return {lengths.front(), quantile_between(lengths, 0.5), lengths.back()};
}

NumberRange rewards_of(const Log& log) {
    return range_of(of_steps(log, log.reward));
}

NumberRange discounts_of(const Log& log) {
    return range_of(of_steps(log, log.gamma));
}

double quantile_between(std::span<const double> sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 == sorted.size()) return sorted.back();
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

RatioSummary ratios_of(const Log& log) {
    return summary_of(of_steps(log, log.rho));
}

RatioSummary final_products_of(const Log& log, const Products& products) {
    std::vector<double> last;
    for (const Segment& segment : log.segments) last.push_back(products.ratio[segment.first + segment.steps - 1]);
    return summary_of(std::move(last));
}

double share_of_zero_ratios(const Log& log) {
    const std::vector<double> ratios = of_steps(log, log.rho);
    return static_cast<double>(std::count(ratios.begin(), ratios.end(), 0.0)) / static_cast<double>(ratios.size());
}

void RatioHistogram::add(double ratio) {
    if (ratio == 0) {
        ++zeros;
        return;
    }
    const double last = static_cast<double>(counts.size() - 1);
    const double place = std::floor(per_doubling * (std::log2(ratio) + doublings));
    ++counts[static_cast<std::size_t>(std::clamp(place, 0.0, last))];
}

RatioHistogram ratio_histogram(const Log& log) {
    RatioHistogram histogram;
    for (const double ratio : of_steps(log, log.rho)) histogram.add(ratio);
    return histogram;
}

RatioDeficit ratio_deficit(const Log& log) {
    const double mean = mean_of(of_steps(log, log.rho));
    std::vector<double> sums;
    for (const Segment& segment : log.segments) {
        double sum = 0;
        for (std::size_t h = 0; h < segment.steps; ++h) sum += log.rho[segment.first + h] - 1;
        sums.push_back(sum);
    }
    const auto n = static_cast<double>(sums.size());
    return {1 - mean, deviation_of(sums) * std::sqrt(n) / static_cast<double>(log.steps())};
}

double unsupported_share(const Log& log, double below) {
    double sum = 0;
    for (const Segment& segment : log.segments)
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            for (std::size_t a = 0; a < log.actions; ++a) {
                const double mu = log.behaviour[row * log.actions + a];
                if (mu == 0 || mu < below) sum += log.target[row * log.actions + a];
            }
    return sum / static_cast<double>(log.steps());
}

std::vector<double> balance(const Log& log) {
    std::vector<double> sums(log.dimension), squares(log.dimension), own(log.dimension);
    for (const Segment& segment : log.segments) {
        std::fill(own.begin(), own.end(), 0.0);
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            add_scaled(log.rho[row] - 1, log.x(row), own);
        for (std::size_t j = 0; j < own.size(); ++j) {
            sums[j] += own[j];
            squares[j] += own[j] * own[j];
        }
    }
    for (std::size_t j = 0; j < own.size(); ++j) own[j] = squares[j] > 0 ? sums[j] / std::sqrt(squares[j]) : 0;
    return own;
}

Drift drift_of(std::span<const double> by_segment) {
    const double mean = mean_of(by_segment), deviation = deviation_of(by_segment);
    // What rounding makes of equal numbers is no change.
    if (!(deviation > 1e-12 * std::abs(mean))) return {0, 0};
    constexpr std::size_t most_points = 200;
    const std::size_t n = by_segment.size(), points = std::min(n, most_points);
    const double scale = deviation * std::sqrt(static_cast<double>(n));
    double sum = 0, largest = 0;
    Drift drift{0, 0};
    for (std::size_t i = 0; i < n; ++i) {
        sum += by_segment[i] - mean;
        if ((i + 1) * points / n > drift.path.size()) drift.path.push_back(sum / scale);
        if (std::abs(sum) <= largest) continue;
        largest = std::abs(sum);
        drift.segment = i;
    }
    drift.statistic = largest / scale;
    return drift;
}

std::vector<std::size_t> empty_features(const SquareMatrix& feature_moments) {
    std::vector<std::size_t> empty;
    for (std::size_t j = 0; j < feature_moments.size; ++j)
        if (feature_moments.column(j)[j] == 0) empty.push_back(j);
    return empty;
}

}  // namespace bellwether
