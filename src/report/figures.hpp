// Figures: SVG, PDF, and the gnuplot script of each with its data.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/findings.hpp"
#include "report/real_time_panels.hpp"

namespace bellwether {

struct FigureScript {
    std::string id, script;
    std::string title, description;  // for those who do not see it
};

struct FigureFiles {
    std::vector<std::string> written;  // names in the directory
    std::string problem;               // empty, or why figures are missing: one line
};

// Writes ID.svg, ID.pdf and ID.gp for every script. Files appear whole or not at all; where gnuplot is missing or fails
// there are none of that figure. UsageError and WorkError where the directory cannot be written. The calling thread
// calls `watch` now and then, which may throw.
FigureFiles draw_scripts(
    const std::vector<FigureScript>& scripts, const std::filesystem::path& directory,
    const std::function<void()>& watch = [] {});

// For every figure of the study that has findings, and for the real-time panels.
FigureFiles draw_figures(
    const Findings& findings, const std::vector<RealTimePanels>& real_time, const std::filesystem::path& directory,
    const std::function<void()>& watch = [] {});

}  // namespace bellwether
