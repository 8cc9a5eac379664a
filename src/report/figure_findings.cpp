#include "report/figure_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/names.hpp"
#include "report/figure_axes.hpp"
#include "report/figure_parts.hpp"

namespace bellwether {

namespace {

constexpr std::size_t real_time_columns = 3;

// The parameters that have several values in some row: α, η and λ first, then the others as the rows have them.
std::vector<std::string_view> varied_parameters(std::span<const FoundRow> rows) {
    std::vector<std::string_view> found;
    const auto add = [&](std::string_view name) {
        if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
    };
    const auto for_each_varied = [&](auto use) {
        for (const FoundRow& row : rows)
            for (const AlgorithmFindings& algorithm : row.findings->algorithms)
                for (std::size_t p = 0; p < algorithm.grid->values.size(); ++p)
                    if (algorithm.grid->values[p].size() > 1) use(algorithm.grid->info->parameters[p].name);
    };
    for (const std::string_view first : {"alpha", "eta", "alpha-h", "lambda"})
        for_each_varied([&](std::string_view name) {
            if (name == first) add(name);
        });
    for_each_varied(add);
    return found;
}

Panel curves_panel(const MetricFindings& findings) {
    const Setting& setting = *findings.setting;
    Panel panel{.title = {},
                .x = step_axis(std::string(setting.time_unit()), setting.time_of(setting.measurements())),
                .lines = {},
                .kind = PanelKind::curves};
    for (const AlgorithmFindings& algorithm : findings.algorithms)
        if (const LearningCurve* curve = algorithm.curve(); curve && !curve->mean.empty())
            panel.lines.push_back(curve_line(algorithm.id(), curve->mean, curve->standard_error, &setting));
    return panel;
}

Panel sensitivity_panel(const MetricFindings& findings, std::string_view parameter, SensitivityView view) {
    std::vector<double> values;
    for (const AlgorithmFindings& algorithm : findings.algorithms)
        for (const SensitivityPoint& point : algorithm.sensitivity(parameter, view)) values.push_back(point.value);
    Panel panel{.title = {}, .x = {}, .lines = {}};
    if (values.empty()) return panel;
    const ParameterAxis axis(parameter_symbol(parameter), std::move(values));
    panel.x = axis.axis();
    for (const AlgorithmFindings& algorithm : findings.algorithms) {
        std::vector<SensitivityPoint> points = algorithm.sensitivity(parameter, view);
        if (points.empty()) continue;
        std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
        FigureLine& line = panel.lines.emplace_back(sensitivity_line(
            std::string(algorithm.id()), points, algorithm.best, [&](double value) { return axis.coordinate(value); }));
        line.on_edge = is_best_on_edge(algorithm, parameter);
    }
    return panel;
}

PanelRow study_row(const MetricFindings& findings, std::span<const std::string_view> parameters, bool curves,
                   SensitivityView view) {
    PanelRow row{.title = findings.setting->title.empty() ? findings.setting->id : findings.setting->title,
                 .note = note_on_runs(findings, curves, !parameters.empty()),
                 .y = {},
                 .level = {},
                 .panels = {}};
    if (curves) row.panels.push_back(curves_panel(findings));
    for (const std::string_view parameter : parameters)
        row.panels.push_back(sensitivity_panel(findings, parameter, view));
    row.y = error_axis(error_title(findings), values_of(row.panels), top_error(findings));
    row.level = level_of_start(findings);
    return row;
}

bool has_edges(const PanelRow& row) {
    for (const Panel& panel : row.panels)
        if (std::any_of(panel.lines.begin(), panel.lines.end(), [](const FigureLine& line) { return line.on_edge; }))
            return true;
    return false;
}

std::string caption_of(std::span<const PanelRow> rows, bool curves, bool sensitivity, SensitivityView view) {
    std::string text;
    if (curves) text += "Curves: the best configuration of each algorithm; bands: ±1 standard error over runs. ";
    if (sensitivity)
        text += fmt::format(
            "Sensitivity: the score at each value of a parameter, the others {}; filled point: the best "
            "configuration{}; "
            "bars: ±1 standard error over runs. ",
            view == SensitivityView::reselected ? "selected again at each value" : "as in the best configuration",
            std::any_of(rows.begin(), rows.end(), has_edges)
                ? ", ringed where it lies on the edge of its grid and better ones may lie beyond"
                : "");
    if (std::any_of(rows.begin(), rows.end(), [](const PanelRow& row) { return row.level.has_value(); }))
        text += "Grey dotted line: error of the initial weights. ";
    return text + caption_of_edges(rows);
}

std::string unit_text(std::string_view unit) {
    return unit == "us" ? "µs" : std::string(unit);
}

}  // namespace

bool views_differ(const Findings& findings, const Figure& figure) {
    const auto varies = [](const std::vector<double>& values) { return values.size() > 1; };
    for (const FoundRow& row : rows_of(findings, figure))
        for (const AlgorithmFindings& algorithm : row.findings->algorithms)
            if (std::count_if(algorithm.grid->values.begin(), algorithm.grid->values.end(), varies) > 1) return true;
    return false;
}

std::optional<FigureModel> overview_figure(const Findings& findings, const Figure& figure, SensitivityView view) {
    const std::vector<FoundRow> rows = rows_of(findings, figure);
    const bool frozen = view == SensitivityView::frozen;
    const bool curves = !frozen && std::any_of(rows.begin(), rows.end(), [](const FoundRow& row) {
        const std::vector<AlgorithmFindings>& all = row.findings->algorithms;
        return std::any_of(all.begin(), all.end(), [](const auto& a) { return a.curve(); });
    });
    const std::vector<std::string_view> parameters = varied_parameters(rows);
    if (rows.empty() || (!curves && parameters.empty())) return std::nullopt;

    FigureModel model{.id = figure.id + (frozen ? "-frozen" : ""),
                      .title = figure.title + (frozen ? ": sensitivity with the other parameters frozen" : ""),
                      .caption = {},
                      .legend = {},
                      .rows = {}};
    for (const FoundRow& row : rows) {
        model.rows.push_back(study_row(*row.findings, parameters, curves, view));
        for (const AlgorithmFindings& algorithm : row.findings->algorithms) add_to_legend(model.legend, algorithm, {});
    }
    leave_out_unseen(model);
    std::vector<Panel>& first = model.rows.front().panels;
    if (curves) first.front().title = "Learning curves";
    for (std::size_t p = 0; p < parameters.size(); ++p)
        first[p + (curves ? 1 : 0)].title = fmt::format("Sensitivity to {}", parameter_symbol(parameters[p]));
    model.caption = caption_of(model.rows, curves, !parameters.empty(), view);
    return model;
}

std::optional<FigureModel> real_time_figure(const RealTimePanels& panels) {
    if (panels.durations.empty() || panels.competitors.empty()) return std::nullopt;
    FigureModel model{
        .id = fmt::format("real-time-{}-{}{}", id_of(panels.policy), panels.costs,
                          panels.time == TimeReading::quantised ? "" : fmt::format("-{}", id_of(panels.time))),
        .title = fmt::format("Real time, {}: {}; costs of an update: {}", id_of(panels.time),
                             panels.findings->setting->title, panels.costs),
        .caption = {},
        .legend = {},
        .rows = {}};
    const std::string unit = unit_text(panels.unit);
    for (const RealTimePanels::Competitor& competitor : panels.competitors)
        add_to_legend(model.legend, *competitor.algorithm, fmt::format("{:.3g} {}", competitor.update.mean(), unit));
    std::vector<Panel> all;
    for (std::size_t d = 0; d < panels.durations.size(); ++d) {
        Panel& panel = all.emplace_back(Panel{.title = fmt::format("{:.3g} {} an iteration", panels.durations[d], unit),
                                              .x = step_axis("iteration", panels.iterations),
                                              .lines = {},
                                              .kind = PanelKind::curves});
        for (std::size_t c = 0; c < panels.competitors.size(); ++c)
            panel.lines.push_back(curve_line(panels.competitors[c].algorithm->id(), panels.courses[d][c].errors, {}));
    }
    const Axis y = error_axis(error_title(*panels.findings), values_of(all), top_error(*panels.findings));
    for (std::size_t d = 0; d < all.size(); ++d) {
        if (d % real_time_columns == 0)
            model.rows.push_back({.title = {}, .note = {}, .y = y, .level = {}, .panels = {}});
        model.rows.back().panels.push_back(std::move(all[d]));
    }
    const MetricFindings& metric = *panels.findings;
    model.caption = fmt::format(
        "Mean error of the best configuration of each algorithm after each iteration ({}). An update takes the time "
        "that the legend names, in the mean{}; samples that come meanwhile are lost. {}",
        metric.is_fresh() ? runs_text(metric.instances, metric.fresh_runs, "fresh")
                          : runs_text(metric.instances, metric.runs, "selection"),
        panels.time == TimeReading::quantised ? ", and whole iterations" : "", caption_of_edges(model.rows));
    return model;
}

}  // namespace bellwether
