// bellwether run: a study, into a store; the same command again resumes it.
#include "study/run.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bellwether/learner.hpp"
#include "bellwether/suggest.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_observers.hpp"
#include "cli/run_plan.hpp"
#include "cli/stored_study.hpp"
#include "store/schema.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/machine.hpp"
#include "support/number.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string study;
    std::string out;
    std::string threads, instances, runs;
    std::vector<std::string> settings;
    std::string isa;
    bool dry_run = false;
    bool no_record = false;
    bool quiet = false;
    bool log_json = false;
};

std::optional<std::size_t> given_count(const std::string& option, const std::string& text, std::uint64_t maximum) {
    if (text.empty()) return std::nullopt;
    return count_option(option, text, 1, maximum);
}

std::vector<std::size_t> choose_settings(const Study& study, const std::vector<std::string>& ids) {
    if (ids.empty()) return all_settings(study);
    std::vector<std::string> known;
    for (const Setting& setting : study.settings) known.push_back(setting.id);
    std::vector<std::size_t> chosen;
    for (const std::string& id : ids) {
        const auto found = std::find(known.begin(), known.end(), id);
        if (found == known.end())
            throw UsageError(fmt::format("--setting: the study has no setting '{}'{}", id, did_you_mean(id, known)));
        chosen.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

// Everything that was asked for, checked before anything is written.
struct Request {
    Study study;
    std::vector<std::size_t> settings;
    LaneTarget target;
    std::size_t threads;
    fs::path directory;
    StudyRecord record;
};

Request make_request(const Options& options) {
    const auto threads = given_count("threads", options.threads, 1024);
    const auto instances = given_count("instances", options.instances, UINT32_MAX);
    const auto runs = given_count("runs", options.runs, first_fresh_run);
    Request request{.study = {},
                    .settings = {},
                    .target = isa_option(lane_targets(), options.isa),
                    .threads = threads.value_or(std::max(1u, std::thread::hardware_concurrency())),
                    .directory = {},
                    .record = {}};
    request.study = read_study(options.study);
    request.settings = choose_settings(request.study, options.settings);
    for (const std::size_t s : request.settings) request.study.settings[s].resize(instances, runs);
    request.directory = options.out.empty() ? fs::path("results") / request.study.name : fs::path(options.out);
    request.record = {request.study.name, request.study.text, request.study.identity(), BELLWETHER_VERSION};
    return request;
}

void say(const std::string& text) {
    OutputFile out("-");
    out.write(text);
    out.commit();
}

void print_plan(const Request& request, bool record) {
    std::optional<Store> store;
    if (fs::exists(request.directory / "results.db")) {
        store = Store::open(request.directory);
        check_same_study(request.directory, store->study(), request.record);
    }
    say(fmt::format("{}results   {}\n",
                    describe_plan(request.study, store ? &*store : nullptr, request.settings, request.target,
                                  request.threads, record),
                    request.directory.string()));
}

// Settings that are not run now keep the sizes they were last asked for.
void write_extents(const Request& request, Store& store) {
    std::vector<Extent> extents = extents_of(request.study);
    for (const Extent& before : store.extents())
        if (std::find(request.settings.begin(), request.settings.end(), before.setting) == request.settings.end())
            extents.at(before.setting) = before;
    store.set_extents(extents);
}

// Facts about the work that was done, now and before. A run that had nothing to do leaves them as they are.
void write_notes(const Request& request, const RunReport& report, double seconds, Store& store) {
    store.note("ended", report.stopped ? "stopped" : "done");
    if (report.agent_steps == 0) return;
    double seconds_before = 0;
    for (const auto& [name, value] : store.notes())
        if (name == "seconds in all") seconds_before = parse_number(value).value_or(0);
    store.note("machine", host_name());
    store.note("processor", processor_name());
    store.note("instruction set", request.target.name);
    store.note("threads", std::to_string(request.threads));
    store.note("seconds in all", fmt::format("{:.3f}", seconds_before + seconds));
}

int run(const Options& options) {
    const Request request = make_request(options);
    if (options.dry_run) {
        print_plan(request, !options.no_record);
        return 0;
    }
    watch_interrupts();
    Store store = Store::create(request.directory, request.record);
    store.note(study_file_note, fs::absolute(options.study).lexically_normal().string());
    store.set_names(names_of(request.study));
    write_extents(request, store);

    std::unique_ptr<RunReporter> reporter = std::make_unique<ProgressReporter>(options.quiet);
    if (options.log_json) reporter = std::make_unique<JsonReporter>();
    reporter->started(request.study, request.target.name, request.threads);
    const auto start = std::chrono::steady_clock::now();
    const RunReport report = run_study(request.study, store,
                                       {.threads = request.threads,
                                        .kernel = request.target.run,
                                        .settings = request.settings,
                                        .record = !options.no_record,
                                        .should_stop = [] { return interrupted() != 0; }},
                                       *reporter);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    write_notes(request, report, seconds, store);
    reporter->ended(report, seconds);
    if (report.stopped) return 128 + interrupted();
    std::size_t configurations = 0;
    for (const std::size_t s : request.settings) configurations += request.study.settings[s].configurations();
    const std::string work =
        report.agent_steps == 0
            ? "nothing was left to do"
            : fmt::format("{} agent-steps in {} ({} a second)", amount_text(static_cast<double>(report.agent_steps)),
                          duration_text(seconds), amount_text(static_cast<double>(report.agent_steps) / seconds));
    say(fmt::format("{}: {}, {}; {}; results in {}\n", request.study.name, counted(request.settings.size(), "setting"),
                    counted(configurations, "configuration"), work, request.directory.string()));
    return 0;
}

}  // namespace

void add_run(CLI::App& program, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("run", "Run a study; the same command again resumes it");
    command->allow_extras();
    command->add_option("STUDY", options->study, "Study file, as in docs/study-file.md")->type_name("FILE")->required();
    command->add_option("--out", options->out, "Where the results go (default: results/ and the study's name)")
        ->type_name("DIR");
    command->add_option("--threads", options->threads, "How many threads (default: as many as there are cores)")
        ->type_name("COUNT");
    command->add_option("--instances", options->instances, "Instances in place of the study's")->type_name("COUNT");
    command->add_option("--runs", options->runs, "Runs of each instance in place of the study's")->type_name("COUNT");
    command->add_option("--setting", options->settings, "Only this setting; may be given several times")
        ->type_name("ID")
        ->allow_extra_args(false);
    command->add_option("--isa", options->isa, "Instruction set: avx512, avx2 or portable (default: the best)")
        ->type_name("NAME");
    command->add_flag("--dry-run", options->dry_run, "Only say what would be done, and how long it would take");
    command->add_flag("--no-record", options->no_record, "No learning curves of the best configurations");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->add_flag("--log-json", options->log_json, "Progress as JSON, an object per line of standard error");
    command->footer(
        "A study may grow: with more --instances or --runs what is there is kept and the rest is added. Results\n"
        "do not depend on threads, instruction set, or how often it was stopped.\n"
        "Example: bellwether run studies/quick.toml --out results/quick");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = run(*options);
    });
}

}  // namespace bellwether
