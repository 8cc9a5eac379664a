// Many predictions learned from one stream, each with its cumulant, its discount and its target policy. Every one of
// them equals a learner of its own to the bit.
//
// With sparse features, predictions that agree in λ, discounts and ratios share their trace (SharedLearners); where few
// do, and with dense features, each has a SIMD lane and a trace of its own (LaneLearners). What a horde is given
// decides, and it may change from call to call: predictions then move, by way of their saved states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bellwether/info.hpp"
#include "engine/backend.hpp"
#include "stream/stream_view.hpp"

namespace bellwether {

// What is written of a horde that learns: null, or steps × predictions.
struct HordeOutputs {
    double* predictions = nullptr;       // of S_t, before the update
    double* next_predictions = nullptr;  // of S_{t+1}, likewise
    double* errors = nullptr;            // TD errors

    bool has_next() const { return next_predictions || errors; }
};

class Horde {
public:
    // `parameters`: those of the algorithm, parameter by parameter in the order of its list, a number for each
    // prediction. UsageError where something is out of range.
    Horde(const AlgorithmInfo& info, std::size_t dimension, std::size_t predictions, std::vector<double> parameters,
          const InstructionSet* instruction_set = nullptr);

    const AlgorithmInfo& info() const { return *info_; }
    std::size_t dimension() const { return dimension_; }
    std::size_t predictions() const { return predictions_; }
    double parameter(std::size_t p, std::size_t prediction) const { return parameters_[p * predictions_ + prediction]; }
    // Whether predictions share traces at the moment.
    bool shares_traces() const { return !shared_.empty(); }

    // More predictions, which begin with weights of zero; `parameters` as above, for these. The others go on as if
    // nothing had been.
    void grow(std::size_t predictions, std::span<const double> parameters);

    // Learns from a stream whose signals are by step, by prediction, or both; the reward is the cumulant. Continues
    // where the last call ended. `watch` is called by the calling thread now and then; where it throws, all predictions
    // have learned from the same steps. UsageError, and nothing learned, where a number is out of range or the machine
    // has too little memory. What is said of next states needs a stream whose rows follow each other.
    void learn(const StreamView& stream, const HordeOutputs& outputs, std::size_t threads,
               const std::function<void()>& watch);
    void learn(const StreamView& stream, double* before, std::size_t threads, const std::function<void()>& watch) {
        learn(stream, HordeOutputs{.predictions = before}, threads, watch);
    }
    // The next step begins a new segment: traces are cleared, weights are kept.
    void start() { starts_ = true; }

    // predictions × dimension
    std::vector<double> weights() const;
    std::vector<double> weights(std::size_t prediction) const;

    // The complete state of one prediction, as Learner::save writes it: load_learner goes on with it alone.
    std::vector<std::byte> save(std::size_t prediction) const;
    // Returns what is wrong, or an empty text; where something is wrong it changes nothing.
    std::string restore(std::size_t prediction, std::span<const std::byte> bytes);

private:
    // Predictions that share a LaneLearners, `count` from `first` on; or a SharedLearners, wherever they are.
    struct LaneGroup {
        std::size_t first, count;
        std::unique_ptr<LaneLearners> learners;
    };
    struct SharedGroup {
        std::vector<std::uint32_t> predictions;
        std::unique_ptr<SharedLearners> learners;
    };
    using Body = std::vector<std::byte>;  // of a state; empty: as at the start
    struct Place {
        const LaneGroup* lanes = nullptr;
        const SharedGroup* shared = nullptr;
        std::size_t learner = 0;
    };

    // Puts the predictions into groups that can learn from a stream.
    void arrange(const StreamView& stream);
    bool groups_fit(const StreamView& stream) const;
    using Predictions = std::vector<std::uint32_t>;
    Predictions without_group() const;
    std::vector<Predictions> that_agree(const StreamView& stream, const Predictions& predictions) const;
    bool worth_sharing(const std::vector<Predictions>& classes) const;
    void dissolve_groups();
    void share(Predictions predictions);
    void put_into_lanes();
    void refuse_too_large() const;
    std::vector<double> block_parameters(const Predictions& predictions) const;
    void check_orders() const;
    Place place_of(std::size_t prediction) const;
    std::unique_ptr<Learner> learner_of(std::size_t prediction) const;
    std::vector<std::byte> state_of(std::size_t prediction, const Body& body) const;
    Body body_of(std::size_t prediction) const;

    std::size_t steps_between_looks(const StreamView& stream, std::size_t threads) const;
    void learn_stretch(const LaneSource& source, std::size_t begin, const HordeOutputs& outputs, std::size_t threads);
    void learn_in_lanes(const LaneGroup& group, const LaneSource& source, std::size_t begin,
                        const HordeOutputs& outputs) const;

    const AlgorithmInfo* info_;
    std::size_t dimension_, predictions_;
    std::vector<double> parameters_;
    const InstructionSet* instruction_set_;
    std::vector<LaneGroup> lanes_;
    std::vector<SharedGroup> shared_;
    std::vector<Body> bodies_;  // of predictions that are in no group
    bool shareable_ = true;     // false where traces were found to differ
    bool starts_ = false;
};

}  // namespace bellwether
