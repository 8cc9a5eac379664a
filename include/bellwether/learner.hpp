// The run-time learner: an algorithm chosen by name.
//
//     auto learner = bellwether::make_learner("gtd", 30, {{"alpha", 0.1}, {"eta", 1}, {"lambda", 0.9}});
//     if (!learner) return complain(learner.error());
//     learner->step({.x = {x}, .reward = r, .gamma = 0.99, .x_next = {x_next}, .rho = rho});
#pragma once

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "bellwether/basic_learner.hpp"
#include "bellwether/catalogue.hpp"
#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "bellwether/result.hpp"
#include "bellwether/state.hpp"

namespace bellwether {

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

// The bytes of memory that a learner takes.
template <class Real = double>
double memory_needed(const AlgorithmInfo& info, std::size_t dimension, bool sparse_traces) {
    double bytes = 0;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (info.id != info_of<Algorithm>.id) return;
        // Scaled up from a small one, since the product of a huge d could overflow.
        const auto at = [&](std::size_t d) {
            return static_cast<double>(sparse_traces ? Online<Algorithm<Real, SparseTraces>>::bytes(d)
                                                     : Online<Algorithm<Real, DenseTraces>>::bytes(d));
        };
        const double d = static_cast<double>(dimension);
        bytes = info.quadratic ? at(1024) * (d / 1024) * (d / 1024) : at(1024) * (d / 1024);
    });
    return bytes;
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
