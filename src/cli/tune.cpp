// bellwether tune: which algorithm and parameters to learn with, by a log alone.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "logs/ratios.hpp"
#include "logs/tuning.hpp"
#include "logs/tuning_store.hpp"
#include "logs/tuning_text.hpp"
#include "plan/study.hpp"
#include "report/log_figures.hpp"
#include "report/log_pages.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/number.hpp"
#include "support/progress.hpp"

namespace bellwether {
namespace {

struct TuneOptions : LogOptions {
    std::string algorithms, alpha, eta, study, score, fresh;
    bool monitor = false;
};

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

void add_values(std::vector<ParameterValues>& values, const std::string& name, const std::string& text) {
    if (text.empty()) return;
    ParameterValues given{name, {}};
    for (const std::string& word : words_of(text)) given.values.push_back(number_option(name, word));
    values.push_back(std::move(given));
}

// 6 of "1/6", 0 of "0".
std::size_t fresh_of(const std::string& text) {
    if (text.empty()) return TuningOptions().fresh;
    if (text == "0") return 0;
    const auto every = text.starts_with("1/") ? parse_count(std::string_view(text).substr(2)) : std::nullopt;
    if (!every || *every < 2 || *every > 1000)
        throw UsageError(fmt::format("--fresh: '{}' is neither 0 nor a share as 1/6", text));
    return *every;
}

std::vector<AlgorithmGrid> grids_of(const TuneOptions& options) {
    if (options.study.empty()) return {};
    if (!options.algorithms.empty() || !options.alpha.empty() || !options.eta.empty() || !options.lambda.empty())
        throw UsageError("--study has the whole grid: leave --algorithms, --alpha, --eta and --lambda out");
    return read_study(options.study).settings.front().algorithms;
}

int tune_log(const TuneOptions& options) {
    watch_interrupts();
    TuningOptions request;
    if (!options.algorithms.empty()) request.algorithms = words_of(options.algorithms);
    add_values(request.values, "alpha", options.alpha);
    add_values(request.values, "eta", options.eta);
    add_values(request.values, "lambda", options.lambda);
    request.grids = grids_of(options);
    if (!options.score.empty()) request.score = tuning_score_named(options.score);
    request.fresh = fresh_of(options.fresh);
    request.monitor = options.monitor;
    request.threads = threads_of(options);
    const std::string directory = directory_of(options, "tuning");

    Log log = read_log(options, directory);
    const RatioSource ratios = set_ratios(log, target_of(options, log), behaviour_of(options, log));
    const auto piece = piece_of(options);
    if (piece || is_continuing(log)) cut_into_pieces(log, piece.value_or(piece_length(log)));
    Progress progress("learning", "%", 100, options.quiet);
    request.watch = [&](double done) {
        stop_if_interrupted();
        progress.update(100 * done);
    };
    TuningStore store(std::filesystem::path(directory) / "tuning.db");
    request.keeper = &store;
    Tuning tuning = tune(std::move(log), request);
    tuning.ratios_in_columns = ratios.in_columns;

    std::vector<std::string> written = write_tuning(tuning, directory);
    if (!options.no_report)
        write_log_report(options, tuning_figures(tuning), tuning_page(tuning, "bellwether " BELLWETHER_VERSION),
                         directory, written);
    if (options.json)
        fmt::print("{}", tuning_json(tuning));
    else
        fmt::print("{}{}: {}\n", tuning_text(tuning), directory, fmt::join(written, ", "));
    return tuning.can_tell() ? 0 : 1;
}

}  // namespace

void add_tune(Command& program, int& status) {
    const auto options = std::make_shared<TuneOptions>();
    Command* command = program.add_subcommand("tune", "Which algorithm and parameters to learn with, by a log alone");
    command->allow_extras();
    add_log_options(*command, options);
    const auto option = [&](const char* name, std::string& value, const char* type, const char* help) {
        command->add_option(name, value, help)->type_name(type)->group("Grid");
    };
    option("--algorithms", options->algorithms, "IDS", "Separated by commas (default: those that suit the log)");
    option("--alpha", options->alpha, "NUMBERS", "Separated by commas (default: 1, 1/2, ... 2^-11, over max |x|^2)");
    option("--eta", options->eta, "NUMBERS", "Separated by commas (default: 0.0625,1)");
    option("--lambda", options->lambda, "NUMBERS", "Separated by commas (default: 0,0.5,0.8,0.95,1)");
    option("--study", options->study, "FILE", "The grid of a study file's first setting, instead");
    command
        ->add_option("--score", options->score,
                     "projected, return or progressive (default: projected; return with more than 2,000 features)")
        ->choices({"projected", "return", "progressive"})
        ->type_name("NAME");
    command
        ->add_option("--fresh", options->fresh,
                     "Share of segments that the choice does not see and is scored on (default: 1/6 of 120 or more; 0: "
                     "none)")
        ->type_name("SHARE");
    command->add_flag("--monitor", options->monitor, "RUPEE of the twenty best, a column that nothing is chosen by");
    command->footer(
        "Exit status: 0 chosen, 1 no configuration is clearly better than predicting 0 (everything is written).\n"
        "Example: bellwether tune log.csv --algorithms gtd,htd; docs/evaluate.md tells more.");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = tune_log(*options);
    });
}

}  // namespace bellwether
