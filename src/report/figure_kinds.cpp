#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/names.hpp"
#include "plan/study_figures.hpp"
#include "report/figure_axes.hpp"
#include "report/figure_findings.hpp"
#include "report/figure_parts.hpp"

namespace bellwether {

namespace {

constexpr std::size_t columns_of_algorithms = 4, columns_of_settings = 3;
constexpr double longest_bar = 3;  // times the reference; what is longer is a mark

FigureModel empty_model(const Figure& figure) {
    return {.id = figure.id, .title = figure.title, .caption = {}, .legend = {}, .rows = {}};
}

// Panels with a common axis of errors, so many in a row; the first row has the heading.
void add_in_rows(FigureModel& model, std::vector<Panel> panels, std::size_t columns, const PanelRow& head) {
    for (std::size_t p = 0; p < panels.size(); ++p) {
        if (p % columns == 0) {
            model.rows.push_back(head);
            if (p > 0) model.rows.back().title = model.rows.back().note = "";
        }
        model.rows.back().panels.push_back(std::move(panels[p]));
    }
}

PanelRow head_of(const MetricFindings& findings, std::string note) {
    return {.title = findings.setting->title, .note = std::move(note), .y = {}, .level = {}, .panels = {}};
}

std::optional<std::size_t> number_of(const AlgorithmGrid& grid, std::string_view parameter) {
    const ParameterInfo* found = grid.info->find(parameter);
    if (!found) return std::nullopt;
    return static_cast<std::size_t>(found - grid.info->parameters.data());
}

// The parameter that tells the lines of an algorithm apart: the first of the figure's that it has.
std::optional<std::size_t> line_parameter(const AlgorithmGrid& grid, const Figure& figure) {
    for (const std::string& name : figure.lines)
        if (const auto number = number_of(grid, name)) return number;
    return std::nullopt;
}

// ---- Sensitivity.

std::vector<const AlgorithmFindings*> algorithms_with(const FoundRow& row, std::string_view parameter) {
    std::vector<const AlgorithmFindings*> found;
    for (const std::size_t a : row.row->algorithms)
        if (row.findings->algorithms[a].grid->info->find(parameter)) found.push_back(&row.findings->algorithms[a]);
    return found;
}

// The parameter along the horizontal axis. Where step sizes go with another parameter their values have no order of
// their own, and lie as they are.
ParameterAxis axis_of(const std::vector<const AlgorithmFindings*>& algorithms, const Figure& figure) {
    std::vector<double> places;
    bool has_union = false;
    for (const AlgorithmFindings* algorithm : algorithms) {
        const std::vector<double>& own = algorithm->grid->values[*number_of(*algorithm->grid, figure.x)];
        places.insert(places.end(), own.begin(), own.end());
        has_union = has_union || algorithm->grid->is_union();
    }
    return {parameter_symbol(figure.x), std::move(places), has_union};
}

// Entries for all values that tell lines apart, in their order; an algorithm that has no such parameter has its own.
void add_line_legend(FigureModel& model, const std::vector<FoundRow>& rows, const Figure& figure,
                     const std::vector<double>& values) {
    std::vector<std::string> symbols;
    for (const std::string& name : figure.lines) symbols.push_back(parameter_symbol(name));
    for (std::size_t k = 0; k < values.size(); ++k)
        model.legend.push_back({.key = fmt::format("line-{}", k + 1),
                                .name = fmt::format("{} = {:.6g}", fmt::join(symbols, ", "), values[k]),
                                .style = style_on_ramp(k, values.size())});
    for (const FoundRow& row : rows)
        for (const AlgorithmFindings* algorithm : algorithms_with(row, figure.x))
            if (!line_parameter(*algorithm->grid, figure)) add_to_legend(model.legend, *algorithm, {});
}

FigureLine line_of(const AlgorithmFindings& algorithm, const Figure& figure, std::string key,
                   std::vector<SensitivityPoint> points, const ParameterAxis& axis) {
    const auto by_value = [](const SensitivityPoint& a, const SensitivityPoint& b) { return a.value < b.value; };
    std::stable_sort(points.begin(), points.end(), by_value);
    FigureLine line =
        sensitivity_line(std::move(key), points, algorithm.best, [&](double value) { return axis.coordinate(value); });
    line.on_edge = line.chosen && is_best_on_edge(algorithm, figure.x);
    return line;
}

std::vector<FigureLine> lines_of(const AlgorithmFindings& algorithm, const Figure& figure,
                                 const std::vector<double>& values, const ParameterAxis& axis) {
    const AlgorithmGrid& grid = *algorithm.grid;
    const std::size_t x = *number_of(grid, figure.x);
    std::vector<FigureLine> lines;
    const auto add = [&](std::string key, std::vector<SensitivityPoint> points) {
        lines.push_back(line_of(algorithm, figure, std::move(key), std::move(points), axis));
    };
    const auto of_lines = line_parameter(grid, figure);
    if (!of_lines) {
        add(std::string(algorithm.id()), algorithm.sensitivity(figure.x));
        return lines;
    }
    std::vector<std::vector<SensitivityPoint>> all = sensitivity_lines(grid, algorithm.configurations, x, *of_lines);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto place = std::lower_bound(values.begin(), values.end(), grid.values[*of_lines][k]) - values.begin();
        add(fmt::format("line-{}", place + 1), std::move(all[k]));
    }
    return lines;
}

std::string caption_of_sensitivity(const Figure& figure, std::string_view lines, const FigureModel& model) {
    return fmt::format(
        "The score against {}{}, the other parameters selected again at each point; filled point: the best "
        "configuration; bars: ±1 standard error over runs. Grey dotted line: error of the initial weights. {}",
        parameter_symbol(figure.x), lines, caption_of_edges(model.rows));
}

Panel& panel_with(std::vector<Panel>& panels, const std::string& title, const ParameterAxis& axis) {
    for (Panel& panel : panels)
        if (panel.title == title) return panel;
    return panels.emplace_back(Panel{.title = title, .x = axis.axis(), .lines = {}});
}

// Lines of several settings in a panel for each algorithm, or of several algorithms in a panel for each setting.
std::optional<FigureModel> compared_sensitivity_figure(const std::vector<FoundRow>& rows, const Figure& figure) {
    const bool by_setting = figure.lines.front() == lines_of_settings;
    std::vector<const AlgorithmFindings*> all;
    for (const FoundRow& row : rows)
        for (const AlgorithmFindings* algorithm : algorithms_with(row, figure.x)) all.push_back(algorithm);
    if (all.empty()) return std::nullopt;
    const ParameterAxis axis = axis_of(all, figure);
    FigureModel model = empty_model(figure);
    std::vector<Panel> panels;
    PanelRow head{.title = {}, .note = {}, .y = {}, .level = level_of_start(*rows.front().findings), .panels = {}};
    double top = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const MetricFindings& findings = *rows[r].findings;
        const std::string key = fmt::format("line-{}", r + 1);
        if (by_setting)
            model.legend.push_back(
                {.key = key, .name = findings.setting->title, .style = style_on_ramp(r, rows.size())});
        for (const AlgorithmFindings* algorithm : algorithms_with(rows[r], figure.x)) {
            if (!by_setting) add_to_legend(model.legend, *algorithm, {});
            Panel& panel = panel_with(
                panels, by_setting ? short_name(algorithm->grid->info->name) : findings.setting->title, axis);
            panel.lines.push_back(line_of(*algorithm, figure, by_setting ? key : std::string(algorithm->id()),
                                          algorithm->sensitivity(figure.x), axis));
        }
        top = std::max(top, top_error(findings));
        if (const auto level = level_of_start(findings); !level || !head.level || level->at != head.level->at)
            head.level.reset();
    }
    head.y = error_axis(error_title(*rows.front().findings), values_of(panels), top);
    add_in_rows(model, std::move(panels), columns_of_settings, head);
    leave_out_unseen(model);
    model.caption =
        caption_of_sensitivity(figure, by_setting ? ", a line for each setting" : ", a line for each algorithm", model);
    return model;
}

// ---- Curves.

// "α = 0.03125, λ = 0": the parameters of which the grid has several values, or all where it has none.
std::string parameters_text(const AlgorithmGrid& grid, std::size_t configuration) {
    std::vector<std::string> all;
    for (std::size_t p = 0; p < grid.values.size(); ++p)
        if (grid.values[p].size() > 1)
            all.push_back(fmt::format("{} = {:.4g}", parameter_symbol(grid.info->parameters[p].name),
                                      grid.value(configuration, p)));
    return fmt::format("{}", fmt::join(all, ", "));
}

// The second configuration of an algorithm needs another key, and another dash.
LegendEntry stated_entry(const std::vector<LegendEntry>& legend, const AlgorithmGrid& grid, std::size_t configuration) {
    constexpr std::string_view dashes[] = {"4 2", "1.3 1.5", "5 1.5 1.3 1.5"};
    const std::string id(grid.info->id);
    const auto same = static_cast<std::size_t>(std::count_if(legend.begin(), legend.end(), [&](const auto& entry) {
        return entry.key == id || entry.key.starts_with(id + "--");
    }));
    LegendEntry entry{.key = same == 0 ? id : fmt::format("{}--{}", id, same + 1),
                      .name = short_name(grid.info->name),
                      .note = parameters_text(grid, configuration),
                      .style = style_of(id)};
    if (same > 0) entry.style.dash = dashes[(same - 1) % std::size(dashes)];
    return entry;
}

constexpr const char* caption_of_curves =
    "Mean error after each step at the stated parameters; bands: ±1 standard error over runs. Grey dotted line: error "
    "of the initial weights. ";

// Stated configurations of several settings in one panel.
std::optional<FigureModel> compared_curves_figure(const Findings& findings, const std::vector<FoundRow>& rows,
                                                  const Figure& figure) {
    FigureModel model = empty_model(figure);
    Panel panel{.title = {}, .x = {}, .lines = {}, .kind = PanelKind::curves};
    std::size_t longest = 0;
    double top = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Setting& setting = *rows[r].findings->setting;
        for (std::size_t k = 0; k < rows[r].row->of.size(); ++k) {
            const StatedConfiguration& one = rows[r].row->of[k];
            const LearningCurve* curve = findings.stated_curve(rows[r].row->setting, rows[r].row->metric, one);
            if (!curve) continue;
            LegendEntry entry{.key = fmt::format("line-{}-{}", r + 1, k + 1),
                              .name = setting.title,
                              .note = parameters_text(setting.algorithms[one.algorithm], one.configuration),
                              .style = style_on_ramp(r, rows.size())};
            panel.lines.push_back(curve_line(entry.key, curve->mean, curve->standard_error, &setting));
            model.legend.push_back(std::move(entry));
        }
        longest = std::max(longest, setting.time_of(setting.measurements()));
        top = std::max(top, top_error(*rows[r].findings));
    }
    if (panel.lines.empty()) return std::nullopt;
    const MetricFindings& first = *rows.front().findings;
    panel.x = step_axis(std::string(first.setting->time_unit()), longest);
    PanelRow head = head_of(first, runs_text(first.instances, first.setting->fresh_runs, "fresh"));
    head.title = "";
    head.panels.push_back(std::move(panel));
    head.y = error_axis(error_title(first), values_of(head.panels), top);
    head.level = level_of_start(first);
    model.rows.push_back(std::move(head));
    model.caption = caption_of_curves + caption_of_edges(model.rows);
    return model;
}

}  // namespace

std::vector<double> values_of_lines(const Findings& findings, const Figure& figure) {
    std::set<double> values;
    for (const FoundRow& row : rows_of(findings, figure))
        for (const AlgorithmFindings* algorithm : algorithms_with(row, figure.x))
            if (const auto number = line_parameter(*algorithm->grid, figure))
                values.insert(algorithm->grid->values[*number].begin(), algorithm->grid->values[*number].end());
    return {values.begin(), values.end()};
}

std::optional<FigureModel> sensitivity_figure(const Findings& findings, const Figure& figure) {
    const std::vector<FoundRow> rows = rows_of(findings, figure);
    if (compares(figure)) return compared_sensitivity_figure(rows, figure);
    FigureModel model = empty_model(figure);
    const std::vector<double> values = values_of_lines(findings, figure);
    add_line_legend(model, rows, figure, values);
    for (const FoundRow& row : rows) {
        const std::vector<const AlgorithmFindings*> algorithms = algorithms_with(row, figure.x);
        if (algorithms.empty()) continue;
        const ParameterAxis axis = axis_of(algorithms, figure);
        std::vector<Panel> panels;
        for (const AlgorithmFindings* algorithm : algorithms)
            panels.push_back({.title = short_name(algorithm->grid->info->name),
                              .x = axis.axis(),
                              .lines = lines_of(*algorithm, figure, values, axis)});
        PanelRow head = head_of(*row.findings, note_on_runs(*row.findings, false, true));
        head.y = error_axis(error_title(*row.findings), values_of(panels), top_error(*row.findings));
        head.level = level_of_start(*row.findings);
        add_in_rows(model, std::move(panels), columns_of_algorithms, head);
    }
    if (model.rows.empty()) return std::nullopt;
    leave_out_unseen(model);
    model.caption = caption_of_sensitivity(
        figure, figure.lines.empty() ? "" : ", a line for each value of another parameter", model);
    return model;
}

std::optional<FigureModel> curves_figure(const Findings& findings, const Figure& figure) {
    const std::vector<FoundRow> rows = rows_of(findings, figure);
    if (compares(figure)) return compared_curves_figure(findings, rows, figure);
    FigureModel model = empty_model(figure);
    for (const FoundRow& row : rows) {
        const Setting& setting = *row.findings->setting;
        Panel panel{.title = {},
                    .x = step_axis(std::string(setting.time_unit()), setting.time_of(setting.measurements())),
                    .lines = {},
                    .kind = PanelKind::curves};
        for (const StatedConfiguration& one : row.row->of) {
            const LearningCurve* curve = findings.stated_curve(row.row->setting, row.row->metric, one);
            if (!curve) continue;
            const LegendEntry entry = stated_entry(model.legend, setting.algorithms[one.algorithm], one.configuration);
            panel.lines.push_back(curve_line(entry.key, curve->mean, curve->standard_error, &setting));
            model.legend.push_back(entry);
        }
        if (panel.lines.empty()) continue;
        PanelRow head = head_of(*row.findings, runs_text(row.findings->instances, setting.fresh_runs, "fresh"));
        head.panels.push_back(std::move(panel));
        head.y = error_axis(error_title(*row.findings), values_of(head.panels), top_error(*row.findings));
        head.level = level_of_start(*row.findings);
        model.rows.push_back(std::move(head));
    }
    if (model.rows.empty()) return std::nullopt;
    model.caption = caption_of_curves + caption_of_edges(model.rows);
    return model;
}

std::optional<FigureModel> bars_figure(const Findings& findings, const Figure& figure) {
    FigureModel model = empty_model(figure);
    std::vector<Panel> panels;
    double top = 1;
    std::string title;
    for (const FoundRow& row : rows_of(findings, figure)) {
        const auto reference = row.findings->find(figure.relative_to);
        if (!reference) continue;
        const double base = row.findings->algorithms[*reference].estimate().score;
        Panel panel{.title = row.findings->setting->title, .x = {}, .lines = {}, .kind = PanelKind::bars};
        for (const std::size_t a : row.row->algorithms) {
            const AlgorithmFindings& algorithm = row.findings->algorithms[a];
            const auto place = static_cast<double>(panel.lines.size());
            FigurePoint point{.x = place, .y = ratio_of(algorithm.estimate().score, base)};
            if (row.findings->spread) {
                const Interval interval = row.findings->spread->ratio(a, *reference);
                point.ends = {interval.low, interval.high};
            }
            if (point.y <= longest_bar) top = std::max(top, std::min(point.ends ? point.ends->second : 0, longest_bar));
            top = std::max(top, std::min(point.y, longest_bar));
            add_to_legend(model.legend, algorithm, {});
            panel.x.tics.push_back({place, short_name(algorithm.grid->info->name)});
            panel.lines.push_back({.key = std::string(algorithm.id()), .points = {point}});
        }
        panel.x.low = -0.6, panel.x.high = static_cast<double>(panel.lines.size()) - 0.4;
        title = fmt::format("{} over that of {}", error_title(*row.findings),
                            short_name(row.findings->algorithms[*reference].grid->info->name));
        panels.push_back(std::move(panel));
    }
    if (panels.empty()) return std::nullopt;
    const PanelRow head{
        .title = {}, .note = {}, .y = axis_from_zero(title, top), .level = Level{1, "the same"}, .panels = {}};
    add_in_rows(model, std::move(panels), columns_of_settings, head);
    model.caption =
        "The score of the best configuration of each algorithm over that of the reference; lines: 95% intervals of the "
        "ratio, bootstrap over instances and runs. " +
        caption_of_edges(model.rows);
    return model;
}

}  // namespace bellwether
