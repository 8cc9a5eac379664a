// The kernels behind lanes.hpp, for any width of pack.
#pragma once

#include <array>
#include <cstddef>
#include <new>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "engine/lanes.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Memory for packs, aligned as they are.
template <class Real>
class PackBuffer {
public:
    explicit PackBuffer(std::size_t count)
        : data_(static_cast<Real*>(::operator new(count * sizeof(Real) + 1, alignment))) {}
    PackBuffer(const PackBuffer&) = delete;
    PackBuffer& operator=(const PackBuffer&) = delete;
    ~PackBuffer() { ::operator delete(data_, alignment); }

    Real* data() const { return data_; }

private:
    static constexpr std::align_val_t alignment{64};
    Real* data_;
};

// ---- errors ----

// Σ over the error's terms, in four partial sums, for several packs at once: what is broadcast serves them all.
// y(pack, node) is the value of a node.
template <LaneError::Kind kind, class Real, std::size_t packs, class Nodes>
BELLWETHER_INLINE std::array<Real, packs> sum_terms(const LaneError& error, Nodes y) {
    Real sums[packs][4];
    for (std::size_t p = 0; p < packs; ++p)
        for (Real& sum : sums[p]) sum = Real(0);
    const LaneError::Term* t = error.terms;
    const auto add = [&](std::size_t k) BELLWETHER_INLINE_LAMBDA {
        const Real a(t[k].a), b(t[k].b);
        for (std::size_t p = 0; p < packs; ++p) {
            const Real term = fma(a, y(p, t[k].node), b);
            sums[p][k] = kind == LaneError::Kind::absolute ? sums[p][k] + abs(term) : fma(term, term, sums[p][k]);
        }
    };
    const LaneError::Term* const end = t + error.term_count;
    for (; end - t >= 4; t += 4) add(0), add(1), add(2), add(3);
    if (end - t > 0) add(0);
    if (end - t > 1) add(1);
    if (end - t > 2) add(2);
    std::array<Real, packs> totals;
    for (std::size_t p = 0; p < packs; ++p) totals[p] = (sums[p][0] + sums[p][2]) + (sums[p][1] + sums[p][3]);
    return totals;
}
template <class Real, std::size_t packs, class Nodes>
BELLWETHER_INLINE std::array<Real, packs> sum_terms(const LaneError& error, Nodes y) {
    return error.kind == LaneError::Kind::absolute ? sum_terms<LaneError::Kind::absolute, Real, packs>(error, y)
                                                   : sum_terms<LaneError::Kind::squared, Real, packs>(error, y);
}

// Whether the terms are over the weights themselves.
inline bool is_of_weights(const LaneError& error) {
    return error.kind != LaneError::Kind::projected && error.node_count == 0;
}
template <class Real, std::size_t packs, class Weights>
BELLWETHER_INLINE std::array<Real, packs> weight_errors(const LaneError& error, const Weights* const (&w)[packs]) {
    return sum_terms<Real, packs>(
        error, [&](std::size_t p, std::size_t node) BELLWETHER_INLINE_LAMBDA { return component(*w[p], node); });
}

// The same over all sets of d weights, whose sums build on each other in registers.
template <std::size_t d, std::size_t next, std::size_t set, class Real, class Use>
BELLWETHER_INLINE void for_each_subset(const Real* w, const Real& sum, Use& use) {
    const auto with = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) BELLWETHER_INLINE_LAMBDA {
        if constexpr (i >= next) {
            constexpr std::size_t larger = set | std::size_t{1} << i;
            const Real larger_sum = set == 0 ? w[i] : sum + w[i];
            use(std::integral_constant<std::size_t, larger>{}, larger_sum);
            for_each_subset<d, i + 1, larger>(w, larger_sum, use);
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) BELLWETHER_INLINE_LAMBDA {
        (with(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<d>{});
}
template <std::size_t d, LaneError::Kind kind, class Real>
[[gnu::noinline]] Real subset_error(const LaneError::Affine* terms, const Real* w) {
    Real sums[4] = {Real(0), Real(0), Real(0), Real(0)};
    auto add = [&](auto set, const Real& y) BELLWETHER_INLINE_LAMBDA {
        const Real t = fma(Real(terms[set].a), y, Real(terms[set].b));
        Real& sum = sums[set % 4];
        sum = kind == LaneError::Kind::absolute ? sum + abs(t) : fma(t, t, sum);
        sum.compute_now();
    };
    for_each_subset<d, 0, 0>(w, Real(0), add);
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}
template <LaneError::Kind kind, class Real>
BELLWETHER_INLINE Real subset_error(const LaneError& error, const Real* w, std::size_t dimension) {
    switch (dimension) {
        case 1:
            return subset_error<1, kind>(error.subsets, w);
        case 2:
            return subset_error<2, kind>(error.subsets, w);
        case 3:
            return subset_error<3, kind>(error.subsets, w);
        case 4:
            return subset_error<4, kind>(error.subsets, w);
        case 5:
            return subset_error<5, kind>(error.subsets, w);
        default:
            return subset_error<LaneError::most_subset_features, kind>(error.subsets, w);
    }
}

template <class Real, class Weights>
BELLWETHER_INLINE Real value_error(const LaneError& error, const Weights& w, std::size_t dimension, Real* nodes) {
    if (is_of_weights(error)) return weight_errors<Real>(error, {&w})[0];
    if (error.subsets && is_at_rest(w)) {
        const Real* weights = components_of(w).data;
        return error.kind == LaneError::Kind::absolute
                   ? subset_error<LaneError::Kind::absolute>(error, weights, dimension)
                   : subset_error<LaneError::Kind::squared>(error, weights, dimension);
    }
    for (std::size_t i = 0; i < dimension; ++i) nodes[i] = component(w, i);
    for (std::size_t n = 0; n < error.node_count; ++n) {
        const LaneError::Node& of = error.nodes[n];
        const Real product = Real(of.coefficient) * nodes[of.feature];
        nodes[dimension + n] = of.parent == LaneError::none ? product : product + nodes[of.parent];
    }
    return sum_terms<Real, 1>(error,
                              [&](std::size_t, std::size_t node) BELLWETHER_INLINE_LAMBDA { return nodes[node]; })[0];
}

template <class Real, class Weights>
BELLWETHER_INLINE Real projected_error(const LaneError& error, const Weights& w, std::size_t dimension,
                                       const Real* system) {
    Real sum(0);
    for (std::size_t row = 0; row < error.rank; ++row, system += dimension + 1) {
        Real even = -system[dimension], odd(0);
        std::size_t i = 0;
        for (; i + 2 <= dimension; i += 2) {
            even = fma(system[i], component(w, i), even);
            odd = fma(system[i + 1], component(w, i + 1), odd);
        }
        if (i < dimension) even = fma(system[i], component(w, i), even);
        const Real residual = even + odd;
        sum = fma(residual, residual, sum);
    }
    return sum;
}

// The scratch that an error needs: its nodes, or the systems of the lanes.
template <class Real>
std::size_t scratch_of(const LaneError& error, std::size_t dimension) {
    if (error.kind == LaneError::Kind::projected) return error.rank * (dimension + 1);
    return error.node_count > 0 ? dimension + error.node_count : 0;
}

// Out of line: algorithms and kinds of features share it.
template <class Real, class Weights>
[[gnu::noinline]] Real evaluate(const LaneError& error, const Weights& w, std::size_t dimension, Real* scratch) {
    const Real value = error.kind == LaneError::Kind::projected ? projected_error(error, w, dimension, scratch)
                                                                : value_error(error, w, dimension, scratch);
    return error.root ? sqrt(value) : value;
}

// ---- learning ----

// The features of a row, in the form that the algorithms take.
template <class Features>
BELLWETHER_INLINE Features features_of(const LaneFeatures& all, std::uint32_t row);
template <>
BELLWETHER_INLINE OneHot features_of<OneHot>(const LaneFeatures& all, std::uint32_t row) {
    return {all.indices[row]};
}
template <>
BELLWETHER_INLINE Sparse<double> features_of<Sparse<double>>(const LaneFeatures& all, std::uint32_t row) {
    const std::uint32_t begin = all.first[row], count = all.first[row + 1] - begin;
    return {{all.indices + begin, count}, {all.values + begin, count}};
}
template <>
BELLWETHER_INLINE Dense<double> features_of<Dense<double>>(const LaneFeatures& all, std::uint32_t row) {
    return {{all.values + row * all.dimension, all.dimension}};
}

// A pack of configurations on its way through a trajectory.
template <class Learner>
class LanePack {
    using Real = typename Learner::Real;

public:
    // Lanes beyond the last configuration repeat it.
    LanePack(const LaneRequest& request, std::size_t first)
        : request_(request),
          first_(first),
          used_(request.block.count - first < Real::lanes ? request.block.count - first : Real::lanes),
          learner_(request.features.dimension, parameters()),
          sums_(request.error_count),
          scratch_(scratch_size()) {
        for (std::size_t i = 0; i < request.features.dimension; ++i)
            components_of(learner_.algorithm().w)[i] = Real(request.initial_weights[i]);
        for (std::size_t m = 0; m < request.error_count; ++m) sums_.data()[m] = Real(0);
        fill_systems();
        if (request_.curves) score(0);
    }

    bool alive() const { return alive_; }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& step) {
        learner_.algorithm().update(step);
    }
    BELLWETHER_INLINE
    Real lambda() {
        if constexpr (requires { learner_.algorithm().parameters.lambda; })
            return learner_.algorithm().parameters.lambda;
        return Real(0);
    }

    // After update t, from 1; t = 0 for the initial weights.
    BELLWETHER_INLINE
    void score(std::size_t t) {
        for (std::size_t m = 0; m < request_.error_count; ++m) score(m, t);
    }
    // Two packs at once, for the errors that most studies with one-hot features have.
    BELLWETHER_INLINE
    static void score(LanePack& one, LanePack& other, std::size_t t) {
        for (std::size_t m = 0; m < one.request_.error_count; ++m) {
            const LaneError& error = one.request_.errors[m];
            if (is_of_weights(error)) {
                const auto values = weight_errors<Real>(error, {&one.weights(), &other.weights()});
                one.note(m, t, error.root ? sqrt(values[0]) : values[0]);
                other.note(m, t, error.root ? sqrt(values[1]) : values[1]);
            } else {
                one.score(m, t);
                other.score(m, t);
            }
        }
    }

    // A lane in which some weight that an error reads is no longer finite cannot come back. Where that holds for every
    // lane and error, the rest of the trajectory changes nothing.
    void stop_if_diverged() {
        if (request_.curves || request_.weights) return;
        alive_ = false;
        for (std::size_t m = 0; m < request_.error_count; ++m)
            alive_ = alive_ || any_finite(zero_if_finite(request_.errors[m]));
    }

    void finish() {
        for (std::size_t m = 0; m < request_.error_count; ++m) {
            Real score = sums_.data()[m] / Real(static_cast<double>(request_.scored_steps));
            if (!alive_) score = Real(std::numeric_limits<double>::infinity());
            for (std::size_t lane = 0; lane < used_; ++lane)
                request_.scores[m * request_.block.count + first_ + lane] = score[lane];
        }
        if (!request_.weights) return;
        const std::size_t d = request_.features.dimension;
        for (std::size_t lane = 0; lane < used_; ++lane)
            for (std::size_t i = 0; i < d; ++i) request_.weights[(first_ + lane) * d + i] = learner_.weights()[i][lane];
    }

private:
    BELLWETHER_INLINE
    const auto& weights() { return learner_.algorithm().w; }
    BELLWETHER_INLINE
    void score(std::size_t m, std::size_t t) {
        note(m, t, evaluate(request_.errors[m], weights(), request_.features.dimension, scratch_of_error(m)));
    }
    BELLWETHER_INLINE
    void note(std::size_t m, std::size_t t, const Real& value) {
        if (t + request_.scored_steps > request_.trajectory.steps) sums_.data()[m] = sums_.data()[m] + value;
        if (request_.curves) write_curve(m, t, value);
    }
    BELLWETHER_INLINE
    Real* scratch_of_error(std::size_t m) const {
        Real* scratch = scratch_.data();
        for (std::size_t k = 0; k < m; ++k)
            scratch += scratch_of<Real>(request_.errors[k], request_.features.dimension);
        return scratch;
    }

    // 0 in the lanes in which every weight that the error reads is finite, else NaN.
    Real zero_if_finite(const LaneError& error) const {
        Real probe(0);
        const auto& w = learner_.algorithm().w;
        const auto look_at = [&](std::size_t i) { probe = fma(Real(0), component(w, i), probe); };
        if (error.kind == LaneError::Kind::projected)
            for (std::size_t i = 0; i < request_.features.dimension; ++i) look_at(i);
        for (std::size_t n = 0; n < error.node_count; ++n) look_at(error.nodes[n].feature);
        for (std::size_t k = 0; k < error.term_count; ++k)
            if (error.terms[k].node < request_.features.dimension) look_at(error.terms[k].node);
        return probe;
    }

    std::size_t configuration(std::size_t lane) const { return first_ + (lane < used_ ? lane : used_ - 1); }

    typename Learner::Parameters parameters() const {
        typename Learner::Parameters parameters;
        const auto declared = parameters.declare();
        for (std::size_t p = 0; p < declared.size(); ++p)
            for (std::size_t lane = 0; lane < Real::lanes; ++lane)
                (parameters.*declared[p].field)
                    .set(lane, request_.block.parameters[p * request_.block.count + configuration(lane)]);
        return parameters;
    }

    std::size_t scratch_size() const {
        std::size_t size = 0;
        for (std::size_t m = 0; m < request_.error_count; ++m)
            size += scratch_of<Real>(request_.errors[m], request_.features.dimension);
        return size;
    }
    void fill_systems() {
        for (std::size_t m = 0; m < request_.error_count; ++m) {
            const LaneError& error = request_.errors[m];
            if (error.kind != LaneError::Kind::projected) continue;
            const std::size_t size = scratch_of<Real>(error, request_.features.dimension);
            Real* system = scratch_of_error(m);
            for (std::size_t lane = 0; lane < Real::lanes; ++lane) {
                const double* own = error.systems + error.system_of[configuration(lane)] * size;
                for (std::size_t k = 0; k < size; ++k) system[k].set(lane, own[k]);
            }
        }
    }
    void write_curve(std::size_t m, std::size_t t, const Real& value) {
        const std::size_t length = request_.trajectory.steps + 1;
        for (std::size_t lane = 0; lane < used_; ++lane)
            request_.curves[(m * request_.block.count + first_ + lane) * length + t] = value[lane];
    }

    const LaneRequest& request_;
    std::size_t first_, used_;
    Learner learner_;
    PackBuffer<Real> sums_;
    PackBuffer<Real> scratch_;
    bool alive_ = true;
};

// How many lanes move together: two registers of doubles, so that one computes while the other waits for a result, and
// what is broadcast serves both. Without the instruction for it a fused multiply-add is a call, and width gains
// nothing.
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr std::size_t sweep_lanes = 2 * register_bytes / sizeof(double);
#else
inline constexpr std::size_t sweep_lanes = 2;
#endif

// Packs that go through the trajectory side by side.
inline constexpr std::size_t packs_in_flight = 2;
inline constexpr std::size_t steps_between_checks = 64;

template <class Features, class Learner>
BELLWETHER_INLINE void score_all(LanePack<Learner>* const* packs, std::size_t count, std::size_t t) {
    if (std::is_same_v<Features, OneHot> && count == 2 && packs[0]->alive() && packs[1]->alive())
        return LanePack<Learner>::score(*packs[0], *packs[1], t);
    for (std::size_t p = 0; p < count; ++p)
        if (packs[p]->alive()) packs[p]->score(t);
}

template <class Real, class Features, class Learner>
[[gnu::noinline]] void learn_side_by_side(const LaneRequest& request, LanePack<Learner>* const* packs,
                                          std::size_t count) {
    const LaneTrajectory& trajectory = request.trajectory;
    const LaneStates& states = request.states;
    double gamma = 0, rho_prev = 1, pi_prev = 1, mu_prev = 1;  // before the first step, as Online has them
    for (std::size_t t = 0; t < trajectory.steps; ++t) {
        const std::uint32_t row = trajectory.rows[t], next = trajectory.rows[t + 1];
        const Features x = features_of<Features>(request.features, row);
        const Features x_next = features_of<Features>(request.features, next);
        const bool scores = request.curves || t + 1 + request.scored_steps > trajectory.steps;
        for (std::size_t p = 0; p < count; ++p) {
            LanePack<Learner>& pack = *packs[p];
            if (!pack.alive()) continue;
            const Real own_lambda = pack.lambda();
            pack.update(Step<Real, Features>{.x = x,
                                             .x_next = x_next,
                                             .reward = Real(trajectory.reward[t]),
                                             .gamma = Real(gamma),
                                             .gamma_next = Real(trajectory.gamma[t]),
                                             .lambda = states.lambda ? Real(states.lambda[row]) : own_lambda,
                                             .lambda_next = states.lambda ? Real(states.lambda[next]) : own_lambda,
                                             .rho = Real(trajectory.rho[t]),
                                             .rho_prev = Real(rho_prev),
                                             .interest = states.interest ? Real(states.interest[row]) : Real(1),
                                             .pi_prev = Real(pi_prev),
                                             .mu_prev = Real(mu_prev)});
        }
        if (scores) score_all<Features>(packs, count, t + 1);
        gamma = trajectory.gamma[t];
        rho_prev = trajectory.rho[t];
        pi_prev = trajectory.pi[t];
        mu_prev = trajectory.mu[t];
        if ((t + 1) % steps_between_checks == 0)
            for (std::size_t p = 0; p < count; ++p) packs[p]->stop_if_diverged();
    }
}

template <template <class, class> class Algorithm, class Real, class Features>
void learn_block(const LaneRequest& request) {
    using Learner = Online<Algorithm<Real, DenseTraces>>;
    using Pack = LanePack<Learner>;
    for (std::size_t first = 0; first < request.block.count; first += packs_in_flight * Real::lanes) {
        alignas(64) std::byte memory[packs_in_flight][sizeof(Pack)];
        Pack* packs[packs_in_flight];
        std::size_t count = 0;
        for (; count < packs_in_flight && first + count * Real::lanes < request.block.count; ++count)
            packs[count] = new (memory[count]) Pack(request, first + count * Real::lanes);
        learn_side_by_side<Real, Features, Learner>(request, packs, count);
        for (std::size_t p = 0; p < count; ++p) {
            packs[p]->finish();
            packs[p]->~Pack();
        }
    }
}

// Runs a request with packs of `lanes` doubles.
template <std::size_t lanes>
void run_lanes(const LaneRequest& request) {
    using Real = Pack<double, lanes>;
    std::size_t index = 0;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (index++ != request.block.algorithm) return;
        switch (request.features.kind) {
            case LaneFeatures::Kind::one_hot:
                return learn_block<Algorithm, Real, OneHot>(request);
            case LaneFeatures::Kind::sparse:
                return learn_block<Algorithm, Real, Sparse<double>>(request);
            case LaneFeatures::Kind::dense:
                return learn_block<Algorithm, Real, Dense<double>>(request);
        }
    });
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
