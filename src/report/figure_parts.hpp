// What figures of findings are put together from.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.hpp"
#include "report/figure_model.hpp"

namespace bellwether {

// Some of the values, the last one among them; also the first that is infinite. They stand where a setting measures, or
// at 0, 1, 2, …
FigureLine curve_line(std::string_view key, std::span<const double> values, std::span<const double> errors,
                      const Setting* setting = nullptr);

// The line of an algorithm over one of its parameters; points in the order of the values. `coordinate` says where they
// are.
template <class Coordinate>
FigureLine sensitivity_line(std::string key, std::span<const SensitivityPoint> points, std::size_t best,
                            Coordinate coordinate) {
    FigureLine line{.key = std::move(key), .points = {}};
    for (const SensitivityPoint& point : points) {
        if (point.configuration == best) line.chosen = line.points.size();
        line.points.push_back({coordinate(point.value), point.score.score, point.score.standard_error.value_or(0)});
    }
    return line;
}

std::vector<double> values_of(std::span<const Panel> panels);

// "RMSVE"
std::string error_title(const MetricFindings& findings);
// How high an axis of errors goes: to the error of w_0, or to the worst of the best scores where that is higher and not
// out of all proportion.
double top_error(const MetricFindings& findings);
// The error of w_0; none where it depends on λ, as projected errors do.
std::optional<Level> level_of_start(const MetricFindings& findings);
// Whether the values of a panel lie on an open edge of the grid.
bool is_best_on_edge(const AlgorithmFindings& algorithm, std::string_view parameter);

// "30 instances × 100 fresh runs"
std::string runs_text(std::size_t instances, std::size_t runs, std::string_view kind);
std::string note_on_runs(const MetricFindings& findings, bool curves, bool sensitivity);
// What marks beyond the axes mean, where there are some.
std::string caption_of_edges(std::span<const PanelRow> rows);

void add_to_legend(std::vector<LegendEntry>& legend, const AlgorithmFindings& algorithm, std::string note);
void leave_out_unseen(FigureModel& model);

// Those rows of a figure that have findings.
struct FoundRow {
    const FigureRow* row;
    const MetricFindings* findings;
};
std::vector<FoundRow> rows_of(const Findings& findings, const Figure& figure);

}  // namespace bellwether
