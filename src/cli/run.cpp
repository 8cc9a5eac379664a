// bellwether run: a study, into a store; the same command again resumes it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_observers.hpp"
#include "cli/run_plan.hpp"
#include "store/schema.hpp"
#include "study/session.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
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

// Everything that was asked for, checked before anything is written.
struct Request {
    StudySession session;
    LaneTarget target;
    std::size_t threads;
};

Request make_request(const Options& options) {
    const auto threads = given_count("threads", options.threads, 1024);
    const auto instances = given_count("instances", options.instances, UINT32_MAX);
    const auto runs = given_count("runs", options.runs, first_fresh_run);
    const LaneTarget target = isa_option(lane_targets(), options.isa);
    return {.session = prepare_study({.file = options.study,
                                      .directory = options.out,
                                      .instances = instances,
                                      .runs = runs,
                                      .settings = options.settings},
                                     "--setting"),
            .target = target,
            .threads = threads.value_or(std::max(1u, std::thread::hardware_concurrency()))};
}

void say(const std::string& text) {
    OutputFile out("-");
    out.write(text);
    out.commit();
}

void print_plan(const Request& request, bool record) {
    const StudySession& session = request.session;
    std::optional<Store> store;
    if (fs::exists(session.directory / "results.db")) {
        store = Store::open(session.directory);
        check_same_study(session.directory, store->study(), session.record);
    }
    say(fmt::format("{}results   {}\n",
                    describe_plan(session.study, store ? &*store : nullptr, session.settings, request.target,
                                  request.threads, record),
                    session.directory.string()));
}

int run(const Options& options) {
    const Request request = make_request(options);
    if (options.dry_run) {
        print_plan(request, !options.no_record);
        return 0;
    }
    watch_interrupts();
    const StudySession& session = request.session;
    Store store = create_store(session);

    std::unique_ptr<RunReporter> reporter = std::make_unique<ProgressReporter>(options.quiet);
    if (options.log_json) reporter = std::make_unique<JsonReporter>();
    reporter->started(session.study, request.target.name, request.threads);
    const SessionReport report = run_session(session, store,
                                             {.target = request.target,
                                              .threads = request.threads,
                                              .record = !options.no_record,
                                              .should_stop = [] { return interrupted() != 0; }},
                                             *reporter);
    reporter->ended(report, report.seconds);
    if (report.stopped) return 128 + interrupted();
    std::size_t configurations = 0;
    for (const std::size_t s : session.settings) configurations += session.study.settings[s].configurations();
    const std::string work =
        report.agent_steps == 0
            ? "nothing was left to do"
            : fmt::format("{} agent-steps in {} ({} a second)", amount_text(static_cast<double>(report.agent_steps)),
                          duration_text(report.seconds),
                          amount_text(static_cast<double>(report.agent_steps) / report.seconds));
    say(fmt::format("{}: {}, {}; {}; results in {}\n", session.study.name, counted(session.settings.size(), "setting"),
                    counted(configurations, "configuration"), work, session.directory.string()));
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
