// What tuning costs: how good a configuration is found with how many tries, how good one is that serves every setting,
// and whether the best one may lie beyond the grid.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.hpp"

namespace bellwether {

// ---- How many tries

// 1, 2, 5, 10, 20, ... and all of them.
std::vector<std::size_t> tuning_budgets(std::size_t configurations);

// The lowest of `tried` scores in expectation, if that many different configurations are drawn at random from a grid of
// n:
//     Σ_i s_(i) C(n−i, tried−1) / C(n, tried)
// with s_(1) ≤ … ≤ s_(n), `sorted`. Infinite where there are infinite ones that all tries may hit.
double expected_best(std::span<const double> sorted, std::size_t tried);

// The same for each budget, with scores clipped at the error of w_0: who finds nothing better does not learn.
struct TuningCurve {
    std::vector<std::size_t> tried;
    std::vector<double> score;
};
TuningCurve tuning_curve(const AlgorithmFindings& algorithm, double initial_error);

// ---- One configuration for several settings

// The configuration of an algorithm that has the lowest geometric mean of score over the setting's best (the lowest
// score of any algorithm in it) in all settings which are measured alike and have the same grid.
struct CommonConfiguration {
    std::vector<const MetricFindings*> settings{};
    std::vector<const AlgorithmFindings*> findings{};  // the algorithm in each of them
    std::size_t configuration = 0;                     // number within the grid
    std::vector<double> ratios{};                      // in each setting; infinite where it diverged
    double common = 0;                                 // geometric mean of these
    double tuned = 0;                                  // of the best configurations of each setting
};
// By metric and algorithm, in the order of the findings; of algorithms that have two settings or more.
std::vector<CommonConfiguration> common_configurations(const Findings& findings);

// ---- The edge of the grid

// Where the value of a configuration lies among those that a parameter was given.
enum class GridEdge {
    inside,    // or the parameter has one value
    least,     // what lies below was not tried
    greatest,  // what lies above was not tried
    bound      // at an end of the grid that is also the end of what the parameter may be, as λ = 1
};
GridEdge grid_edge(const AlgorithmGrid& grid, std::size_t configuration, std::size_t parameter);
std::string_view name_of(GridEdge edge);
// "⇤" and "⇥" where better ones may lie below or above, else "".
std::string_view mark_of(GridEdge edge);
// Whether better ones may lie beyond the grid.
bool is_open_edge(GridEdge edge);
bool is_on_open_edge(const AlgorithmGrid& grid, std::size_t configuration);
// "alpha greatest, lambda bound"; empty where all are inside.
std::string edges_text(const AlgorithmGrid& grid, std::size_t configuration);

}  // namespace bellwether
