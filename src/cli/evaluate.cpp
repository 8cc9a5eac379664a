// bellwether evaluate: what a target policy is worth, by a log.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/catalogue.hpp"
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
#include "support/progress.hpp"

namespace bellwether {
namespace {

using namespace nlohmann::literals;

struct EvaluateOptions : LogOptions {
    std::string starts, at, level;
    std::string algorithm, tuned;
    std::map<std::string, std::string> parameters;  // of the algorithm, as given
};

std::optional<Starts> starts_of(const EvaluateOptions& options, const Log& log) {
    if (options.starts.empty()) return std::nullopt;
    if (options.starts == "segments") return Starts{.from = Starts::From::segments};
    if (options.starts == "all") return Starts{.from = Starts::From::all};
    Starts starts{.from = Starts::From::rows, .rows = read_rows(options.starts, "x", log.dimension)};
    if (starts.rows.empty()) throw UsageError(fmt::format("{}: there is no row", options.starts));
    return starts;
}

double level_of(const EvaluateOptions& options) {
    if (options.level.empty()) return 0.95;
    const double level = number_option("level", options.level);
    if (!(level > 0 && level < 1))
        throw UsageError(fmt::format("--level {} is out of range: it must be above 0 and below 1", options.level));
    return level;
}

double trace_lambda(const LogOptions& options) {
    return lambda_of(options);
}

// The learner that --tuned DIR names: the best of its tune.json.
OnlineLearner tuned_learner(const std::string& directory) {
    const std::string path = (std::filesystem::path(directory) / "tune.json").string();
    std::ifstream file(path);
    if (!file) throw UsageError(fmt::format("--tuned: cannot read {}", path));
    const auto json = nlohmann::json::parse(file, nullptr, false);
    const auto id = "/best/0/algorithm"_json_pointer;
    if (!json.contains(id) || !json[id].is_string())
        throw UsageError(fmt::format("{}: it is not what bellwether tune writes", path));
    const auto& best = json["best"][0];
    const AlgorithmInfo& algorithm = algorithm_named(json[id].get<std::string>());
    std::vector<NamedValue> given;
    for (const ParameterInfo& parameter : algorithm.parameters) {
        const auto found = best.find(std::string(parameter.name));
        if (found != best.end() && found->is_number()) given.push_back({parameter.name, found->get<double>()});
    }
    auto checked = check_parameters(algorithm, given);
    if (!checked) throw UsageError(fmt::format("{}: {}", path, checked.error()));
    return OnlineLearner{&algorithm, checked.value()};
}

std::optional<OnlineLearner> online_of(const EvaluateOptions& options) {
    if (!options.tuned.empty()) {
        if (!options.algorithm.empty()) throw UsageError("--tuned names the algorithm: leave --algorithm out");
        return tuned_learner(options.tuned);
    }
    if (options.algorithm.empty()) {
        if (!options.parameters.empty())
            throw UsageError(
                fmt::format("--{} is for --algorithm, which is missing", options.parameters.begin()->first));
        return std::nullopt;
    }
    const AlgorithmInfo& algorithm = algorithm_named(options.algorithm);
    std::vector<NamedValue> given;
    for (const auto& [name, text] : options.parameters)
        given.push_back({name, algorithm.find(name) ? number_option(name, text) : 0.0});
    if (algorithm.find("lambda") && !options.lambda.empty()) given.push_back({"lambda", trace_lambda(options)});
    auto checked = check_parameters(algorithm, given);
    if (!checked) throw UsageError(checked.error());
    return OnlineLearner{&algorithm, checked.value()};
}

int evaluate_log(const EvaluateOptions& options) {
    watch_interrupts();
    EvaluationOptions request;
    request.lambda = trace_lambda(options);
    request.level = level_of(options);
    request.piece = piece_of(options);
    request.online = online_of(options);
    request.threads = threads_of(options);
    const std::string directory = directory_of(options, "evaluation");
    Log log = read_log(options, directory);
    request.target = target_of(options, log);
    request.behaviour = behaviour_of(options, log);
    request.starts = starts_of(options, log);
    if (!options.at.empty()) request.at = read_rows(options.at, "x", log.dimension);
    const PolicyEvaluation evaluation = [&] {
        Progress progress("evaluating", "%", 100, options.quiet);
        request.watch = [&](double done) { progress.update(100 * done); };
        return evaluate(std::move(log), request);
    }();

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
    const auto options = std::make_shared<EvaluateOptions>();
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
    command->add_option("--algorithm", options->algorithm, "A row of what this learner says after going along the log")
        ->type_name("ID")
        ->group("Learned online");
    command->add_option("--tuned", options->tuned, "The learner that bellwether tune chose: the folder of its results")
        ->type_name("DIR")
        ->group("Learned online");
    for_each_parameter([&](const ParameterInfo& p, const std::vector<std::string_view>&) {
        const std::string name(p.name);
        // The traces' λ, above, is the learner's too; ε is that of a greedy target.
        if (name == "lambda" || name == "epsilon") return;
        command
            ->add_option_function(
                "--" + name, [options, name](const std::string& text) { options->parameters[name] = text; },
                fmt::format("{} ({})", p.help, describe(p.range)))
            ->type_name("NUMBER")
            ->group("Learned online");
    });
    command->footer(
        "Exit status: 0 answered, 1 the log cannot tell (everything is written).\n"
        "Example: bellwether evaluate log.csv --behaviour counts; docs/evaluate.md tells more.");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = evaluate_log(*options);
    });
}

}  // namespace bellwether
