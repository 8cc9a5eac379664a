#include "analysis/simultaneous.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "support/infinity.hpp"

namespace bellwether {

namespace {

bool is_finite(const Resampled& quantity) {
    return std::isfinite(quantity.value) &&
           std::all_of(quantity.draws.begin(), quantity.draws.end(), [](double draw) { return std::isfinite(draw); });
}

double deviation_of(std::span<const double> draws) {
    const auto n = static_cast<double>(draws.size());
    const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
    double squares = 0;
    for (const double draw : draws) squares += (draw - mean) * (draw - mean);
    const double deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return deviation > rounding * std::abs(mean) * 1e-3 ? deviation : 0;
}

// |Φ⁻¹| of every draw's rank, of equal ones the middle.
std::vector<double> distances_by_rank(const std::vector<double>& draws) {
    std::vector<std::size_t> order(draws.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return draws[a] < draws[b]; });
    std::vector<double> distances(draws.size());
    for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
        while (to < order.size() && draws[order[to]] == draws[order[from]]) ++to;
        const double middle = (static_cast<double>(from) + static_cast<double>(to)) / 2;
        const double distance = std::abs(normal_quantile(middle / static_cast<double>(draws.size())));
        for (std::size_t k = from; k < to; ++k) distances[order[k]] = distance;
    }
    return distances;
}

std::vector<double> distances_of(const Resampled& quantity) {
    if (!is_finite(quantity)) return distances_by_rank(quantity.draws);
    const double deviation = deviation_of(quantity.draws);
    std::vector<double> distances(quantity.draws.size(), 0.0);
    if (deviation > 0)
        for (std::size_t b = 0; b < distances.size(); ++b)
            distances[b] = std::abs(quantity.draws[b] - quantity.value) / deviation;
    return distances;
}

template <class Combine>
Resampled combined(std::span<const Resampled* const> all, Combine combine) {
    std::vector<double> values;
    for (const Resampled* one : all) values.push_back(one->value);
    Resampled result{combine(values), {}};
    std::size_t count = all.front()->draws.size();
    for (const Resampled* one : all) count = std::min(count, one->draws.size());
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t k = 0; k < all.size(); ++k) values[k] = all[k]->draws[b];
        result.draws.push_back(combine(values));
    }
    return result;
}

}  // namespace

double normal_probability(double at) {
    return std::erfc(-at / std::numbers::sqrt2) / 2;
}

double normal_quantile(double probability) {
    if (probability <= 0) return -infinity;
    if (probability >= 1) return infinity;
    if (probability > 0.5) return -normal_quantile(1 - probability);
    double low = -40, high = 0;  // Φ(−40) is below the least double
    while (high - low > 1e-13 * (1 - low)) {
        const double middle = (low + high) / 2;
        (normal_probability(middle) < probability ? low : high) = middle;
    }
    return high;
}

double critical_value(std::span<const Resampled> quantities, double confidence) {
    std::vector<double> greatest;
    for (const Resampled& quantity : quantities) {
        const std::vector<double> distances = distances_of(quantity);
        if (greatest.empty()) greatest = distances;
        greatest.resize(std::min(greatest.size(), distances.size()));
        for (std::size_t b = 0; b < greatest.size(); ++b) greatest[b] = std::max(greatest[b], distances[b]);
    }
    if (greatest.empty()) return normal_quantile((1 + confidence) / 2);
    return quantile_of(std::move(greatest), confidence);
}

Interval interval_of(const Resampled& quantity, double critical) {
    if (!is_finite(quantity)) {
        std::vector<double> draws = quantity.draws;
        return {quantile_of(draws, normal_probability(-critical)), quantile_of(draws, normal_probability(critical))};
    }
    const double radius = critical * deviation_of(quantity.draws);
    return {quantity.value - radius, quantity.value + radius};
}

Resampled difference_of(const Resampled& one, const Resampled& other) {
    const auto difference = [](double a, double b) { return a == b || std::abs(a - b) < rounding ? 0 : a - b; };
    Resampled result{difference(one.value, other.value), {}};
    const std::size_t count = std::min(one.draws.size(), other.draws.size());
    for (std::size_t b = 0; b < count; ++b) result.draws.push_back(difference(one.draws[b], other.draws[b]));
    return result;
}

Resampled least_of(std::span<const Resampled* const> all) {
    return combined(all,
                    [](const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); });
}
Resampled greatest_of(std::span<const Resampled* const> all) {
    return combined(all,
                    [](const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); });
}
Resampled median_of(std::span<const Resampled* const> all) {
    return combined(all, [](const std::vector<double>& values) { return median_of(values); });
}
Resampled mean_of(std::span<const Resampled* const> all) {
    return combined(all, [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    });
}

}  // namespace bellwether
