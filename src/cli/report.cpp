// bellwether report: tables, figures and a page of a study's results.
#include "report/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "report/tables.hpp"
#include "run/run.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string directory;
    std::vector<std::string> costs;
    bool no_figures = false;
    bool quiet = false;
};

// Where `bench --out` of this machine is looked for.
constexpr std::string_view runtimes_file = "runtimes.csv";

CostTable read_cost_table(const std::string& wanted, const fs::path& directory,
                          const std::optional<RuntimeTable>& runtimes) {
    if (wanted == "paper") return paper_costs();
    if (wanted != "measured") return read_costs(wanted);
    if (!runtimes)
        throw UsageError(fmt::format("--costs measured: there is no {}; 'bellwether bench --out' writes it",
                                     (directory / runtimes_file).string()));
    return measured_costs(*runtimes);
}

ReportOptions make_options(const Options& options, const Study& study) {
    const fs::path directory(options.directory);
    ReportOptions report{.program = "bellwether " BELLWETHER_VERSION};
    if (fs::exists(directory / runtimes_file)) report.runtimes = read_runtimes((directory / runtimes_file).string());
    std::vector<std::string> wanted = options.costs;
    if (wanted.empty() && study.paper) {
        wanted.push_back("paper");
        if (report.runtimes) wanted.push_back("measured");
    }
    for (const std::string& costs : wanted) {
        report.costs.push_back(read_cost_table(costs, directory, report.runtimes));
        for (std::size_t k = 0; k + 1 < report.costs.size(); ++k)
            if (report.costs[k].source == report.costs.back().source)
                throw UsageError(fmt::format("--costs: two tables of the costs '{}'", report.costs[k].source));
    }
    report.figures = !options.no_figures;
    report.progress = [quiet = options.quiet](std::string_view what) {
        stop_if_interrupted();
        if (!quiet) fmt::print(stderr, "bellwether report: {}\n", what);
    };
    return report;
}

void run_report(const Options& options) {
    watch_interrupts();
    const Store store = Store::open(options.directory);
    const Study study = stored_study(store);
    const ReportFiles files = write_report(store, study, options.directory, make_options(options, study));
    for (const std::string& line : files.left_out) fmt::print(stderr, "bellwether report: left out: {}\n", line);
    if (const auto pending = pending_units(study, &store, all_settings(study)); !pending.empty())
        fmt::print(stderr, "bellwether report: warning: the study is not complete: {} of {} units are missing runs\n",
                   pending.size(), plan_units(study).size());
    OutputFile out("-");
    if (!files.claims.empty()) out.write(claims_text(files.claims) + "\n");
    out.write(fmt::format("{} files in {}", files.written.size(), options.directory));
    if (files.has_page)
        out.write(fmt::format("; the report is {}", (fs::path(options.directory) / "report.html").string()));
    out.write("\n");
    out.commit();
}

}  // namespace

void add_report(Command& program, int&) {
    const auto options = std::make_shared<Options>();
    Command* command = program.add_subcommand("report", "Tables, figures and a page of a study's results");
    command->allow_extras();
    command->add_option("DIR", options->directory, "Where the results are; the report goes there too")
        ->type_name("")
        ->required();
    command
        ->add_option("--costs", options->costs,
                     "What an update costs in the real-time study: paper, measured (DIR/runtimes.csv, as bench writes\n"
                     "it), or a table of an earlier report, tables/costs-measured.csv; may be given several times\n"
                     "(default: paper, and measured where there are runtimes)")
        ->type_name("COSTS")
        ->allow_extra_args(false);
    command->add_flag("--no-figures", options->no_figures, "Only the tables and the page");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer("Example: bellwether report results/white2016");
    command->callback([command, options] {
        refuse_extras(*command);
        run_report(*options);
    });
}

}  // namespace bellwether
