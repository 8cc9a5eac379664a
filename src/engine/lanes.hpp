// What learners in SIMD lanes learn from, and what is observed of them: plain data, since the kernels are compiled once
// per instruction set and must not share a template of the standard library with the rest of the program, and since
// another device may take it too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/step_size_rule.hpp"

namespace bellwether {

// ---- the source: a trajectory of a problem, or a stretch of a stream

// Feature vectors, by row.
struct LaneFeatures {
    enum class Kind { one_hot, sparse, dense };

    Kind kind;
    std::size_t dimension;
    const std::uint32_t* first;    // sparse: where a row's entries begin; rows + 1 of them
    const std::uint32_t* indices;  // sparse: of the entries; one-hot: of each row
    const double* values;          // sparse: of the entries; dense: rows × dimension
};

// Numbers by step: that of step t for learner k is numbers[t · by_step], or numbers[t · by_step + k] where every
// learner has its own. by_step is 0 for what stays the same.
struct LaneSignal {
    const double* numbers;
    std::size_t by_step = 1;
    bool by_learner = false;
};

// What there is to a step, apart from its numbers.
enum LaneMark : std::uint8_t {
    begins_segment = 1,  // traces are cleared before it and weights kept, as by Online::start()
    is_no_step = 2,      // the next state is not known: a prediction is made, and nothing learned
    is_idle = 4,         // nothing is learned from it, and time passes: errors are what they were
};

struct LaneSource {
    std::size_t steps;
    LaneFeatures x, x_next;          // of S_t and S_{t+1}; both of one kind
    const std::uint32_t* rows;       // by step: the row of S_t in x; null: row t
    const std::uint32_t* rows_next;  // the row of S_{t+1} in x_next, likewise
    LaneSignal reward, gamma, rho, pi, mu;
    const double* lambda;       // by row of x: λ(S_t); null: the learner's own
    const double* lambda_next;  // by row of x_next: λ(S_{t+1}); given together with lambda
    const double* interest;     // by row of x; null: 1
    const std::uint8_t* marks;  // null, or the LaneMarks of each step
};

// ---- what is observed

// How wrong the weights, or the predictions, are.
struct LaneError {
    // Deviations y − truth add up as Σ |·| or Σ (·)²; or it is |M w − c|², with M and c of the configuration's λ.
    enum class Kind { absolute, squared, projected };
    // states: of the weights after an update, Σ over terms k of a_k y_k + b_k with y_k a node (or a set of weights);
    // rows: of the weights after an update, Σ weight_k (y_k·w − truth_k) over the rows y_k of an evaluation set;
    // prediction: of the prediction before the update, x·w − target.
    enum class Of { states, rows, prediction };

    Kind kind;
    bool root;  // the square root of that
    Of of = Of::states;

    // Nodes are partial sums of the states' values that states share: node d + n is coefficient·w[feature], plus an
    // earlier node unless parent is `none`. Nodes below d are the weights themselves.
    struct Node {
        std::uint32_t parent, feature;
        double coefficient;
    };
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Term {
        std::uint32_t node;
        double a, b;
    };
    const Node* nodes = nullptr;
    std::size_t node_count = 0;
    const Term* terms = nullptr;
    std::size_t term_count = 0;

    // Where the features are few and every state's value is a multiple of a sum of some weights: the terms by those
    // sets, bit i of the index for weight i; absent sets have a = b = 0. Null elsewhere, then nodes and terms are used.
    struct Affine {
        double a, b;
    };
    static constexpr std::size_t most_subset_features = 6;
    const Affine* subsets = nullptr;

    // projected: by λ, rank rows of M (dimension numbers) each followed by its c; and which λ a configuration has.
    std::size_t rank = 0;
    const double* systems = nullptr;
    const std::uint32_t* system_of = nullptr;

    LaneFeatures rows{};  // of an evaluation set
    std::size_t row_count = 0;
    const double* truth = nullptr;
    const double* weight = nullptr;

    LaneSignal target{};  // of a prediction
};

struct LaneObservation {
    const LaneError* errors = nullptr;
    std::size_t error_count = 0;
    // Errors add up over the steps from `counted_from` on, and of those over the ones that `counts` says 1 of.
    std::size_t counted_from = 0;
    const std::uint8_t* counts = nullptr;  // null: all of them

    // Null, or error by error, configuration by configuration: the error before the first step and after each. (Not of
    // predictions.)
    double* curves = nullptr;
    // Null, or where the predictions before each update go: those of step t from t · predictions_by_step on.
    double* predictions = nullptr;
    std::size_t predictions_by_step = 0;

    // Learners of which none has finite weights any more need not go on; their weights are lost.
    bool may_stop = false;

    // The learners are configurations `first` … of so many, which the errors and curves are for.
    std::size_t first = 0;
    std::size_t configurations = 0;
};

// ---- the learners

// Configurations of one algorithm.
struct LaneBlock {
    std::size_t algorithm;  // its number in the registry
    std::size_t count;
    const double* parameters;  // parameter by parameter: count numbers each, in the order of the algorithm's list
};

// Learners that live on: they learn from source after source, and every lane equals the scalar learner to the bit.
class LaneLearners {
public:
    LaneLearners() = default;
    LaneLearners(const LaneLearners&) = delete;
    LaneLearners& operator=(const LaneLearners&) = delete;
    virtual ~LaneLearners();

    // std::bad_alloc where there is no memory for what is observed; nothing has been learned then.
    virtual void learn(const LaneSource& source, const LaneObservation& observation) = 0;

    // Sums over the steps that counted, error by error: a number for each learner; infinite where it has stopped.
    virtual void sums(double* to) const noexcept = 0;
    virtual void weights(double* to) const noexcept = 0;       // learner by learner
    virtual void finite(std::uint8_t* to) const noexcept = 0;  // by learner: 1 where all its weights are

    // The state of one learner: the body of a saved state of the scalar learner (state_body.hpp). What restore_body
    // gets must have come from save_body of a learner of that algorithm and dimension, or the scalar one's.
    virtual std::size_t body_size() const noexcept = 0;
    virtual void save_body(std::size_t learner, std::byte* to) const noexcept = 0;
    virtual void restore_body(std::size_t learner, const std::byte* from) noexcept = 0;
};

// What is written of predictions that share a trace: null, or where the numbers of step t go from t · by_step on.
struct SharedObservation {
    double* predictions = nullptr;       // of S_t, before the update
    double* next_predictions = nullptr;  // of S_{t+1}, likewise
    double* errors = nullptr;            // TD errors
    std::size_t by_step = 0;
};

// Predictions of one algorithm that share their trace (bellwether/prediction_pack.hpp); each equals the scalar learner
// to the bit.
class SharedLearners {
public:
    SharedLearners() = default;
    SharedLearners(const SharedLearners&) = delete;
    SharedLearners& operator=(const SharedLearners&) = delete;
    virtual ~SharedLearners();

    // `columns`: for each learner, which number of a step is its own, in signals by learner and in what is observed.
    // Features are sparse. Signals other than the reward are read for the first learner.
    virtual void learn(const LaneSource& source, const std::uint32_t* columns,
                       const SharedObservation& observation) = 0;

    virtual void weights(std::size_t learner, double* to) const noexcept = 0;

    // As those of LaneLearners. What several learners restore must agree in the trace; restored() comes last.
    virtual std::size_t body_size() const noexcept = 0;
    virtual void save_body(std::size_t learner, std::byte* to) const noexcept = 0;
    virtual void restore_body(std::size_t learner, const std::byte* from) noexcept = 0;
    virtual void restored() noexcept = 0;
};

// What lane learners are made from. Parameters are trusted to lie in their ranges.
struct LaneLearnersRequest {
    LaneBlock block;
    std::size_t first;  // of the block's configurations; as many from there on as there are lanes for
    std::size_t dimension;
    const double* initial_weights;  // null: 0
    std::size_t error_count;        // of the observations to come
    // Of algorithms with a plain α, and sources that say their rows; its state is in no body that is saved.
    StepSizeRule step_sizes{};
};

}  // namespace bellwether
