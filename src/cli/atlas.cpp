// bellwether atlas: every algorithm on every problem of several studies, and which one to use.
#include <fmt/format.h>

#include <filesystem>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/atlas.hpp"
#include "analysis/paper.hpp"
#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "engine/backend.hpp"
#include "plan/installed_studies.hpp"
#include "report/atlas_report.hpp"
#include "run/estimate.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct AtlasOptions {
    std::vector<std::string> directories;
    std::string out = "results/atlas";
    bool no_costs = false;
    bool quiet = false;
};

constexpr double seconds_of_costs = 3;  // for each study

struct Source {
    Study study;
    Findings findings;
    std::vector<std::vector<double>> costs;
    Paper paper;
};

// As it is now where it is installed, else as the study was run with.
Paper paper_of(const Store& store, const Study& study) {
    const auto installed = find_installed_paper(study.paper.empty() ? study.name : study.paper);
    return installed ? read_paper(*installed) : stored_paper(store, study);
}

// All of them before any is read; none twice, which would count its evidence twice.
std::vector<Store> open_all(const std::vector<std::string>& directories) {
    std::vector<Store> stores;
    std::set<fs::path> opened;
    for (const std::string& directory : directories) {
        stores.push_back(Store::open(directory));
        if (!opened.insert(fs::canonical(directory)).second)
            throw UsageError(fmt::format("{} is there twice", directory));
    }
    return stores;
}

void read_source(Source& source, const Store& store, const std::string& directory, const AtlasOptions& options) {
    if (!options.quiet) fmt::print(stderr, "bellwether atlas: reading {}\n", directory);
    stop_if_interrupted();
    source.study = stored_study(store);
    source.findings = find_all(store, source.study);
    if (source.findings.metrics.empty())
        throw UsageError(
            fmt::format("{}: no setting of the study has results of all its configurations yet", directory));
    source.paper = paper_of(store, source.study);
    if (options.no_costs) return;
    if (!options.quiet) fmt::print(stderr, "bellwether atlas: measuring what an agent-step costs\n");
    source.costs =
        measure_costs(source.study, &best_instruction_set(), all_settings(source.study), seconds_of_costs, true);
}

void write(const fs::path& path, const std::string& text) {
    OutputFile out(path.string());
    out.write(text);
    out.commit();
}

void run_atlas(const AtlasOptions& options) {
    watch_interrupts();
    std::list<Source> sources;  // findings know their study by address
    std::vector<AtlasSource> of_atlas;
    std::vector<PaperRecommendation> recommendations;
    const std::vector<Store> stores = open_all(options.directories);
    const fs::path directory(options.out);
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw UsageError(fmt::format("{}: cannot write: {}", directory.string(), error.message()));
    for (std::size_t k = 0; k < stores.size(); ++k) {
        Source& source = sources.emplace_back();
        read_source(source, stores[k], options.directories[k], options);
        of_atlas.push_back({&source.findings, source.costs});
        recommendations.insert(recommendations.end(), source.paper.recommendations.begin(),
                               source.paper.recommendations.end());
    }
    const Atlas atlas = make_atlas(of_atlas);
    const std::vector<Advice> advice = judge_on_atlas(atlas, recommendations);
    write(directory / "atlas.csv", atlas_table(atlas).csv());
    write(directory / "summary.csv", atlas_summary_table(atlas).csv());
    write(directory / "summary.md", atlas_summary_table(atlas).markdown());
    const std::string page = atlas_page(atlas, advice, "bellwether " BELLWETHER_VERSION);
    if (!page.empty())
        write(directory / "atlas.html", page);
    else
        fmt::print(stderr, "bellwether atlas: left out: atlas.html: this program was built without Node.js\n");
    OutputFile out("-");
    out.write(atlas_text(atlas, advice));
    out.write(
        fmt::format("\nevery problem is in {}{}\n", (directory / "atlas.csv").string(),
                    page.empty() ? "" : fmt::format(", and the page is {}", (directory / "atlas.html").string())));
    out.commit();
}

}  // namespace

void add_atlas(Command& program, int&) {
    const auto options = std::make_shared<AtlasOptions>();
    Command* command =
        program.add_subcommand("atlas", "Every algorithm on every problem of several studies: which one to use");
    command->allow_extras();
    command->add_option("DIR", options->directories, "Where the results of studies are")->type_name("")->required();
    command->add_option("--out", options->out, "Where the tables and the page go (default: results/atlas)")
        ->type_name("DIR");
    command->add_flag("--no-costs", options->no_costs, "Do not measure what an agent-step costs here");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer("Example: bellwether atlas results/one-paper results/another");
    command->callback([command, options] {
        refuse_extras(*command);
        run_atlas(*options);
    });
}

}  // namespace bellwether
