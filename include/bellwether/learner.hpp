// The run-time learner: an algorithm chosen by name.
//
//     auto learner = bellwether::make_learner("gtd", 30, {{"alpha", 0.1}, {"eta", 1}, {"lambda", 0.9}});
//     if (!learner) return complain(learner.error());
//     learner->step({.x = {x}, .reward = r, .gamma = 0.99, .x_next = {x_next}, .rho = rho});
#pragma once

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "bellwether/result.hpp"
#include "bellwether/state.hpp"
#include "bellwether/suggest.hpp"

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

inline namespace BELLWETHER_TARGET {

// An Online learner behind the run-time interface.
template <template <class, class> class Algorithm, class Real, class Traces>
class LearnerOf final : public BasicLearner<Real> {
    using Static = Online<Algorithm<Real, Traces>>;

public:
    LearnerOf(std::size_t dimension, const typename Static::Parameters& parameters, double cutoff)
        : online_(dimension, parameters, cutoff), cutoff_(cutoff) {}

    const AlgorithmInfo& info() const noexcept override { return info_of<Algorithm>; }
    std::size_t dimension() const noexcept override { return online_.dimension(); }
    std::optional<double> cutoff() const noexcept override {
        if constexpr (std::is_same_v<Traces, SparseTraces>) return cutoff_;
        return std::nullopt;
    }
    double parameter(std::size_t index) const noexcept override {
        return online_.parameters().*Static::Parameters::declare()[index].field;
    }

    void step(const Transition<Dense<Real>, Real>& t) noexcept override {
        assert(t.x.values.size() == dimension() && t.x_next.values.size() == dimension());
        online_.step(t);
    }
    void step(const Transition<Sparse<Real>, Real>& t) noexcept override { online_.step(t); }
    void step(const Transition<OneHot, Real>& t) noexcept override {
        assert(t.x.index < dimension() && t.x_next.index < dimension());
        online_.step(t);
    }
    void start() noexcept override { online_.start(); }
    Real predict(const Dense<Real>& x) const noexcept override { return online_.predict(x); }
    Real predict(const Sparse<Real>& x) const noexcept override { return online_.predict(x); }
    Real predict(const OneHot& x) const noexcept override { return online_.predict(x); }
    std::span<const Real> weights() const noexcept override { return online_.weights(); }
    void set_weights(std::span<const Real> weights) noexcept override {
        assert(weights.size() == dimension());
        online_.set_weights(weights);
    }
    bool diverged() const noexcept override { return online_.diverged(); }
    std::unique_ptr<BasicLearner<Real>> clone() const override { return std::make_unique<LearnerOf>(*this); }

private:
    std::size_t body_size() const noexcept override { return online_.body_size(); }
    void save_body(std::byte* to) const noexcept override { online_.save_body(to); }
    bool restore_body(std::span<const std::byte> body) noexcept override { return online_.restore_body(body); }

    Static online_;
    double cutoff_;
};

// Makes a learner from parameters that have been checked, in the order of info.parameters.
template <class Real = double>
std::unique_ptr<BasicLearner<Real>> make_checked_learner(const AlgorithmInfo& info, std::size_t dimension,
                                                         std::span<const double> values, std::optional<double> cutoff) {
    std::unique_ptr<BasicLearner<Real>> learner;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (info.id != info_of<Algorithm>.id) return;
        const auto make = [&]<class Traces>(Traces) {
            const auto parameters =
                parameters_from<typename Algorithm<Real, Traces>::Parameters>([&](std::size_t p) { return values[p]; });
            learner = std::make_unique<LearnerOf<Algorithm, Real, Traces>>(dimension, parameters, cutoff.value_or(0.0));
        };
        if (cutoff) {
            make(SparseTraces{});
        } else {
            make(DenseTraces{});
        }
    });
    return learner;
}

}  // namespace BELLWETHER_TARGET

// The bytes of memory that a learner of doubles takes.
inline double memory_needed(const AlgorithmInfo& info, std::size_t dimension, bool sparse_traces) {
    double bytes = 0;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (info.id != info_of<Algorithm>.id) return;
        // Scaled up from a small one, since the product of a huge d could overflow.
        const auto at = [&](std::size_t d) {
            return static_cast<double>(sparse_traces ? Online<Algorithm<double, SparseTraces>>::bytes(d)
                                                     : Online<Algorithm<double, DenseTraces>>::bytes(d));
        };
        const double d = static_cast<double>(dimension);
        bytes = info.quadratic ? at(1024) * (d / 1024) * (d / 1024) : at(1024) * (d / 1024);
    });
    return bytes;
}

// The shortest text that reads back to the same double.
inline std::string number_text(double value) {
    if (value != value) return "nan";
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// "at least 0", "in [0, 1]", "above 0"
inline std::string describe(const Range& range) {
    if (range.maximum < std::numeric_limits<double>::infinity())
        return std::string("in ") + (range.includes_minimum ? "[" : "(") + number_text(range.minimum) + ", " +
               number_text(range.maximum) + "]";
    return (range.includes_minimum ? "at least " : "above ") + number_text(range.minimum);
}

// The algorithm of that id or alias.
inline Result<const AlgorithmInfo*> require_algorithm(std::string_view name) {
    if (const AlgorithmInfo* info = find_algorithm(name)) return info;
    std::vector<std::string_view> known;
    for (const AlgorithmInfo& info : algorithm_table) known.push_back(info.id);
    for (const AlgorithmAlias& alias : algorithm_aliases) known.push_back(alias.name);
    return Result<const AlgorithmInfo*>::failure("unknown algorithm '" + std::string(name) + "'" +
                                                 did_you_mean(name, known));
}

// Calls visit(parameter, ids of the algorithms that have it) for every parameter name there is, once.
template <class Visit>
void for_each_parameter(Visit visit) {
    std::vector<std::string_view> seen;
    for (const AlgorithmInfo& info : algorithm_table) {
        for (const ParameterInfo& parameter : info.parameters) {
            if (std::find(seen.begin(), seen.end(), parameter.name) != seen.end()) continue;
            seen.push_back(parameter.name);
            std::vector<std::string_view> owners;
            for (const AlgorithmInfo& other : algorithm_table)
                if (other.find(parameter.name)) owners.push_back(other.id);
            visit(parameter, owners);
        }
    }
}

// The values of an algorithm's parameters in the order of info.parameters: as given, else by default.
inline Result<std::vector<double>> check_parameters(const AlgorithmInfo& info, std::span<const NamedValue> given) {
    using Checked = Result<std::vector<double>>;
    const std::string id(info.id);
    std::vector<double> values;
    for (const ParameterInfo& p : info.parameters) values.push_back(p.default_value);
    for (const NamedValue& g : given) {
        const ParameterInfo* p = info.find(g.name);
        if (!p) {
            std::string has;
            for (const ParameterInfo& known : info.parameters)
                has += (has.empty() ? "" : ", ") + std::string(known.name);
            return Checked::failure(id + " has no parameter '" + std::string(g.name) + "'; it has " + has);
        }
        if (!p->range.contains(g.value))
            return Checked::failure(std::string(g.name) + " = " + number_text(g.value) +
                                    " is out of range: it must be finite and " + describe(p->range));
        values[static_cast<std::size_t>(p - info.parameters.data())] = g.value;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != values[i])
            return Checked::failure(id + " needs " + std::string(info.parameters[i].name) + ": " +
                                    std::string(info.parameters[i].help) + ", " + describe(info.parameters[i].range));
    return values;
}

// A learner of the named algorithm. `cutoff` given: sparse traces, for large d and few active features.
template <class Real = double>
Result<std::unique_ptr<BasicLearner<Real>>> make_learner(std::string_view algorithm, std::size_t dimension,
                                                         std::span<const NamedValue> parameters,
                                                         std::optional<double> cutoff = std::nullopt) {
    using Made = Result<std::unique_ptr<BasicLearner<Real>>>;
    auto info = require_algorithm(algorithm);
    if (!info) return Made::failure(info.error());
    auto values = check_parameters(*info, parameters);
    if (!values) return Made::failure(values.error());
    if (dimension == 0) return Made::failure("the dimension must be at least 1");
    if (cutoff && !(*cutoff >= 0)) return Made::failure("the cutoff of sparse traces must be at least 0");
    return make_checked_learner<Real>(*info, dimension, values.value(), cutoff);
}
template <class Real = double>
Result<std::unique_ptr<BasicLearner<Real>>> make_learner(std::string_view algorithm, std::size_t dimension,
                                                         std::initializer_list<NamedValue> parameters,
                                                         std::optional<double> cutoff = std::nullopt) {
    return make_learner<Real>(algorithm, dimension, std::span(parameters.begin(), parameters.size()), cutoff);
}

// A learner as it was when save() was called, ready to go on.
template <class Real = double>
Result<std::unique_ptr<BasicLearner<Real>>> load_learner(std::span<const std::byte> bytes) {
    using Made = Result<std::unique_ptr<BasicLearner<Real>>>;
    SavedState state;
    if (std::string problem = read_state(bytes, state); !problem.empty()) return Made::failure(problem);
    auto learner = make_learner<Real>(state.algorithm, state.dimension, state.parameters, state.cutoff);
    if (!learner) return Made::failure("it is corrupted: " + learner.error());
    if (std::string problem = learner.value()->restore(bytes); !problem.empty()) return Made::failure(problem);
    return learner;
}

}  // namespace bellwether
