// bellwether learn: learns from a logged stream.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "engine/backend.hpp"
#include "report/terminal_plot.hpp"
#include "stream/pending_row.hpp"
#include "stream/row_learner.hpp"
#include "stream/stream_reader.hpp"
#include "stream/weights_file.hpp"
#include "support/algorithms.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/machine.hpp"
#include "support/number.hpp"
#include "support/output_file.hpp"
#include "support/parameter_order.hpp"
#include "support/progress.hpp"
#include "support/terminal.hpp"

namespace bellwether {
namespace {

struct LearnOptions {
    std::string stream;
    std::string algorithm;
    std::map<std::string, std::string> parameters;  // as given
    std::string dimension;
    std::string traces;
    std::string trace_cutoff;
    std::string weights = "-";
    std::string predictions;
    std::string initial_weights;
    std::string save_state;
    std::string load_state;
    bool plot = false;
    bool quiet = false;
};

// ---- what was saved before ----

std::vector<std::byte> read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw UsageError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    std::vector<std::byte> result(bytes.size());
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(result.data()));
    return result;
}

struct Saved {
    std::vector<std::byte> bytes;
    SavedState state;
};

std::optional<Saved> load_saved(const LearnOptions& options) {
    if (options.load_state.empty()) return std::nullopt;
    Saved saved{read_bytes(options.load_state), {}};
    if (const std::string problem = read_state(saved.bytes, saved.state); !problem.empty())
        throw UsageError(fmt::format("{}: cannot go on from this state: {}", options.load_state, problem));
    return saved;
}

// ---- the learner ----

// What is to be learned with: from the options, or from the saved state, where options may only repeat it.
struct Choice {
    const AlgorithmInfo* algorithm;
    std::vector<double> parameters;
};

// The saved parameters and then those of the options, as numbers.
std::vector<NamedValue> given_parameters(const LearnOptions& options, const std::optional<Saved>& saved,
                                         const AlgorithmInfo& algorithm) {
    std::vector<NamedValue> given;
    if (saved) given = saved->state.parameters;
    for (const auto& [parameter, text] : options.parameters) {
        // An option that the algorithm does not have is the larger mistake: let check_parameters say so first.
        const double value = algorithm.find(parameter) ? number_option(parameter, text) : 0.0;
        given.push_back({parameter, value});
    }
    return given;
}

void refuse_other_parameters(const LearnOptions& options, const Saved& saved, std::span<const double> parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const NamedValue& kept = saved.state.parameters.at(i);
        if (parameters[i] != kept.value)
            throw UsageError(fmt::format("--{} {}: the state {} was learned with {}; leave the option out to go on",
                                         kept.name, options.parameters.at(std::string(kept.name)), options.load_state,
                                         number_text(kept.value)));
    }
}

Choice choose(const LearnOptions& options, const std::optional<Saved>& saved) {
    std::string name = options.algorithm;
    if (saved && name.empty()) name = saved->state.algorithm;
    if (name.empty()) throw UsageError("--algorithm is missing; 'bellwether list algorithms' shows what there is");
    const AlgorithmInfo& algorithm = algorithm_named(name);
    if (saved && algorithm.id != saved->state.algorithm)
        throw UsageError(fmt::format("{}: it is a state of {}, not of {}", options.load_state, saved->state.algorithm,
                                     algorithm.id));
    auto checked = check_parameters(algorithm, given_parameters(options, saved, algorithm));
    if (!checked) throw UsageError(checked.error());
    check_order(algorithm, checked.value());
    if (saved) refuse_other_parameters(options, *saved, checked.value());
    return {&algorithm, checked.value()};
}

// Sparse streams learn with sparse traces unless told otherwise: the same result at a cost that does not grow with d.
std::optional<double> choose_cutoff(const LearnOptions& options, const std::optional<Saved>& saved,
                                    bool sparse_stream) {
    if (saved) {
        if (!options.traces.empty() || !options.trace_cutoff.empty())
            throw UsageError("--traces and --trace-cutoff come from the state that --load-state names");
        return saved->state.cutoff;
    }
    const std::string kind = !options.traces.empty()                          ? options.traces
                             : sparse_stream || !options.trace_cutoff.empty() ? "sparse"
                                                                              : "dense";
    if (kind != "dense" && kind != "sparse")
        throw UsageError(fmt::format("--traces: '{}' is neither dense nor sparse", kind));
    if (kind == "dense") {
        if (!options.trace_cutoff.empty()) throw UsageError("--trace-cutoff is for sparse traces");
        return std::nullopt;
    }
    const double cutoff = options.trace_cutoff.empty() ? 0.0 : number_option("trace-cutoff", options.trace_cutoff);
    if (cutoff < 0)
        throw UsageError(fmt::format("--trace-cutoff {} is out of range: it must be at least 0", options.trace_cutoff));
    return cutoff;
}

void refuse_too_large(const AlgorithmInfo& algorithm, std::size_t dimension, std::optional<double> cutoff) {
    const double needed = memory_needed(algorithm, dimension, cutoff.has_value());
    if (const double there = memory_of_machine(); needed > there)
        throw UsageError(fmt::format("{} at dimension {} needs {:.3g} GB of memory; this machine has {:.3g} GB",
                                     algorithm.id, dimension, needed / 1e9, there / 1e9));
}

// ---- opening ----

// The length of feature vectors where it is known before the stream is read.
std::optional<std::size_t> choose_dimension(const LearnOptions& options, const std::optional<Saved>& saved) {
    std::optional<std::size_t> dimension;
    if (!options.dimension.empty()) dimension = count_option("dimension", options.dimension, 1);
    if (!saved) return dimension;
    if (dimension && *dimension != saved->state.dimension)
        throw UsageError(fmt::format("--dimension {}: the state {} has dimension {}", *dimension, options.load_state,
                                     saved->state.dimension));
    return saved->state.dimension;
}

// LearnOptions that each are right and together are not.
void refuse_contradictions(const LearnOptions& options) {
    if (!options.load_state.empty() && !options.initial_weights.empty())
        throw UsageError("--initial-weights: the weights come from the state that --load-state names");
    if (options.weights == "-" && options.predictions == "-")
        throw UsageError("--predictions -: standard output already has the weights; give --weights a file");
}

std::unique_ptr<Learner> open_learner(const LearnOptions& options, const std::optional<Saved>& saved,
                                      const Choice& choice, const StreamReader& stream) {
    const auto cutoff = choose_cutoff(options, saved, stream.sparse());
    refuse_too_large(*choice.algorithm, stream.dimension(), cutoff);
    std::unique_ptr<Learner> learner =
        best_instruction_set().make_learner(*choice.algorithm, stream.dimension(), choice.parameters, cutoff);
    if (!options.initial_weights.empty()) {
        std::vector<double> initial(stream.dimension());
        read_weights(options.initial_weights, initial);
        learner->set_weights(initial);
    }
    return learner;
}

// Goes on where the saved state stopped, with the row that it keeps.
void restore(const LearnOptions& options, const Saved& saved, const StreamReader& stream, Learner& learner,
             RowLearner& learning) {
    if (const std::string problem = learner.restore(saved.bytes); !problem.empty())
        throw UsageError(fmt::format("{}: cannot go on from this state: {}", options.load_state, problem));
    if (saved.state.attachment.empty()) return;
    StreamRow pending = read_pending_row(saved.state.attachment);
    if (!stream.fits(pending))
        throw UsageError(fmt::format("{}: the row it keeps does not fit this stream: one is sparse, the other dense",
                                     options.load_state));
    learning.wait_with(std::move(pending));
}

// ---- learning ----

// The plots of --plot, on standard error: on a terminal they follow the learning, elsewhere they come at its end.
class LearningPlots {
public:
    LearningTrace* trace() { return &trace_; }

    // Now and then, where there is somebody to see it.
    void update() {
        using Clock = std::chrono::steady_clock;
        if (!screen_.terminal().is_terminal || Clock::now() < next_) return;
        next_ = Clock::now() + std::chrono::milliseconds(500);
        show();
    }

    void show() {
        if (trace_.steps() == 0) return;
        LearningTrace::Means means = trace_.means();
        TerminalPlot plot{.columns = std::min<std::size_t>(screen_.terminal().columns, 100),
                          .rows = 8,
                          .colours = screen_.terminal().colours};
        plot.title = "prediction";
        plot.lines = {{.label = "", .x = means.steps, .y = std::move(means.predictions)}};
        std::string text = draw(plot);
        plot.title = "TD error, its magnitude";
        plot.x_name = "step";
        plot.lines = {{.label = "", .x = std::move(means.steps), .y = std::move(means.td_errors)}};
        screen_.show(text + draw(plot));
    }

private:
    LearningTrace trace_;
    LiveText screen_{stderr};
    std::chrono::steady_clock::time_point next_{};
};

// With plots there is no bar: both would want the same place.
void learn_from_rows(StreamReader& stream, RowLearner& learning, LearningPlots* plots, bool quiet) {
    Progress progress("learning", "MB", static_cast<double>(stream.lines().size()) / 1e6, quiet || plots);
    StreamRow row;
    std::uint64_t rows = 0;
    while (stream.next(row)) {
        learning.take(row);
        if (++rows % 1024 == 0) {
            stop_if_interrupted();
            progress.update(static_cast<double>(stream.lines().bytes_read()) / 1e6);
            if (plots) plots->update();
        }
    }
    if (rows == 0) stream.fail_row("the header is all there is; a stream has at least one row");
}

// The end of the stream. A row that would bootstrap on the one after it may only stay where a state is there to keep
// it.
void finish(const StreamReader& stream, RowLearner& learning, bool may_wait) {
    const StreamRow* waiting = learning.waiting();
    if (waiting && waiting->gamma == 0) return learning.finish();
    if (waiting && !may_wait)
        stream.fail_row(
            fmt::format("the last row has gamma {} and no row after it to bootstrap on: end the stream with a row of "
                        "features only, or keep the row for the next part with --save-state",
                        waiting->gamma));
}

// ---- what comes of it ----

// The files that are written. They are opened before anything is learned, and nothing of them is seen before commit().
class Outputs {
public:
    explicit Outputs(const LearnOptions& options) : weights_(options.weights) {
        if (!options.predictions.empty()) predictions_.emplace(options.predictions).write("step,prediction\n");
        if (!options.save_state.empty()) state_.emplace(options.save_state);
    }

    OutputFile* predictions() { return predictions_ ? &*predictions_ : nullptr; }
    bool keeps_state() const { return state_.has_value(); }

    void write(const Learner& learner, const StreamRow* waiting) {
        write_weights(learner.weights(), weights_);
        if (!state_) return;
        const auto attachment = waiting ? write_pending_row(*waiting) : std::vector<std::byte>();
        const std::vector<std::byte> bytes = learner.save(attachment);
        state_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }

    void commit() {
        if (predictions_) predictions_->commit();
        if (state_) state_->commit();
        weights_.commit();
    }

private:
    OutputFile weights_;
    std::optional<OutputFile> predictions_, state_;
};

int learn(const LearnOptions& options) {
    watch_interrupts();
    const auto saved = load_saved(options);
    const Choice choice = choose(options, saved);
    const auto dimension = choose_dimension(options, saved);
    refuse_contradictions(options);

    StreamReader stream(options.stream, dimension, *choice.algorithm);
    const std::unique_ptr<Learner> learner = open_learner(options, saved, choice, stream);
    Outputs outputs(options);
    std::optional<LearningPlots> plots;
    if (options.plot) plots.emplace();
    RowLearner learning(*learner, stream.sparse(), outputs.predictions(), plots ? plots->trace() : nullptr);
    if (saved) restore(options, *saved, stream, *learner, learning);

    learn_from_rows(stream, learning, plots ? &*plots : nullptr, options.quiet);
    finish(stream, learning, outputs.keeps_state());
    if (plots) plots->show();
    outputs.write(*learner, learning.waiting());
    outputs.commit();
    if (learner->diverged())
        throw WorkError(fmt::format("{} diverged: some weights are no longer finite; a smaller --alpha may help",
                                    choice.algorithm->id));
    return 0;
}

// What a parameter is where it is not given: "required", "default 1", or what its algorithms say where they differ.
std::string fallback_text(std::string_view parameter, const std::vector<std::string_view>& owners) {
    std::vector<std::string> texts;
    for (const std::string_view owner : owners) {
        const ParameterInfo& own = *find_algorithm(owner)->find(parameter);
        const std::string text = own.required() ? "required" : fmt::format("default {}", own.default_value);
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
    }
    return fmt::format("{}", fmt::join(texts, " or "));
}

// Every parameter of every algorithm, from the algorithms' own declarations.
void add_parameters(Command& command, const std::shared_ptr<LearnOptions>& options) {
    for_each_parameter([&](const ParameterInfo& p, const std::vector<std::string_view>& owners) {
        const std::string name(p.name);
        const std::string whose = owners.size() > 4 ? "" : fmt::format("; {}", fmt::join(owners, ", "));
        command
            .add_option_function(
                "--" + name, [options, name](const std::string& text) { options->parameters[name] = text; },
                fmt::format("{} ({}, {}{})", p.help, describe(p.range), fallback_text(p.name, owners), whose))
            ->type_name("NUMBER")
            ->group("Parameters");
    });
}

}  // namespace

void add_learn(Command& program, int& status) {
    const auto options = std::make_shared<LearnOptions>();
    Command* command = program.add_subcommand("learn", "Learn from a logged stream (CSV) and print the weights");
    command->allow_extras();
    const auto option = [&](const char* name, std::string& value, const char* type, const char* help) {
        return command->add_option(name, value, help)->type_name(type);
    };
    option("STREAM", options->stream, "FILE", "CSV as in docs/stream-format.md; - is standard input")->required();
    option("--algorithm", options->algorithm, "ID", "What to learn with ('bellwether list algorithms')");
    option("--initial-weights", options->initial_weights, "FILE", "Weights to start from (CSV: index,weight)");
    option("--load-state", options->load_state, "FILE", "Go on exactly where --save-state stopped");
    option("--dimension", options->dimension, "COUNT", "Length of the feature vectors; sparse streams need it");
    option("--traces", options->traces, "KIND", "dense or sparse (default: as the stream is)");
    option("--trace-cutoff", options->trace_cutoff, "NUMBER",
           "Sparse traces drop entries at most this large (default 0)");
    option("--weights", options->weights, "FILE", "Where the weights go (default: standard output)")->group("Output");
    option("--predictions", options->predictions, "FILE", "The prediction before each step goes here")->group("Output");
    option("--save-state", options->save_state, "FILE", "The complete state goes here, to go on from later")
        ->group("Output");
    command->add_flag("--plot", options->plot, "Predictions and TD errors over the steps, as plots on standard error")
        ->group("Output");
    command->add_flag("--quiet", options->quiet, "No progress")->group("Output");

    add_parameters(*command, options);
    command->footer("Example: bellwether learn stream.csv --algorithm gtd --alpha 0.1 --eta 1 --lambda 0.9");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = learn(*options);
    });
}

}  // namespace bellwether
