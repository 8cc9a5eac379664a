#include "report/robust_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/tuning.hpp"
#include "report/table_rows.hpp"

namespace bellwether {

namespace {

using Cell = Table::Cell;

void add_spread(const Spread& spread, std::vector<Cell>& row) {
    row.insert(row.end(), {spread.value, spread.interval.low, spread.interval.high});
}

}  // namespace

Table robust_table(const Findings& findings) {
    Table table({"setting", "metric", "algorithm", "stage", "score", "iqm", "iqm_low", "iqm_high", "median",
                 "median_low", "median_high", "runs", "diverged", "failed", "failure_rate", "failure_low",
                 "failure_high"});
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        if (!algorithm.robust) return;
        const RobustStatistics& statistics = *algorithm.robust;
        std::vector<Cell> row = front_cells(metric, algorithm);
        row.emplace_back(metric.is_fresh() ? "fresh" : "selection");
        row.push_back(score_cell(algorithm.estimate().score, &statistics, metric.initial_error));
        add_spread(statistics.interquartile_mean, row);
        add_spread(statistics.median, row);
        row.insert(row.end(), {statistics.runs, statistics.diverged, statistics.failed, statistics.failure_rate(),
                               statistics.failure_interval.low, statistics.failure_interval.high});
        table.add(std::move(row));
    });
    return table;
}

Table profile_table(const Findings& findings) {
    Table table({"setting", "metric", "algorithm", "threshold", "share", "low", "high"});
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        if (!algorithm.robust) return;
        for (std::size_t k = 0; k < metric.thresholds.size(); ++k) {
            std::vector<Cell> row = front_cells(metric, algorithm);
            row.emplace_back(metric.thresholds[k]);
            add_spread(algorithm.robust->profile[k], row);
            table.add(std::move(row));
        }
    });
    return table;
}

Table tuning_table(const Findings& findings) {
    Table table({"setting", "metric", "algorithm", "configurations", "tried", "expected_score"});
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        const TuningCurve curve = tuning_curve(algorithm, metric.initial_error);
        for (std::size_t k = 0; k < curve.tried.size(); ++k) {
            std::vector<Cell> row = front_cells(metric, algorithm);
            row.insert(row.end(), {algorithm.configurations.size(), curve.tried[k], curve.score[k]});
            table.add(std::move(row));
        }
    });
    return table;
}

Table common_configuration_table(const Findings& findings) {
    Table table(with_parameters(*findings.study, {"metric", "algorithm", "settings"},
                                {"edges", "common_over_best", "tuned_over_best", "worst_over_best", "worst_setting"}));
    for (const CommonConfiguration& common : common_configurations(findings)) {
        const AlgorithmGrid& grid = *common.findings.front()->grid;
        std::vector<std::string> settings;
        for (const MetricFindings* metric : common.settings) settings.push_back(metric->setting->id);
        const auto worst = std::max_element(common.ratios.begin(), common.ratios.end()) - common.ratios.begin();
        std::vector<Cell> row{common.settings.front()->metric_id(), grid.info->id,
                              fmt::format("{}", fmt::join(settings, " "))};
        add_parameters(*findings.study, grid, common.configuration, row);
        row.insert(row.end(),
                   {edges_text(grid, common.configuration), common.common, common.tuned,
                    common.ratios[static_cast<std::size_t>(worst)], settings[static_cast<std::size_t>(worst)]});
        table.add(std::move(row));
    }
    return table;
}

}  // namespace bellwether
