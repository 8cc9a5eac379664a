#include "runtime/sample_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error.hpp"

namespace bellwether {

namespace {

// Whole but for its rounding is meant as whole: 35 iterations of 0.1 at a cost of 0.14 are 25 samples.
constexpr double rounding = 1e-12;
// A chance below this does not enter a mean of doubles.
constexpr double negligible = 1e-30;
// Of a sample; more of them are never done anyway.
constexpr double most_iterations = 1e300;

// D = ⌈K/c⌉, how many iterations a sample takes; at least one.
class IterationsOfSample {
public:
    IterationsOfSample(const UpdateTime& update, double duration)
        : update_(update), duration_(duration), certain_(std::clamp(std::ceil(least_ratio()), 1.0, most_iterations)) {}

    // P(D > j) = P(K > jc).
    double chance_of_more(double j) const {
        if (j < certain_) return 1;
        return update_.noise > 0 ? std::exp(-std::max(0.0, j * duration_ - update_.fixed) / update_.noise) : 0;
    }
    // Σ_{i ≥ j} P(D > i): 1 up to the fixed part, and a geometric series from there on. From 0 on it is the mean of D.
    double chances_from(double j) const {
        const double beyond = chance_of_more(std::max(j, certain_));
        return std::max(0.0, certain_ - j) + (beyond > 0 ? beyond / -std::expm1(-duration_ / update_.noise) : 0);
    }
    // P(D > j) for j = 0, 1, … as far as it is not negligible, and no further than this.
    std::vector<double> chances(std::size_t most) const {
        std::vector<double> all;
        for (std::size_t j = 0; j <= most; ++j) {
            const double chance = chance_of_more(static_cast<double>(j));
            if (chance < negligible) break;
            all.push_back(chance);
        }
        return all;
    }

private:
    double least_ratio() const { return update_.fixed / duration_ * (1 - rounding); }

    UpdateTime update_;
    double duration_;
    double certain_;  // D is at least this
};

}  // namespace

std::optional<TimeReading> find_time_reading(std::string_view id) {
    for (const TimeReading reading : both_time_readings)
        if (id_of(reading) == id) return reading;
    return std::nullopt;
}

double mean_iterations(const UpdateTime& update, double duration) {
    return IterationsOfSample(update, duration).chances_from(0);
}

std::size_t samples_processed(std::size_t iteration, double duration, double cost) {
    if (duration >= cost) return iteration;
    const double samples = static_cast<double>(iteration) * duration / cost;
    const double nearest = std::round(samples);
    const bool whole = std::abs(samples - nearest) <= rounding * samples;
    return std::min(iteration, static_cast<std::size_t>(whole ? nearest : std::floor(samples)));
}

void SampleCounts::Counts::add(std::size_t count, double probability) {
    if (probability < negligible) return;
    if (probabilities.empty()) first = count;
    probabilities.resize(count - first + 1);
    probabilities.back() = probability;
}

SampleCounts::SampleCounts(TimeReading reading, const UpdateTime& update, double duration, std::size_t iterations)
    : counts_(iterations + 1) {
    if (reading == TimeReading::proportional)
        count_proportionally(update.mean(), duration);
    else
        count_whole_iterations(update, duration);
}

void SampleCounts::count_proportionally(double cost, double duration) {
    for (std::size_t t = 0; t < counts_.size(); ++t) counts_[t].add(samples_processed(t, duration, cost), 1);
}

// With D = ⌈K/c⌉ and S_n the iteration after which n samples are done: P(N(t) = n) = Σ_s P(S_n = s) P(D > t − s).
// The process goes on when iteration 0 begins: P(S_1 = j) = P(D > j − 1) / E[D], and the rest of a sample is as long.
void SampleCounts::count_whole_iterations(const UpdateTime& update, double duration) {
    const std::size_t iterations = counts_.size() - 1;
    const IterationsOfSample of_sample(update, duration);
    const std::vector<double> more = of_sample.chances(iterations);
    const double mean = of_sample.chances_from(0);
    std::vector<double> done(iterations + 1, 0.0);  // P(S_n = s), by s; here n = 1
    for (std::size_t t = 0; t <= iterations; ++t) {
        counts_[t].add(0, of_sample.chances_from(static_cast<double>(t)) / mean);  // P(S_1 > t)
        if (t > 0 && t <= more.size()) done[t] = more[t - 1] / mean;
    }
    bool some = true;
    for (std::size_t n = 1; some; ++n) {
        std::vector<double> next(iterations + 1, 0.0), in_progress(iterations + 1, 0.0);
        some = false;
        for (std::size_t s = n; s <= iterations; ++s) {
            if (done[s] < negligible) continue;
            some = true;
            for (std::size_t j = 0; j < more.size() && s + j <= iterations; ++j) {
                in_progress[s + j] += done[s] * more[j];
                const double longer = j + 1 < more.size() ? more[j + 1] : 0;
                if (s + j < iterations) next[s + j + 1] += done[s] * (more[j] - longer);
            }
        }
        for (std::size_t t = n; t <= iterations; ++t) counts_[t].add(n, in_progress[t]);
        done = std::move(next);
    }
}

double SampleCounts::mean(std::size_t iteration) const {
    const Counts& counts = counts_[iteration];
    double sum = 0;
    for (std::size_t k = 0; k < counts.probabilities.size(); ++k)
        sum += counts.probabilities[k] * static_cast<double>(counts.first + k);
    return sum;
}

double SampleCounts::error(std::span<const double> learning_curve, std::size_t iteration) const {
    const Counts& counts = counts_[iteration];
    double sum = 0;
    for (std::size_t k = 0; k < counts.probabilities.size(); ++k)
        if (counts.probabilities[k] > 0) sum += counts.probabilities[k] * learning_curve[counts.first + k];
    return sum;
}

std::size_t SampleCounts::most() const {
    return counts_.back().first + counts_.back().probabilities.size() - 1;
}

std::vector<double> real_time_curve(std::span<const double> learning_curve, const SampleCounts& counts) {
    if (counts.most() >= learning_curve.size())
        throw UsageError(fmt::format("{} iterations take {} samples; the learning curve has {} errors",
                                     counts.iterations(), counts.most(), learning_curve.size()));
    std::vector<double> curve;
    for (std::size_t t = 0; t <= counts.iterations(); ++t) curve.push_back(counts.error(learning_curve, t));
    return curve;
}

}  // namespace bellwether
