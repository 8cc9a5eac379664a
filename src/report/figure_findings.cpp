#include "report/figure_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/names.hpp"
#include "analysis/tuning.hpp"
#include "report/figure_axes.hpp"
#include "report/figure_layout.hpp"
#include "report/style.hpp"

namespace bellwether {

namespace {

constexpr std::size_t points_of_curve = 250;
constexpr std::size_t real_time_columns = 3;
constexpr double highest_top = 3;  // times the error of w_0

std::string upper_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return result;
}

// About points_of_curve of the values, the last one among them; also the first that is infinite. `time_of` says where
// the values stand.
template <class TimeOf>
FigureLine curve_line(std::string_view algorithm, std::span<const double> values, std::span<const double> errors,
                      TimeOf time_of) {
    FigureLine line{.algorithm = std::string(algorithm), .points = {}};
    const std::size_t step = std::max<std::size_t>(1, values.size() / points_of_curve);
    bool finite_before = true;
    for (std::size_t t = 0; t < values.size(); ++t) {
        const bool finite = std::isfinite(values[t]);
        if (t % step == 0 || t + 1 == values.size() || finite != finite_before)
            line.points.push_back({static_cast<double>(time_of(t)), values[t], errors.empty() ? 0 : errors[t]});
        finite_before = finite;
    }
    return line;
}

// The parameters that have several values in some row: α, η and λ first, then the others as the rows have them.
std::vector<std::string_view> varied_parameters(std::span<const MetricFindings* const> rows) {
    std::vector<std::string_view> found;
    const auto add = [&](std::string_view name) {
        if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
    };
    const auto for_each_varied = [&](auto use) {
        for (const MetricFindings* row : rows)
            for (const AlgorithmFindings& algorithm : row->algorithms)
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
                .curves = true};
    for (const AlgorithmFindings& algorithm : findings.algorithms)
        if (const LearningCurve* curve = algorithm.curve(); curve && !curve->mean.empty())
            panel.lines.push_back(curve_line(algorithm.id(), curve->mean, curve->standard_error,
                                             [&](std::size_t t) { return setting.time_of(t); }));
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
        FigureLine line{.algorithm = std::string(algorithm.id()), .points = {}};
        const AlgorithmInfo& info = *algorithm.grid->info;
        const auto number = static_cast<std::size_t>(info.find(parameter) - info.parameters.data());
        line.on_edge = is_open_edge(grid_edge(*algorithm.grid, algorithm.best, number));
        for (const SensitivityPoint& point : points) {
            if (point.configuration == algorithm.best) line.chosen = line.points.size();
            line.points.push_back(
                {axis.coordinate(point.value), point.score.score, point.score.standard_error.value_or(0)});
        }
        panel.lines.push_back(std::move(line));
    }
    return panel;
}

std::vector<double> values_of(std::span<const Panel> panels) {
    std::vector<double> values;
    for (const Panel& panel : panels)
        for (const FigureLine& line : panel.lines)
            for (const FigurePoint& point : line.points) values.push_back(point.y);
    return values;
}

// The error of w_0, or the worst of the best scores where that is higher and not out of all proportion.
double top_error(const MetricFindings& findings) {
    const double initial = findings.initial_error;
    double top = initial;
    for (const AlgorithmFindings& algorithm : findings.algorithms) {
        const double score = algorithm.estimate().score;
        if (std::isfinite(score) && (initial <= 0 || score < highest_top * initial)) top = std::max(top, score);
    }
    return top;
}

std::string runs_text(std::size_t instances, std::size_t runs, std::string_view kind) {
    const std::string text = fmt::format("{} {} {}", runs, kind, runs == 1 ? "run" : "runs");
    return instances > 1 ? fmt::format("{} instances × {}", instances, text) : text;
}

std::string note_on_runs(const MetricFindings& findings, bool curves, bool sensitivity) {
    const std::string selection = runs_text(findings.instances, findings.runs, "selection");
    const std::string fresh = runs_text(findings.instances, findings.fresh_runs, "fresh");
    const std::string runs = !curves || !findings.is_fresh() ? selection
                             : sensitivity ? fmt::format("learning curves: {}; sensitivity: {}", fresh, selection)
                                           : fresh;
    const Setting& setting = *findings.setting;
    const std::size_t scored = setting.metrics[findings.metric].scored;
    if (setting.every > 1)
        return fmt::format("{}; score: mean of the last {} of {} errors, each {} steps after the other", runs, scored,
                           setting.measurements(), setting.every);
    return fmt::format("{}; score: mean error of the last {} of {} {}s", runs, scored, setting.measurements(),
                       setting.time_unit());
}

// Projected errors depend on λ, so that there is not one error of w_0.
bool has_one_initial_error(const MetricFindings& findings) {
    const Metric metric = findings.setting->metrics[findings.metric].metric;
    return !metric_info(metric).depends_on_lambda() && findings.initial_error > 0;
}

PanelRow study_row(const MetricFindings& findings, std::span<const std::string_view> parameters, bool curves,
                   SensitivityView view) {
    PanelRow row{.title = findings.setting->title.empty() ? findings.setting->id : findings.setting->title,
                 .note = note_on_runs(findings, curves, !parameters.empty()),
                 .y = {},
                 .initial_error = {},
                 .panels = {}};
    if (curves) row.panels.push_back(curves_panel(findings));
    for (const std::string_view parameter : parameters)
        row.panels.push_back(sensitivity_panel(findings, parameter, view));
    row.y = error_axis(upper_case(findings.metric_id()), values_of(row.panels), top_error(findings));
    if (has_one_initial_error(findings)) row.initial_error = findings.initial_error;
    return row;
}

void add_to_legend(std::vector<LegendEntry>& legend, const AlgorithmFindings& algorithm, std::string note) {
    const auto same = [&](const LegendEntry& entry) { return entry.algorithm == algorithm.id(); };
    if (std::none_of(legend.begin(), legend.end(), same))
        legend.push_back({std::string(algorithm.id()), short_name(algorithm.grid->info->name), std::move(note)});
}

void leave_out_unseen(FigureModel& model) {
    std::erase_if(model.legend, [&](const LegendEntry& entry) {
        for (const PanelRow& row : model.rows)
            for (const Panel& panel : row.panels)
                for (const FigureLine& line : panel.lines)
                    if (line.algorithm == entry.algorithm) return false;
        return true;
    });
}

bool goes_below(const PanelRow& row) {
    const std::vector<double> values = values_of(row.panels);
    return std::any_of(values.begin(), values.end(), [&](double value) { return value < row.y.low; });
}

bool has_marks(const PanelRow& row) {
    return std::any_of(row.panels.begin(), row.panels.end(),
                       [&](const Panel& panel) { return is_beyond(panel, row.y); });
}

std::string caption_of_edges(std::span<const PanelRow> rows) {
    std::string text;
    if (std::any_of(rows.begin(), rows.end(), has_marks)) text += "Off scale: ▲ above the axis, × some run diverged. ";
    if (std::any_of(rows.begin(), rows.end(), goes_below)) text += "On the lower edge: below the axis. ";
    return text;
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
    if (std::any_of(rows.begin(), rows.end(), [](const PanelRow& row) { return row.initial_error.has_value(); }))
        text += "Grey dotted line: error of the initial weights. ";
    return text + caption_of_edges(rows);
}

// Those that have findings.
std::vector<const MetricFindings*> rows_of(const Findings& findings, const Figure& figure) {
    std::vector<const MetricFindings*> rows;
    for (const FigureRow& row : figure.rows) {
        const Setting& setting = findings.study->settings[row.setting];
        if (const MetricFindings* found = findings.find(setting.id, setting.metrics[row.metric].id()))
            rows.push_back(found);
    }
    return rows;
}

std::string unit_text(std::string_view unit) {
    return unit == "us" ? "µs" : std::string(unit);
}

}  // namespace

bool views_differ(const Findings& findings, const Figure& figure) {
    const auto varies = [](const std::vector<double>& values) { return values.size() > 1; };
    for (const MetricFindings* row : rows_of(findings, figure))
        for (const AlgorithmFindings& algorithm : row->algorithms)
            if (std::count_if(algorithm.grid->values.begin(), algorithm.grid->values.end(), varies) > 1) return true;
    return false;
}

std::optional<FigureModel> study_figure(const Findings& findings, const Figure& figure, SensitivityView view) {
    const std::vector<const MetricFindings*> rows = rows_of(findings, figure);
    const bool frozen = view == SensitivityView::frozen;
    const bool curves = !frozen && std::any_of(rows.begin(), rows.end(), [](const MetricFindings* row) {
        return std::any_of(row->algorithms.begin(), row->algorithms.end(), [](const auto& a) { return a.curve(); });
    });
    const std::vector<std::string_view> parameters = varied_parameters(rows);
    if (rows.empty() || (!curves && parameters.empty())) return std::nullopt;

    FigureModel model{.id = figure.id + (frozen ? "-frozen" : ""),
                      .title = figure.title + (frozen ? ": sensitivity with the other parameters frozen" : ""),
                      .caption = {},
                      .legend = {},
                      .rows = {}};
    for (const MetricFindings* row : rows) {
        model.rows.push_back(study_row(*row, parameters, curves, view));
        for (const AlgorithmFindings& algorithm : row->algorithms) add_to_legend(model.legend, algorithm, {});
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
                                              .curves = true});
        for (std::size_t c = 0; c < panels.competitors.size(); ++c)
            panel.lines.push_back(curve_line(panels.competitors[c].algorithm->id(), panels.courses[d][c].errors, {},
                                             [](std::size_t t) { return t; }));
    }
    const Axis y = error_axis(upper_case(panels.findings->metric_id()), values_of(all), top_error(*panels.findings));
    for (std::size_t d = 0; d < all.size(); ++d) {
        if (d % real_time_columns == 0)
            model.rows.push_back({.title = {}, .note = {}, .y = y, .initial_error = {}, .panels = {}});
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
