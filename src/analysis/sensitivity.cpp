#include "analysis/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace bellwether {

namespace {

// Step sizes, their ratio, and the size of a regulariser act by factors.
constexpr std::array<std::string_view, 4> logarithmic_parameters{"alpha", "alpha-h", "eta", "epsilon"};

}  // namespace

std::string_view name_of(SensitivityView view) {
    return view == SensitivityView::reselected ? "reselected" : "frozen";
}

std::vector<SensitivityPoint> sensitivity_curve(const AlgorithmGrid& grid,
                                                std::span<const ConfigurationScore> configurations, std::size_t best,
                                                std::size_t parameter, SensitivityView view) {
    std::vector<std::size_t> shown;
    if (view == SensitivityView::reselected) {
        shown = select_at_each_value(grid, parameter, [&](std::size_t one, std::size_t other) {
            return is_better(configurations[one], configurations[other]);
        });
    } else {
        for (std::size_t k = 0; k < grid.values[parameter].size(); ++k)
            if (const auto there = grid.at_place(best, parameter, k)) shown.push_back(*there);
    }
    std::vector<SensitivityPoint> points;
    for (const std::size_t c : shown) points.push_back({grid.value(c, parameter), c, configurations[c]});
    return points;
}

std::vector<std::vector<SensitivityPoint>> sensitivity_lines(const AlgorithmGrid& grid,
                                                             std::span<const ConfigurationScore> configurations,
                                                             std::size_t parameter, std::size_t of_lines) {
    const std::vector<double>& values = grid.values[parameter];
    std::vector<std::vector<SensitivityPoint>> lines(grid.values[of_lines].size());
    for (std::vector<SensitivityPoint>& line : lines)
        for (const double value : values) line.push_back({value, configurations.size(), {}});
    for (std::size_t c = 0; c < configurations.size(); ++c) {
        SensitivityPoint& point = lines[grid.place(c, of_lines)][grid.place(c, parameter)];
        if (point.configuration == configurations.size() || is_better(configurations[c], point.score)) {
            point.configuration = c;
            point.score = configurations[c];
        }
    }
    // A grid need not have all pairs of values.
    for (std::vector<SensitivityPoint>& line : lines)
        std::erase_if(line,
                      [&](const SensitivityPoint& point) { return point.configuration == configurations.size(); });
    return lines;
}

Spacing spacing_of(std::string_view parameter) {
    const bool by_factors = std::find(logarithmic_parameters.begin(), logarithmic_parameters.end(), parameter) !=
                            logarithmic_parameters.end();
    return by_factors ? Spacing::logarithmic : Spacing::linear;
}

std::vector<double> spacing_weights(std::span<const double> values, Spacing spacing) {
    if (values.size() == 1) return {1.0};
    const bool positive = std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
    const auto place = [&](std::size_t k) {
        return spacing == Spacing::logarithmic && positive ? std::log(values[k]) : values[k];
    };
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const double width = place(order.back()) - place(order.front());
    std::vector<double> weights(values.size(), 0.0);
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        const double half = (place(order[k + 1]) - place(order[k])) / (2 * width);
        weights[order[k]] += half;
        weights[order[k + 1]] += half;
    }
    return weights;
}

double sensitivity_area(std::span<const double> weights, std::span<const double> scores, double clip) {
    double area = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) area += weights[k] * std::min(scores[k], clip);
    return area;
}

double sensitivity_area(std::span<const SensitivityPoint> points, Spacing spacing, double clip) {
    std::vector<double> values, scores;
    for (const SensitivityPoint& point : points) {
        values.push_back(point.value);
        scores.push_back(point.score.score);
    }
    return sensitivity_area(spacing_weights(values, spacing), scores, clip);
}

}  // namespace bellwether
