#include "report/table_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/tuning.hpp"

namespace bellwether {

using Cell = Table::Cell;

std::vector<Cell> front_cells(const MetricFindings& metric, const AlgorithmFindings& algorithm) {
    return {metric.setting->id, metric.metric_id(), algorithm.id()};
}

void add_parameters(const Study& study, const AlgorithmGrid& grid, std::size_t configuration, std::vector<Cell>& row) {
    for (const std::string_view name : study.parameter_names()) {
        const ParameterInfo* found = grid.info->find(name);
        Cell& cell = row.emplace_back();
        if (!found) continue;
        const auto parameter = static_cast<std::size_t>(found - grid.info->parameters.data());
        cell = Cell(grid.value(configuration, parameter));
        cell.brief += mark_of(grid_edge(grid, configuration, parameter));
    }
}

std::vector<std::string> with_parameters(const Study& study, std::vector<std::string> front,
                                         std::vector<std::string> back) {
    for (const std::string_view name : study.parameter_names()) front.emplace_back(name);
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

Cell score_cell(double score, const RobustStatistics* statistics, double initial_error) {
    Cell cell(score);
    if (statistics && hides_its_runs(score, statistics->median.value, initial_error))
        cell.brief = fmt::format("{} ({})", std::isfinite(score) ? cell.brief : "∞", what_it_hides(*statistics));
    return cell;
}

}  // namespace bellwether
