#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "report/child_process.hpp"
#include "report/figures.hpp"
#include "support/machine.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

std::string interpreter() {
    if (const char* named = std::getenv("BELLWETHER_PYTHON"); named && *named) return named;
    std::error_code unknown;
    const fs::path program = program_file(), beside = program.parent_path() / "python3";
    return !program.empty() && fs::exists(beside, unknown) ? beside.string() : std::string();
}

// Never a module of the folder that the program happens to be called in.
constexpr const char* not_from_here = "import sys; sys.path = [place for place in sys.path if place]; ";

}  // namespace

FigureFiles draw_by_python(const std::string& module, const fs::path& results, const fs::path& directory) {
    const std::string python = interpreter();
    // Any environment has a python3; what counts is whether it has the package.
    if (python.empty() ||
        !run_child({python, "-c", std::string(not_from_here) + "import bellwether"}, {}).problem.empty())
        return {};
    const std::string draw =
        std::string(not_from_here) + "import runpy; runpy.run_module('" + module + "', run_name='__main__')";
    const ChildProcess child = run_child({python, "-c", draw, results.string(), directory.string()}, {});
    FigureFiles files{{}, child.problem};
    for (std::size_t start = 0, end; (end = child.output.find('\n', start)) != std::string::npos; start = end + 1)
        files.written.push_back(child.output.substr(start, end - start));
    return files;
}

}  // namespace bellwether
