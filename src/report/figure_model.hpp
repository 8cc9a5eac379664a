// A figure before it is drawn: rows of panels with their axes and lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/style.hpp"

namespace bellwether {

struct AxisTic {
    double at;
    std::string label{};  // enhanced text of gnuplot; none for a minor tic
};

struct Axis {
    double low = 0, high = 1;
    int logarithm = 0;  // its base; 0 on a linear axis
    std::string title{};
    std::vector<AxisTic> tics{};

    // 0 at the low end and 1 at the high end; values beyond are at the end.
    double place(double value) const;
};

struct FigurePoint {
    double x;
    double y;                                         // infinite where a run diverged
    double error = 0;                                 // half the length of the bar,
    std::optional<std::pair<double, double>> ends{};  // or its ends
};

// One algorithm in a panel, or one value of a parameter.
struct FigureLine {
    std::string key;  // of its entry in the legend
    std::vector<FigurePoint> points;
    std::optional<std::size_t> chosen{};  // the point of the best configuration
    bool on_edge = false;                 // and better ones may lie beyond it
};

enum class PanelKind {
    points,  // with bars, and lines between them
    curves,  // lines with bands and a name at the right end
    bars     // from 0, one for each line, whose only point it is
};

struct Panel {
    std::string title;
    Axis x;
    std::vector<FigureLine> lines;
    PanelKind kind = PanelKind::points;
};

// A dotted line across.
struct Level {
    double at;
    std::string name;
};

struct PanelRow {
    std::string title, note;
    Axis y;
    std::optional<Level> level;
    std::vector<Panel> panels;
};

struct LegendEntry {
    std::string key;     // an algorithm's id, or what else tells lines apart: letters, digits and -
    std::string name;    // at the ends of curves
    std::string note{};  // in the legend, behind the name
    LineStyle style{};
};

struct FigureModel {
    std::string id, title, caption;
    std::vector<LegendEntry> legend;  // every line of the panels
    std::vector<PanelRow> rows;

    const LegendEntry& entry(std::string_view key) const;
};

}  // namespace bellwether
