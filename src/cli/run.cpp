// bellwether run: a study, into a store; the same command again resumes it.
#include "run/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_observers.hpp"
#include "cli/run_plan.hpp"
#include "cli/run_ranks.hpp"
#include "cli/run_request.hpp"
#include "cluster/launch.hpp"
#include "run/estimate.hpp"
#include "store/schema.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

void say(const std::string& text) {
    OutputFile out("-");
    out.write(text);
    out.commit();
}

void print_plan(const RunRequest& request, bool record) {
    std::optional<Store> store;
    if (fs::exists(request.directory / "results.db")) {
        store = Store::open(request.directory);
        check_same_study(request.directory, store->study(), request.record);
    }
    say(fmt::format("{}results   {}\n",
                    describe_plan(request.study, store ? &*store : nullptr, request.settings, request.shard,
                                  *request.instruction_set, request.device.get(), request.threads, record),
                    request.directory.string()));
}

std::string summary_of(const RunRequest& request, const RunReport& report) {
    std::size_t configurations = 0;
    for (const std::size_t s : request.settings) configurations += request.study.settings[s].configurations();
    const std::string work =
        report.agent_steps == 0
            ? "nothing was left to do"
            : fmt::format("{} agent-steps in {} ({} a second)", amount_text(static_cast<double>(report.agent_steps)),
                          duration_text(report.seconds),
                          amount_text(static_cast<double>(report.agent_steps) / report.seconds));
    return fmt::format("{}{}: {}, {}; {}; results in {}\n", request.study.name,
                       request.shard ? fmt::format(", shard {}", request.shard->text()) : "",
                       counted(request.settings.size(), "setting"), counted(configurations, "configuration"), work,
                       request.directory.string());
}

// By rank 0, where there are several.
int run_whole(const RunArguments& arguments, Communicator* ranks) {
    std::optional<RunRequest> made;
    std::optional<Store> store;
    prepare(ranks, [&] {
        made = make_request(arguments, ranks ? ranks->sharers_of_cores() : 1);
        refuse_too_large(made->study, made->settings, made->threads, !arguments.no_record && !made->shard);
        store = create_store(*made);
    });
    const RunRequest& request = *made;
    if (ranks) assign(*ranks, request, RunOptions{}.agent_steps_between_writes);

    std::unique_ptr<RunReporter> reporter = std::make_unique<ProgressReporter>(arguments.quiet);
    if (arguments.log_json) reporter = std::make_unique<JsonReporter>();
    reporter->started(request.study, {.instruction_set = request.instruction_set->name(),
                                      .device = request.device.get(),
                                      .threads = request.threads,
                                      .ranks = ranks ? ranks->ranks() : 1});
    const RunReport report = run_prepared(request, *store,
                                          {.instruction_set = request.instruction_set,
                                           .device = request.device.get(),
                                           .threads = request.threads,
                                           .record = !arguments.no_record,
                                           .ranks = ranks,
                                           .should_stop = [] { return interrupted(); }},
                                          *reporter);
    reporter->ended(report);
    if (report.stopped) return 128 + report.signal;
    say(summary_of(request, report));
    return 0;
}

int run(const RunArguments& arguments) {
    if (arguments.dry_run) {
        if (launched().rank == 0) print_plan(make_request(arguments, 1), !arguments.no_record);
        return 0;
    }
    const std::unique_ptr<Communicator> ranks = join_launched();
    if (ranks && ranks->rank() > 0) {
        run_as_worker(*ranks, arguments);
        return 0;
    }
    watch_interrupts();
    return run_whole(arguments, ranks.get());
}

}  // namespace

void add_run(Command& program, int& status) {
    const auto options = std::make_shared<RunArguments>();
    Command* command = program.add_subcommand("run", "Run a study; the same command again resumes it");
    command->allow_extras();
    command
        ->add_option("STUDY", options->study, "Study file, as in docs/study-file.md, or the name of an installed study")
        ->type_name("FILE")
        ->required();
    command->add_option("--out", options->out, "Where the results go (default: results/ and the study's name)")
        ->type_name("DIR");
    add_reading_option(*command, *options);
    command->add_option("--threads", options->threads, "How many threads (default: as many as there are cores)")
        ->type_name("COUNT");
    command->add_option("--instances", options->instances, "Instances in place of the study's")->type_name("COUNT");
    command->add_option("--runs", options->runs, "Runs of each instance in place of the study's")->type_name("COUNT");
    command->add_flag("--cut", options->cut,
                      "As few instances and runs as the study's own cut has: docs/study-file.md");
    command->add_option("--setting", options->settings, "Only this setting; may be given several times")
        ->type_name("ID")
        ->allow_extra_args(false);
    command->add_option("--shard", options->shard, "Only a fixed part, such as 3/16, for 'bellwether merge' to join")
        ->type_name("N/COUNT");
    command->add_option("--isa", options->isa, "Instruction set: avx512, avx2 or portable (default: the best)")
        ->choices({"avx512", "avx2", "portable"})
        ->type_name("NAME");
    command
        ->add_option("--device", options->device,
                     "Where to compute: cpu (the default), cuda, cuda:1, or auto: cuda where it can be had")
        ->type_name("NAME");
    command->add_flag("--dry-run", options->dry_run, "Only say what would be done, and how long it would take");
    command->add_flag("--no-record", options->no_record, "No learning curves of the best configurations");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->add_flag("--log-json", options->log_json, "Progress as JSON, an object per line of standard error");
    command->footer(
        "A study may grow: with more --instances or --runs what is there is kept and the rest is added. Results\n"
        "do not depend on threads, instruction set, device, or how often it was stopped.\n"
        "'mpirun -n 64 bellwether run ...' runs it with 64 processes, each with its threads.\n"
        "Example: bellwether run studies/quick.toml --out results/quick");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = run(*options);
    });
}

}  // namespace bellwether
