// bellwether horde: many questions answered from one stream.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "bellwether/number_text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "report/horde_page.hpp"
#include "stream/horde_summary.hpp"
#include "stream/question_horde.hpp"
#include "support/document.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace bellwether {

namespace {

struct HordeOptions {
    std::string questions, stream, dimension, predictions, every = "1", summary, page, weights, save_state, load_state,
                                                           threads;
    bool rupee = false, quiet = false;
};

void write_header(OutputFile& file, const QuestionHorde& horde) {
    std::string line = "step";
    for (std::size_t q = 0; q < horde.size(); ++q) (line += ',') += horde.question(q).name;
    file.write(line += '\n');
}

// Whether all weights are finite.
bool write_weights_of(OutputFile* file, const QuestionHorde& horde) {
    bool finite = true;
    if (file) file->write("question,index,weight\n");
    for (std::size_t q = 0; q < horde.size(); ++q) {
        const std::vector<double> weights = horde.weights(q);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            finite = finite && std::isfinite(weights[i]);
            if (file && weights[i] != 0)
                file->write(fmt::format("{},{},{}\n", horde.question(q).name, i, number_text(weights[i])));
        }
    }
    return finite;
}

void load(const HordeOptions& options, QuestionHorde& horde) {
    const std::string bytes = read_text_file(options.load_state);
    const std::string problem = horde.load(std::as_bytes(std::span(bytes)));
    if (!problem.empty())
        throw UsageError(fmt::format("{}: cannot go on from this state: {}", options.load_state, problem));
}

std::string page_of(const HordeOptions& options, const std::vector<QuestionSummary>& rows, std::uint64_t steps) {
    std::string page = horde_page(rows, {options.questions, options.stream, steps, "bellwether " BELLWETHER_VERSION});
    if (page.empty()) throw UsageError("--page: this program was built without Node.js");
    return page;
}

int answer(const HordeOptions& options) {
    watch_interrupts();
    std::optional<std::size_t> dimension;
    if (!options.dimension.empty()) dimension = count_option("dimension", options.dimension, 1, UINT32_MAX);
    const std::uint64_t every = count_option("every", options.every, 1);
    const std::size_t threads = options.threads.empty() ? std::max(1U, std::thread::hardware_concurrency())
                                                        : count_option("threads", options.threads, 1, 1024);

    if (options.predictions.ends_with(".parquet"))
        throw UsageError(
            fmt::format("--predictions {}: this program writes CSV; Parquet is written by "
                        "bellwether.PredictionFile in Python",
                        options.predictions));
    StreamReader stream(options.stream, dimension);
    QuestionHorde horde(read_questions(options.questions, stream.others()), stream.others(), stream.dimension(),
                        stream.sparse(), threads, options.rupee || !options.page.empty());
    if (!options.load_state.empty()) load(options, horde);
    std::optional<OutputFile> predictions, summary, page, weights, state;
    if (!options.predictions.empty()) write_header(predictions.emplace(options.predictions), horde);
    if (!options.summary.empty()) summary.emplace(options.summary);
    if (!options.page.empty()) page.emplace(options.page);
    if (!options.weights.empty()) weights.emplace(options.weights);
    if (!options.save_state.empty()) state.emplace(options.save_state);

    const auto observe = [&](std::uint64_t step, std::span<const double> numbers) {
        if (!predictions || step % every != 0) return;
        std::string line = std::to_string(step);
        for (const double number : numbers) (line += ',') += number_text(number);
        predictions->write(line += '\n');
    };
    Progress progress("learning", "MB", static_cast<double>(stream.lines().size()) / 1e6, options.quiet);
    StreamRow row;
    std::uint64_t read = 0;
    while (stream.next(row)) {
        horde.take(row, fmt::format("{}:{}", stream.lines().name(), stream.lines().line_number()), observe);
        if (++read % 64 == 0) {
            stop_if_interrupted();
            progress.update(static_cast<double>(stream.lines().bytes_read()) / 1e6);
        }
    }
    if (read == 0) stream.fail_row("the header is all there is; a stream has at least one row");
    horde.finish(observe);
    if (const std::string last = horde.waiting_row(); !last.empty() && !state)
        fmt::print(stderr,
                   "bellwether horde: note: {}: the last row is only what the step before it leads to; nothing is "
                   "learned from it, since not all discounts of it are 0\n",
                   last);

    const bool finite = write_weights_of(weights ? &*weights : nullptr, horde);
    const std::vector<QuestionSummary> rows = summarize(horde);
    if (summary) summary->write(summary_csv(rows));
    if (page) page->write(page_of(options, rows, horde.steps()));
    if (state) {
        const std::vector<std::byte> bytes = horde.save();
        state->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    for (std::optional<OutputFile>* file : {&predictions, &summary, &page, &weights, &state})
        if (*file) (*file)->commit();
    fmt::print("{}", summary_table(rows));
    if (!finite) throw WorkError("some weights are no longer finite; a smaller alpha may help");
    return 0;
}

}  // namespace

void add_horde(Command& program, int& status) {
    const auto options = std::make_shared<HordeOptions>();
    Command* command = program.add_subcommand("horde", "Answer many questions from one logged stream (CSV)");
    command->allow_extras();
    const auto option = [&](const char* name, std::string& value, const char* type, const char* help) {
        return command->add_option(name, value, help)->type_name(type);
    };
    option("QUESTIONS", options->questions, "FILE", "TOML as in docs/hordes.md")->required();
    option("STREAM", options->stream, "FILE", "CSV with columns of any names beside the features; - is standard input")
        ->required();
    option("--dimension", options->dimension, "COUNT", "Length of the feature vectors; sparse streams need it");
    option("--load-state", options->load_state, "FILE",
           "Go on exactly where --save-state stopped; new questions begin");
    option("--threads", options->threads, "COUNT", "Default: one per processor");
    option("--predictions", options->predictions, "FILE", "The predictions before each step go here")->group("Output");
    option("--every", options->every, "COUNT", "Write them at every so many steps (default 1)")->group("Output");
    option("--summary", options->summary, "FILE", "How well each question is answered, as CSV")->group("Output");
    option("--page", options->page, "FILE", "The same as a page (HTML)")->group("Output");
    command
        ->add_flag("--rupee", options->rupee,
                   "Estimate what the features could still explain of the TD errors; --page does")
        ->group("Output");
    option("--weights", options->weights, "FILE", "The weights that are not 0 go here")->group("Output");
    option("--save-state", options->save_state, "FILE", "The complete state goes here, to go on from later")
        ->group("Output");
    command->add_flag("--quiet", options->quiet, "No progress")->group("Output");
    command->footer("Example: bellwether horde questions.toml stream.csv --predictions predictions.csv --every 10");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = answer(*options);
    });
}

}  // namespace bellwether
