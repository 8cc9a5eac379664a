// The figures of an evaluation and of a tuning, as scripts of gnuplot that hold their data.
#pragma once

#include <vector>

#include "logs/evaluation.hpp"
#include "logs/tuning.hpp"
#include "report/figures.hpp"

namespace bellwether {

// Estimates with their intervals on one axis; the effective sample over the horizon.
std::vector<FigureScript> evaluation_figures(const PolicyEvaluation& evaluation);

// The score over the step size, a line for each algorithm, the other parameters selected again at each value.
std::vector<FigureScript> tuning_figures(const Tuning& tuning);

}  // namespace bellwether
