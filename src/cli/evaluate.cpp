// bellwether evaluate: what a target policy is worth, by a log.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "logs/evaluation.hpp"
#include "logs/evaluation_files.hpp"
#include "logs/evaluation_json.hpp"
#include "logs/evaluation_text.hpp"
#include "logs/log_reader.hpp"
#include "report/log_figures.hpp"
#include "report/log_pages.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace bellwether {
namespace {

struct Options : LogOptions {
    std::string starts, at, level;
};

std::optional<Starts> starts_of(const Options& options, const TargetPolicy& target, const Log& log) {
    if (options.starts.empty()) return std::nullopt;
    if (options.starts == "segments") return Starts{.from = Starts::From::segments};
    if (options.starts == "all") return Starts{.from = Starts::From::all};
    Starts starts{.from = Starts::From::rows, .rows = read_rows(options.starts, "x", log.dimension)};
    if (starts.rows.empty()) throw UsageError(fmt::format("{}: there is no row", options.starts));
    using Kind = TargetPolicy::Kind;
    if (target.kind != Kind::columns && target.kind != Kind::behaviour && log.actions > 0)
        starts.target = target_in(target, starts.rows, log.dimension, log.actions);
    return starts;
}

double level_of(const Options& options) {
    if (options.level.empty()) return 0.95;
    const double level = number_option("level", options.level);
    if (!(level > 0 && level < 1))
        throw UsageError(fmt::format("--level {} is out of range: it must be above 0 and below 1", options.level));
    return level;
}

int evaluate_log(const Options& options) {
    watch_interrupts();
    EvaluationOptions request;
    request.lambda = lambda_of(options);
    request.level = level_of(options);
    request.piece = piece_of(options);
    Log log = read_log(options);
    request.target = target_of(options, log);
    request.behaviour = behaviour_of(options, log);
    request.starts = starts_of(options, request.target, log);
    if (!options.at.empty()) request.at = read_rows(options.at, "x", log.dimension);
    const PolicyEvaluation evaluation = evaluate(std::move(log), request);

    const std::string directory = directory_of(options, "evaluation");
    std::vector<std::string> written = write_evaluation(evaluation, directory);
    if (!options.no_report)
        write_log_report(options, evaluation_figures(evaluation),
                         evaluation_page(evaluation, "bellwether " BELLWETHER_VERSION), directory, written);
    if (options.json)
        fmt::print("{}", evaluation_json(evaluation));
    else
        fmt::print("{}{}: {}\n", evaluation_text(evaluation), directory, fmt::join(written, ", "));
    return answers(evaluation.verdict) ? 0 : 1;
}

}  // namespace

void add_evaluate(Command& program, int& status) {
    const auto options = std::make_shared<Options>();
    Command* command = program.add_subcommand(
        "evaluate", "What a policy is worth, by the log of another one, and whether it can tell");
    command->allow_extras();
    add_log_options(*command, options);
    command->add_option("--starts", options->starts, "segments, all, or a file of rows (CSV: x0, ...) to average over")
        ->type_name("ROWS");
    command->add_option("--at", options->at, "Values in these rows (CSV: x0, ...), not in the log's most frequent ones")
        ->type_name("FILE");
    command->add_option("--lambda", options->lambda, "Of the least squares' traces, in [0, 1] (default 0.9)")
        ->type_name("NUMBER");
    command->add_option("--level", options->level, "Of the intervals (default 0.95)")->type_name("NUMBER");
    command->footer(
        "Exit status: 0 answered, 1 the log cannot tell (everything is written).\n"
        "Example: bellwether evaluate log.csv --behaviour counts; docs/evaluate.md tells more.");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = evaluate_log(*options);
    });
}

}  // namespace bellwether
