#include "logs/diagnostics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "logs/estimate.hpp"
#include "logs/feature_balance.hpp"

namespace bellwether {

namespace {

NumberRange range_of_steps(const Log& log, const LongVector<double>& by_row) {
    NumberRange range{by_row[log.segments.front().first], 0, by_row[log.segments.front().first]};
    double sum = 0;
    for_each_step(log, [&](std::size_t row) {
        range.least = std::min(range.least, by_row[row]);
        range.most = std::max(range.most, by_row[row]);
        sum += by_row[row];
    });
    range.middle = sum / static_cast<double>(log.steps());
    return range;
}

// Finds numbers by their place in the order: numbers as whole ones of 64 bits that have the same order, 16 bits after
// 16 bits, so that not all of them have to be in memory. `visit` calls its argument with every number, each time the
// same ones.
class PlaceFinder {
public:
    explicit PlaceFinder(const std::vector<std::size_t>& places) {
        for (const std::size_t place : places) wanted_.push_back({place, 0});
    }

    template <class Visit>
    std::vector<double> find(const Visit& visit) {
        for (int shift = 64 - digit; shift >= 0; shift -= digit) {
            std::vector<Beginning> beginnings;
            for (const Wanted& wanted : wanted_)
                if (!wanted.is_whole && (beginnings.empty() || beginnings.back().prefix != wanted.prefix))
                    beginnings.emplace_back(wanted.prefix);
            if (beginnings.empty()) break;
            visit([&](double number) {
                const std::uint64_t key = key_of(number);
                for (Beginning& beginning : beginnings)
                    if (shift + digit == 64 || key >> (shift + digit) == beginning.prefix)
                        beginning.add(key, (key >> shift) & ((1 << digit) - 1));
            });
            for (Wanted& wanted : wanted_)
                for (const Beginning& beginning : beginnings)
                    if (!wanted.is_whole && wanted.prefix == beginning.prefix) {
                        wanted.go_on(beginning);
                        break;
                    }
        }
        std::vector<double> numbers;
        for (const Wanted& wanted : wanted_) numbers.push_back(number_of(wanted.prefix));
        return numbers;
    }

private:
    static constexpr int digit = 16;
    static constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    // Numbers whose keys begin alike, counted by the next digit.
    struct Beginning {
        explicit Beginning(std::uint64_t begins) : prefix(begins), counts(1 << digit) {}
        void add(std::uint64_t key, std::uint64_t next) {
            ++counts[next];
            least = std::min(least, key);
            most = std::max(most, key);
        }

        std::uint64_t prefix, least = ~std::uint64_t{0}, most = 0;
        std::vector<std::size_t> counts;
    };
    struct Wanted {
        std::size_t place;  // among the numbers that begin so
        std::uint64_t prefix;
        bool is_whole = false;

        void go_on(const Beginning& beginning) {
            is_whole = beginning.least == beginning.most;
            if (is_whole) {
                prefix = beginning.least;
                return;
            }
            std::uint64_t bits = 0;
            while (place >= beginning.counts[bits]) place -= beginning.counts[bits++];
            prefix = prefix << digit | bits;
        }
    };

    static std::uint64_t key_of(double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
        return bits & sign ? ~bits : bits | sign;
    }
    static double number_of(std::uint64_t key) { return std::bit_cast<double>(key & sign ? key ^ sign : ~key); }

    std::vector<Wanted> wanted_;
};

// Quantiles between two neighbours in proportion.
template <class Visit>
RatioSummary summary_of(std::size_t count, const Visit& visit) {
    static constexpr std::array shares{0.5, 0.9, 0.99};
    double sum = 0, largest = 0;
    visit([&](double number) {
        sum += number;
        largest = std::max(largest, number);
    });
    const double mean = sum / static_cast<double>(count);
    constexpr std::size_t few = 100'000;
    if (count <= few) {
        std::vector<double> sorted;
        visit([&](double number) { sorted.push_back(number); });
        std::sort(sorted.begin(), sorted.end());
        return {mean, quantile_between(sorted, shares[0]), quantile_between(sorted, shares[1]),
                quantile_between(sorted, shares[2]), largest};
    }
    std::vector<std::size_t> places;
    for (const double share : shares) {
        const auto below = static_cast<std::size_t>(share * static_cast<double>(count - 1));
        places.push_back(below);
        places.push_back(std::min(below + 1, count - 1));
    }
    const std::vector<double> found = PlaceFinder(places).find(visit);
    const auto quantile = [&](std::size_t k) {
        const double place = shares[k] * static_cast<double>(count - 1);
        return found[2 * k] + (place - std::floor(place)) * (found[2 * k + 1] - found[2 * k]);
    };
    return {mean, quantile(0), quantile(1), quantile(2), largest};
}

}  // namespace

NumberRange lengths_of(const Log& log) {
    std::vector<double> lengths;
    for (const Segment& segment : log.segments) lengths.push_back(static_cast<double>(segment.steps));
    std::sort(lengths.begin(), lengths.end());
    return {lengths.front(), quantile_between(lengths, 0.5), lengths.back()};
}

NumberRange rewards_of(const Log& log) {
    return range_of_steps(log, log.reward);
}

NumberRange discounts_of(const Log& log) {
    return range_of_steps(log, log.gamma);
}

double quantile_between(std::span<const double> sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 == sorted.size()) return sorted.back();
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

RatioSummary ratios_of(const Log& log) {
    return summary_of(log.steps(),
                      [&](const auto& take) { for_each_step(log, [&](std::size_t row) { take(log.rho[row]); }); });
}

RatioSummary final_products_of(const Log& log, const Products& products) {
    return summary_of(log.segments.size(), [&](const auto& take) {
        for_each_segment(
            log, [&](std::size_t, const Segment& segment) { take(products.ratio[segment.first + segment.steps - 1]); });
    });
}

double share_of_zero_ratios(const Log& log) {
    std::size_t zeros = 0;
    for_each_step(log, [&](std::size_t row) { zeros += log.rho[row] == 0; });
    return static_cast<double>(zeros) / static_cast<double>(log.steps());
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
    for_each_step(log, [&](std::size_t row) { histogram.add(log.rho[row]); });
    return histogram;
}

RatioDeficit ratio_deficit(const Log& log) {
    std::vector<double> sums(log.segments.size());
    double all = 0;
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        for (std::size_t h = 0; h < segment.steps; ++h) {
            sums[i] += log.rho[segment.first + h] - 1;
            all += log.rho[segment.first + h];
        }
    });
    const auto n = static_cast<double>(sums.size()), steps = static_cast<double>(log.steps());
    return {1 - all / steps, deviation_of(sums) * std::sqrt(n) / steps};
}

double unsupported_share(const Log& log, double below) {
    double sum = 0;
    for_each_step(log, [&](std::size_t row) {
        for (std::size_t a = 0; a < log.actions; ++a) {
            const double mu = log.behaviour[row * log.actions + a];
            if (mu == 0 || mu < below) sum += log.target[row * log.actions + a];
        }
    });
    return sum / static_cast<double>(log.steps());
}

std::vector<double> balance(const Log& log) {
    FeatureBalance balance(log);
    for_each_segment(log, [&](std::size_t i, const Segment& segment) { balance.add(i % folds, segment); });
    return balance.statistics();
}

Drift drift_of(std::span<const double> by_segment) {
    const double mean = mean_of(by_segment), deviation = deviation_of(by_segment);
    const std::size_t n = by_segment.size();
    // What rounding makes of equal numbers is no change; a mean of n may be off by n ε of it.
    const double rounding = 1e-12 + static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    if (!(deviation > rounding * std::abs(mean))) return {0, 0};
    constexpr std::size_t most_points = 200;
    const std::size_t points = std::min(n, most_points);
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

std::vector<std::size_t> empty_features(const Log& log) {
    std::vector<bool> seen(log.dimension);
    for_each_step(log, [&](std::size_t row) {
        const std::span<const double> x = log.x(row);
        for (std::size_t j = 0; j < x.size(); ++j)
            if (x[j] != 0) seen[j] = true;
    });
    std::vector<std::size_t> empty;
    for (std::size_t j = 0; j < seen.size(); ++j)
        if (!seen[j]) empty.push_back(j);
    return empty;
}

std::vector<std::size_t> empty_features(const SquareMatrix& feature_moments) {
    std::vector<std::size_t> empty;
    for (std::size_t j = 0; j < feature_moments.size; ++j)
        if (feature_moments.column(j)[j] == 0) empty.push_back(j);
    return empty;
}

}  // namespace bellwether
