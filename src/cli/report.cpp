// bellwether report: tables, figures and a page of a study's results.
#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/paper.hpp"
#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "report/tables.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct ReportRequest {
    std::string directory;
    std::vector<std::string> costs;
    std::vector<std::string> times;
    std::string paper;
    bool no_figures = false;
    bool no_readings = false;
    bool quiet = false;
};

// Where `bench --out` of this machine is looked for.
constexpr std::string_view runtimes_file = "runtimes.csv";

CostTable read_cost_table(const std::string& wanted, const fs::path& directory, const ReportOptions& report) {
    const std::optional<RuntimeTable>& runtimes = report.runtimes;
    if (wanted == "paper" && !report.paper.published.real_time)
        throw UsageError("--costs paper: the study reproduces no paper with a real-time study");
    if (wanted == "paper") return paper_costs(report.paper.published);
    for (const TimedFeatures features : both_timed_features) {
        if (wanted != measured_source(features)) continue;
        const std::string path = (directory / runtimes_file).string();
        if (!runtimes)
            throw UsageError(
                fmt::format("--costs {}: there is no {}; 'bellwether bench --out' writes it", wanted, path));
        if (!runtimes->has(features))
            throw UsageError(
                fmt::format("--costs {}: {} has no runtimes with {} features", wanted, path, id_of(features)));
        return measured_costs(*runtimes, features, report.paper.published);
    }
    return read_costs(wanted);
}

[[noreturn]] void refuse_two_tables(const std::string& source) {
    throw UsageError(fmt::format("--costs: two tables of the costs '{}'", source));
}

std::vector<CostTable> read_cost_tables(std::vector<std::string> wanted, const fs::path& directory,
                                        const ReportOptions& report) {
    if (wanted.empty() && report.paper.published.real_time) {
        wanted.push_back("paper");
        for (const TimedFeatures features : both_timed_features)
            if (report.runtimes && report.runtimes->has(features)) wanted.push_back(measured_source(features));
    }
    for (auto one = wanted.begin(); one != wanted.end(); ++one)
        if (std::find(wanted.begin(), one, *one) != one) refuse_two_tables(*one);
    std::vector<CostTable> tables;
    for (const std::string& costs : wanted) {
        tables.push_back(read_cost_table(costs, directory, report));
        for (std::size_t k = 0; k + 1 < tables.size(); ++k)
            if (tables[k].source == tables.back().source) refuse_two_tables(tables[k].source);
    }
    return tables;
}

std::vector<TimeReading> read_times(const std::vector<std::string>& wanted) {
    std::vector<TimeReading> times;
    for (const std::string& id : wanted) {
        const auto reading = find_time_reading(id);
        if (!reading)
            throw UsageError(fmt::format("--time: '{}' is neither {}", id, fmt::join(time_reading_ids, " nor ")));
        if (std::find(times.begin(), times.end(), *reading) == times.end()) times.push_back(*reading);
    }
    return times;
}

// As the study was run with, or of the paper that is wanted in its place; those of the installed paper for results that
// were made before there were readings.
std::string readings_text(const ReportRequest& options, const Store& store, const Study& study) {
    if (options.no_readings) return {};
    PaperTexts texts = options.paper.empty() ? store.files() : read_paper_texts(find_paper_folder(options.paper));
    const std::string name(readings_of_folder);
    if (options.paper.empty() && !texts.contains(name))
        if (const auto installed = find_installed_paper(study.paper.empty() ? study.name : study.paper))
            texts = read_paper_texts(*installed);
    return texts.contains(name) ? texts.at(name) : std::string();
}

ReportOptions make_options(const ReportRequest& options, const Store& store, const Study& study) {
    const fs::path directory(options.directory);
    ReportOptions report{
        .program = "bellwether " BELLWETHER_VERSION,
        .paper = options.paper.empty() ? stored_paper(store, study) : read_paper(find_paper_folder(options.paper))};
    if (fs::exists(directory / runtimes_file)) report.runtimes = read_runtimes((directory / runtimes_file).string());
    if (report.runtimes && report.paper.published.runtimes)
        report.runtimes->set_paper(*report.paper.published.runtimes);
    report.costs = read_cost_tables(options.costs, directory, report);
    if (!options.times.empty()) report.times = read_times(options.times);
    report.figures = !options.no_figures;
    report.progress = [quiet = options.quiet](std::string_view what) {
        stop_if_interrupted();
        if (!quiet) fmt::print(stderr, "bellwether report: {}\n", what);
    };
    report.readings = {.directory = directory,
                       .study_file = study_file_of(store),
                       .text = readings_text(options, store, study),
                       .watch = [] { stop_if_interrupted(); }};
    return report;
}

void run_report(const ReportRequest& options) {
    watch_interrupts();
    const Store store = Store::open(options.directory);
    const Study study = stored_study(store);
    const ReportFiles files = write_report(store, study, options.directory, make_options(options, store, study));
    for (const std::string& line : files.left_out) fmt::print(stderr, "bellwether report: left out: {}\n", line);
    if (const auto pending = pending_units(study, &store, all_settings(study)); !pending.empty())
        fmt::print(stderr, "bellwether report: warning: the study is not complete: {} of {} units are missing runs\n",
                   pending.size(), plan_units(study).size());
    OutputFile out("-");
    if (!files.claims.empty()) out.write(claims_text(files.claims) + "\n");
    if (files.best_on_edge > 0)
        out.write(fmt::format("{} of {} best configurations lie on the edge of their grid: marked ⇤ or ⇥ in {}\n",
                              files.best_on_edge, files.best,
                              (fs::path(options.directory) / "tables/best.md").string()));
    out.write(fmt::format("{} files in {}", files.written.size(), options.directory));
    if (files.has_page)
        out.write(fmt::format("; the report is {}", (fs::path(options.directory) / "report.html").string()));
    out.write("\n");
    out.commit();
}

}  // namespace

void add_report(Command& program, int&) {
    const auto options = std::make_shared<ReportRequest>();
    Command* command = program.add_subcommand("report", "Tables, figures and a page of a study's results");
    command->allow_extras();
    command->add_option("DIR", options->directory, "Where the results are; the report goes there too")
        ->type_name("")
        ->required();
    command
        ->add_option("--costs", options->costs,
                     "What an update costs in the real-time study: paper, measured or measured-dense\n"
                     "(DIR/runtimes.csv, as bench writes it), or a table of an earlier report,\n"
                     "tables/costs-measured.csv; may be given several times (default: paper, and those measured where\n"
                     "there are runtimes)")
        ->type_name("COSTS")
        ->allow_extra_args(false);
    command
        ->add_option("--time", options->times,
                     "How iterations are counted in the real-time study: quantised (a sample takes whole iterations)\n"
                     "or proportional; may be given twice (default: both)")
        ->type_name("READING")
        ->allow_extra_args(false);
    command
        ->add_option("--paper", options->paper,
                     "Claims and published numbers of this paper in place of those that the study was run with: its\n"
                     "folder, or an installed one")
        ->type_name("NAME");
    command->add_flag("--no-readings", options->no_readings,
                      "Leave the study's readings out: else those with results beside DIR, in DIR-ID, are judged too");
    command->add_flag("--no-figures", options->no_figures, "Only the tables and the page");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer("Example: bellwether report results/quick");
    command->callback([command, options] {
        refuse_extras(*command);
        run_report(*options);
    });
}

}  // namespace bellwether
