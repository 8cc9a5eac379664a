#include "logs/evaluation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bellwether/number_text.hpp"

namespace bellwether {

namespace {

// 3901 as "3,901"
std::string grouped(std::size_t count) {
    return count < 1000 ? std::to_string(count) : fmt::format("{},{:03}", grouped(count / 1000), count % 1000);
}

std::string counted(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

// "episode" where every segment came to its end.
std::string_view unit(const PolicyEvaluation& e) {
    return e.ended == e.segments ? "episode" : e.pieces > 0 ? "piece" : "segment";
}

// How many decimals show two digits of the interval, and at most six of the spread.
int decimals_for(double width, double spread) {
    const double size = std::max(width, 1e-4 * spread);
    if (!(size > 0) || !std::isfinite(size)) return 3;
    return static_cast<int>(std::clamp(1 - std::floor(std::log10(size)), 0.0, 12.0));
}

std::string table_number(double value, double scale) {
    if (!std::isfinite(value)) return "–";
    const int decimals = scale > 0 ? static_cast<int>(std::clamp(2 - std::floor(std::log10(scale)), 0.0, 12.0)) : 3;
    return fmt::format("{:.{}f}", value, decimals);
}

std::string percent(double share) {
    return share < 0.1 && share > 0 ? fmt::format("{:.1f}%", 100 * share) : fmt::format("{:.0f}%", 100 * share);
}

std::size_t rounded(double number) {
    return static_cast<std::size_t>(std::max(0.0, std::round(number)));
}

std::string where_from(const PolicyEvaluation& e) {
    if (e.starts_given) return "from the given start states";
    return e.pieces > 0 ? "from the states of this log" : "from the start states of this log";
}

std::string worth(const PolicyEvaluation& e) {
    const PolicyEstimate& answer = e.answer_estimate();
    const int decimals = decimals_for(answer.upper - answer.lower, e.spread);
    return fmt::format("the target policy is worth {:.{}f} ({:.{}f} to {:.{}f}) {}", answer.value, decimals,
                       answer.lower, decimals, answer.upper, decimals, where_from(e));
}

std::string what_is_unsupported(const PolicyEvaluation& e) {
    return fmt::format(
        "Cannot tell: the target does, in {} of the steps, what the log never shows. Log those actions too, at least "
        "now and then, or ask about a target that does without them.",
        percent(e.support_known ? e.unsupported : e.deficit.value));
}

std::string what_rests_on_values(const PolicyEvaluation& e) {
    if (e.starts_given) return "no return begins in the given states, and all of it rests on learned values";
    return fmt::format("ratios support {}; {} rests on learned values", counted(e.horizon, "step"), percent(e.rest));
}

}  // namespace

std::string verdict_sentence(const PolicyEvaluation& e) {
    switch (e.verdict) {
        case LogVerdict::unsupported:
            return what_is_unsupported(e);
        case LogVerdict::ratios:
            return fmt::format(
                "Cannot tell: ratios average {:.2f}; they must average 1: are the probabilities those that acted?",
                e.ratios.mean);
        case LogVerdict::too_few:
            return fmt::format(
                "Cannot tell: {} {} for {} after the first step; at least 20, counting for 30, are needed. Log more, "
                "or ask about a target that is nearer to the behaviour.",
                counted(e.segments, unit(e)), e.segments == 1 ? "counts" : "count",
                rounded(e.effective_sample.front()));
        case LogVerdict::too_wide:
            return fmt::format(
                "Cannot tell: the interval is ±{:.3g}, more than returns differ from one {} to the next ({:.3g}). Log "
                "more, or ask about a target that is nearer to the behaviour.",
                e.answer_estimate().half_width(), unit(e), e.spread);
        case LogVerdict::supported: {
            std::string text = fmt::format("The log supports this answer: {}.", worth(e));
            if (std::any_of(e.tests.begin(), e.tests.end(), [](const Agreement& test) { return test.flagged; }))
                text += " Values by state are off: these features cannot represent them.";
            return text;
        }
        case LogVerdict::features:
            return fmt::format(
                "Cannot tell: learned values contradict the weighted returns, and returns alone are too few: {}. Give "
                "features that tell the states apart, or log more.",
                what_rests_on_values(e));
        case LogVerdict::depends:
            break;
    }
    return fmt::format(
        "The answer depends on the features: {}, right if the features suffice (no test objects). Then {}.",
        what_rests_on_values(e), worth(e));
}

namespace {

// "rows 3, 7, 9 of ...", by their places from 1.
void add_outside(std::vector<std::string>& notes, const std::vector<std::size_t>& rows, std::string_view of) {
    constexpr std::size_t most_named = 10;
    if (rows.empty()) return;
    std::string names;
    for (std::size_t k = 0; k < std::min(rows.size(), most_named); ++k)
        names += fmt::format("{}{}", k > 0 ? ", " : "", rows[k] + 1);
    if (rows.size() > most_named) names += fmt::format(" … ({} in all)", grouped(rows.size()));
    notes.push_back(fmt::format("row{} {} of {} leave{} the span of the log's features: a value there is a guess",
                                rows.size() == 1 ? "" : "s", names, of, rows.size() == 1 ? "s" : ""));
}

}  // namespace

std::vector<std::string> notes_of(const PolicyEvaluation& e) {
    std::vector<std::string> notes;
    if (e.ratio_source.on_policy && e.ratio_source.behaviour == "as logged")
        notes.emplace_back("no ratios, probabilities or target: the log is taken as the target's own (on-policy)");
    if (!e.empty_features.empty())
        notes.push_back(fmt::format("{} of {} features are always 0: nothing is learned of them",
                                    e.empty_features.size(), e.dimension));
    add_outside(notes, e.starts_outside, "the given start states");
    add_outside(notes, e.at_outside, "those whose values were asked for");
    if (e.missing_steps > 0)
        notes.push_back(fmt::format("{} missing by the column time; --split-gaps ends a segment there",
                                    counted(e.missing_steps, "step")));
    if (e.repeated_rows > 0 && e.repeated_rows * 100 >= e.steps)
        notes.push_back(fmt::format("{} repeat the row before in every number", counted(e.repeated_rows, "row")));
    if (e.ended < e.segments && !e.starts_given && e.rest <= most_rest)
        notes.push_back(fmt::format(
            "{} cut off: importance sampling leaves out what comes after; the other estimates put learned values there",
            counted(e.segments - e.ended, unit(e))));
    std::string unbalanced;
    for (std::size_t j = 0; j < e.balance.size(); ++j)
        if (std::abs(e.balance[j]) > balance_limit)
            unbalanced += fmt::format("{}x{}", unbalanced.empty() ? "" : ", ", j);
    if (!unbalanced.empty())
        notes.push_back(
            fmt::format("the ratios do not balance {}: are the probabilities those that acted?", unbalanced));
    for (const NamedDrift& named : e.drifts)
        if (named.drift.statistic > drift_limit)
            notes.push_back(fmt::format("{} along the log, most after {} {} (c = {:.2f}, at most {} by chance)",
                                        named.of == "answer"    ? "the answer changes"
                                        : named.of == "rewards" ? "rewards change"
                                                                : "the behaviour changes",
                                        unit(e), named.drift.segment + 1, named.drift.statistic, drift_limit));
    if (e.ratio_source.fitted) {
        const BehaviourReport& report = e.ratio_source.fitted->report;
        if (report.memory && *report.memory > memory_limit)
            notes.push_back(
                fmt::format("the behaviour depends on more than these features (z = {:.1f}); ratios may be biased",
                            *report.memory));
    }
    return notes;
}

std::string evaluation_text(const PolicyEvaluation& e) {
    std::string text;
    const auto line = [&](const std::string& words) { text += words + "\n"; };
    line(fmt::format("{}: {}, {} ({:.0f} to {:.0f}, median {}), {}{}{}", e.name, counted(e.segments, unit(e)),
                     counted(e.steps, "step"), e.lengths.least, e.lengths.most, number_text(e.lengths.middle),
                     counted(e.dimension, "feature"),
                     e.has_least_squares() ? fmt::format(" of rank {}", e.rank.rank) : "",
                     e.actions > 0 ? fmt::format(", {}", counted(e.actions, "action")) : ""));
    line(fmt::format("target: {}   behaviour: {}   ratios: mean {:.3f}, largest {:.3g}", e.ratio_source.target,
                     e.ratio_source.behaviour, e.ratios.mean, e.ratios.largest));
    std::string steps, sizes;
    for (const std::size_t step : steps_shown(e.effective_sample.size())) {
        steps += fmt::format("{}{}", steps.empty() ? "" : ", ", step);
        sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", rounded(e.effective_sample[step - 1]));
    }
    const std::size_t longest = e.effective_sample.size();
    line(fmt::format("effective {}s after {} {}: {}   weighted horizon: {}", unit(e), steps,
                     longest == 1 ? "step" : "steps", sizes,
                     e.horizon < longest ? fmt::format("{} of {}", e.horizon, counted(longest, "step"))
                     : longest == 1      ? "the only step"
                                         : fmt::format("all {}", counted(longest, "step"))));

    const bool q = e.has_action_values(), answer_is_q = e.answer == "answer-q";
    const double scale = std::max(std::abs(e.answer_estimate().value), e.spread / 10);
    const auto number = [&](std::string_view name) { return table_number(e.find(name)->value, scale); };
    const auto with_interval = [&](const std::string& label, std::string_view name) {
        const PolicyEstimate& estimate = *e.find(name);
        line(fmt::format("  {:<40}{:>7}   {:>8} … {:>6}", label, number(name), table_number(estimate.lower, scale),
                         table_number(estimate.upper, scale)));
    };
    const auto of_both = [&](const std::string& label, std::string_view first, std::string_view second) {
        line(fmt::format("  {:<40}{:>7} / {}", label, number(first), number(second)));
    };
    line("");
    line(fmt::format("{:<42}{:>8}       {}", "", "estimate", fmt::format("{}% interval", number_text(100 * e.level))));
    const bool whole = e.horizon == longest;
    const std::string method = fmt::format("{}, {}",
                                           e.horizon == 0 ? (e.has_least_squares() ? "least squares" : "online")
                                           : whole        ? "weighted doubly robust"
                                                          : "doubly robust, " + counted(e.horizon, "step"),
                                           answer_is_q ? "Q" : "states");
    with_interval(answers(e.verdict) ? fmt::format("answer ({})", method) : method, e.answer);
    if (q && whole)
        with_interval(fmt::format("weighted doubly robust, {}", answer_is_q ? "states" : "Q"),
                      answer_is_q ? "wdr" : "wdr-q");
    else if (q)
        of_both("weighted doubly robust, Q / states", "wdr-q", "wdr");
    else if (!whole)
        line(fmt::format("  {:<40}{:>7}", "weighted doubly robust", number("wdr")));
    if (q) {
        of_both("doubly robust, Q / states", "dr-q", "dr");
        of_both("least squares, Q / states", "lstd-q", "lstd");
    } else {
        line(fmt::format("  {:<40}{:>7}", "doubly robust", number("dr")));
        if (e.has_least_squares()) line(fmt::format("  {:<40}{:>7}", "least squares", number("lstd")));
    }
    of_both("weighted per-decision / per-decision", "wpdis", "pdis");
    of_both("weighted / ordinary importance sampling", "wis", "is");
    if (e.find("online")) with_interval("learned online", "online");
    line("");
    line(verdict_sentence(e));
    for (const std::string& note : notes_of(e)) line("note: " + note);
    return text;
}

}  // namespace bellwether
