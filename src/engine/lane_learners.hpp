// Learners in SIMD lanes that live on: they learn from a stream stretch by stretch, with segments, signals of their own
// and predictions written down, and every lane equals the scalar learner to the bit.
//
// The sweep's kernels (lanes.hpp) do one trajectory of a problem with exact answers and nothing else, at full speed;
// this is the engine for streams that users bring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/lanes.hpp"

namespace bellwether {

// Numbers by step: that of step t for learner k is numbers[t · by_step], or numbers[t · by_step + k] where every
// learner has its own. by_step is 0 for what stays the same.
struct LaneSignal {
    const double* numbers;
    std::size_t by_step = 1;
    bool by_learner = false;
};

// How wrong the learners are in the steps that count.
struct LaneMeasure {
    // prediction: of the prediction before the update, |x·w − target| or its square;
    // evaluation: of the weights after it, Σ weight_k |y_k·w − truth_k| or of squares, over the rows y_k of a set.
    enum class Kind { prediction, evaluation };

    Kind kind;
    bool squared;
    bool root;                   // the square root of that, step by step
    const std::uint8_t* counts;  // by step: 1 where it is measured

    LaneSignal target;  // prediction

    LaneFeatures rows;  // evaluation
    std::size_t row_count;
    const double* truth;
    const double* weight;
};

// What there is to a step, apart from its numbers.
enum LaneMark : std::uint8_t {
    begins_segment = 1,  // traces are cleared before it and weights kept, as by Online::start()
    is_no_step = 2,      // the next state is not known: a prediction is made, and nothing learned
};

struct LaneStretch {
    std::size_t steps;
    LaneFeatures x, x_next;  // row t: the features of S_t and of S_{t+1}; both of one kind
    LaneSignal reward, gamma, rho, pi, mu;
    const double* lambda;       // null: the learner's own; else by step, and the next three likewise
    const double* lambda_next;  // given together with lambda
    const double* interest;     // null: 1
    const std::uint8_t* marks;  // null, or the LaneMarks of each step

    const LaneMeasure* measure;       // null: none
    double* predictions;              // null, or where the predictions before each update go: those of step t from
    std::size_t predictions_by_step;  // t · predictions_by_step on, learner by learner
    bool may_stop;  // learners of which none has finite weights any more need not go on; their weights are lost
};

class LaneLearners {
public:
    virtual ~LaneLearners() = default;

    virtual void learn(const LaneStretch& stretch) noexcept = 0;

    virtual void weights(double* to) const noexcept = 0;  // learner by learner
    // Sums of the measure over the steps that counted, by learner; infinite where a weight is not finite.
    virtual void sums(double* to) const noexcept = 0;

    // The state of one learner: the body of a saved state of the scalar learner (state_body.hpp). What restore_body
    // gets must have come from save_body of a learner of that algorithm and dimension, or the scalar one's.
    virtual std::size_t body_size() const noexcept = 0;
    virtual void save_body(std::size_t learner, std::byte* to) const noexcept = 0;
    virtual void restore_body(std::size_t learner, const std::byte* from) noexcept = 0;
};

// Parameters are trusted to lie in their ranges. Weights are 0 where no initial ones are given.
using LaneLearnersFactory = std::unique_ptr<LaneLearners>(const LaneBlock& block, std::size_t dimension,
                                                          const double* initial_weights);

struct LaneLearnersTarget {
    std::string_view name;
    std::size_t lanes;
    std::size_t most_learners;  // that one LaneLearners has
    LaneLearnersFactory* make;
};

// The instruction sets that run on this machine, the best one first. All give the same results to the bit.
std::vector<LaneLearnersTarget> lane_learners_targets();

}  // namespace bellwether
