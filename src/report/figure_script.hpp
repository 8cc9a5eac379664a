// A figure as a script of gnuplot that holds its data: anyone can change its looks and draw it again.
#pragma once

#include <string>

#include "report/figure_model.hpp"

namespace bellwether {

std::string figure_script(const FigureModel& figure);

}  // namespace bellwether
