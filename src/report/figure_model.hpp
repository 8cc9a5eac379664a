// A figure before it is drawn: rows of panels with their axes and lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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
    double y;          // infinite where a run diverged
    double error = 0;  // half the length of the bar
};

// One algorithm in a panel.
struct FigureLine {
    std::string algorithm;  // id
    std::vector<FigurePoint> points;
    std::optional<std::size_t> chosen{};  // the point of the best configuration
    bool on_edge = false;                 // and better ones may lie beyond it
};

struct Panel {
    std::string title;
    Axis x;
    std::vector<FigureLine> lines;
    bool curves = false;  // lines with bands and a name at the right end; else points with bars
};

struct PanelRow {
    std::string title, note;
    Axis y;
    std::optional<double> initial_error;  // drawn as a line across
    std::vector<Panel> panels;
};

struct LegendEntry {
    std::string algorithm;  // id
    std::string name;       // at the ends of curves
    std::string note{};     // in the legend, behind the name
};

struct FigureModel {
    std::string id, title, caption;
    std::vector<LegendEntry> legend;  // every algorithm of the panels
    std::vector<PanelRow> rows;
};

}  // namespace bellwether
