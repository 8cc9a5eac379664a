#include "engine/device/packing.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bellwether/registry.hpp"
#include "engine/device/kernel.hpp"

namespace bellwether {

namespace {

// What there is to know of an algorithm on a device.
struct OnDevice {
    std::size_t (*numbers)(std::size_t dimension);  // that the vectors of a learner take; null: it has no kernel
    bool spreads;                                   // it has its features spread out
};
template <template <class, class> class Algorithm>
constexpr OnDevice on_device() {
    if constexpr (runs_on_device<Algorithm>) return {numbers_of_learner<Algorithm>, spreads_on_device<Algorithm>};
    return {nullptr, false};
}
template <template <class, class> class... Algorithm>
OnDevice on_device_by_number(AlgorithmList<Algorithm...>, std::size_t algorithm) {
    static constexpr OnDevice all[] = {on_device<Algorithm>()...};
    return all[algorithm];
}
OnDevice on_device(std::size_t algorithm) {
    return on_device_by_number(Algorithms{}, algorithm);
}
std::size_t learner_numbers(std::size_t algorithm, std::size_t dimension) {
    const OnDevice known = on_device(algorithm);
    return known.numbers ? known.numbers(dimension) : 0;
}

// The errors of a request, and those after a change.
struct BothErrors {
    const LaneError* parts[2];
    std::size_t count;

    explicit BothErrors(const LaneRequest& request)
        : parts{request.errors, request.changes_after > 0 ? request.later_errors : nullptr},
          count(request.error_count) {}

    template <class Use>
    void for_each(Use use) const {
        for (const LaneError* errors : parts)
            for (std::size_t m = 0; errors && m < count; ++m) use(errors[m]);
    }
};

// The nodes of one error at a time.
std::size_t scratch_of(const LaneRequest& request) {
    std::size_t most = 0;
    BothErrors(request).for_each([&](const LaneError& error) {
        if (error.kind != LaneError::Kind::projected)
            most = std::max(most, scratch_of(error, request.features.dimension));
    });
    return most;
}

std::size_t longest_curve(const LaneRequest& request) {
    std::size_t longest = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        longest = std::max(longest, measurements_of(request.trajectories[r]) + 1);
    return longest;
}

template <class Has>
bool some_trajectory(const LaneRequest& request, Has has) {
    return std::any_of(request.trajectories, request.trajectories + request.trajectory_count, has);
}
// Whether steps are not all alike: errors are measured after some only, or count from different ones on, or nothing is
// learned from some.
bool has_events(const LaneRequest& request) {
    for (std::size_t m = 1; m < request.error_count; ++m)
        if (request.scored_steps_of_error(m) != request.scored_steps_of_error(0)) return true;
    return some_trajectory(request, [](const LaneTrajectory& t) { return t.measured || t.marks; });
}
// Whether what is true changes as runs go on.
bool has_truths(const LaneRequest& request) {
    return some_trajectory(request, [](const LaneTrajectory& t) { return t.offsets; });
}
// How many errors are kept from one look to the next.
std::size_t remembered_by(const LaneRequest& request) {
    return some_trajectory(request, [](const LaneTrajectory& t) { return t.marks; }) ? request.error_count : 0;
}

// Configurations with the same λ settle at the same steps, and threads that work together should: by λ, then as they
// are.
std::vector<std::uint32_t> order_of(const LaneBlock& block) {
    std::vector<std::uint32_t> order(block.count);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const auto parameters = algorithm_table[block.algorithm].parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].name != "lambda") continue;
        const double* lambda = block.parameters + p * block.count;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return lambda[a] < lambda[b]; });
    }
    return order;
}

void put_block(const LaneBlock& block, DeviceRequest& packed, DeviceArena& input) {
    const std::vector<std::uint32_t> order = order_of(block);
    packed.count = block.count;
    packed.parameters = input.put(block.parameters, block.count * algorithm_table[block.algorithm].parameters.size());
    packed.order = input.put(order.data(), block.count);
}

// The first rows of some features. One-hot ones are in the steps.
LaneFeatures pack_features(LaneFeatures features, std::size_t rows, DeviceArena& input) {
    switch (features.kind) {
        case LaneFeatures::Kind::one_hot:
            features.indices = nullptr;
            break;
        case LaneFeatures::Kind::sparse: {
            const std::size_t begin = rows == 0 ? 0 : features.first[0];
            const std::size_t entries = rows == 0 ? 0 : features.first[rows] - begin;
            std::uint32_t* first = nullptr;
            const std::uint32_t* there = input.reserve<std::uint32_t>(rows == 0 ? 0 : rows + 1, &first);
            for (std::size_t row = 0; first && rows > 0 && row <= rows; ++row)
                first[row] = features.first[row] - static_cast<std::uint32_t>(begin);
            features.indices = input.put(features.indices + begin, entries);
            features.values = input.put(features.values + begin, entries);
            features.first = there;
            break;
        }
        case LaneFeatures::Kind::dense:
            features.values = input.put(features.values, rows * features.dimension);
            break;
    }
    return features;
}

// The same spread out, where they are not dense.
const double* pack_spread(const LaneFeatures& features, std::size_t rows, DeviceArena& input) {
    const std::size_t d = features.dimension;
    if (features.kind == LaneFeatures::Kind::dense || d == 0) return nullptr;
    const bool one_hot = features.kind == LaneFeatures::Kind::one_hot;
    double* here = nullptr;
    const double* there = input.reserve<double>(one_hot ? 2 * d - 1 : rows * d, &here);
    if (!here) return there;
    std::fill_n(here, one_hot ? 2 * d - 1 : rows * d, 0.0);
    if (one_hot) {
        here[d - 1] = 1;
    } else {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::uint32_t k = features.first[row]; k < features.first[row + 1]; ++k)
                here[row * d + features.indices[k]] = features.values[k];
    }
    return there;
}

// The rows that a request uses.
std::size_t rows_of(const LaneRequest& request) {
    std::size_t rows = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r) {
        const LaneTrajectory& t = request.trajectories[r];
        for (std::size_t k = 0; t.rows && k <= t.steps; ++k) rows = std::max<std::size_t>(rows, t.rows[k] + 1);
        for (std::size_t k = 0; t.rows_next && k < t.steps; ++k) rows = std::max<std::size_t>(rows, t.rows_next[k] + 1);
    }
    return rows;
}

LaneError pack_error(const LaneError& error, const LaneRequest& request, DeviceArena& input) {
    const std::size_t dimension = request.features.dimension;
    LaneError packed = error;
    packed.nodes = input.put(error.nodes, error.node_count);
    packed.terms = input.put(error.terms, error.term_count);
    if (error.kind == LaneError::Kind::projected) {
        const std::size_t systems = 1 + *std::max_element(error.system_of, error.system_of + request.block.count);
        packed.systems = input.put(error.systems, systems * error.rank * (dimension + 1));
        packed.system_of = input.put(error.system_of, request.block.count);
    }
    return packed;
}

void pack_own_parts(const LaneError* errors, const LaneRequest& request, DeviceErrors& packed) {
    DeviceErrors::OwnParts next{.terms = 0, .nodes = 0, .subsets = 0, .has_terms = true};
    for (std::size_t m = 0; m < request.error_count; ++m) {
        const LaneError& error = errors[m];
        packed.own[m] = next;
        packed.own[m].has_terms = error.kind != LaneError::Kind::projected && !has_truths(request) &&
                                  next.terms + error.term_count <= most_own_parts &&
                                  next.nodes + error.node_count <= most_own_parts;
        if (packed.own[m].has_terms) {
            std::copy_n(error.terms, error.term_count, packed.own_terms + next.terms);
            std::copy_n(error.nodes, error.node_count, packed.own_nodes + next.nodes);
            next.terms += static_cast<std::uint32_t>(error.term_count);
            next.nodes += static_cast<std::uint32_t>(error.node_count);
        }
        if (error.subsets) {
            const std::size_t subsets = std::size_t{1} << request.features.dimension;
            std::copy_n(error.subsets, subsets, packed.own_subsets + next.subsets);
            next.subsets += static_cast<std::uint32_t>(subsets);
        }
    }
}

// The row that a step leads to.
std::uint32_t row_after(const LaneTrajectory& trajectory, std::size_t t) {
    return trajectory.rows_next ? trajectory.rows_next[t] : trajectory.rows[t + 1];
}

void pack_steps(const LaneRequest& request, const LaneTrajectory& from, DeviceStep* to) {
    const LaneFeatures& features = request.features;
    for (std::size_t t = 0; t <= from.steps; ++t) {
        const std::uint32_t row = from.rows ? from.rows[t] : 0;
        DeviceStep step{};
        if (from.rows) {
            const auto place_of = [&](std::uint32_t of) {
                return features.kind == LaneFeatures::Kind::one_hot ? features.indices[of] : of;
            };
            step.row = place_of(row);
            if (t < from.steps) step.row_next = place_of(row_after(from, t));
            if (request.states.lambda) step.lambda = request.states.lambda[row];
            step.interest = request.states.interest ? request.states.interest[row] : 1;
        }
        if (t < from.steps) {
            step.reward = from.reward[t];
            step.gamma = from.gamma[t];
            step.rho = from.rho[t];
            step.pi = from.pi[t];
            step.mu = from.mu[t];
        }
        to[t] = step;
    }
}

void pack_events(const LaneRequest& request, const LaneTrajectory& trajectory, std::uint16_t* to) {
    std::size_t counted_from[most_device_errors];
    for (std::size_t m = 0; m < request.error_count; ++m)
        counted_from[m] = first_counted(trajectory, request.scored_steps_of_error(m));
    // Errors of the weights as they are that have been looked at: all those of w_0, for curves.
    unsigned known = request.curves ? adds_every_error : 0;
    for (std::size_t t = 0; t < trajectory.steps; ++t) {
        if (request.changes_after > 0 && t == request.changes_after) known = 0;
        const unsigned marks = trajectory.marks ? trajectory.marks[t] : 0;
        unsigned due = 0;
        if (!trajectory.measured || trajectory.measured[t]) {
            for (std::size_t m = 0; m < request.error_count; ++m)
                if (t >= counted_from[m]) due |= adds_error << m;
            if (request.curves) due |= is_recorded;
        }
        const unsigned errors = request.curves && due ? unsigned{adds_every_error} : due;
        if (marks & is_idle) {
            if (errors && !(errors & ~known) && !trajectory.offsets) due |= repeats_errors;
            known |= errors;
        } else {
            known = errors;
        }
        to[t] = static_cast<std::uint16_t>(due | marks << marks_of_event);
    }
}

void pack_measurements(const LaneTrajectory& trajectory, std::uint32_t* to) {
    std::uint32_t count = 0;
    for (std::size_t t = 0; t <= trajectory.steps; ++t) {
        to[t] = count;
        count += t < trajectory.steps && (!trajectory.measured || trajectory.measured[t]);
    }
}

// What all errors have in common, but for the b of their terms.
LaneError::Term* pack_truths(const LaneError& error, const LaneTrajectory& trajectory, LaneError::Term* to) {
    to = std::copy_n(error.terms, error.term_count, to);
    const double* b = trajectory.offsets;
    for (std::size_t measurement = measurements_of(trajectory); measurement > 0; --measurement)
        for (std::size_t k = 0; k < error.term_count; ++k, ++to, ++b) *to = {error.terms[k].node, error.terms[k].a, *b};
    return to;
}

struct Outputs {
    double *scores, *curves;
    std::size_t curve_length;
};
Outputs reserve_outputs(const LaneRequest& request, DeviceArena& output, double** scores, double** curves) {
    const std::size_t numbers = request.trajectory_count * request.error_count * request.block.count;
    const std::size_t curve_length = request.curves ? longest_curve(request) : 0;
    Outputs outputs{output.reserve<double>(numbers, scores), nullptr, curve_length};
    if (request.curves) outputs.curves = output.reserve<double>(numbers * curve_length, curves);
    return outputs;
}

}  // namespace

std::string_view why_not_on_device(const LaneRequest& request) {
    if (!request.step_sizes.is_constant()) return "its step sizes change by a rule";
    return "";
}

std::size_t device_numbers(const LaneRequest& request) {
    if (request.error_count > most_device_errors || !why_not_on_device(request).empty()) return 0;
    bool takes_errors = true;
    BothErrors(request).for_each(
        [&](const LaneError& error) { takes_errors = takes_errors && error.of == LaneError::Of::states; });
    const std::size_t learner = learner_numbers(request.block.algorithm, request.features.dimension);
    return learner == 0 || !takes_errors ? 0
                                         : learner + request.error_count + scratch_of(request) + remembered_by(request);
}

namespace {

void pack_trajectories(const LaneRequest& request, DeviceRequest& packed, DeviceArena& input) {
    DeviceTrajectory* trajectories = nullptr;
    packed.trajectories = input.reserve<DeviceTrajectory>(request.trajectory_count, &trajectories);
    packed.trajectory_count = request.trajectory_count;
    std::vector<LaneTrajectory> cut;
    std::size_t records = 0, truths = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r) {
        const LaneTrajectory& one = cut.emplace_back(up_to_last_measured(request.trajectories[r]));
        if (trajectories)
            trajectories[r] = {.first = records,
                               .steps = static_cast<std::uint32_t>(one.steps),
                               .counted_from = static_cast<std::uint32_t>(
                                   one.steps - std::min(one.steps, request.scored_steps_of_error(0))),
                               .first_truth = truths};
        records += one.steps + 1;
        truths += measurements_of(one) + 1;
    }
    DeviceStep* steps = nullptr;
    packed.steps = input.reserve<DeviceStep>(records, &steps);
    std::uint16_t* events = nullptr;
    if (has_events(request)) packed.events = input.reserve<std::uint16_t>(records, &events);
    std::uint32_t* measurements = nullptr;
    if (packed.events && (request.curves || has_truths(request)))
        packed.measurements = input.reserve<std::uint32_t>(records, &measurements);
    double* lambda_next = nullptr;
    if (packed.has_lambda && some_trajectory(request, [](const LaneTrajectory& t) { return t.rows_next; }))
        packed.lambda_next = input.reserve<double>(records, &lambda_next);
    LaneError::Term* terms = nullptr;
    if (has_truths(request))
        packed.truths = input.reserve<LaneError::Term>(truths * request.errors->term_count, &terms);
    std::size_t first = 0;
    for (const LaneTrajectory& one : cut) {
        if (steps) pack_steps(request, one, steps + first);
        if (events) pack_events(request, one, events + first);
        if (measurements) pack_measurements(one, measurements + first);
        for (std::size_t t = 0; lambda_next && t < one.steps; ++t)
            lambda_next[first + t] = request.states.lambda[row_after(one, t)];
        if (terms) terms = pack_truths(*request.errors, one, terms);
        first += one.steps + 1;
    }
}

}  // namespace

DeviceRequest pack_request(const LaneRequest& request, DeviceArena& input, DeviceArena& output) {
    DeviceRequest packed{};
    put_block(request.block, packed, input);
    const std::size_t rows = rows_of(request);
    packed.features = packed.features_next = pack_features(request.features, rows, input);
    if (on_device(request.block.algorithm).spreads)
        packed.spread = packed.spread_next = pack_spread(request.features, rows, input);
    if (request.initial_weights)
        packed.initial_weights = input.put(request.initial_weights, request.features.dimension);
    packed.has_lambda = request.states.lambda != nullptr;
    packed.has_interest = request.states.interest != nullptr;
    packed.error_count = request.error_count;
    packed.changes_after = request.changes_after > 0 ? request.changes_after : UINT64_MAX;
    const BothErrors errors(request);
    for (std::size_t part = 0; part < 2 && errors.parts[part]; ++part) {
        for (std::size_t m = 0; m < request.error_count; ++m)
            packed.errors[part].errors[m] = pack_error(errors.parts[part][m], request, input);
        pack_own_parts(errors.parts[part], request, packed.errors[part]);
    }
    for (std::size_t m = 0; m < request.error_count; ++m)
        packed.scored_steps[m] = static_cast<double>(request.scored_steps_of_error(m));
    packed.scratch = scratch_of(request);
    packed.remembered = remembered_by(request);
    pack_trajectories(request, packed, input);
    const Outputs outputs = reserve_outputs(request, output, nullptr, nullptr);
    packed.scores = outputs.scores;
    packed.curves = outputs.curves;
    packed.curve_length = outputs.curve_length;
    return packed;
}

void unpack_results(const LaneRequest& request, DeviceArena& output) {
    double *scores = nullptr, *curves = nullptr;
    const Outputs outputs = reserve_outputs(request, output, &scores, &curves);
    const std::size_t by_trajectory = request.error_count * request.block.count;
    std::copy_n(scores, request.trajectory_count * by_trajectory, request.scores);
    if (!request.curves) return;
    double* to = request.curves;
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        for (std::size_t k = 0; k < by_trajectory; ++k)
            to = std::copy_n(curves + (r * by_trajectory + k) * outputs.curve_length,
                             measurements_of(request.trajectories[r]) + 1, to);
}

// ---- streams

std::size_t device_numbers(const LaneStream& stream, std::size_t algorithm) {
    if (stream.error_count > most_device_errors || stream.source.steps >= UINT32_MAX) return 0;
    for (std::size_t m = 0; m < stream.error_count; ++m)
        if (stream.errors[m].of == LaneError::Of::states) return 0;
    const std::size_t learner = learner_numbers(algorithm, stream.source.x.dimension);
    return learner == 0 ? 0 : learner + stream.error_count;
}

namespace {

bool is_step(const LaneSource& source, std::size_t t) {
    return !source.marks || !(source.marks[t] & is_no_step);
}
std::uint32_t row_of(const std::uint32_t* rows, std::size_t t) {
    return rows ? rows[t] : static_cast<std::uint32_t>(t);
}

// Where the features of states and next states lie: often in one table, whose next states begin a row later.
struct StreamRows {
    std::size_t x = 0, x_next = 0;  // rows that are used
    bool share = false;
    std::uint32_t later = 0;

    explicit StreamRows(const LaneSource& source) {
        for (std::size_t t = 0; t < source.steps; ++t) {
            x = std::max<std::size_t>(x, row_of(source.rows, t) + std::size_t{1});
            if (is_step(source, t))
                x_next = std::max<std::size_t>(x_next, row_of(source.rows_next, t) + std::size_t{1});
        }
        const bool follows = begins_later(source.x, source.x_next, 1);
        share = follows || begins_later(source.x, source.x_next, 0);
        later = follows ? 1 : 0;
        if (share) x = std::max(x, x_next + later);
    }

private:
    static bool begins_later(const LaneFeatures& one, const LaneFeatures& other, std::size_t rows) {
        switch (one.kind) {
            case LaneFeatures::Kind::one_hot:
                return true;  // there is no table
            case LaneFeatures::Kind::sparse:
                return other.first == one.first + rows && other.indices == one.indices && other.values == one.values;
            case LaneFeatures::Kind::dense:
                return other.values == one.values + rows * one.dimension;
        }
        return false;
    }
};

void pack_stream_steps(const LaneSource& source, const StreamRows& rows, DeviceStep* to) {
    const auto number = [](const LaneSignal& signal, std::size_t t) { return signal.numbers[t * signal.by_step]; };
    const bool one_hot = source.x.kind == LaneFeatures::Kind::one_hot;
    for (std::size_t t = 0; t < source.steps; ++t) {
        const std::uint32_t row = row_of(source.rows, t);
        DeviceStep step{};
        step.row = step.row_next = one_hot ? source.x.indices[row] : row;
        if (is_step(source, t)) {
            const std::uint32_t row_next = row_of(source.rows_next, t);
            step.row_next = one_hot ? source.x_next.indices[row_next] : row_next + rows.later;
            step.reward = number(source.reward, t);
            step.gamma = number(source.gamma, t);
            step.rho = number(source.rho, t);
            step.pi = number(source.pi, t);
            step.mu = number(source.mu, t);
            if (source.lambda) step.lambda = source.lambda[row];
            step.interest = source.interest ? source.interest[row] : 1;
        }
        to[t] = step;
    }
    to[source.steps] = {};
}

// What an error reads of an evaluation set, or of the targets.
LaneError pack_stream_error(const LaneError& error, std::size_t steps, DeviceArena& input) {
    LaneError packed = error;
    if (error.of == LaneError::Of::prediction) {
        packed.target.numbers = input.put(error.target.numbers, error.target.by_step == 0 ? 1 : steps);
        packed.target.by_step = error.target.by_step == 0 ? 0 : 1;
        return packed;
    }
    packed.rows = pack_features(error.rows, error.row_count, input);
    if (error.rows.kind == LaneFeatures::Kind::one_hot)
        packed.rows.indices = input.put(error.rows.indices, error.row_count);
    packed.truth = input.put(error.truth, error.row_count);
    packed.weight = input.put(error.weight, error.row_count);
    return packed;
}

struct StreamOutputs {
    double *sums, *weights;
};
StreamOutputs reserve_outputs(const LaneStream& stream, const LaneBlock& block, bool keeps_weights, DeviceArena& output,
                              double** sums, double** weights) {
    StreamOutputs outputs{output.reserve<double>(stream.error_count * block.count, sums), nullptr};
    if (keeps_weights) outputs.weights = output.reserve<double>(block.count * stream.source.x.dimension, weights);
    return outputs;
}

}  // namespace

DeviceRequest pack_stream(const LaneStream& stream, DeviceArena& input) {
    const LaneSource& source = stream.source;
    const StreamRows rows(source);
    DeviceRequest packed{};
    packed.is_stream = true;
    packed.features = pack_features(source.x, rows.x, input);
    packed.features_next = rows.share ? packed.features : pack_features(source.x_next, rows.x_next, input);
    if (stream.initial_weights) packed.initial_weights = input.put(stream.initial_weights, source.x.dimension);
    packed.has_lambda = source.lambda != nullptr;
    packed.has_interest = source.interest != nullptr;
    std::uint16_t* events = nullptr;
    packed.events = input.reserve<std::uint16_t>(source.steps, &events);
    for (std::size_t t = 0; events && t < source.steps; ++t)
        events[t] = static_cast<std::uint16_t>((stream.counts[t] ? adds_every_error : 0) |
                                               (source.marks ? source.marks[t] : 0) << marks_of_event);
    if (source.lambda) {
        double* lambda_next = nullptr;
        packed.lambda_next = input.reserve<double>(source.steps, &lambda_next);
        for (std::size_t t = 0; lambda_next && t < source.steps; ++t)
            lambda_next[t] = is_step(source, t) ? source.lambda_next[row_of(source.rows_next, t)] : 0;
    }
    packed.error_count = stream.error_count;
    packed.changes_after = UINT64_MAX;
    for (std::size_t m = 0; m < stream.error_count; ++m) {
        packed.errors[0].errors[m] = pack_stream_error(stream.errors[m], source.steps, input);
        packed.stream.predicts = packed.stream.predicts || stream.errors[m].of == LaneError::Of::prediction;
    }
    std::fill(std::begin(packed.scored_steps), std::end(packed.scored_steps), 1.0);
    const DeviceTrajectory whole{
        .first = 0, .steps = static_cast<std::uint32_t>(source.steps), .counted_from = 0, .first_truth = 0};
    packed.trajectories = input.put(&whole, 1);
    packed.trajectory_count = 1;
    DeviceStep* steps = nullptr;
    packed.steps = input.reserve<DeviceStep>(source.steps + 1, &steps);
    if (steps) pack_stream_steps(source, rows, steps);
    return packed;
}

DeviceRequest pack_block(const DeviceRequest& packed_stream, const LaneStream& stream, const LaneBlock& block,
                         bool keeps_weights, DeviceArena& input, DeviceArena& output) {
    DeviceRequest packed = packed_stream;
    put_block(block, packed, input);
    if (on_device(block.algorithm).spreads) {
        const StreamRows rows(stream.source);
        packed.spread = pack_spread(stream.source.x, rows.x, input);
        packed.spread_next = rows.share ? packed.spread : pack_spread(stream.source.x_next, rows.x_next, input);
    }
    const StreamOutputs outputs = reserve_outputs(stream, block, keeps_weights, output, nullptr, nullptr);
    packed.scores = outputs.sums;
    packed.stream.weights = outputs.weights;
    return packed;
}

void unpack_results(const LaneStream& stream, const LaneBlock& block, double* sums, double* weights,
                    DeviceArena& output) {
    double *sums_here = nullptr, *weights_here = nullptr;
    reserve_outputs(stream, block, weights != nullptr, output, &sums_here, &weights_here);
    std::copy_n(sums_here, stream.error_count * block.count, sums);
    if (weights) std::copy_n(weights_here, block.count * stream.source.x.dimension, weights);
}

}  // namespace bellwether
