// bellwether learn: learns from a logged stream.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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
#include "engine/learners.hpp"
#include "stream/pending_row.hpp"
#include "stream/stream_reader.hpp"
#include "stream/weights_file.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/number.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace bellwether {
namespace {

struct Options {
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

std::optional<Saved> load_saved(const Options& options) {
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

Choice choose(const Options& options, const std::optional<Saved>& saved) {
    std::vector<NamedValue> given;
    std::string name = options.algorithm;
    if (saved && name.empty()) name = saved->state.algorithm;
    if (name.empty()) throw UsageError("--algorithm is missing; 'bellwether list algorithms' shows what there is");
    auto algorithm = require_algorithm(name);
    if (!algorithm) throw UsageError(algorithm.error());
    if (saved && algorithm->id != saved->state.algorithm)
        throw UsageError(fmt::format("{}: it is a state of {}, not of {}", options.load_state, saved->state.algorithm,
                                     algorithm->id));
    for (const auto& [parameter, text] : options.parameters) {
        // An option that the algorithm does not have is the larger mistake: let check_parameters say so first.
        const double value = algorithm->find(parameter) ? number_option(parameter, text) : 0.0;
        given.push_back({parameter, value});
    }
    if (saved) given.insert(given.begin(), saved->state.parameters.begin(), saved->state.parameters.end());
    auto checked = check_parameters(*algorithm, given);
    if (!checked) throw UsageError(checked.error());
    if (!saved) return {&*algorithm, checked.value()};
    for (std::size_t i = 0; i < checked.value().size(); ++i) {
        const NamedValue& kept = saved->state.parameters.at(i);
        if (checked.value()[i] != kept.value)
            throw UsageError(fmt::format("--{} {}: the state {} was learned with {}; leave the option out to go on",
                                         kept.name, options.parameters.at(std::string(kept.name)), options.load_state,
                                         number_text(kept.value)));
    }
    return {&*algorithm, checked.value()};
}

// Sparse streams learn with sparse traces unless told otherwise: the same result at a cost that does not grow with d.
std::optional<double> choose_cutoff(const Options& options, const std::optional<Saved>& saved, bool sparse_stream) {
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
    const double there = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (needed > there)
        throw UsageError(fmt::format("{} at dimension {} needs {:.3g} GB of memory; this machine has {:.3g} GB",
                                     algorithm.id, dimension, needed / 1e9, there / 1e9));
}

// ---- learning ----

template <class Features>
Features features_of(const StreamRow& row) {
    if constexpr (std::is_same_v<Features, Dense<double>>) {
        return {row.values};
    } else {
        return {row.indices, row.values};
    }
}

// Feeds a learner the rows of a stream: a row is learned from when the next one, or the end, is known.
class StreamLearner {
public:
    StreamLearner(Learner& learner, bool sparse, OutputFile* predictions)
        : learner_(learner), sparse_(sparse), predictions_(predictions) {}

    void take(StreamRow& row) {
        if (waiting_) learn(row);
        waiting_ = !row.closes_segment;
        if (row.closes_segment) learner_.start();
        std::swap(last_, row);
    }

    // The row that still waits for the one after it.
    const StreamRow* waiting() const { return waiting_ ? &last_ : nullptr; }
    void wait_with(StreamRow row) {
        last_ = std::move(row);
        waiting_ = true;
    }

    // After a last row with γ = 0 nothing of a next one is read: its own features stand in.
    void finish() {
        if (waiting_) learn(last_);
        waiting_ = false;
    }

    std::uint64_t steps() const { return steps_; }

private:
    void learn(const StreamRow& next) {
        if (sparse_) {
            learn_from<Sparse<double>>(next);
        } else {
            learn_from<Dense<double>>(next);
        }
        ++steps_;
    }

    template <class Features>
    void learn_from(const StreamRow& next) {
        const auto x = features_of<Features>(last_);
        if (predictions_) predictions_->write(fmt::format("{},{}\n", steps_, number_text(learner_.predict(x))));
        learner_.step(Transition<Features>{.x = x,
                                           .reward = last_.reward,
                                           .gamma = last_.gamma,
                                           .x_next = features_of<Features>(next),
                                           .rho = last_.rho,
                                           .lambda = last_.lambda,
                                           .lambda_next = next.lambda,
                                           .interest = last_.interest,
                                           .pi = last_.pi,
                                           .mu = last_.mu});
    }

    Learner& learner_;
    bool sparse_;
    OutputFile* predictions_;
    StreamRow last_;
    bool waiting_ = false;
    std::uint64_t steps_ = 0;
};

// Whether a row kept from an earlier part has the form of this stream's rows.
bool fits(const StreamRow& row, const StreamReader& stream) {
    if (!stream.sparse()) return row.indices.empty() && row.values.size() == stream.dimension();
    const auto in_range = [&](std::uint32_t index) { return index < stream.dimension(); };
    return row.indices.size() == row.values.size() && std::all_of(row.indices.begin(), row.indices.end(), in_range);
}

int learn(const Options& options) {
    watch_interrupts();
    const auto saved = load_saved(options);
    const Choice choice = choose(options, saved);
    std::optional<std::size_t> dimension;
    if (!options.dimension.empty()) dimension = count_option("dimension", options.dimension, 1);
    if (saved && dimension && *dimension != saved->state.dimension)
        throw UsageError(fmt::format("--dimension {}: the state {} has dimension {}", *dimension, options.load_state,
                                     saved->state.dimension));
    if (saved) dimension = saved->state.dimension;
    if (saved && !options.initial_weights.empty())
        throw UsageError("--initial-weights: the weights come from the state that --load-state names");
    if (options.weights == "-" && options.predictions == "-")
        throw UsageError("--predictions -: standard output already has the weights; give --weights a file");

    StreamReader stream(options.stream, dimension, *choice.algorithm);
    const auto cutoff = choose_cutoff(options, saved, stream.sparse());
    refuse_too_large(*choice.algorithm, stream.dimension(), cutoff);
    const std::unique_ptr<Learner> learner =
        learner_targets().front().make(*choice.algorithm, stream.dimension(), choice.parameters, cutoff);
    if (!options.initial_weights.empty()) {
        std::vector<double> initial(stream.dimension());
        read_weights(options.initial_weights, initial);
        learner->set_weights(initial);
    }

    OutputFile weights(options.weights);
    std::optional<OutputFile> predictions, state;
    if (!options.predictions.empty()) predictions.emplace(options.predictions).write("step,prediction\n");
    if (!options.save_state.empty()) state.emplace(options.save_state);

    StreamLearner learning(*learner, stream.sparse(), predictions ? &*predictions : nullptr);
    if (saved) {
        if (const std::string problem = learner->restore(saved->bytes); !problem.empty())
            throw UsageError(fmt::format("{}: cannot go on from this state: {}", options.load_state, problem));
        if (!saved->state.attachment.empty()) {
            StreamRow pending = read_pending_row(saved->state.attachment);
            if (!fits(pending, stream))
                throw UsageError(
                    fmt::format("{}: the row it keeps does not fit this stream: one is sparse, the other dense",
                                options.load_state));
            learning.wait_with(std::move(pending));
        }
    }

    Progress progress("learning", "MB", static_cast<double>(stream.lines().size()) / 1e6, options.quiet);
    StreamRow row;
    std::uint64_t rows = 0;
    while (stream.next(row)) {
        learning.take(row);
        if (++rows % 1024 == 0) {
            stop_if_interrupted();
            progress.update(static_cast<double>(stream.lines().bytes_read()) / 1e6);
        }
    }
    if (rows == 0) stream.fail_row("the header is all there is; a stream has at least one row");
    const StreamRow* waiting = learning.waiting();
    if (waiting && waiting->gamma == 0) learning.finish();
    if (learning.waiting() && !state)
        stream.fail_row(
            fmt::format("the last row has gamma {} and no row after it to bootstrap on: end the stream with a row of "
                        "features only, or keep the row for the next part with --save-state",
                        waiting->gamma));

    write_weights(learner->weights(), weights);
    if (state) {
        const auto attachment = learning.waiting() ? write_pending_row(*learning.waiting()) : std::vector<std::byte>();
        const std::vector<std::byte> bytes = learner->save(attachment);
        state->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    if (predictions) predictions->commit();
    if (state) state->commit();
    weights.commit();
    if (learner->diverged())
        throw WorkError(fmt::format("{} diverged: some weights are no longer finite; a smaller --alpha may help",
                                    choice.algorithm->id));
    return 0;
}

}  // namespace

void add_learn(Command& program, int& status) {
    const auto options = std::make_shared<Options>();
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
    command->add_flag("--quiet", options->quiet, "No progress")->group("Output");

    // Every parameter of every algorithm, from the algorithms' own declarations.
    for_each_parameter([&](const ParameterInfo& p, const std::vector<std::string_view>& owners) {
        const std::string name(p.name);
        const std::string fallback = p.required() ? "required" : fmt::format("default {}", p.default_value);
        const std::string whose = owners.size() > 4 ? "" : fmt::format("; {}", fmt::join(owners, ", "));
        command
            ->add_option_function(
                "--" + name, [options, name](const std::string& text) { options->parameters[name] = text; },
                fmt::format("{} ({}, {}{})", p.help, describe(p.range), fallback, whose))
            ->type_name("NUMBER")
            ->group("Parameters");
    });
    command->footer("Example: bellwether learn stream.csv --algorithm gtd --alpha 0.1 --eta 1 --lambda 0.9");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = learn(*options);
    });
}

}  // namespace bellwether
