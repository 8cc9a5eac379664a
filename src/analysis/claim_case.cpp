#include "analysis/claim_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "analysis/claim_evidence.hpp"

namespace bellwether {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A configuration but for one parameter.
std::size_t group_of(const AlgorithmGrid& grid, std::size_t configuration, std::size_t parameter) {
    return configuration - grid.place(configuration, parameter) * grid.stride(parameter);
}

std::optional<std::size_t> parameter_place(const AlgorithmGrid& grid, std::string_view name) {
    const ParameterInfo* found = grid.info->find(name);
    if (!found) return std::nullopt;
    return static_cast<std::size_t>(found - grid.info->parameters.data());
}

// "α and λ"
std::string symbols_of(const ClaimCase::Names& parameters) {
    std::vector<std::string> symbols;
    for (const std::string& parameter : parameters) symbols.push_back(parameter_symbol(parameter));
    return fmt::format("{}", fmt::join(symbols, " and "));
}

// How much of the sensitivity curves to some parameters lies within a part of the best score.
class Breadth {
public:
    Breadth(const AlgorithmFindings& algorithm, std::size_t instances, const ClaimCase::Names& parameters,
            double within)
        : best_(row(algorithm, algorithm.best, instances)), within_(within) {
        for (const std::string& parameter : parameters) {
            const std::vector<SensitivityPoint> points = algorithm.sensitivity(parameter);
            if (points.size() < 2) continue;
            std::vector<std::span<const double>>& curve = curves_.emplace_back();
            for (const SensitivityPoint& point : points)
                curve.push_back(row(algorithm, point.configuration, instances));
        }
    }

    // With every instance as often as it was drawn.
    double operator()(std::span<const double> times) const {
        const double bound = (1 + within_) * total(best_, times);
        double sum = 0;
        for (const auto& curve : curves_) {
            const auto good = std::count_if(curve.begin(), curve.end(), [&](std::span<const double> means) {
                const double score = total(means, times);
                return std::isfinite(score) && score <= bound;
            });
            sum += static_cast<double>(good) / static_cast<double>(curve.size());
        }
        return sum / static_cast<double>(curves_.size());
    }
    double operator()() const { return (*this)(std::vector<double>(best_.size(), 1.0)); }

private:
    static std::span<const double> row(const AlgorithmFindings& algorithm, std::size_t configuration,
                                       std::size_t instances) {
        return std::span(algorithm.instance_means).subspan(configuration * instances, instances);
    }
    static double total(std::span<const double> means, std::span<const double> times) {
        double sum = 0;
        for (std::size_t i = 0; i < means.size(); ++i)
            if (times[i] > 0) sum += times[i] * means[i];
        return sum;
    }

    std::span<const double> best_;
    double within_;
    std::vector<std::vector<std::span<const double>>> curves_;
};

}  // namespace

bool Bound::holds(double of) const {
    if (relation == "above") return of > value;
    if (relation == "below") return of < value;
    return relation == "at least" ? of >= value : of <= value;
}

void ClaimCase::at(std::string_view setting, std::string_view metric) {
    place_name_ = setting;
    metric_ = findings_.find(setting, metric);
    if (!metric_) decide(Verdict::undecided, fmt::format("no results of {} with {}", setting, metric));
}

void ClaimCase::decide(Verdict verdict, std::string line) {
    verdict_ = std::max(verdict_, verdict);
    lines_.push_back({verdict, std::move(line)});
}

std::vector<std::string> ClaimCase::numbers() const {
    std::vector<std::string> texts;
    for (const Verdict verdict : {Verdict::not_held, Verdict::undecided, Verdict::held})
        for (const Line& line : lines_)
            if (line.verdict == verdict) texts.push_back(fmt::format("{}: {}", mark_of(verdict), line.text));
    return texts;
}

ClaimCase::Names ClaimCase::algorithms() const {
    Names ids;
    if (metric_)
        for (const AlgorithmFindings& algorithm : metric_->algorithms) ids.emplace_back(algorithm.id_in_claims());
    return ids;
}

std::optional<std::size_t> ClaimCase::place(std::string_view algorithm) const {
    return metric_ ? metric_->find(algorithm) : std::nullopt;
}

const AlgorithmFindings* ClaimCase::find(std::string_view algorithm) {
    if (!metric_) return nullptr;
    const auto found = place(algorithm);
    if (!found) decide(Verdict::undecided, fmt::format("{} has no results of {}", place_name_, algorithm));
    return found ? &metric_->algorithms[*found] : nullptr;
}

bool ClaimCase::has_spread(std::string_view one, std::string_view other) {
    if (!find(one) || !find(other)) return false;
    if (!metric_->spread) decide(Verdict::undecided, fmt::format("{} has no recorded runs", place_name_));
    return metric_->spread.has_value();
}

// ---- Scores.

void ClaimCase::lower(std::string_view one, std::string_view other) {
    if (!has_spread(one, other)) return;
    const Interval difference = metric_->spread->difference(*place(one), *place(other));
    decide(below(difference, 0), fmt::format("{}: {} {} against {} {}, difference {}", place_name_, display_name(one),
                                             text_of(find(one)->estimate().score), display_name(other),
                                             text_of(find(other)->estimate().score), text_of(difference)));
}

void ClaimCase::similar(std::string_view one, std::string_view other, double within_share) {
    if (!has_spread(one, other)) return;
    const Interval ratio = metric_->spread->ratio(*place(one), *place(other));
    decide(similar_ratio(ratio, within_share),
           fmt::format("{}: {} {} against {} {}, ratio {}", place_name_, display_name(one),
                       text_of(find(one)->estimate().score), display_name(other),
                       text_of(find(other)->estimate().score), text_of(ratio)));
}

void ClaimCase::lower_by_far(std::string_view one, std::string_view other, double by) {
    if (!has_spread(one, other)) return;
    const Interval ratio = metric_->spread->ratio(*place(one), *place(other));
    decide(below(ratio, 1 / (1 + by)), fmt::format("{}: {} {} against {} {}, ratio {}", place_name_, display_name(one),
                                                   text_of(find(one)->estimate().score), display_name(other),
                                                   text_of(find(other)->estimate().score), text_of(ratio)));
}

void ClaimCase::lowest(std::string_view one) {
    if (!has_spread(one, one)) return;
    std::vector<std::string> better, open;
    for (const std::string& other : algorithms()) {
        const Interval difference = metric_->spread->difference(*place(one), *place(other));
        if (difference.low > 0)
            better.push_back(fmt::format("{} by {}", display_name(other), text_of(difference)));
        else if (difference.high >= 0 && other != one)
            open.push_back(display_name(other));
    }
    std::string line =
        fmt::format("{}: {} {}, first with probability {:.2f}", place_name_, display_name(one),
                    text_of(find(one)->estimate().score), metric_->spread->probability_first(*place(one)));
    if (!better.empty()) line += fmt::format("; lower: {}", fmt::join(better, ", "));
    if (!open.empty()) line += fmt::format("; not told apart: {}", fmt::join(open, ", "));
    decide(!better.empty() ? Verdict::not_held : open.empty() ? Verdict::held : Verdict::undecided, line);
}

bool ClaimCase::can_reduce_error(std::string_view one, double to) const {
    const auto found = place(one);
    if (!found) return false;
    const Estimate& estimate = metric_->algorithms[*found].estimate();
    return estimate.diverged == 0 && estimate.interval && estimate.interval->high < to * metric_->initial_error;
}

void ClaimCase::reduces_error(std::string_view one, double to) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const Estimate& estimate = algorithm->estimate();
    const Interval interval = estimate.interval.value_or(Interval{0, infinity});
    Verdict verdict = below(interval, to * metric_->initial_error);
    if (estimate.diverged > 0) verdict = Verdict::not_held;
    decide(verdict, fmt::format("{}: {} {} {}, error of w_0 {}, {} of {} runs diverged", place_name_, display_name(one),
                                text_of(estimate.score), text_of(interval), text_of(metric_->initial_error),
                                estimate.diverged, estimate.runs));
}

void ClaimCase::does_not_reduce_error(std::string_view one, double to) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const Estimate& estimate = algorithm->estimate();
    const Interval interval = estimate.interval.value_or(Interval{0, infinity});
    decide(above(interval, to * metric_->initial_error),
           fmt::format("{}: {} {} {}, error of w_0 {}", place_name_, display_name(one), text_of(estimate.score),
                       text_of(interval), text_of(metric_->initial_error)));
}

void ClaimCase::never_diverges(std::string_view one) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const Estimate& estimate = algorithm->estimate();
    decide(estimate.diverged == 0 ? Verdict::held : Verdict::not_held,
           fmt::format("{}: {} diverged in {} of {} runs", place_name_, display_name(one), estimate.diverged,
                       estimate.runs));
}

// ---- Spread and sensitivity.

void ClaimCase::most_variable(std::string_view one) {
    if (!has_spread(one, one)) return;
    std::vector<std::string> higher, open;
    for (const std::string& other : algorithms()) {
        const Interval ratio = metric_->spread->deviation_ratio(*place(one), *place(other));
        if (ratio.high < 1)
            higher.push_back(fmt::format("{} (ratio {})", display_name(other), text_of(ratio)));
        else if (ratio.low <= 1 && other != one)
            open.push_back(display_name(other));
    }
    std::string line = fmt::format("{}: deviation between runs of {} {}", place_name_, display_name(one),
                                   text_of(find(one)->estimate().deviation.value_or(NAN)));
    if (!higher.empty()) line += fmt::format("; higher: {}", fmt::join(higher, ", "));
    if (!open.empty()) line += fmt::format("; not told apart: {}", fmt::join(open, ", "));
    decide(!higher.empty() ? Verdict::not_held : open.empty() ? Verdict::held : Verdict::undecided, line);
}

void ClaimCase::variable(std::string_view one) {
    if (!has_spread(one, one)) return;
    const Interval ratio = metric_->spread->deviation_over_median(*place(one));
    decide(above(ratio, 1),
           fmt::format("{}: deviation between runs of {} {}, over the median of the others {}", place_name_,
                       display_name(one), text_of(find(one)->estimate().deviation.value_or(NAN)), text_of(ratio)));
}

void ClaimCase::less_sensitive(std::string_view one, std::string_view other, const Names& parameters,
                               double within_share) {
    const AlgorithmFindings* first = find(one);
    const AlgorithmFindings* second = find(other);
    if (!first || !second) return;
    const Breadth of_first(*first, metric_->instances, parameters, within_share);
    const Breadth of_second(*second, metric_->instances, parameters, within_share);
    const Interval difference =
        resample_instances(metric_->instances, findings_.study->seed, metric_->address,
                           [&](std::span<const double> times) { return of_first(times) - of_second(times); });
    decide(above(difference, 0),
           fmt::format(
               "{}: values of {} within {} of the best score: {} {:.0f}%, {} {:.0f}%, difference [{:.0f}, {:.0f}]%",
               place_name_, symbols_of(parameters), percent(within_share), display_name(one), 100 * of_first(),
               display_name(other), 100 * of_second(), 100 * difference.low, 100 * difference.high));
}

void ClaimCase::sensitive(std::string_view one, const Names& parameters, double within_share) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const Breadth of_one(*algorithm, metric_->instances, parameters, within_share);
    std::vector<Breadth> others;
    for (const AlgorithmFindings& other : metric_->algorithms)
        if (other.id_in_claims() != one) others.emplace_back(other, metric_->instances, parameters, within_share);
    const Interval difference = resample_instances(metric_->instances, findings_.study->seed, metric_->address,
                                                   [&](std::span<const double> times) {
                                                       std::vector<double> breadths;
                                                       for (const Breadth& breadth : others)
                                                           breadths.push_back(breadth(times));
                                                       return of_one(times) - median_of(std::move(breadths));
                                                   });
    decide(
        below(difference, 0),
        fmt::format("{}: values of {} that keep {} within {} of its best score: {:.0f}%, less the median of the others "
                    "[{:.0f}, {:.0f}]%",
                    place_name_, symbols_of(parameters), display_name(one), percent(within_share), 100 * of_one(),
                    100 * difference.low, 100 * difference.high));
}

void ClaimCase::reasonable(std::string_view one, std::string_view parameter, double within_share, double share) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const std::vector<SensitivityPoint> points = algorithm->sensitivity(parameter);
    const double best = algorithm->configurations[algorithm->best].score;
    const auto good = std::count_if(points.begin(), points.end(), [&](const SensitivityPoint& point) {
        return std::isfinite(point.score.score) && point.score.score <= (1 + within_share) * best;
    });
    const bool enough = static_cast<double>(good) >= share * static_cast<double>(points.size());
    decide(enough ? Verdict::held : Verdict::not_held,
           fmt::format("{}: {} of {} values of {} keep {} within {} of its best score", place_name_, good,
                       points.size(), parameter, display_name(one), percent(within_share)));
}

void ClaimCase::best_value(std::string_view one, std::string_view parameter, const Bound& bound, double probability) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const auto place = parameter_place(*algorithm->grid, parameter);
    if (!place) return;
    const double value = *algorithm->best_value(parameter);
    std::string line =
        fmt::format("{}: best {} of {} is {}", place_name_, parameter, display_name(one), text_of(value));
    if (algorithm->probabilities_best.empty())
        return decide(bound.holds(value) ? Verdict::held : Verdict::not_held, line);
    double found = 0;
    for (std::size_t c = 0; c < algorithm->configurations.size(); ++c)
        if (bound.holds(algorithm->grid->values[*place][algorithm->grid->place(c, *place)]))
            found += algorithm->probabilities_best[c];
    line += fmt::format(", {} {} with probability {:.2f}", bound.relation, bound.value, found);
    if (std::isinf(algorithm->configurations[algorithm->best].score))
        return decide(Verdict::undecided, line + "; every configuration diverged in some run");
    decide(found >= probability       ? Verdict::held
           : found <= 1 - probability ? Verdict::not_held
                                      : Verdict::undecided,
           line);
}

void ClaimCase::needs_more_than(std::string_view one, std::string_view parameter, double bound, double by) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const auto place = parameter_place(*algorithm->grid, parameter);
    if (!place) return;
    double least = infinity;
    for (std::size_t c = 0; c < algorithm->configurations.size(); ++c)
        if (algorithm->grid->values[*place][algorithm->grid->place(c, *place)] <= bound)
            least = std::min(least, algorithm->configurations[c].score);
    const double best = algorithm->configurations[algorithm->best].score;
    decide(*algorithm->best_value(parameter) > bound && least > (1 + by) * best ? Verdict::held : Verdict::not_held,
           fmt::format("{}: {} {} with {} = {}; at most {} with {} up to {}", place_name_, display_name(one),
                       text_of(best), parameter, text_of(*algorithm->best_value(parameter)), text_of(least), parameter,
                       text_of(bound)));
}

void ClaimCase::indifferent(std::string_view one, std::string_view parameter) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const auto place = parameter_place(*algorithm->grid, parameter);
    if (!place)
        return decide(Verdict::held, fmt::format("{}: {} has no {}", place_name_, display_name(one), parameter));
    // Scores that differ between configurations alike but for the parameter, and groups that diverge in part.
    std::map<std::size_t, std::vector<double>> groups;
    for (std::size_t c = 0; c < algorithm->configurations.size(); ++c)
        groups[group_of(*algorithm->grid, c, *place)].push_back(algorithm->configurations[c].score);
    std::size_t different = 0, overflows = 0;
    for (const auto& [group, scores] : groups) {
        std::vector<double> finite;
        for (const double score : scores)
            if (std::isfinite(score)) finite.push_back(score);
        if (finite.empty()) continue;
        overflows += scores.size() - finite.size();
        different += std::count(finite.begin(), finite.end(), finite.front()) != std::ssize(finite);
    }
    decide(
        different == 0 ? Verdict::held : Verdict::not_held,
        fmt::format("{}: {}: finite scores differ with {} in {} of {} groups; {} configurations overflow where others "
                    "of their group do not",
                    place_name_, display_name(one), parameter, different, groups.size(), overflows));
}

// ---- Settings compared.

void ClaimCase::same_order(std::string_view setting, std::string_view metric, double by) {
    const MetricFindings* there = findings_.find(setting, metric);
    if (!metric_ || !there || !metric_->spread || !there->spread)
        return decide(Verdict::undecided, fmt::format("no recorded runs of {} and {}", place_name_, setting));
    std::size_t same = 0, open = 0;
    std::vector<std::string> turned;
    for (const std::string& one : algorithms())
        for (const std::string& other : algorithms()) {
            if (one == other || !there->find(one) || !there->find(other)) continue;
            const Interval here_ratio = metric_->spread->ratio(*place(one), *place(other));
            if (!(here_ratio.high < 1 / (1 + by))) continue;
            const Interval there_ratio = there->spread->ratio(*there->find(one), *there->find(other));
            same += there_ratio.high < 1;
            open += there_ratio.low <= 1 && there_ratio.high >= 1;
            if (there_ratio.low > 1) turned.push_back(fmt::format("{} and {}", display_name(one), display_name(other)));
        }
    std::string line =
        fmt::format("of {} pairs that differ by more than {} in {}, {} are in the same order in {}, {} not told apart",
                    same + open + turned.size(), percent(by), place_name_, same, setting, open);
    if (!turned.empty()) line += fmt::format("; turned: {}", fmt::join(turned, ", "));
    decide(!turned.empty() ? Verdict::not_held : open > 0 ? Verdict::undecided : Verdict::held, line);
}

}  // namespace bellwether
