// What the rows of several tables have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/findings.hpp"
#include "report/table.hpp"

namespace bellwether {

// "setting,metric,algorithm"
std::vector<Table::Cell> front_cells(const MetricFindings& metric, const AlgorithmFindings& algorithm);

// The study's parameters in a configuration; empty for those that the algorithm does not have. People are shown where a
// value lies on the edge of its grid.
void add_parameters(const Study& study, const AlgorithmGrid& grid, std::size_t configuration,
                    std::vector<Table::Cell>& row);
// The columns of a table with the study's parameters in the midst.
std::vector<std::string> with_parameters(const Study& study, std::vector<std::string> front,
                                         std::vector<std::string> back);

// A mean score; people are told what it hides.
Table::Cell score_cell(double score, const RobustStatistics* statistics, double initial_error);

template <class Use>
void for_each_algorithm(const Findings& findings, Use use) {
    for (const MetricFindings& metric : findings.metrics)
        for (const AlgorithmFindings& algorithm : metric.algorithms) use(metric, algorithm);
}

}  // namespace bellwether
