// How much an algorithm's score depends on one of its parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/selection.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

// What becomes of the other parameters where one is varied: they are selected again at each of its values, so as to
// minimise the score (White & White 2016), or they stay as in the best configuration of all.
enum class SensitivityView { reselected, frozen };
inline constexpr SensitivityView sensitivity_views[] = {SensitivityView::reselected, SensitivityView::frozen};
std::string_view name_of(SensitivityView view);

// One value of a parameter.
struct SensitivityPoint {
    double value;
    std::size_t configuration;  // number within the grid
    ConfigurationScore score;
};

// A point for each value of the parameter (number in the algorithm's list), in the order of the grid. The point at the
// best configuration's own value is the best configuration in both views. A union of grids need not have every value
// beside the others of the best configuration: then there are fewer points of the frozen view.
std::vector<SensitivityPoint> sensitivity_curve(const AlgorithmGrid& grid,
                                                std::span<const ConfigurationScore> configurations, std::size_t best,
                                                std::size_t parameter, SensitivityView view);

// A curve for each value of a second parameter, in the order of the grid: the remaining ones selected again at each
// pair of values.
std::vector<std::vector<SensitivityPoint>> sensitivity_lines(const AlgorithmGrid& grid,
                                                             std::span<const ConfigurationScore> configurations,
                                                             std::size_t parameter, std::size_t of_lines);

// The configuration that is selected at each value of a parameter, in the order of the grid: of those with that value,
// the first that no other is better than. `better` compares two numbers of configurations.
template <class Better>
std::vector<std::size_t> select_at_each_value(const AlgorithmGrid& grid, std::size_t parameter, Better better) {
    constexpr std::size_t none = SIZE_MAX;
    std::vector<std::size_t> selected(grid.values[parameter].size(), none);
    for (std::size_t c = 0; c < grid.configurations(); ++c) {
        std::size_t& best = selected[grid.place(c, parameter)];
        if (best == none || better(c, best)) best = c;
    }
    return selected;
}

// What lies evenly on a parameter's own scale: its values, or their logarithms where it acts by factors.
enum class Spacing { linear, logarithmic };
Spacing spacing_of(std::string_view parameter);

// How much of the way from the least to the greatest value each one stands for: the weights of the trapezoid rule on
// the parameter's own scale, divided by the width, so that they add up to 1. Values in any order; one alone has weight
// 1. A grid that has values which are not positive has no logarithms and is linear.
std::vector<double> spacing_weights(std::span<const double> values, Spacing spacing);

// The area under the curve of min(score, clip), by the trapezoid rule on the parameter's own scale, divided by the
// width:
//     Σ_k weight_k min(score_k, clip)
// a mean error over the parameter's range, between the best score and the clip. The clip is the error of w_0
// (MetricFindings::initial_error): a value at which the algorithm is worse than that, or diverges, is useless and no
// more.
double sensitivity_area(std::span<const double> weights, std::span<const double> scores, double clip);
double sensitivity_area(std::span<const SensitivityPoint> points, Spacing spacing, double clip);

}  // namespace bellwether
