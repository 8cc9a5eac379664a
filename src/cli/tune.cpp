// bellwether tune: which algorithm and parameters to learn with, by a log alone.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "logs/ratios.hpp"
#include "logs/tuning.hpp"
#include "logs/tuning_text.hpp"
#include "report/log_figures.hpp"
#include "report/log_pages.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/parallel_for.hpp"
#include "support/progress.hpp"

namespace bellwether {
namespace {

struct Options : LogOptions {
    std::string algorithms, alpha, eta, threads;
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

int tune_log(const Options& options) {
    watch_interrupts();
    TuningOptions request;
    if (!options.algorithms.empty()) request.algorithms = words_of(options.algorithms);
    add_values(request.values, "alpha", options.alpha);
    add_values(request.values, "eta", options.eta);
    add_values(request.values, "lambda", options.lambda);
    request.threads = options.threads.empty() ? usable_cores() : count_option("threads", options.threads, 1, 4096);

    Log log = read_log(options);
    set_ratios(log, target_of(options, log), behaviour_of(options, log));
    const auto piece = piece_of(options);
    if (piece || is_continuing(log)) cut_into_pieces(log, piece.value_or(piece_length(log)));
    Progress progress("learning", "%", 100, options.quiet);
    request.watch = [&](double done) {
        stop_if_interrupted();
        progress.update(100 * done);
    };
    const Tuning tuning = tune(log, request);

    const std::string directory = directory_of(options, "tuning");
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
    const auto options = std::make_shared<Options>();
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
    command->add_option("--threads", options->threads, "How many (default: one per processor)")->type_name("COUNT");
    command->footer(
        "Exit status: 0 chosen, 1 no configuration is clearly better than predicting 0 (everything is written).\n"
        "Example: bellwether tune log.csv --algorithms gtd,htd; docs/evaluate.md tells more.");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = tune_log(*options);
    });
}

}  // namespace bellwether
