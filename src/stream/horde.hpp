// Many predictions learned from one stream, each with its cumulant, its discount and its target policy, in SIMD lanes.
// Every one of them equals a learner of its own to the bit.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bellwether/info.hpp"
#include "engine/backend.hpp"
#include "stream/stream_view.hpp"

namespace bellwether {

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

    // Learns from a stream whose signals are by step, by prediction, or both; the reward is the cumulant. Continues
    // where the last call ended. `before`: null, or steps × predictions for the predictions before each update. `watch`
    // is called by the calling thread now and then; where it throws, all predictions have learned from the same steps.
    // UsageError, and nothing learned, where a number is out of range.
    void learn(const StreamView& stream, double* before, std::size_t threads, const std::function<void()>& watch);
    // The next step begins a new segment: traces are cleared, weights are kept.
    void start() { starts_ = true; }

    // predictions × dimension
    std::vector<double> weights() const;

    // The complete state of one prediction, as Learner::save writes it: load_learner goes on with it alone.
    std::vector<std::byte> save(std::size_t prediction) const;
    // Returns what is wrong, or an empty text; where something is wrong it changes nothing.
    std::string restore(std::size_t prediction, std::span<const std::byte> bytes);

private:
    // The predictions that share a LaneLearners.
    struct Group {
        std::size_t first;
        std::unique_ptr<LaneLearners> learners;
    };

    void learn_stretch(const StreamView& stream, std::size_t begin, std::size_t steps, bool starts, double* before,
                       std::size_t threads);

    const AlgorithmInfo* info_;
    std::size_t dimension_, predictions_;
    std::vector<double> parameters_;
    std::size_t group_size_;
    std::vector<Group> groups_;
    bool starts_ = false;
};

}  // namespace bellwether
