#include "analysis/claim_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/sensitivity.hpp"
#include "support/infinity.hpp"
#include "support/random.hpp"

namespace bellwether {

namespace {

std::vector<std::size_t> everything(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

Resampled logarithm_of(Resampled quantity) {
    quantity.value = std::log(quantity.value);
    for (double& draw : quantity.draws) draw = std::log(draw);
    return quantity;
}

// With one instance there is nothing to draw: the scores of two configurations then vary by their standard errors over
// runs, each by its own. What their common runs have in common is not known here, so that differences come out too
// wide rather than too narrow.
constexpr std::uint32_t draws_of_noise = std::uint32_t{1} << 30;
double normal_noise(std::uint64_t seed, std::size_t configuration, std::size_t resample) {
    RandomStream random(seed, draws_of_noise + static_cast<std::uint32_t>(configuration),
                        static_cast<std::uint32_t>(resample), Purpose::bootstrap);
    return random.normal();
}

// "on-tabular mave, on-aliased mave"
std::string names_of(const std::vector<const MetricFindings*>& metrics) {
    std::string names;
    for (const MetricFindings* metric : metrics)
        names += fmt::format("{} {}, ", metric->setting->id, metric->metric_id());
    return names;
}

// The mean of the middle half of weighted values, which are in order.
double middle_half(std::span<const double> values, std::span<const double> weights) {
    double all = 0;
    for (const double weight : weights) all += weight;
    double before = 0, sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double from = std::max(before, all / 4), to = std::min(before + weights[k], 3 * all / 4);
        if (to > from) sum += (to - from) * values[k];
        before += weights[k];
    }
    return sum / (all / 2);
}

}  // namespace

Resampled over(const Resampled& quantity, double constant) {
    Resampled result = quantity;
    result.value -= std::log(constant);
    for (double& draw : result.draws) draw -= std::log(constant);
    return result;
}

Resampled difference_in_parts(const Resampled& one, const Resampled& other, double constant) {
    const auto exponential = [&](Resampled quantity) {
        quantity.value = std::exp(quantity.value) / constant;
        for (double& draw : quantity.draws) draw = std::exp(draw) / constant;
        return quantity;
    };
    return difference_of(exponential(one), exponential(other));
}

std::optional<std::size_t> parameter_place(const AlgorithmGrid& grid, std::string_view name) {
    const ParameterInfo* found = grid.info->find(name);
    if (!found) return std::nullopt;
    return static_cast<std::size_t>(found - grid.info->parameters.data());
}

bool Bound::holds(double of) const {
    if (relation == "above") return of > value;
    if (relation == "below") return of < value;
    return relation == "at least" ? of >= value : of <= value;
}

const Resampled& ClaimQuantities::remembered(std::string key, const std::function<Resampled()>& compute) {
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    Resampled computed = compute();  // may ask for others
    return known_.emplace(std::move(key), std::move(computed)).first->second;
}

const Resampled& ClaimQuantities::score(const MetricFindings& metric, std::size_t algorithm) {
    return remembered(fmt::format("score {} {}", fmt::ptr(&metric), algorithm), [&] {
        const AlgorithmFindings& of = metric.algorithms[algorithm];
        const std::span<const double> draws = metric.spread->scores(algorithm);
        Resampled quantity{of.estimate().score, {draws.begin(), draws.end()}};
        for (std::size_t b = 0; b < std::min(draws.size(), of.choice_costs.size()); ++b)
            quantity.draws[b] += of.choice_costs[b];
        return logarithm_of(std::move(quantity));
    });
}

const Resampled& ClaimQuantities::deviation(const MetricFindings& metric, std::size_t algorithm) {
    return remembered(fmt::format("deviation {} {}", fmt::ptr(&metric), algorithm), [&] {
        const std::span<const double> draws = metric.spread->deviations(algorithm);
        return logarithm_of(
            {metric.algorithms[algorithm].estimate().deviation.value_or(NAN), {draws.begin(), draws.end()}});
    });
}

const Resampled& ClaimQuantities::geometric_mean(const std::vector<const MetricFindings*>& metrics,
                                                 std::string_view algorithm) {
    return remembered(fmt::format("geometric {} {}", names_of(metrics), algorithm), [&] {
        std::vector<const Resampled*> scores;
        for (const MetricFindings* metric : metrics) scores.push_back(&score(*metric, *metric->find(algorithm)));
        return mean_of(scores);
    });
}

const Resampled& ClaimQuantities::interquartile_mean(const std::vector<const MetricFindings*>& metrics,
                                                     std::string_view algorithm) {
    return remembered(fmt::format("interquartile {} {}", names_of(metrics), algorithm), [&] {
        struct Entry {
            double value;
            std::size_t metric, instance;
        };
        std::vector<Entry> entries;
        std::size_t resamples = bootstrap_resamples;
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            const MetricFindings& metric = *metrics[m];
            const AlgorithmFindings& of = metric.algorithms[*metric.find(algorithm)];
            double least = infinity;
            for (const AlgorithmFindings& other : metric.algorithms) least = std::min(least, other.estimate().score);
            const RunScores& scores = (of.fresh ? of.fresh : of.recorded_selection)->scores;
            for (std::size_t i = 0; i < scores.size(); ++i) {
                const double sum = std::accumulate(scores[i].begin(), scores[i].end(), 0.0);
                entries.push_back({sum / static_cast<double>(scores[i].size()) / least, m, i});
            }
            resamples = std::min(resamples, metric.spread->scores(0).size());
        }
        // What another choice costs, in parts of the score, changes all instances of a setting alike.
        const auto factor = [&](std::size_t m, std::size_t b) {
            const AlgorithmFindings& of = metrics[m]->algorithms[*metrics[m]->find(algorithm)];
            return of.choice_costs.empty() ? 1 : 1 + of.choice_costs[b] / of.estimate().score;
        };
        const auto summary = [&](auto weight_of, auto factor_of) {
            std::vector<Entry> here = entries;
            for (Entry& entry : here) entry.value *= factor_of(entry.metric);
            std::sort(here.begin(), here.end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
            std::vector<double> values, weights;
            for (const Entry& entry : here) {
                values.push_back(entry.value);
                weights.push_back(weight_of(entry));
            }
            return middle_half(values, weights);
        };
        Resampled quantity{summary([](const Entry&) { return 1.0; }, [](std::size_t) { return 1.0; }), {}};
        std::vector<std::vector<double>> times;
        for (const MetricFindings* metric : metrics) times.emplace_back(metric->instances);
        for (std::size_t b = 0; b < resamples; ++b) {
            for (std::size_t m = 0; m < metrics.size(); ++m) draw_instances(seed(), metrics[m]->address, b, times[m]);
            quantity.draws.push_back(summary([&](const Entry& entry) { return times[entry.metric][entry.instance]; },
                                             [&](std::size_t m) { return factor(m, b); }));
        }
        return logarithm_of(std::move(quantity));
    });
}

Resampled ClaimQuantities::best_of(const MetricFindings& metric, std::size_t algorithm,
                                   const std::vector<std::size_t>& of) const {
    const AlgorithmFindings& found = metric.algorithms[algorithm];
    Resampled quantity{infinity, {}};
    if (of.empty()) {
        quantity.draws.assign(bootstrap_resamples, infinity);
        return quantity;
    }
    std::size_t best = of.front();
    for (const std::size_t c : of)
        if (is_better(found.configurations[c], found.configurations[best])) best = c;
    const ConfigurationScore& chosen = found.configurations[best];
    quantity.value = chosen.score;
    if (metric.instances == 1) {
        const double error = chosen.standard_error.value_or(0);
        for (std::size_t b = 0; b < bootstrap_resamples; ++b) {
            const double noise = normal_noise(seed(), best, b);
            // Scores are not negative.
            quantity.draws.push_back(std::isfinite(chosen.score) ? std::max(0.0, chosen.score + error * noise)
                                                                 : infinity);
        }
        return quantity;
    }
    const Contenders contenders(found.instance_means, metric.instances, of);
    const auto count = static_cast<double>(metric.instances);
    quantity.draws = resample_instances(metric.instances, seed(), metric.selection_address,
                                        [&](std::span<const double> times) { return contenders.least(times) / count; });
    return quantity;
}

const Resampled& ClaimQuantities::best(const MetricFindings& metric, std::size_t algorithm) {
    return remembered(fmt::format("best {} {}", fmt::ptr(&metric), algorithm), [&] {
        return logarithm_of(best_of(metric, algorithm, everything(metric.algorithms[algorithm].configurations.size())));
    });
}

const Resampled& ClaimQuantities::best_where(const MetricFindings& metric, std::size_t algorithm, std::size_t parameter,
                                             const Bound& bound, bool holds) {
    return remembered(fmt::format("best {} {} {} {} {} {}", fmt::ptr(&metric), algorithm, parameter, bound.relation,
                                  bound.value, holds),
                      [&] {
                          const AlgorithmGrid& grid = *metric.algorithms[algorithm].grid;
                          std::vector<std::size_t> of;
                          for (std::size_t c = 0; c < grid.configurations(); ++c)
                              if (bound.holds(grid.value(c, parameter)) == holds) of.push_back(c);
                          return logarithm_of(best_of(metric, algorithm, of));
                      });
}

const Resampled& ClaimQuantities::area(const MetricFindings& metric, std::size_t algorithm,
                                       const std::vector<std::string>& parameters) {
    return remembered(fmt::format("area {} {} {}", fmt::ptr(&metric), algorithm, fmt::join(parameters, " ")), [&] {
        const AlgorithmGrid& grid = *metric.algorithms[algorithm].grid;
        std::vector<Resampled> areas;
        for (const std::string& parameter : parameters) {
            const auto place = parameter_place(grid, parameter);
            if (!place || grid.values[*place].size() < 2) continue;
            const std::vector<double> weights = spacing_weights(grid.values[*place], spacing_of(parameter));
            std::vector<Resampled> curve;
            for (std::size_t k = 0; k < weights.size(); ++k) {
                std::vector<std::size_t> of;
                for (std::size_t c = 0; c < grid.configurations(); ++c)
                    if (grid.place(c, *place) == k) of.push_back(c);
                curve.push_back(best_of(metric, algorithm, of));
            }
            std::vector<double> scores(curve.size());
            const auto area_of = [&](auto score) {
                for (std::size_t k = 0; k < curve.size(); ++k) scores[k] = score(curve[k]);
                return sensitivity_area(weights, scores, metric.initial_error);
            };
            Resampled& area = areas.emplace_back();
            area.value = area_of([](const Resampled& point) { return point.value; });
            for (std::size_t b = 0; b < curve.front().draws.size(); ++b)
                area.draws.push_back(area_of([&](const Resampled& point) { return point.draws[b]; }));
        }
        if (areas.empty()) {  // nothing to be sensitive to
            Resampled alone = best_of(metric, algorithm, everything(grid.configurations()));
            alone.value = std::min(alone.value, metric.initial_error);
            for (double& draw : alone.draws) draw = std::min(draw, metric.initial_error);
            areas.push_back(std::move(alone));
        }
        std::vector<const Resampled*> all;
        for (const Resampled& area : areas) all.push_back(&area);
        return logarithm_of(mean_of(all));
    });
}

const Resampled& ClaimQuantities::error_in_time(const MetricFindings& metric, std::size_t algorithm, TimeReading time,
                                                const UpdateTime& update, double duration) {
    return remembered(fmt::format("time {} {} {} {} {} {}", fmt::ptr(&metric), algorithm, id_of(time), update.fixed,
                                  update.noise, duration),
                      [&] {
                          // Of every instance: the mean error over the number of samples after the last iteration.
                          const SampleCounts counts(time, update, duration, metric.setting->steps);
                          std::vector<double> errors;
                          for (const auto& curve : metric.algorithms[algorithm].curve()->instances)
                              errors.push_back(counts.error(curve, counts.iterations()));
                          const auto mean = [&](std::span<const double> times) {
                              double sum = 0;
                              for (std::size_t i = 0; i < times.size(); ++i)
                                  if (times[i] > 0) sum += times[i] * errors[i];
                              return sum / static_cast<double>(times.size());
                          };
                          return logarithm_of({mean(std::vector<double>(metric.instances, 1.0)),
                                               resample_instances(metric.instances, seed(), metric.address, mean)});
                      });
}

}  // namespace bellwether
