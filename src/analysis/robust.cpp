#include "analysis/robust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/infinity.hpp"
#include "support/random.hpp"

namespace bellwether {

namespace {

constexpr std::size_t profile_steps = 100;
constexpr double profile_decades = 1e3, profile_top = 2;

// The runs of all instances in one row.
struct PooledRuns {
    explicit PooledRuns(const RunScores& scores) {
        for (const std::vector<double>& runs : scores) {
            first.push_back(count);
            of_instance.push_back(runs.size());
            count += runs.size();
        }
    }

    std::size_t count = 0;
    std::vector<std::size_t> first, of_instance;  // by instance
};

// How often each run is drawn: instances with replacement, then runs within each that was drawn.
class DrawnRuns {
public:
    explicit DrawnRuns(const PooledRuns& runs) : runs_(runs), times_(runs.count), instances_(runs.first.size()) {}

    void draw(std::uint64_t seed, std::uint32_t address, std::size_t resample) {
        RandomStream random(seed, address, static_cast<std::uint32_t>(resample), Purpose::bootstrap);
        for (std::size_t& instance : instances_) instance = random.below(instances_.size());
        std::fill(times_.begin(), times_.end(), 0);
        total_ = 0;
        for (const std::size_t instance : instances_) {
            const std::size_t runs = runs_.of_instance[instance];
            for (std::size_t k = 0; k < runs; ++k) ++times_[runs_.first[instance] + random.below(runs)];
            total_ += runs;
        }
    }
    void take_each_once() {
        std::fill(times_.begin(), times_.end(), 1);
        total_ = times_.size();
    }

    std::size_t times(std::size_t run) const { return times_[run]; }
    std::size_t total() const { return total_; }

private:
    const PooledRuns& runs_;
    std::vector<std::uint32_t> times_;
    std::vector<std::size_t> instances_;
    std::size_t total_ = 0;
};

// One competitor's runs in the order of their scores, so that one walk over a resample gives everything.
class SortedRuns {
public:
    SortedRuns(const RunScores& scores, std::span<const double> thresholds) {
        for (const std::vector<double>& runs : scores) scores_.insert(scores_.end(), runs.begin(), runs.end());
        // What diverged is not always infinite, and has no place in the order where it is not a number.
        for (double& score : scores_)
            if (!std::isfinite(score)) score = infinity;
        order_.resize(scores_.size());
        std::iota(order_.begin(), order_.end(), std::uint32_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint32_t one, std::uint32_t other) { return scores_[one] < scores_[other]; });
        std::sort(scores_.begin(), scores_.end());
        for (const double threshold : thresholds)
            below_.push_back(static_cast<std::size_t>(std::upper_bound(scores_.begin(), scores_.end(), threshold) -
                                                      scores_.begin()));
    }

    struct Summary {
        double interquartile_mean, median;
        std::vector<double> shares;  // at the thresholds
    };
    Summary summary(const DrawnRuns& drawn) const {
        const std::size_t total = drawn.total(), cut = total / 4, low_half = (total - 1) / 2, high_half = total / 2;
        Summary result{0, 0, std::vector<double>(below_.size())};
        std::size_t passed = 0, threshold = 0;
        for (std::size_t rank = 0; rank <= order_.size(); ++rank) {
            for (; threshold < below_.size() && below_[threshold] == rank; ++threshold)
                result.shares[threshold] = static_cast<double>(passed) / static_cast<double>(total);
            if (rank == order_.size()) break;
            const std::size_t until = passed + drawn.times(order_[rank]);
            if (until == passed) continue;
            const std::size_t from = std::max(passed, cut), to = std::min(until, total - cut);
            if (from < to) result.interquartile_mean += static_cast<double>(to - from) * scores_[rank];
            if (passed <= low_half && low_half < until) result.median += scores_[rank] / 2;
            if (passed <= high_half && high_half < until) result.median += scores_[rank] / 2;
            passed = until;
        }
        result.interquartile_mean /= static_cast<double>(total - 2 * cut);
        return result;
    }

private:
    std::vector<double> scores_;        // ascending
    std::vector<std::uint32_t> order_;  // the run of each
    std::vector<std::size_t> below_;    // how many are at most each threshold
};

// What resamples say of one competitor.
struct ResampledScores {
    std::vector<double> interquartile_means{}, medians{};
    std::vector<std::vector<double>> shares{};  // by threshold
};

void count_failures(const RunScores& scores, std::span<const double> start_errors, RobustStatistics& statistics) {
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (const double score : scores[i]) {
            ++statistics.runs;
            statistics.diverged += !std::isfinite(score);
            statistics.failed += !(score <= start_errors[i]);  // also what is not a number
        }
    statistics.failure_interval = wilson_interval(statistics.failed, statistics.runs);
}

}  // namespace

double interquartile_mean(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t cut = values.size() / 4;
    double sum = 0;
    for (std::size_t k = cut; k < values.size() - cut; ++k) sum += values[k];
    return sum / static_cast<double>(values.size() - 2 * cut);
}

// (p + z²/2n ± z sqrt(p(1−p)/n + z²/4n²)) / (1 + z²/n)
Interval wilson_interval(std::uint64_t count, std::uint64_t of) {
    if (of == 0) return {0, 1};
    const auto n = static_cast<double>(of);
    const double p = static_cast<double>(count) / n, square = standard_errors_of_95 * standard_errors_of_95 / n;
    const double centre = p + square / 2;
    const double reach = standard_errors_of_95 * std::sqrt(p * (1 - p) / n + square / (4 * n));
    // The bounds are exact at none and all but for rounding.
    return {count == 0 ? 0 : (centre - reach) / (1 + square), count == of ? 1 : (centre + reach) / (1 + square)};
}

std::vector<RobustStatistics> robust_statistics(std::span<const RunScores> competitors,
                                                const std::vector<std::vector<double>>& start_errors,
                                                std::span<const double> thresholds, std::uint64_t seed,
                                                std::uint32_t address, std::size_t resamples) {
    const PooledRuns runs(competitors.front());
    DrawnRuns drawn(runs);
    std::vector<SortedRuns> sorted;
    for (const RunScores& scores : competitors) sorted.emplace_back(scores, thresholds);

    std::vector<ResampledScores> resampled(competitors.size(),
                                           {.shares = std::vector<std::vector<double>>(thresholds.size())});
    for (std::size_t b = 0; b < resamples; ++b) {
        drawn.draw(seed, address, b);
        for (std::size_t c = 0; c < competitors.size(); ++c) {
            const SortedRuns::Summary summary = sorted[c].summary(drawn);
            resampled[c].interquartile_means.push_back(summary.interquartile_mean);
            resampled[c].medians.push_back(summary.median);
            for (std::size_t k = 0; k < thresholds.size(); ++k) resampled[c].shares[k].push_back(summary.shares[k]);
        }
    }

    drawn.take_each_once();
    std::vector<RobustStatistics> all(competitors.size());
    for (std::size_t c = 0; c < competitors.size(); ++c) {
        const SortedRuns::Summary summary = sorted[c].summary(drawn);
        count_failures(competitors[c], start_errors[c], all[c]);
        all[c].interquartile_mean = {summary.interquartile_mean, central_interval(resampled[c].interquartile_means)};
        all[c].median = {summary.median, central_interval(resampled[c].medians)};
        for (std::size_t k = 0; k < thresholds.size(); ++k)
            all[c].profile.push_back({summary.shares[k], central_interval(std::move(resampled[c].shares[k]))});
    }
    return all;
}

std::vector<double> profile_thresholds(std::span<const RunScores> competitors, double initial_error) {
    double least = infinity, greatest = 0;
    for (const RunScores& scores : competitors)
        for (const std::vector<double>& runs : scores)
            for (const double score : runs)
                if (std::isfinite(score)) least = std::min(least, score), greatest = std::max(greatest, score);
    const double top = initial_error > 0 ? profile_top * initial_error : greatest;
    if (!(top > 0)) return {0.0};
    const double bottom = std::max(least < top ? least : 0, top / profile_decades);
    std::vector<double> thresholds;
    for (std::size_t k = 0; k <= profile_steps; ++k)
        thresholds.push_back(bottom *
                             std::pow(top / bottom, static_cast<double>(k) / static_cast<double>(profile_steps)));
    return thresholds;
}

bool hides_its_runs(double mean, double median, double initial_error) {
    return !std::isfinite(mean) || (mean > initial_error && mean > 2 * median);
}

std::string what_it_hides(const RobustStatistics& statistics) {
    const bool some_diverged = statistics.diverged > 0;
    return fmt::format("{} of {} runs {}; median {:.4g}, IQM {:.4g}",
                       some_diverged ? statistics.diverged : statistics.failed, statistics.runs,
                       some_diverged ? "diverged" : "are worse than w_0", statistics.median.value,
                       statistics.interquartile_mean.value);
}

}  // namespace bellwether
