// Claims about parameters: sensitivities, and which values are good. By the scores of the selection.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "analysis/claim_case.hpp"
#include "analysis/claim_evidence.hpp"

namespace bellwether {

namespace {

// A configuration but for one parameter: the one with the first value that there is of it.
std::size_t group_of(const AlgorithmGrid& grid, std::size_t configuration, std::size_t parameter) {
    for (std::size_t k = 0;; ++k)
        if (const auto there = grid.at_place(configuration, parameter, k)) return *there;
}

// "α and λ"
std::string symbols_of(const ClaimCase::Names& parameters) {
    std::vector<std::string> symbols;
    for (const std::string& parameter : parameters) symbols.push_back(parameter_symbol(parameter));
    return fmt::format("{}", fmt::join(symbols, " and "));
}

}  // namespace

// ---- Sensitivity.

void ClaimCase::less_sensitive(std::string_view one, std::string_view other, const Names& parameters) {
    if (!find(one) || !find(other)) return;
    const Resampled& first = quantities_.area(*metric_, *place(one), parameters);
    const Resampled& second = quantities_.area(*metric_, *place(other), parameters);
    compare(fmt::format("area of {} over {}, {}", display_name(one), display_name(other), symbols_of(parameters)),
            fmt::format("{}: mean error over the range of {}, the others selected again: {} {}, {} {}, ratio",
                        place_name_, symbols_of(parameters), display_name(one), text_of(std::exp(first.value)),
                        display_name(other), text_of(std::exp(second.value))),
            difference_of(first, second), below(0));
}

void ClaimCase::less_sensitive_than_in(std::string_view one, std::string_view other, std::string_view setting,
                                       std::string_view metric, const Names& parameters) {
    const auto elsewhere = find_elsewhere(one, other, setting, metric);
    if (!elsewhere) return;
    const Resampled& first = quantities_.area(*metric_, *place(one), parameters);
    const Resampled& second = quantities_.area(*elsewhere->findings, elsewhere->place, parameters);
    compare(fmt::format("area of {} over {} in {}, {}", display_name(one), display_name(other), setting,
                        symbols_of(parameters)),
            fmt::format("{}: mean error over the range of {}, the others selected again: {} {}, {} {} in {}, ratio",
                        place_name_, symbols_of(parameters), display_name(one), text_of(std::exp(first.value)),
                        display_name(other), text_of(std::exp(second.value)), setting),
            difference_of(first, second), below(0));
}

void ClaimCase::sensitive(std::string_view one, const Names& parameters) {
    if (!find(one)) return;
    std::vector<const Resampled*> others;
    for (std::size_t k = 0; k < metric_->algorithms.size(); ++k)
        if (k != *place(one)) others.push_back(&quantities_.area(*metric_, k, parameters));
    if (others.empty()) return leave_open(fmt::format("{} has no other algorithm", place_name_));
    const Resampled& area = quantities_.area(*metric_, *place(one), parameters);
    compare(fmt::format("area of {} over the median, {}", display_name(one), symbols_of(parameters)),
            fmt::format("{}: mean error of {} over the range of {}, the others selected again: {}, ratio to the median "
                        "of the other algorithms",
                        place_name_, display_name(one), symbols_of(parameters), text_of(std::exp(area.value))),
            difference_of(area, median_of(others)), above(0));
}

void ClaimCase::reasonable(std::string_view one, std::string_view parameter, double within) {
    if (!find(one)) return;
    const Names parameters{std::string(parameter)};
    const Resampled& area = quantities_.area(*metric_, *place(one), parameters);
    const Resampled& best = quantities_.best(*metric_, *place(one));
    compare(fmt::format("area of {} over its best, {}", display_name(one), parameter_symbol(parameter)),
            fmt::format("{}: mean error of {} over the range of {}, the others selected again: {}, best score {}, "
                        "ratio",
                        place_name_, display_name(one), parameter_symbol(parameter), text_of(std::exp(area.value)),
                        text_of(std::exp(best.value))),
            difference_of(area, best), below(std::log1p(within)));
}

// ---- Values.

void ClaimCase::best_value(std::string_view one, std::string_view parameter, const Bound& bound, double probability) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const auto place = parameter_place(*algorithm->grid, parameter);
    if (!place) return;
    const double value = *algorithm->best_value(parameter);
    const std::string label = fmt::format("best {} of {} {} {}", parameter_symbol(parameter), display_name(one),
                                          bound.relation, text_of(bound.value));
    std::string line =
        fmt::format("{}: best {} of {} is {}", place_name_, parameter, display_name(one), text_of(value));
    if (std::isinf(algorithm->configurations[algorithm->best].score))
        return leave_open(line + "; every configuration diverged in some run");
    if (algorithm->probabilities_best.empty())
        return add_measured(label, line, bound.holds(value), std::nullopt, {probability, 1},
                            bound.holds(value) ? Verdict::held : Verdict::not_held, Evidence::Unit::share);
    double found = 0;
    for (std::size_t c = 0; c < algorithm->configurations.size(); ++c)
        if (bound.holds(algorithm->grid->value(c, *place))) found += algorithm->probabilities_best[c];
    line += fmt::format(", {} {} with probability {:.2f}", bound.relation, bound.value, found);
    add_measured(label, line, found, std::nullopt, {probability, 1},
                 found >= probability       ? Verdict::held
                 : found <= 1 - probability ? Verdict::not_held
                                            : Verdict::undecided,
                 Evidence::Unit::share);
}

void ClaimCase::better_with(std::string_view one, std::string_view parameter, const Bound& bound, double by) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const auto number = parameter_place(*algorithm->grid, parameter);
    if (!number) return leave_open(fmt::format("{} has no {}", display_name(one), parameter));
    const Resampled& with = quantities_.best_where(*metric_, *place(one), *number, bound, true);
    const Resampled& without = quantities_.best_where(*metric_, *place(one), *number, bound, false);
    const std::string values =
        fmt::format("{} {} {}", parameter_symbol(parameter), bound.relation, text_of(bound.value));
    compare(fmt::format("{} with {} over without", display_name(one), values),
            fmt::format("{}: best score of {} with {} {}, with other values {}, ratio", place_name_, display_name(one),
                        values, text_of(std::exp(with.value)), text_of(std::exp(without.value))),
            difference_of(with, without), below(-std::log1p(by)));
}

void ClaimCase::as_good_with(std::string_view one, std::string_view parameter, const Bound& bound) {
    const std::size_t before = size();
    better_with(one, parameter, bound, 0);
    for (std::size_t k = before; k < size(); ++k) entries_[k].may_touch = true;
}

void ClaimCase::indifferent(std::string_view one, std::string_view parameter) {
    const AlgorithmFindings* algorithm = find(one);
    if (!algorithm) return;
    const std::string label =
        fmt::format("{}, groups whose scores differ with {}", display_name(one), parameter_symbol(parameter));
    const auto place = parameter_place(*algorithm->grid, parameter);
    if (!place)
        return add_measured(label, fmt::format("{}: {} has no {}", place_name_, display_name(one), parameter), 0,
                            std::nullopt, {0, 0}, Verdict::held, Evidence::Unit::share);
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
    add_measured(
        label,
        fmt::format("{}: {}: finite scores differ with {} in {} of {} groups; {} configurations overflow where others "
                    "of their group do not",
                    place_name_, display_name(one), parameter, different, groups.size(), overflows),
        static_cast<double>(different) / static_cast<double>(groups.size()), std::nullopt, {0, 0},
        different == 0 ? Verdict::held : Verdict::not_held, Evidence::Unit::share);
}

}  // namespace bellwether
