#include "analysis/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/infinity.hpp"

namespace bellwether {

namespace {

double best_score(const MetricFindings& metric) {
    double least = infinity;
    for (const AlgorithmFindings& algorithm : metric.algorithms)
        least = std::min(least, algorithm.configurations[algorithm.best].score);
    return least;
}

// Of ratios; infinite where one is.
double geometric_mean(std::span<const double> ratios) {
    double sum = 0;
    for (const double ratio : ratios) sum += std::log(ratio);
    return std::exp(sum / static_cast<double>(ratios.size()));
}

// A score over the lowest of its setting; 1 for the lowest itself, be it 0 or infinite.
double over_best(double score, double best) {
    return score == best ? 1 : score / best;
}

void choose(CommonConfiguration& common) {
    std::vector<double> bests;
    for (const MetricFindings* metric : common.settings) bests.push_back(best_score(*metric));
    const auto ratios_of = [&](auto configuration_of) {
        std::vector<double> ratios;
        for (std::size_t s = 0; s < bests.size(); ++s) {
            const AlgorithmFindings& findings = *common.findings[s];
            ratios.push_back(over_best(findings.configurations[configuration_of(findings)].score, bests[s]));
        }
        return ratios;
    };
    common.tuned = geometric_mean(ratios_of([](const AlgorithmFindings& findings) { return findings.best; }));
    for (std::size_t c = 0; c < common.findings.front()->configurations.size(); ++c) {
        std::vector<double> ratios = ratios_of([&](const AlgorithmFindings&) { return c; });
        const double mean = geometric_mean(ratios);
        if (c > 0 && !(mean < common.common)) continue;
        common.configuration = c;
        common.common = mean;
        common.ratios = std::move(ratios);
    }
}

}  // namespace

std::vector<std::size_t> tuning_budgets(std::size_t configurations) {
    std::vector<std::size_t> budgets;
    for (std::size_t decade = 1; decade < configurations; decade *= 10)
        for (const std::size_t step : {1U, 2U, 5U})
            if (decade * step < configurations) budgets.push_back(decade * step);
    budgets.push_back(configurations);
    return budgets;
}

double expected_best(std::span<const double> sorted, std::size_t tried) {
    const auto n = static_cast<double>(sorted.size()), k = static_cast<double>(tried);
    // The probability that the i-th is the lowest of those tried; the next one's is (n−i−k+1)/(n−i) of it.
    double probability = k / n, sum = 0;
    for (std::size_t place = 0; place + tried <= sorted.size(); ++place) {
        sum += probability * sorted[place];
        const double i = static_cast<double>(place) + 1;
        probability *= (n - i - k + 1) / (n - i);
    }
    return sum;
}

TuningCurve tuning_curve(const AlgorithmFindings& algorithm, double initial_error) {
    std::vector<double> scores;
    for (const ConfigurationScore& configuration : algorithm.configurations)
        scores.push_back(std::min(configuration.score, initial_error));
    std::sort(scores.begin(), scores.end());
    TuningCurve curve{tuning_budgets(scores.size()), {}};
    for (const std::size_t tried : curve.tried) curve.score.push_back(expected_best(scores, tried));
    return curve;
}

std::vector<CommonConfiguration> common_configurations(const Findings& findings) {
    std::vector<CommonConfiguration> all;
    for (const MetricFindings& metric : findings.metrics)
        for (const AlgorithmFindings& algorithm : metric.algorithms) {
            const auto same = std::find_if(all.begin(), all.end(), [&](const CommonConfiguration& common) {
                const AlgorithmGrid& grid = *common.findings.front()->grid;
                return common.settings.front()->metric_id() == metric.metric_id() &&
                       grid.info == algorithm.grid->info && grid.values == algorithm.grid->values &&
                       grid.places == algorithm.grid->places;
            });
            CommonConfiguration& common = same == all.end() ? all.emplace_back() : *same;
            common.settings.push_back(&metric);
            common.findings.push_back(&algorithm);
        }
    std::erase_if(all, [](const CommonConfiguration& common) { return common.settings.size() < 2; });
    for (CommonConfiguration& common : all) choose(common);
    return all;
}

GridEdge grid_edge(const AlgorithmGrid& grid, std::size_t configuration, std::size_t parameter) {
    const std::vector<double>& values = grid.values[parameter];
    if (values.size() < 2) return GridEdge::inside;
    const double value = grid.value(configuration, parameter);
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const Range& range = grid.info->parameters[parameter].range;
    if (value == *least) return range.includes_minimum && value == range.minimum ? GridEdge::bound : GridEdge::least;
    if (value == *greatest) return value == range.maximum ? GridEdge::bound : GridEdge::greatest;
    return GridEdge::inside;
}

std::string_view name_of(GridEdge edge) {
    constexpr std::string_view names[] = {"inside", "least", "greatest", "bound"};
    return names[static_cast<std::size_t>(edge)];
}

std::string_view mark_of(GridEdge edge) {
    return edge == GridEdge::least ? "⇤" : edge == GridEdge::greatest ? "⇥" : "";
}

bool is_open_edge(GridEdge edge) {
    return edge == GridEdge::least || edge == GridEdge::greatest;
}

bool is_on_open_edge(const AlgorithmGrid& grid, std::size_t configuration) {
    for (std::size_t p = 0; p < grid.values.size(); ++p)
        if (is_open_edge(grid_edge(grid, configuration, p))) return true;
    return false;
}

std::string edges_text(const AlgorithmGrid& grid, std::size_t configuration) {
    std::vector<std::string> texts;
    for (std::size_t p = 0; p < grid.values.size(); ++p)
        if (const GridEdge edge = grid_edge(grid, configuration, p); edge != GridEdge::inside)
            texts.push_back(fmt::format("{} {}", grid.info->parameters[p].name, name_of(edge)));
    return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace bellwether
