#include "stream/horde.hpp"

#include <algorithm>

#include "support/algorithms.hpp"
#include "support/error.hpp"
#include "support/parameter_order.hpp"

namespace bellwether {

Horde::Horde(const AlgorithmInfo& info, std::size_t dimension, std::size_t predictions, std::vector<double> parameters,
             const InstructionSet* instruction_set)
    : info_(&info),
      dimension_(dimension),
      predictions_(predictions),
      parameters_(std::move(parameters)),
      instruction_set_(instruction_set ? instruction_set : &best_instruction_set()),
      bodies_(predictions) {
    if (dimension == 0) throw UsageError("the dimension must be at least 1");
    if (predictions == 0) throw UsageError("a horde has at least one prediction");
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
        for (std::size_t k = 0; k < predictions; ++k) check_range(info.parameters[p], parameter(p, k));
    check_orders();
}

void Horde::check_orders() const {
    for (std::uint32_t k = 0; k < predictions_; ++k) check_order(*info_, block_parameters({k}));
}

void Horde::grow(std::size_t predictions, std::span<const double> parameters) {
    std::vector<double> all;
    for (std::size_t p = 0; p < info_->parameters.size(); ++p) {
        for (std::size_t k = 0; k < predictions; ++k)
            check_range(info_->parameters[p], parameters[p * predictions + k]);
        const auto old = parameters_.begin() + static_cast<std::ptrdiff_t>(p * predictions_);
        all.insert(all.end(), old, old + static_cast<std::ptrdiff_t>(predictions_));
        const auto added = parameters.subspan(p * predictions, predictions);
        all.insert(all.end(), added.begin(), added.end());
    }
    for (std::size_t k = 0; k < predictions; ++k) {
        std::vector<double> own;
        for (std::size_t p = 0; p < info_->parameters.size(); ++p) own.push_back(parameters[p * predictions + k]);
        check_order(*info_, own);
    }
    parameters_ = std::move(all);
    predictions_ += predictions;
    bodies_.resize(predictions_);
}

std::vector<double> Horde::block_parameters(const Predictions& predictions) const {
    std::vector<double> own;
    for (std::size_t p = 0; p < info_->parameters.size(); ++p)
        for (const std::uint32_t k : predictions) own.push_back(parameter(p, k));
    return own;
}

// ---- reading, saving, restoring

std::vector<double> Horde::weights(std::size_t prediction) const {
    std::vector<double> own(dimension_);
    const Place place = place_of(prediction);
    if (place.shared) {
        place.shared->learners->weights(place.learner, own.data());
    } else {
        const auto learner = learner_of(prediction);
        std::copy(learner->weights().begin(), learner->weights().end(), own.begin());
    }
    return own;
}

std::vector<double> Horde::weights() const {
    std::vector<double> all(predictions_ * dimension_);
    for (const LaneGroup& group : lanes_) group.learners->weights(all.data() + group.first * dimension_);
    for (const SharedGroup& group : shared_)
        for (std::size_t lane = 0; lane < group.predictions.size(); ++lane)
            group.learners->weights(lane, all.data() + group.predictions[lane] * dimension_);
    for (const std::uint32_t k : without_group()) {
        if (bodies_[k].empty()) continue;
        const std::vector<double> own = weights(k);
        std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(k * dimension_));
    }
    return all;
}

// A learner of its own that goes on with the prediction.
std::unique_ptr<Learner> Horde::learner_of(std::size_t prediction) const {
    auto learner = instruction_set_->make_learner(
        *info_, dimension_, block_parameters({static_cast<std::uint32_t>(prediction)}), std::nullopt);
    const Body body = body_of(prediction);
    if (!body.empty()) learner->restore(state_of(prediction, body));
    return learner;
}

Horde::Body Horde::body_of(std::size_t prediction) const {
    const Place place = place_of(prediction);
    const auto saved = [&](const auto& learners) {
        Body body(learners.body_size());
        learners.save_body(place.learner, body.data());
        return body;
    };
    if (place.lanes) return saved(*place.lanes->learners);
    if (place.shared) return saved(*place.shared->learners);
    return bodies_[prediction];
}

std::vector<std::byte> Horde::state_of(std::size_t prediction, const Body& body) const {
    SavedState state{.dimension = dimension_, .algorithm = info_->id, .body = body};
    for (std::size_t p = 0; p < info_->parameters.size(); ++p)
        state.parameters.push_back({info_->parameters[p].name, parameter(p, prediction)});
    return write_state(state);
}

std::vector<std::byte> Horde::save(std::size_t prediction) const {
    const Body body = body_of(prediction);
    if (!starts_ && !body.empty()) return state_of(prediction, body);
    const std::unique_ptr<Learner> learner = learner_of(prediction);
    if (starts_) learner->start();
    return learner->save();
}

std::string Horde::restore(std::size_t prediction, std::span<const std::byte> bytes) {
    SavedState state;
    if (std::string problem = read_state(bytes, state); !problem.empty()) return problem;
    bool same = state.scalar_bytes == sizeof(double) && state.algorithm == info_->id && state.dimension == dimension_ &&
                !state.cutoff && state.parameters.size() == info_->parameters.size();
    for (std::size_t p = 0; same && p < state.parameters.size(); ++p)
        same = state.parameters[p].name == info_->parameters[p].name &&
               state.parameters[p].value == parameter(p, prediction);
    const auto learner = instruction_set_->make_learner(
        *info_, dimension_, block_parameters({static_cast<std::uint32_t>(prediction)}), std::nullopt);
    if (!same || !learner->restore(bytes).empty())
        return "it is not a state of this prediction: algorithm, dimension or parameters differ";
    dissolve_groups();
    bodies_[prediction] = {state.body.begin(), state.body.end()};
    shareable_ = true;
    return {};
}

}  // namespace bellwether
