#include "analysis/claim_case.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/claim_evidence.hpp"

namespace bellwether {

namespace {

Interval exponential_of(const Interval& interval) {
    return {std::exp(interval.low), std::exp(interval.high)};
}

}  // namespace

void ClaimCase::at(std::string_view setting, std::string_view metric) {
    place_name_ = setting;
    metric_ = findings_.find(setting, metric);
    if (!metric_) leave_open(fmt::format("no results of {} with {}", setting, metric));
}

// ---- Comparisons, and what becomes of them.

void ClaimCase::leave_open(std::string why) {
    Entry& entry = entries_.emplace_back();
    entry.evidence.place = place_name_;
    entry.evidence.label = why;
    entry.evidence.words = std::move(why);
    entry.evidence.estimate = std::nan("");
}

void ClaimCase::compare(std::string label, std::string what, Resampled quantity, Interval target, Evidence::Unit unit) {
    Entry& entry = entries_.emplace_back();
    entry.evidence.place = place_name_;
    entry.evidence.label = std::move(label);
    entry.evidence.words = std::move(what);
    entry.evidence.unit = unit;
    entry.evidence.target = target;
    entry.quantity = std::move(quantity);
}

void ClaimCase::add_measured(std::string label, std::string what, double estimate, std::optional<Interval> interval,
                             Interval target, Verdict verdict, Evidence::Unit unit) {
    Entry& entry = entries_.emplace_back();
    entry.evidence = {.place = place_name_,
                      .label = std::move(label),
                      .words = std::move(what),
                      .unit = unit,
                      .estimate = estimate,
                      .interval = interval,
                      .target = target,
                      .verdict = verdict};
}

double ClaimCase::critical() const {
    std::vector<Resampled> quantities;
    for (const Entry& entry : entries_)
        if (entry.quantity) quantities.push_back(*entry.quantity);
    return critical_value(quantities);
}

std::vector<Evidence> ClaimCase::decide(double critical, std::size_t first, std::size_t end) const {
    std::vector<Evidence> all;
    for (std::size_t k = first; k < end; ++k) {
        const Entry& entry = entries_[k];
        Evidence& evidence = all.emplace_back(entry.evidence);
        if (!entry.quantity) continue;
        Interval interval = interval_of(*entry.quantity, critical);
        evidence.verdict = verdict_of(interval, evidence.target);
        if (entry.may_touch && evidence.verdict == Verdict::undecided) evidence.verdict = Verdict::held;
        evidence.estimate = entry.quantity->value;
        if (evidence.unit == Evidence::Unit::ratio) {
            evidence.estimate = std::exp(evidence.estimate);
            interval = exponential_of(interval);
            evidence.target = exponential_of(evidence.target);
        }
        evidence.interval = interval;
        evidence.words +=
            fmt::format(" {} {}, {} {}", text_of(evidence.estimate), text_of(interval),
                        entry.may_touch ? "should reach what is" : "should be", text_of_target(evidence.target));
    }
    return all;
}

// ---- What there is.

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
    if (!found) leave_open(fmt::format("{} has no results of {}", place_name_, algorithm));
    return found ? &metric_->algorithms[*found] : nullptr;
}

bool ClaimCase::has_spread(std::string_view one, std::string_view other) {
    if (!find(one) || !find(other)) return false;
    if (!metric_->spread) leave_open(fmt::format("{} has no recorded runs", place_name_));
    return metric_->spread.has_value();
}

std::vector<const Resampled*> ClaimCase::scores_of(const Names& algorithms) {
    std::vector<const Resampled*> scores;
    for (const std::string& one : algorithms)
        if (const auto found = place(one)) scores.push_back(&quantities_.score(*metric_, *found));
    return scores;
}

std::vector<const Resampled*> ClaimCase::scores_of_others(std::string_view one, const Names& but) {
    Names others = algorithms();
    std::erase_if(others, [&](const std::string& other) {
        return other == one || std::find(but.begin(), but.end(), other) != but.end();
    });
    return scores_of(others);
}

std::string ClaimCase::scores_text(std::string_view one, std::string_view other) {
    return fmt::format("{}: {} {} against {} {}", place_name_, display_name(one), text_of(find(one)->estimate().score),
                       display_name(other), text_of(find(other)->estimate().score));
}

// ---- Scores.

void ClaimCase::lower(std::string_view one, std::string_view other) {
    lower_by_far(one, other, 0);
}

void ClaimCase::lower_by_far(std::string_view one, std::string_view other, double by) {
    if (!has_spread(one, other)) return;
    compare(fmt::format("{} over {}", display_name(one), display_name(other)), scores_text(one, other) + ", ratio",
            difference_of(quantities_.score(*metric_, *place(one)), quantities_.score(*metric_, *place(other))),
            below(-std::log1p(by)));
}

void ClaimCase::compare_with_best(std::string_view one, const Names& others, Interval target) {
    if (!has_spread(one, one)) return;
    const std::vector<const Resampled*> scores = scores_of(others);
    if (scores.empty()) return leave_open(fmt::format("{} has no results of the others", place_name_));
    compare(fmt::format("{} over the best of the others", display_name(one)),
            fmt::format("{}: {} {} over the best of {} others, ratio", place_name_, display_name(one),
                        text_of(find(one)->estimate().score), scores.size()),
            difference_of(quantities_.score(*metric_, *place(one)), least_of(scores)), target);
}

void ClaimCase::not_lower_by_far(std::string_view one, const Names& others, double by) {
    compare_with_best(one, others, above(-std::log1p(by)));
}

void ClaimCase::near_best(std::string_view one, const Names& others, double within) {
    compare_with_best(one, others, below(std::log1p(within)));
}

void ClaimCase::similar(std::string_view one, std::string_view other, double within) {
    if (!has_spread(one, other)) return;
    compare(fmt::format("{} over {}", display_name(one), display_name(other)), scores_text(one, other) + ", ratio",
            difference_of(quantities_.score(*metric_, *place(one)), quantities_.score(*metric_, *place(other))),
            near_one(within));
}

void ClaimCase::similar_to_start(std::string_view one, std::string_view other, double within) {
    if (!has_spread(one, other)) return;
    compare(fmt::format("{} less {}", display_name(one), display_name(other)),
            scores_text(one, other) + ", difference in parts of the error of w_0",
            difference_in_parts(quantities_.score(*metric_, *place(one)), quantities_.score(*metric_, *place(other)),
                                metric_->initial_error),
            {-within, within}, Evidence::Unit::difference);
}

void ClaimCase::lowest(std::string_view one) {
    if (!has_spread(one, one)) return;
    const std::vector<const Resampled*> others = scores_of_others(one);
    if (others.empty()) return leave_open(fmt::format("{} has no other algorithm", place_name_));
    std::vector<std::string> better;
    for (const AlgorithmFindings& other : metric_->algorithms)
        if (other.estimate().score < find(one)->estimate().score) better.push_back(display_name(other.id()));
    std::string what =
        fmt::format("{}: {} {}, first with probability {:.2f}", place_name_, display_name(one),
                    text_of(find(one)->estimate().score), metric_->spread->probability_first(*place(one)));
    if (!better.empty()) what += fmt::format("; lower: {}", fmt::join(better, ", "));
    compare(fmt::format("{} over the best of the others", display_name(one)),
            what + "; ratio to the best of the others",
            difference_of(quantities_.score(*metric_, *place(one)), least_of(others)), below(0));
}

bool ClaimCase::can_reduce_error(std::string_view one, double to) const {
    const auto found = place(one);
    if (!found) return false;
    const Estimate& estimate = metric_->algorithms[*found].estimate();
    return estimate.diverged == 0 && estimate.interval && estimate.interval->high < to * metric_->initial_error;
}

void ClaimCase::reduces_error(std::string_view one, double to) {
    if (!has_spread(one, one)) return;
    const Estimate& estimate = find(one)->estimate();
    const std::string what =
        fmt::format("{}: {} {}, error of w_0 {}, {} of {} runs diverged, ratio", place_name_, display_name(one),
                    text_of(estimate.score), text_of(metric_->initial_error), estimate.diverged, estimate.runs);
    const std::string label = fmt::format("{} over w_0", display_name(one));
    if (estimate.diverged > 0)
        return add_measured(label, what + " infinite", unbounded, std::nullopt, {0, to}, Verdict::not_held,
                            Evidence::Unit::ratio);
    compare(label, what, over(quantities_.score(*metric_, *place(one)), metric_->initial_error), below(std::log(to)));
}

void ClaimCase::does_not_reduce_error(std::string_view one, double to) {
    if (!has_spread(one, one)) return;
    compare(fmt::format("{} over w_0", display_name(one)),
            fmt::format("{}: {} {}, error of w_0 {}, ratio", place_name_, display_name(one),
                        text_of(find(one)->estimate().score), text_of(metric_->initial_error)),
            over(quantities_.score(*metric_, *place(one)), metric_->initial_error), above(std::log(to)));
}

void ClaimCase::never_diverges(std::string_view one) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const Estimate& estimate = algorithm->estimate();
    add_measured(fmt::format("{}, runs that diverged", display_name(one)),
                 fmt::format("{}: {} diverged in {} of {} runs", place_name_, display_name(one), estimate.diverged,
                             estimate.runs),
                 static_cast<double>(estimate.diverged) / static_cast<double>(estimate.runs), std::nullopt, {0, 0},
                 estimate.diverged == 0 ? Verdict::held : Verdict::not_held, Evidence::Unit::share);
}

// ---- Several settings.

std::vector<const MetricFindings*> ClaimCase::metrics_of(std::string_view one, const Names& settings,
                                                         std::string_view metric) {
    std::vector<const MetricFindings*> metrics;
    for (const std::string& setting : settings) {
        at(setting, metric);
        if (!metric_ || !has_spread(one, one)) return {};
        metrics.push_back(metric_);
    }
    place_name_ = fmt::format("{} settings", settings.size());
    return metrics;
}

void ClaimCase::lowest_across(std::string_view one, const Names& settings, std::string_view metric,
                              std::string_view mean) {
    const std::vector<const MetricFindings*> metrics = metrics_of(one, settings, metric);
    if (metrics.empty()) return;
    const auto summary = [&](std::string_view algorithm) -> const Resampled& {
        return mean == summary_means[0] ? quantities_.geometric_mean(metrics, algorithm)
                                        : quantities_.interquartile_mean(metrics, algorithm);
    };
    std::vector<const Resampled*> others;
    std::vector<std::string> better, left_out;
    for (const std::string& other : algorithms()) {
        if (other == one) continue;
        const bool everywhere = std::all_of(metrics.begin(), metrics.end(),
                                            [&](const MetricFindings* of) { return of->find(other).has_value(); });
        if (!everywhere) continue;
        others.push_back(&summary(other));
        if (others.back()->value < summary(one).value)
            better.push_back(fmt::format("{} ({:.3f} times)", display_name(other),
                                         std::exp(others.back()->value - summary(one).value)));
    }
    if (others.empty()) return leave_open(fmt::format("{} have no other algorithm in common", place_name_));
    std::string what = fmt::format("{}: {} mean of the scores of {}, {} others that are everywhere", place_name_, mean,
                                   display_name(one), others.size());
    if (!better.empty()) what += fmt::format("; lower: {}", fmt::join(better, ", "));
    compare(fmt::format("{} over the best of the others, {} mean", display_name(one), mean),
            what + "; ratio to the best of the others", difference_of(summary(one), least_of(others)), below(0));
}

void ClaimCase::poor_in_most(std::string_view one, const Names& settings, std::string_view metric, double share) {
    const std::vector<const MetricFindings*> metrics = metrics_of(one, settings, metric);
    if (metrics.empty()) return;
    std::vector<Resampled> poor;
    for (const MetricFindings* of : metrics) {
        metric_ = of;
        Resampled distance = difference_of(quantities_.score(*of, *place(one)), median_of(scores_of_others(one)));
        distance.value = distance.value > 0;
        for (double& draw : distance.draws) draw = draw > 0;
        poor.push_back(std::move(distance));
    }
    std::vector<const Resampled*> all;
    for (const Resampled& of_setting : poor) all.push_back(&of_setting);
    compare(fmt::format("{}, settings above the median", display_name(one)),
            fmt::format("{}: share in which the score of {} is above the median of the others", place_name_,
                        display_name(one)),
            mean_of(all), above(share), Evidence::Unit::share);
}

std::optional<ClaimCase::Elsewhere> ClaimCase::find_elsewhere(std::string_view one, std::string_view other,
                                                              std::string_view setting, std::string_view metric) {
    if (!find(one)) return std::nullopt;
    const MetricFindings* there = findings_.find(setting, metric);
    const auto found = there ? there->find(other) : std::nullopt;
    if (found) return Elsewhere{there, *found};
    leave_open(fmt::format("{} has no results of {}", setting, other));
    return std::nullopt;
}

void ClaimCase::lower_than_in(std::string_view one, std::string_view other, std::string_view setting,
                              std::string_view metric, double by) {
    compare_with_score_in(one, other, setting, metric, below(-std::log1p(by)));
}

void ClaimCase::similar_to_in(std::string_view one, std::string_view other, std::string_view setting,
                              std::string_view metric, double within) {
    compare_with_score_in(one, other, setting, metric, near_one(within));
}

void ClaimCase::compare_with_score_in(std::string_view one, std::string_view other, std::string_view setting,
                                      std::string_view metric, Interval target) {
    const auto elsewhere = find_elsewhere(one, other, setting, metric);
    if (!elsewhere) return;
    const auto [there, found] = *elsewhere;
    if (!metric_->spread || !there->spread)
        return leave_open(fmt::format("no recorded runs of {} and {}", place_name_, setting));
    compare(fmt::format("{} over {} in {}", display_name(one), display_name(other), setting),
            fmt::format("{}: {} {} against {} {} in {}, ratio", place_name_, display_name(one),
                        text_of(find(one)->estimate().score), display_name(other),
                        text_of(there->algorithms[found].estimate().score), setting),
            difference_of(quantities_.score(*metric_, *place(one)), quantities_.score(*there, found)), target);
}

void ClaimCase::less_affected(std::string_view one, std::string_view other, std::string_view setting,
                              std::string_view metric) {
    const auto one_there = find_elsewhere(one, one, setting, metric);
    const auto other_there = find_elsewhere(other, other, setting, metric);
    if (!one_there || !other_there) return;
    const MetricFindings& there = *one_there->findings;
    if (!metric_->spread || !there.spread)
        return leave_open(fmt::format("no recorded runs of {} and {}", place_name_, setting));
    const auto ratio_of = [&](std::string_view algorithm, const Elsewhere& elsewhere) {
        return difference_of(quantities_.score(*metric_, *place(algorithm)), quantities_.score(there, elsewhere.place));
    };
    const Resampled of_one = ratio_of(one, *one_there), of_other = ratio_of(other, *other_there);
    compare(fmt::format("{} over {}, times {}", display_name(one), display_name(other), setting),
            fmt::format("{}: {} {:.3f} times what it is in {}, {} {:.3f} times, ratio", place_name_, display_name(one),
                        std::exp(of_one.value), setting, display_name(other), std::exp(of_other.value)),
            difference_of(of_one, of_other), below(0));
}

// Of the pairs that are apart here, the one that is nearest to being the other way round there.
void ClaimCase::same_order(std::string_view setting, std::string_view metric, double by) {
    const MetricFindings* there = findings_.find(setting, metric);
    if (!metric_ || !there || !metric_->spread || !there->spread)
        return leave_open(fmt::format("no recorded runs of {} and {}", place_name_, setting));
    std::vector<Resampled> ratios;
    std::vector<std::string> turned;
    std::string nearest;
    double greatest = -unbounded;
    for (const std::string& one : algorithms())
        for (const std::string& other : algorithms()) {
            if (one == other || !there->find(one) || !there->find(other)) continue;
            const Resampled& score_of_one = quantities_.score(*metric_, *place(one));
            const Resampled& score_of_other = quantities_.score(*metric_, *place(other));
            if (!(score_of_one.value + std::log1p(by) < score_of_other.value)) continue;
            ratios.push_back(difference_of(quantities_.score(*there, *there->find(one)),
                                           quantities_.score(*there, *there->find(other))));
            const std::string pair = fmt::format("{} over {}", display_name(one), display_name(other));
            if (ratios.back().value > 0) turned.push_back(pair);
            if (nearest.empty() || ratios.back().value > greatest) nearest = pair, greatest = ratios.back().value;
        }
    if (ratios.empty())
        return leave_open(fmt::format("no algorithms differ by more than {} in {}", percent(by), place_name_));
    std::vector<const Resampled*> all;
    for (const Resampled& ratio : ratios) all.push_back(&ratio);
    std::string what = fmt::format("{} pairs differ by more than {} in {}, of which {} are the other way round in {}",
                                   ratios.size(), percent(by), place_name_, turned.size(), setting);
    if (!turned.empty()) what += fmt::format(" ({})", fmt::join(turned, ", "));
    compare(fmt::format("{} in {}, the pair nearest to turning", nearest, setting),
            fmt::format("{}; nearest to turning: {}, ratio", what, nearest), greatest_of(all), below(0));
}

// ---- Spread.

void ClaimCase::more_variable(std::string_view one, std::string_view other) {
    if (!has_spread(one, other)) return;
    compare(fmt::format("deviation of {} over {}", display_name(one), display_name(other)),
            fmt::format("{}: deviation between runs of {} {} against {} {}, ratio", place_name_, display_name(one),
                        text_of(find(one)->estimate().deviation.value_or(NAN)), display_name(other),
                        text_of(find(other)->estimate().deviation.value_or(NAN))),
            difference_of(quantities_.deviation(*metric_, *place(one)), quantities_.deviation(*metric_, *place(other))),
            above(0));
}

void ClaimCase::most_variable(std::string_view one) {
    if (!has_spread(one, one)) return;
    std::vector<const Resampled*> others;
    std::vector<std::string> higher;
    for (std::size_t k = 0; k < metric_->algorithms.size(); ++k) {
        if (k == *place(one)) continue;
        others.push_back(&quantities_.deviation(*metric_, k));
        if (others.back()->value > quantities_.deviation(*metric_, *place(one)).value)
            higher.push_back(display_name(metric_->algorithms[k].id()));
    }
    if (others.empty()) return leave_open(fmt::format("{} has no other algorithm", place_name_));
    std::string what = fmt::format("{}: deviation between runs of {} {}", place_name_, display_name(one),
                                   text_of(find(one)->estimate().deviation.value_or(NAN)));
    if (!higher.empty()) what += fmt::format("; higher: {}", fmt::join(higher, ", "));
    compare(fmt::format("deviation of {} over the highest of the others", display_name(one)),
            what + "; ratio to the highest of the others",
            difference_of(quantities_.deviation(*metric_, *place(one)), greatest_of(others)), above(0));
}

void ClaimCase::variable(std::string_view one) {
    if (!has_spread(one, one)) return;
    std::vector<const Resampled*> others;
    for (std::size_t k = 0; k < metric_->algorithms.size(); ++k)
        if (k != *place(one)) others.push_back(&quantities_.deviation(*metric_, k));
    if (others.empty()) return leave_open(fmt::format("{} has no other algorithm", place_name_));
    compare(fmt::format("deviation of {} over the median", display_name(one)),
            fmt::format("{}: deviation between runs of {} {}, ratio to the median of the others", place_name_,
                        display_name(one), text_of(find(one)->estimate().deviation.value_or(NAN))),
            difference_of(quantities_.deviation(*metric_, *place(one)), median_of(others)), above(0));
}

}  // namespace bellwether
