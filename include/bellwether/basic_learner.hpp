// What a learner can do, whatever its algorithm: the interface of those that make_learner makes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bellwether/features.hpp"
#include "bellwether/info.hpp"
#include "bellwether/state.hpp"
#include "bellwether/step.hpp"

namespace bellwether {

// What every algorithm can do. Feature vectors have dimension() components, or indices below it.
template <class Real>
class BasicLearner {
public:
    virtual ~BasicLearner() = default;

    virtual const AlgorithmInfo& info() const noexcept = 0;
    virtual std::size_t dimension() const noexcept = 0;
    virtual std::optional<double> cutoff() const noexcept = 0;       // of sparse traces; none where traces are dense
    virtual double parameter(std::size_t index) const noexcept = 0;  // in the order of info().parameters

    // Learns from one transition.
    virtual void step(const Transition<Dense<Real>, Real>& transition) noexcept = 0;
    virtual void step(const Transition<Sparse<Real>, Real>& transition) noexcept = 0;
    virtual void step(const Transition<OneHot, Real>& transition) noexcept = 0;

    // Begins a new segment, as after a truncation: traces are cleared, weights are kept. A step with γ = 0 needs no
    // start().
    virtual void start() noexcept = 0;

    // The prediction w·x.
    virtual Real predict(const Dense<Real>& x) const noexcept = 0;
    virtual Real predict(const Sparse<Real>& x) const noexcept = 0;
    virtual Real predict(const OneHot& x) const noexcept = 0;

    // The weights w, as they are now: valid until the next call of anything that is not const.
    virtual std::span<const Real> weights() const noexcept = 0;
    // Sets the weights that learning goes on from; `weights` has dimension() numbers.
    virtual void set_weights(std::span<const Real> weights) noexcept = 0;

    // Whether some weight is no longer finite.
    virtual bool diverged() const noexcept = 0;

    virtual std::unique_ptr<BasicLearner> clone() const = 0;

    // The complete state, with an attachment of the caller's. Continuing after restore() is bit-identical to never
    // having stopped. restore() returns what is wrong, or an empty text; where something is wrong it changes nothing.
    std::vector<std::byte> save(std::span<const std::byte> attachment = {}) const {
        std::vector<std::byte> body(body_size());
        save_body(body.data());
        SavedState state{.scalar_bytes = sizeof(Real),
                         .dimension = dimension(),
                         .cutoff = cutoff(),
                         .algorithm = info().id,
                         .body = body,
                         .attachment = attachment};
        for (std::size_t i = 0; i < info().parameters.size(); ++i)
            state.parameters.push_back({info().parameters[i].name, parameter(i)});
        return write_state(state);
    }
    std::string restore(std::span<const std::byte> bytes) {
        SavedState state;
        if (std::string problem = read_state(bytes, state); !problem.empty()) return problem;
        if (state.scalar_bytes != sizeof(Real))
            return "it holds numbers of " + std::to_string(state.scalar_bytes) + " bytes, the learner has " +
                   std::to_string(sizeof(Real));
        if (state.algorithm != info().id)
            return "it is a state of " + std::string(state.algorithm) + ", the learner is " + std::string(info().id);
        if (state.dimension != dimension())
            return "its dimension is " + std::to_string(state.dimension) + ", the learner's is " +
                   std::to_string(dimension());
        if (state.cutoff != cutoff()) return "its traces are of another kind or cutoff than the learner's";
        bool same = state.parameters.size() == info().parameters.size();
        for (std::size_t i = 0; same && i < state.parameters.size(); ++i)
            same = state.parameters[i].name == info().parameters[i].name && state.parameters[i].value == parameter(i);
        if (!same) return "its parameters are not the learner's";
        if (!restore_body(state.body)) return "it is corrupted: its body does not fit the algorithm";
        return {};
    }

protected:
    virtual std::size_t body_size() const noexcept = 0;
    virtual void save_body(std::byte* to) const noexcept = 0;
    virtual bool restore_body(std::span<const std::byte> body) noexcept = 0;
};

using Learner = BasicLearner<double>;

}  // namespace bellwether
