#include "cli/log_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "bellwether/suggest.hpp"
#include "cli/arguments.hpp"
#include "logs/log_reader.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/number.hpp"
#include "support/output_file.hpp"
#include "support/parallel_for.hpp"
#include "support/progress.hpp"

namespace bellwether {

void add_log_options(Command& command, const std::shared_ptr<LogOptions>& options) {
    const auto option = [&](const char* name, std::string& value, const char* type, const char* help) {
        return command.add_option(name, value, help)->type_name(type);
    };
    option("LOG", options->log, "FILE", "CSV or TSV as in docs/stream-format.md, also gzipped; - is standard input")
        ->required();
    option("--target", options->target, "POLICY",
           "uniform, always:A, behaviour, greedy or softmax (default: the log's columns)");
    option("--target-weights", options->target_weights, "FILE",
           "Of greedy and softmax (CSV: action,index,weight; q(s,a) = w_a·x)");
    option("--epsilon", options->epsilon, "NUMBER", "Of greedy, in [0, 1] (default 0)");
    option("--temperature", options->temperature, "NUMBER", "Of softmax, above 0 (default 1)");
    option("--behaviour", options->behaviour, "MODEL",
           "column, auto, counts, logistic, or a file of probabilities (CSV: mu0, ..., a row per step)");
    option("--piece", options->piece, "STEPS", "Cut segments into pieces of so many steps");
    option("--dimension", options->dimension, "COUNT", "Length of the feature vectors; sparse logs need it");
    option("--separator", options->separator, "CHARACTER",
           "Between cells (default: a tab if the header has one, else a comma)");
    command.add_flag("--split-gaps", options->split_gaps, "Missing steps, by the column time, end a segment");
    option("--threads", options->threads, "COUNT", "How many (default: one per processor)");
    option("--memory", options->memory, "BYTES",
           "Of the log's rows, as 200M or 4G; what does not fit goes to a file in DIR (default: half of what is free)");
    option("--out", options->out, "DIR", "Where the results go (default: results/<log>-<command>)")->group("Output");
    command.add_flag("--json", options->json, "Print the result as JSON and nothing else")->group("Output");
    command.add_flag("--no-report", options->no_report, "No figures and no page (report.html)")->group("Output");
    command.add_flag("--quiet", options->quiet, "No progress")->group("Output");
}

namespace {

// 200M as bytes.
std::size_t memory_of(const std::string& text) {
    if (text.empty()) return default_log_memory();
    static constexpr std::string_view units = "KMGT";
    constexpr std::size_t least = 16'000'000;
    std::string digits = text;
    double scale = 1;
    if (const std::size_t unit = units.find(static_cast<char>(std::toupper(text.back())));
        unit != std::string_view::npos) {
        digits.pop_back();
        scale = std::pow(1000, static_cast<double>(unit + 1));
    }
    const auto number = parse_number(digits);
    if (!number || !(*number * scale >= static_cast<double>(least)) || !(*number * scale < 1e18))
        throw UsageError(fmt::format("--memory: '{}' is not a number of bytes, at least 16M (as 200M or 4G)", text));
    return static_cast<std::size_t>(*number * scale);
}

}  // namespace

std::size_t threads_of(const LogOptions& options) {
    return options.threads.empty() ? usable_cores() : count_option("threads", options.threads, 1, 4096);
}

Log read_log(const LogOptions& options, const std::string& directory) {
    LogReaderOptions reading;
    if (!options.dimension.empty()) reading.dimension = count_option("dimension", options.dimension, 1);
    if (!options.separator.empty()) {
        const std::string& text = options.separator;
        if (text != "\\t" && text != "tab" && text.size() != 1)
            throw UsageError(fmt::format("--separator: '{}' is not one character (or tab)", text));
        reading.separator = text.size() == 1 ? text[0] : '\t';
    }
    reading.split_gaps = options.split_gaps;
    reading.memory = std::make_shared<LogMemory>(memory_of(options.memory), directory);
    std::optional<Progress> progress;
    reading.watch = [&](double megabytes, double of) {
        if (!progress) progress.emplace("reading", "MB", of, options.quiet);
        progress->update(megabytes);
    };
    return read_log(options.log, reading);
}

TargetPolicy target_of(const LogOptions& options, const Log& log) {
    TargetPolicy target;
    if (!options.target.empty()) target = target_named(options.target);
    const bool by_weights = target.kind == TargetPolicy::Kind::greedy || target.kind == TargetPolicy::Kind::softmax;
    if (by_weights && options.target_weights.empty())
        throw UsageError(fmt::format("--target {} needs --target-weights", options.target));
    if (!by_weights && !options.target_weights.empty())
        throw UsageError("--target-weights is for --target greedy and softmax");
    if (by_weights) target.weights = read_action_weights(options.target_weights, log.dimension);
    if (!options.epsilon.empty()) {
        if (target.kind != TargetPolicy::Kind::greedy) throw UsageError("--epsilon is for --target greedy");
        target.epsilon = number_option("epsilon", options.epsilon);
        if (!(target.epsilon >= 0 && target.epsilon <= 1))
            throw UsageError(fmt::format("--epsilon {} is out of range: it must be in [0, 1]", options.epsilon));
    }
    if (!options.temperature.empty()) {
        if (target.kind != TargetPolicy::Kind::softmax) throw UsageError("--temperature is for --target softmax");
        target.temperature = number_option("temperature", options.temperature);
        if (!(target.temperature > 0))
            throw UsageError(fmt::format("--temperature {} is out of range: it must be above 0", options.temperature));
    }
    return target;
}

BehaviourSource behaviour_of(const LogOptions& options, const Log& log) {
    static constexpr std::array<std::string_view, 4> models{"column", "auto", "counts", "logistic"};
    const std::string& text = options.behaviour;
    if (text.empty()) return {};
    if (text == "column") {
        if (log.mu.empty()) throw UsageError(fmt::format("--behaviour column: {} has no column mu or mu0", log.name));
        return {};
    }
    if (text == "auto" || text == "counts" || text == "logistic") return {.model = text};
    if (!std::filesystem::exists(text))
        throw UsageError(fmt::format("--behaviour: '{}' is none of column, auto, counts, logistic, and no file{}", text,
                                     did_you_mean(text, models)));
    if (log.actions == 0) throw UsageError("--behaviour FILE needs the column 'action'");
    return {.given = read_rows(text, "mu", log.actions)};
}

std::optional<std::size_t> piece_of(const LogOptions& options) {
    if (options.piece.empty()) return std::nullopt;
    return count_option("piece", options.piece, 2);
}

double lambda_of(const LogOptions& options) {
    if (options.lambda.empty()) return 0.9;
    const double lambda = number_option("lambda", options.lambda);
    if (!(lambda >= 0 && lambda <= 1))
        throw UsageError(fmt::format("--lambda {} is out of range: it must be in [0, 1]", options.lambda));
    return lambda;
}

std::string directory_of(const LogOptions& options, const std::string& what) {
    if (!options.out.empty()) return options.out;
    std::filesystem::path name = options.log == "-" ? "standard-input" : std::filesystem::path(options.log).filename();
    for (const char* ending : {".gz", ".csv", ".tsv"})
        if (name.extension() == ending) name = name.stem();
    return fmt::format("results/{}-{}", name.string(), what);
}

void write_log_report(const LogOptions& options, const std::vector<FigureScript>& figures, const std::string& page,
                      const std::string& directory, std::vector<std::string>& written) {
    const std::filesystem::path place = directory;
    FigureFiles drawn = draw_scripts(figures, place / "figures", stop_if_interrupted);
    if (drawn.gnuplot_is_missing) {
        FigureFiles by_python = draw_by_python("bellwether.logs.figures", place, place / "figures");
        if (!by_python.written.empty())
            drawn = std::move(by_python);
        else if (!by_python.problem.empty())
            drawn.problem += "; " + by_python.problem;
    }
    if (!drawn.written.empty()) written.emplace_back("figures/");
    if (!drawn.problem.empty() && !options.quiet) fmt::print(stderr, "left out: figures: {}\n", drawn.problem);
    if (page.empty()) {
        if (!options.quiet) fmt::print(stderr, "left out: report.html: this program was built without Node.js\n");
        return;
    }
    OutputFile file((place / "report.html").string());
    file.write(page);
    file.commit();
    written.emplace_back("report.html");
}

}  // namespace bellwether
