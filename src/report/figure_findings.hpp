// Figures of findings: what each panel shows.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/findings.hpp"
#include "report/figure_model.hpp"
#include "report/real_time_panels.hpp"

namespace bellwether {

// Learning curves and the sensitivity to each parameter that has several values; a row for each setting and metric that
// has findings. None where there is nothing to show. With the other parameters frozen it is a figure of its own,
// "off-policy-frozen", without the curves.
std::optional<FigureModel> overview_figure(const Findings& findings, const Figure& figure,
                                           SensitivityView view = SensitivityView::reselected);
// Whether the two views can show something else: some algorithm has two parameters that vary.
bool views_differ(const Findings& findings, const Figure& figure);

// The other kinds of figures (plan/study.hpp); none where there is nothing to show. The score against one parameter: a
// panel for each algorithm of a setting.
std::optional<FigureModel> sensitivity_figure(const Findings& findings, const Figure& figure);
// The values that its lines stand for, in ascending order; none where each algorithm has one line.
std::vector<double> values_of_lines(const Findings& findings, const Figure& figure);
// Learning curves of stated configurations: a panel for each setting.
std::optional<FigureModel> curves_figure(const Findings& findings, const Figure& figure);
// Scores over that of one algorithm, with intervals: a panel for each setting.
std::optional<FigureModel> bars_figure(const Findings& findings, const Figure& figure);

// A panel for each duration of an iteration.
std::optional<FigureModel> real_time_figure(const RealTimePanels& panels);

}  // namespace bellwether
