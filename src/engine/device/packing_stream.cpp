#include <algorithm>

#include "engine/device/packing.hpp"
#include "engine/device/packing_parts.hpp"

namespace bellwether {

std::size_t device_numbers(const LaneStream& stream, std::size_t algorithm) {
    if (stream.error_count > most_device_errors || stream.source.steps >= UINT32_MAX) return 0;
    for (std::size_t m = 0; m < stream.error_count; ++m)
        if (stream.errors[m].of == LaneError::Of::states) return 0;
    const std::size_t learner = on_device(algorithm).learner_numbers(stream.source.x.dimension);
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
