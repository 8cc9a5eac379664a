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
    bool gnuplot_is_missing = false;   // and that is the problem
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

// What a module of the Python package draws of the files in `results` with matplotlib, as ID.svg and ID.pdf: for a
// program from a wheel, which has the package's interpreter beside it (BELLWETHER_PYTHON names another). The problem is
// what went wrong, or empty with nothing written where there is no such package.
FigureFiles draw_by_python(const std::string& module, const std::filesystem::path& results,
                           const std::filesystem::path& directory);

}  // namespace bellwether
