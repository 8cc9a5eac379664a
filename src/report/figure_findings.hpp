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
std::optional<FigureModel> study_figure(const Findings& findings, const Figure& figure,
                                        SensitivityView view = SensitivityView::reselected);
// Whether the two views can show something else: some algorithm has two parameters that vary.
bool views_differ(const Findings& findings, const Figure& figure);

// A panel for each duration of an iteration.
std::optional<FigureModel> real_time_figure(const RealTimePanels& panels);

}  // namespace bellwether
