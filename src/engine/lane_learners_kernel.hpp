// The kernels behind lane_learners.hpp, for any width of pack.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "engine/lane_kernel.hpp"
#include "engine/lane_learners.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// ---- the state of one lane, as the scalar learner writes it (state_body.hpp) ----

// Walks the parts of a state in the order of a body. Transfer: number(pack) for the lane's number in it, and
// flag(integer) for what all lanes share.
template <class Transfer>
class LaneBody {
public:
    explicit LaneBody(Transfer& transfer) : transfer_(transfer) {}

    template <class State>
    void kept(const char*, State& state) {
        walk(state);
    }
    template <class State>
    void cleared(const char*, State& state) {
        walk(state);
    }

    template <class Real>
    void walk(Vector<Real>& v) {
        for (std::size_t i = 0; i < v.size; ++i) transfer_.number(v[i]);
    }
    template <class Real>
    void walk(Matrix<Real>& m) {
        for (std::size_t i = 0; i < m.size * m.size; ++i) transfer_.number(m.data[i]);
    }
    template <class Real>
    void walk(DenseTrace<Real>& e) {
        walk(e.values);
        transfer_.number(e.scale);
    }
    template <class Real>
    void walk(MovingVector<Real>& v) {
        walk(v.base);
        transfer_.number(v.steps);
        transfer_.flag(v.moving);
    }
    template <class Real>
    void walk(CarriedProduct<Real>& product) {
        transfer_.number(product.with_base);
        transfer_.number(product.with_along);
        transfer_.flag(product.stale);
    }
    template <class Real>
    void walk(CarriedSquare<Real>& square) {
        transfer_.number(square.sum);
    }
    template <class Real>
    requires is_pack<Real>
    void walk(Real& scalar) { transfer_.number(scalar); }

private:
    Transfer& transfer_;
};

// Writes to memory that is large enough, or, given none, only counts.
struct LaneBodyWriter {
    std::size_t lane;
    std::byte* to;
    std::size_t size = 0;

    template <class Real>
    void number(const Real& pack) {
        put(pack[lane]);
    }
    void flag(std::uint32_t value) { put(value); }

private:
    template <class T>
    void put(T value) {
        if (to) std::memcpy(to + size, &value, sizeof value);
        size += sizeof value;
    }
};

// A flag says that something may be so in some lane: set in one, it is set.
struct LaneBodyReader {
    std::size_t lane;
    const std::byte* from;

    template <class Real>
    void number(Real& pack) {
        pack.set(lane, get<double>());
    }
    void flag(std::uint32_t& value) { value |= get<std::uint32_t>(); }

private:
    template <class T>
    T get() {
        T value;
        std::memcpy(&value, from, sizeof value);
        from += sizeof value;
        return value;
    }
};

// ---- errors ----

template <class Real>
BELLWETHER_INLINE Real deviation(const LaneMeasure& measure, const Real& difference) {
    return measure.squared ? difference * difference : abs(difference);
}

// Out of line: algorithms share it.
template <class Real, class Features, class Weights>
[[gnu::noinline]] Real evaluation_error(const LaneMeasure& measure, const Weights& w) {
    Real sum(0);
    for (std::size_t k = 0; k < measure.row_count; ++k) {
        const Features y = features_of<Features>(measure.rows, static_cast<std::uint32_t>(k));
        sum = fma(Real(measure.weight[k]), deviation(measure, dot(y, w) - Real(measure.truth[k])), sum);
    }
    return sum;
}
template <class Real, class Weights>
[[gnu::noinline]] Real evaluation_error(const LaneMeasure& measure, const Weights& w) {
    switch (measure.rows.kind) {
        case LaneFeatures::Kind::one_hot:
            return evaluation_error<Real, OneHot>(measure, w);
        case LaneFeatures::Kind::sparse:
            return evaluation_error<Real, Sparse<double>>(measure, w);
        default:
            return evaluation_error<Real, Dense<double>>(measure, w);
    }
}

// ---- learning ----

// Whether some signal is not the same for all learners.
inline bool has_own_signals(const LaneStretch& s) {
    return s.reward.by_learner || s.gamma.by_learner || s.rho.by_learner || s.pi.by_learner || s.mu.by_learner;
}

// A pack of learners with what the next step needs of the last one.
template <class Learner>
class LearnerPack {
    using Real = typename Learner::Real;

public:
    // Lanes beyond the last learner of the block repeat it.
    LearnerPack(const LaneBlock& block, std::size_t dimension, const double* initial_weights, std::size_t first)
        : first_(first),
          used_(block.count - first < Real::lanes ? block.count - first : Real::lanes),
          learner_(dimension, parameters(block)) {
        for (std::size_t i = 0; initial_weights && i < dimension; ++i)
            components_of(learner_.algorithm().w)[i] = Real(initial_weights[i]);
    }

    bool alive() const { return alive_; }
    std::size_t first() const { return first_; }
    std::size_t used() const { return used_; }

    template <class Features>
    BELLWETHER_INLINE void step(const LaneStretch& stretch, bool own_signals, std::size_t t, const Features& x,
                                const Features& x_next) {
        const Signals& before = signals_[last_];
        last_ ^= 1;
        Signals& now = signals_[last_];
        if (own_signals) {
            read_own(now, stretch, t);
        } else {
            now.reward = Real(stretch.reward.numbers[t * stretch.reward.by_step]);
            now.gamma = Real(stretch.gamma.numbers[t * stretch.gamma.by_step]);
            now.rho = Real(stretch.rho.numbers[t * stretch.rho.by_step]);
            if constexpr (reads_policies) {
                now.pi = Real(stretch.pi.numbers[t * stretch.pi.by_step]);
                now.mu = Real(stretch.mu.numbers[t * stretch.mu.by_step]);
            }
        }
        Real lambda(0);
        if constexpr (requires { learner_.algorithm().parameters.lambda; })
            lambda = learner_.algorithm().parameters.lambda;
        learner_.algorithm().update(
            Step<Real, Features>{.x = x,
                                 .x_next = x_next,
                                 .reward = now.reward,
                                 .gamma = before.gamma,
                                 .gamma_next = now.gamma,
                                 .lambda = stretch.lambda ? Real(stretch.lambda[t]) : lambda,
                                 .lambda_next = stretch.lambda ? Real(stretch.lambda_next[t]) : lambda,
                                 .rho = now.rho,
                                 .rho_prev = before.rho,
                                 .interest = stretch.interest ? Real(stretch.interest[t]) : Real(1),
                                 .pi_prev = before.pi,
                                 .mu_prev = before.mu});
    }

    [[gnu::noinline]] void start() {
        learner_.start();
        signals_[last_] = {};
    }

    // The prediction before the update of step t, as far as somebody wants it.
    template <class Features>
    [[gnu::noinline]] void predict(const LaneStretch& stretch, std::size_t t, const Features& x) {
        const Real prediction = learner_.predict(x);
        if (stretch.predictions)
            for (std::size_t lane = 0; lane < used_; ++lane)
                stretch.predictions[t * stretch.predictions_by_step + first_ + lane] = prediction[lane];
        const LaneMeasure* measure = stretch.measure;
        if (measure && measure->kind == LaneMeasure::Kind::prediction && measure->counts[t])
            note(*measure, deviation(*measure, prediction - read(measure->target, t)));
    }
    [[gnu::noinline]] void evaluate(const LaneMeasure& measure) {
        note(measure, evaluation_error<Real>(measure, learner_.algorithm().w));
    }

    void stop_if_diverged() { alive_ = alive_ && any_finite(zero_if_finite()); }

    void weights(double* to) const {
        const auto w = learner_.weights();
        for (std::size_t lane = 0; lane < used_; ++lane)
            for (std::size_t i = 0; i < w.size(); ++i) to[(first_ + lane) * w.size() + i] = w[i][lane];
    }
    void sums(double* to) const {
        const Real probe = zero_if_finite();
        for (std::size_t lane = 0; lane < used_; ++lane)
            to[first_ + lane] = alive_ && probe[lane] == 0 ? sum_[lane] : std::numeric_limits<double>::infinity();
    }

    template <class Transfer>
    void walk(Transfer& transfer) {
        Signals& before = signals_[last_];
        transfer.number(before.gamma);
        transfer.number(before.rho);
        transfer.number(before.pi);
        transfer.number(before.mu);
        learner_.algorithm().visit(LaneBody<Transfer>(transfer));
    }

private:
    static constexpr bool reads_policies = Learner::Algorithm::text.needs_policies;

    // What a step brings; before the first one, as Online has it.
    struct Signals {
        Real reward{0}, gamma{0}, rho{1}, pi{1}, mu{1};
    };

    Real read(const LaneSignal& signal, std::size_t t) const {
        const double* numbers = signal.numbers + t * signal.by_step;
        if (!signal.by_learner) return Real(*numbers);
        return used_ == Real::lanes ? Real::load(numbers + first_) : Real::load(numbers + first_, used_);
    }
    // Out of line, before there is anything in registers: algorithms and kinds of features share it.
    [[gnu::noinline]] void read_own(Signals& now, const LaneStretch& stretch, std::size_t t) const {
        now.reward = read(stretch.reward, t);
        now.gamma = read(stretch.gamma, t);
        now.rho = read(stretch.rho, t);
        if constexpr (reads_policies) {
            now.pi = read(stretch.pi, t);
            now.mu = read(stretch.mu, t);
        }
    }
    BELLWETHER_INLINE
    void note(const LaneMeasure& measure, const Real& value) { sum_ = sum_ + (measure.root ? sqrt(value) : value); }

    // 0 in the lanes in which every weight is finite, else NaN.
    Real zero_if_finite() const {
        const auto& w = learner_.algorithm().w;
        Real probe(0);
        for (std::size_t i = 0; i < learner_.dimension(); ++i) probe = fma(Real(0), component(w, i), probe);
        return probe;
    }

    typename Learner::Parameters parameters(const LaneBlock& block) const {
        typename Learner::Parameters parameters;
        const auto declared = parameters.declare();
        for (std::size_t p = 0; p < declared.size(); ++p)
            for (std::size_t lane = 0; lane < Real::lanes; ++lane)
                (parameters.*declared[p].field)
                    .set(lane, block.parameters[p * block.count + first_ + (lane < used_ ? lane : used_ - 1)]);
        return parameters;
    }

    std::size_t first_, used_;
    Learner learner_;
    Signals signals_[2];  // of the last step and of the one before, in turn
    std::size_t last_ = 0;
    Real sum_{0};
    bool alive_ = true;
};

// Up to packs_in_flight packs, which go through a stretch side by side.
template <template <class, class> class Algorithm, class Real>
class LaneLearnersOf final : public LaneLearners {
    using Pack = LearnerPack<Online<Algorithm<Real, DenseTraces>>>;

public:
    LaneLearnersOf(const LaneBlock& block, std::size_t dimension, const double* initial_weights)
        : dimension_(dimension) {
        for (; count_ * Real::lanes < block.count; ++count_)
            new (memory_[count_]) Pack(block, dimension, initial_weights, count_ * Real::lanes);
    }
    LaneLearnersOf(const LaneLearnersOf&) = delete;
    LaneLearnersOf& operator=(const LaneLearnersOf&) = delete;
    ~LaneLearnersOf() override {
        for (std::size_t p = 0; p < count_; ++p) pack(p).~Pack();
    }

    void learn(const LaneStretch& stretch) noexcept override {
        switch (stretch.x.kind) {
            case LaneFeatures::Kind::one_hot:
                return learn_from<OneHot>(stretch);
            case LaneFeatures::Kind::sparse:
                return learn_from<Sparse<double>>(stretch);
            case LaneFeatures::Kind::dense:
                return learn_from<Dense<double>>(stretch);
        }
    }
    void weights(double* to) const noexcept override {
        for (std::size_t p = 0; p < count_; ++p) pack(p).weights(to);
    }
    void sums(double* to) const noexcept override {
        for (std::size_t p = 0; p < count_; ++p) pack(p).sums(to);
    }
    std::size_t body_size() const noexcept override { return write(0, nullptr); }
    void save_body(std::size_t learner, std::byte* to) const noexcept override { write(learner, to); }
    void restore_body(std::size_t learner, const std::byte* from) noexcept override {
        LaneBodyReader reader{learner % Real::lanes, from};
        pack(learner / Real::lanes).walk(reader);
    }

private:
    template <class Features>
    [[gnu::noinline]] void learn_from(const LaneStretch& stretch) {
        const bool own_signals = has_own_signals(stretch);
        const LaneMeasure* measure = stretch.measure;
        const bool predicts = stretch.predictions || (measure && measure->kind == LaneMeasure::Kind::prediction);
        const bool evaluates = measure && measure->kind == LaneMeasure::Kind::evaluation;
        // A look at every weight costs less than a component's update a step.
        const std::size_t between_checks = dimension_ < steps_between_checks ? steps_between_checks : dimension_;
        for (std::size_t t = 0, unchecked = 0; t < stretch.steps; ++t) {
            const auto row = static_cast<std::uint32_t>(t);
            const Features x = features_of<Features>(stretch.x, row);
            const Features x_next = features_of<Features>(stretch.x_next, row);
            for (std::size_t p = 0; p < count_; ++p) {
                Pack& one = pack(p);
                if (!one.alive()) continue;
                if (stretch.marks && (stretch.marks[t] & begins_segment)) one.start();
                if (predicts) one.predict(stretch, t, x);
                if (stretch.marks && (stretch.marks[t] & is_no_step)) continue;
                one.step(stretch, own_signals, t, x, x_next);
                if (evaluates && measure->counts[t]) one.evaluate(*measure);
            }
            if (stretch.may_stop && ++unchecked == between_checks) {
                unchecked = 0;
                for (std::size_t p = 0; p < count_; ++p) pack(p).stop_if_diverged();
            }
        }
    }

    std::size_t write(std::size_t learner, std::byte* to) const {
        LaneBodyWriter writer{learner % Real::lanes, to};
        const_cast<Pack&>(pack(learner / Real::lanes)).walk(writer);  // visit() serves readers and writers alike
        return writer.size;
    }

    Pack& pack(std::size_t p) { return *std::launder(reinterpret_cast<Pack*>(memory_[p])); }
    const Pack& pack(std::size_t p) const { return *std::launder(reinterpret_cast<const Pack*>(memory_[p])); }

    std::size_t dimension_;
    std::size_t count_ = 0;
    alignas(64) std::byte memory_[packs_in_flight][(sizeof(Pack) + 63) / 64 * 64];
};

template <std::size_t lanes>
std::unique_ptr<LaneLearners> make_lane_learners(const LaneBlock& block, std::size_t dimension,
                                                 const double* initial_weights) {
    std::unique_ptr<LaneLearners> made;
    std::size_t index = 0;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (index++ != block.algorithm) return;
        made = std::make_unique<LaneLearnersOf<Algorithm, Pack<double, lanes>>>(block, dimension, initial_weights);
    });
    return made;
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
