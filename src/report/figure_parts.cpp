#include "report/figure_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/names.hpp"
#include "analysis/tuning.hpp"
#include "report/figure_layout.hpp"

namespace bellwether {

namespace {

constexpr std::size_t points_of_curve = 250;
constexpr double highest_top = 3;  // times the error of w_0

bool goes_below(const PanelRow& row) {
    const std::vector<double> values = values_of(row.panels);
    return std::any_of(values.begin(), values.end(), [&](double value) { return value < row.y.low; });
}

bool has_marks(const PanelRow& row) {
    return std::any_of(row.panels.begin(), row.panels.end(),
                       [&](const Panel& panel) { return is_beyond(panel, row.y); });
}

}  // namespace

FigureLine curve_line(std::string_view key, std::span<const double> values, std::span<const double> errors,
                      const Setting* setting) {
    FigureLine line{.key = std::string(key), .points = {}};
    const std::size_t step = std::max<std::size_t>(1, values.size() / points_of_curve);
    bool finite_before = true;
    for (std::size_t t = 0; t < values.size(); ++t) {
        const bool finite = std::isfinite(values[t]);
        if (t % step == 0 || t + 1 == values.size() || finite != finite_before)
            line.points.push_back(
                {static_cast<double>(setting ? setting->time_of(t) : t), values[t], errors.empty() ? 0 : errors[t]});
        finite_before = finite;
    }
    return line;
}

std::vector<double> values_of(std::span<const Panel> panels) {
    std::vector<double> values;
    for (const Panel& panel : panels)
        for (const FigureLine& line : panel.lines)
            for (const FigurePoint& point : line.points) values.push_back(point.y);
    return values;
}

std::string error_title(const MetricFindings& findings) {
    std::string result(findings.metric_id());
    for (char& c : result)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return result;
}

double top_error(const MetricFindings& findings) {
    const double initial = findings.initial_error;
    double top = initial;
    for (const AlgorithmFindings& algorithm : findings.algorithms) {
        const double score = algorithm.estimate().score;
        if (std::isfinite(score) && (initial <= 0 || score < highest_top * initial)) top = std::max(top, score);
    }
    return top;
}

std::optional<Level> level_of_start(const MetricFindings& findings) {
    const Metric metric = findings.setting->metrics[findings.metric].metric;
    if (metric_info(metric).depends_on_lambda() || findings.initial_error <= 0) return std::nullopt;
    return Level{findings.initial_error, "initial weights"};
}

bool is_best_on_edge(const AlgorithmFindings& algorithm, std::string_view parameter) {
    const AlgorithmInfo& info = *algorithm.grid->info;
    const auto number = static_cast<std::size_t>(info.find(parameter) - info.parameters.data());
    return is_open_edge(grid_edge(*algorithm.grid, algorithm.best, number));
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
                           setting.errors_of_run(), setting.every);
    if (setting.measures_before)
        return fmt::format("{}; score: mean error before the last {} of {} steps", runs, scored, setting.steps);
    return fmt::format("{}; score: mean error of the last {} of {} {}s", runs, scored, setting.measurements(),
                       setting.time_unit());
}

std::string caption_of_edges(std::span<const PanelRow> rows) {
    std::string text;
    if (std::any_of(rows.begin(), rows.end(), has_marks)) text += "Off scale: ▲ above the axis, × some run diverged. ";
    if (std::any_of(rows.begin(), rows.end(), goes_below)) text += "On the lower edge: below the axis. ";
    return text;
}

void add_to_legend(std::vector<LegendEntry>& legend, const AlgorithmFindings& algorithm, std::string note) {
    const auto same = [&](const LegendEntry& entry) { return entry.key == algorithm.id(); };
    if (std::none_of(legend.begin(), legend.end(), same))
        legend.push_back({std::string(algorithm.id()), short_name(algorithm.grid->info->name), std::move(note),
                          style_of(algorithm.id())});
}

void leave_out_unseen(FigureModel& model) {
    std::erase_if(model.legend, [&](const LegendEntry& entry) {
        for (const PanelRow& row : model.rows)
            for (const Panel& panel : row.panels)
                for (const FigureLine& line : panel.lines)
                    if (line.key == entry.key) return false;
        return true;
    });
}

std::vector<FoundRow> rows_of(const Findings& findings, const Figure& figure) {
    std::vector<FoundRow> rows;
    for (const FigureRow& row : figure.rows) {
        const Setting& setting = findings.study->settings[row.setting];
        if (const MetricFindings* found = findings.find(setting.id, setting.metrics[row.metric].id()))
            rows.push_back({&row, found});
    }
    return rows;
}

}  // namespace bellwether
