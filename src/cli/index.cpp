// bellwether index: one page over the reports of several papers.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/outcome.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "plan/installed_studies.hpp"
#include "report/index_page.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct IndexOptions {
    std::vector<std::string> directories;
    std::string out = "results/index.html";
};

// A link from one file to another that may be moved together.
std::string link_to(const fs::path& target, const fs::path& from) {
    return fs::absolute(target).lexically_normal().lexically_relative(
        fs::absolute(from).lexically_normal().parent_path());
}

void run_index(const IndexOptions& options) {
    std::vector<IndexedReport> reports;
    for (const fs::path directory : options.directories) {
        auto outcome = read_outcome(directory);
        if (!outcome)
            throw UsageError(fmt::format("{}: there is no {}: 'bellwether report' writes it for a study of a paper",
                                         directory.string(), outcome_of_folder));
        const fs::path page = directory / "report.html";
        reports.push_back({std::move(*outcome), fs::exists(page) ? link_to(page, options.out) : std::string()});
    }
    std::stable_sort(reports.begin(), reports.end(),
                     [](const auto& a, const auto& b) { return a.outcome.study < b.outcome.study; });
    const std::string page = index_page(reports, "bellwether " BELLWETHER_VERSION);
    if (page.empty())
        fmt::print(stderr, "bellwether index: left out: {}: this program was built without Node.js\n", options.out);
    OutputFile out("-");
    out.write(index_text(reports));
    if (!page.empty()) {
        OutputFile file(options.out);
        file.write(page);
        file.commit();
        out.write(fmt::format("the index is {}\n", options.out));
    }
    out.commit();
}

}  // namespace

void add_index(Command& program, int&) {
    const auto options = std::make_shared<IndexOptions>();
    Command* command = program.add_subcommand("index", "One page over the reports of several papers");
    command->allow_extras();
    command->add_option("DIR", options->directories, "Where the results of papers are, with their reports")
        ->type_name("")
        ->required();
    command->add_option("--out", options->out, "The page (default: results/index.html)")->type_name("FILE");
    command->footer("Example: bellwether index results/*");
    command->callback([command, options] {
        refuse_extras(*command);
        run_index(*options);
    });
}

}  // namespace bellwether
