// The sweep's engine on a stream that a user brings: many configurations learn from it, each in a SIMD lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bellwether/info.hpp"
#include "engine/backend.hpp"
#include "engine/device/device.hpp"
#include "stream/stream_view.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

// The values of one parameter, for every algorithm that has it.
struct ParameterValues {
    std::string name;
    std::vector<double> values;
};

// An algorithm each, with all combinations of the values that it has a parameter for, and defaults for the others.
// UsageError where a value is out of range, a required parameter has none, or nobody has a parameter of that name.
std::vector<AlgorithmGrid> grids_of(std::span<const AlgorithmInfo* const> algorithms,
                                    std::span<const ParameterValues> values);

enum class StreamMetric { rmse, mse, mae };

// What predictions ought to be, step by step, where it is known.
struct Targets {
    std::vector<double> values;
    std::vector<std::uint8_t> known;
};

// The returns from each step on, by per-decision importance sampling: G_t = ρ_t (R_{t+1} + γ_{t+1} G_{t+1}). Known are
// those that the end of their segment leaves nothing to add to: the product of the discounts up to it is below
// `least_discount`, as it is where an episode ends with γ = 0.
inline constexpr double least_discount = 1e-6;
Targets returns_of(const StreamView& stream);

// The truth that configurations are measured by: values that predictions ought to have in the steps of the stream, each
// compared with the prediction before that step's update; or values on rows of an evaluation set, compared with the
// weights' predictions after a step.
struct StreamTruth {
    bool returns = false;                 // by_step: the stream's own, returns_of(stream)
    const double* by_step = nullptr;      // of every step
    const std::uint8_t* known = nullptr;  // by_step: null, or 1 where it is
    LaneFeatures rows{};                  // the evaluation set, where by_step is null
    std::size_t row_count = 0;
    const double* values = nullptr;
    const double* weights = nullptr;  // null: all the same
    std::size_t every = 0;            // steps from one evaluation to the next; 0: a hundred evaluations
    const std::uint8_t* at =
        nullptr;  // null, or 1 for every step that is measured: then `every` and the share are not read
};

struct StreamSweepOptions {
    StreamMetric metric = StreamMetric::rmse;
    double score_share = 0.5;                 // of the steps, the last ones: those that are measured
    const double* initial_weights = nullptr;  // null: 0
    bool keeps_weights = false;
    bool is_checked = false;  // an earlier sweep has seen that the stream's numbers are in order
    std::size_t threads = 1;
    // Called by the calling thread many times a second and at the end; what it throws ends the sweep.
    std::function<void(double done)> watch{};
    const InstructionSet* instruction_set = nullptr;  // null: the best one
    // Null, or where configurations learn, as far as it takes them. There the share that is done grows by large steps,
    // and what `watch` throws ends the sweep when those that are under way have come to the end of the stream.
    const Device* device = nullptr;
};

// Configuration by configuration in the order of its grid, one algorithm's after the other's. A score is the mean error
// over the measured steps: rmse the mean of the evaluations' root mean squares, or the root of the mean square of
// predictions. A configuration whose weights are not finite at the end has diverged, and its score is infinite.
struct StreamScores {
    std::vector<double> scores;
    std::vector<std::uint8_t> diverged;
    std::vector<double> weights;  // the final ones: configurations × dimension, where they are kept
};

// UsageError where an argument is wrong.
StreamScores sweep_stream(const StreamView& stream, std::span<const AlgorithmGrid> algorithms, const StreamTruth& truth,
                          const StreamSweepOptions& options);

}  // namespace bellwether
