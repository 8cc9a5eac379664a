// The one driver of learners in lanes: packs of configurations are advanced over a source and observed on the way.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "engine/lane_observer.hpp"
#include "engine/lane_step_sizes.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// How many lanes move together: two registers of doubles, so that one computes while the other waits for a result, and
// what is broadcast serves both. Without the instruction for it a fused multiply-add is a call, and width gains
// nothing.
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr std::size_t sweep_lanes = 2 * register_bytes / sizeof(double);
#else
inline constexpr std::size_t sweep_lanes = 2;
#endif

// The step sizes of a pack of learners, where they change.
template <class Learner>
class LaneStepSizes {
    using Real = typename Learner::Real;
    using Algorithm = typename Learner::Algorithm;

public:
    static constexpr bool may_change = has_step_size_rules<Algorithm>;

    // Of a learner with its first weights.
    LaneStepSizes(const StepSizeRule& rule, Learner& learner) : rule_(rule), kept_(numbers_kept(rule, learner)) {
        if constexpr (may_change) {
            alpha_ = learner.algorithm().parameters.alpha;
            second_alpha_ = second_step_size(learner.algorithm().parameters);
            if (rule_.kind == StepSizeRule::Kind::adagrad) begin_adagrad(learner.algorithm(), kept_.data());
        }
    }

    // Before and after the t-th update of a run, t = 1, 2, …
    void before_update(Learner& learner, std::uint64_t t) {
        if (rule_.kind == StepSizeRule::Kind::power)
            learner.algorithm().parameters.alpha = alpha_ * Real(power_of(t, rule_.exponent));
    }
    void after_update(Learner& learner) {
        if (rule_.kind == StepSizeRule::Kind::adagrad)
            after_adagrad(learner.algorithm(), alpha_, second_alpha_, kept_.data());
    }

private:
    static std::size_t numbers_kept(const StepSizeRule& rule, Learner& learner) {
        CountWeights<Real> weights;
        if constexpr (may_change)
            if (rule.kind == StepSizeRule::Kind::adagrad) learner.algorithm().visit(weights);
        return numbers_of_adagrad * weights.count;
    }

    StepSizeRule rule_;
    Real alpha_{0}, second_alpha_{0};
    PackBuffer<Real> kept_;
};

// What a step's transition brings, beside its features.
template <class Real>
struct LaneSignals {
    Real reward;
    Memory<Real> now, before;
};

// A pack of learners.
template <class Learner>
class LanePack {
public:
    using Real = typename Learner::Real;
    using Weights = decltype(Learner::Algorithm::w);

    // Lanes beyond the last learner of the block repeat it.
    LanePack(const LaneLearnersRequest& request, std::size_t first, std::size_t made)
        : seen{.first = first, .used = made - first < Real::lanes ? made - first : Real::lanes},
          learner(learner_of(request)),
          step_sizes(request.step_sizes, learner),
          sums_(request.error_count) {
        seen.w = &learner.algorithm().w;
        seen.sums = sums_.data();
        for (std::size_t m = 0; m < request.error_count; ++m) seen.sums[m] = Real(0);
    }

    // The numbers of step t, where `last` is the step before it, or none where the learner remembers that. Out of line,
    // before there is anything in registers: kinds of features share it.
    [[gnu::noinline]] LaneSignals<Real> read(const LaneSource& source, std::size_t t, std::size_t last) {
        return {read(source.reward, t), memory_of(source, t),
                last == none ? learner.memory() : memory_of(source, last)};
    }
    void remember(const LaneSource& source, std::size_t last) {
        learner.memory() = memory_of(source, last);
        learner.memory().pi = read(source.pi, last);
        learner.memory().mu = read(source.mu, last);
    }

    static constexpr std::size_t none = SIZE_MAX;
    static constexpr bool reads_policies = Learner::Algorithm::text.needs_policies;

    ObservedPack<Real, Weights> seen;
    Learner learner;
    LaneStepSizes<Learner> step_sizes;

private:
    Real read(const LaneSignal& signal, std::size_t t) const {
        return read_signal<Real>(signal, t, seen.first, seen.used);
    }
    Memory<Real> memory_of(const LaneSource& source, std::size_t t) const {
        Memory<Real> memory{.gamma = read(source.gamma, t), .rho = read(source.rho, t)};
        if constexpr (reads_policies) {
            memory.pi = read(source.pi, t);
            memory.mu = read(source.mu, t);
        }
        return memory;
    }
    // With its first weights.
    Learner learner_of(const LaneLearnersRequest& request) const {
        Learner made(request.dimension, parameters(request));
        for (std::size_t i = 0; request.initial_weights && i < request.dimension; ++i)
            components_of(made.algorithm().w)[i] = Real(request.initial_weights[i]);
        return made;
    }
    typename Learner::Parameters parameters(const LaneLearnersRequest& request) const {
        return parameters_from<typename Learner::Parameters>([&](std::size_t p) {
            const double* own = request.block.parameters + p * request.block.count + request.first + seen.first;
            Real values(0);
            for (std::size_t lane = 0; lane < Real::lanes; ++lane)
                values.set(lane, own[lane < seen.used ? lane : seen.used - 1]);
            return values;
        });
    }

    PackBuffer<Real> sums_;
};

// The numbers of a step where all learners have the same.
struct SharedSignals {
    double reward = 0;
    Memory<double> memory{};
};
template <bool reads_policies>
BELLWETHER_INLINE SharedSignals shared_signals(const LaneSource& source, std::size_t t) {
    const auto number = [&](const LaneSignal& signal)
                            BELLWETHER_INLINE_LAMBDA { return signal.numbers[t * signal.by_step]; };
    SharedSignals signals{number(source.reward), {.gamma = number(source.gamma), .rho = number(source.rho)}};
    if constexpr (reads_policies) {
        signals.memory.pi = number(source.pi);
        signals.memory.mu = number(source.mu);
    }
    return signals;
}
template <class Real>
BELLWETHER_INLINE Memory<Real> broadcast(const Memory<double>& m) {
    return {Real(m.gamma), Real(m.rho), Real(m.pi), Real(m.mu)};
}
inline bool has_shared_signals(const LaneSource& s) {
    return !(s.reward.by_learner || s.gamma.by_learner || s.rho.by_learner || s.pi.by_learner || s.mu.by_learner);
}

// A plain source, as most sweeps have: the same signals for all learners, λ and interest those of the learner. There is
// a loop of its own for it where most sweeps are run, since a number that may come from two places occupies twice the
// registers.
inline bool is_plain(const LaneSource& s) {
    return has_shared_signals(s) && !s.lambda && !s.interest;
}
template <class Features>
inline constexpr bool has_plain_loop = register_bytes == 64 && !std::is_same_v<Features, Sparse<double>>;

// Steps `from` to `to` − 1, of which the one before the first is `last`; returns the last one.
template <class Features, bool plain, class Pack, class Observer>
[[gnu::noinline]] std::size_t advance(const LaneSource& source, std::size_t from, std::size_t to, std::size_t last,
                                      Pack* const* packs, std::size_t count, Observer& observer) {
    using Real = typename Pack::Real;
    const bool shared = plain || has_shared_signals(source);
    const bool eventful = source.marks || observer.predicts();
    SharedSignals now, before;
    if (shared && last != Pack::none) before = shared_signals<Pack::reads_policies>(source, last);
    for (std::size_t t = from; t < to; ++t) {
        const std::uint32_t row = source.rows ? source.rows[t] : static_cast<std::uint32_t>(t);
        const std::uint32_t row_next = source.rows_next ? source.rows_next[t] : static_cast<std::uint32_t>(t);
        const Features x = features_of<Features>(source.x, row);
        const Features x_next = features_of<Features>(source.x_next, row_next);
        if (eventful) {
            const std::uint8_t marks = source.marks ? source.marks[t] : std::uint8_t{0};
            if (marks & is_idle) {
                observer.after_idle(t);
                continue;
            }
            if (marks & begins_segment) {
                for (std::size_t p = 0; p < count; ++p) packs[p]->learner.start();
                last = Pack::none;
                before = {};
            }
            if (observer.predicts()) observer.predict(t, x);
            if (marks & is_no_step) continue;
        }
        if (shared) now = shared_signals<Pack::reads_policies>(source, t);
        for (std::size_t p = 0; p < count; ++p) {
            Pack& pack = *packs[p];
            if (!pack.seen.alive) continue;
            auto& algorithm = pack.learner.algorithm();
            LaneSignals<Real> s;
            if (plain || (shared && last != Pack::none)) [[likely]] {
                s.reward = Real(now.reward);
                s.now = broadcast<Real>(now.memory);
                s.before = broadcast<Real>(before.memory);
            } else {
                const LaneSignals<Real> own = pack.read(source, t, last);  // in memory, unlike s
                s.reward = own.reward;
                s.now = own.now;
                s.before = own.before;
            }
            const Real own_lambda = lambda_of(algorithm.parameters);
            const bool has_lambda = !plain && source.lambda, has_interest = !plain && source.interest;
            algorithm.update(make_step(x, x_next, s.reward, s.now, s.before,
                                       has_lambda ? Real(source.lambda[row]) : own_lambda,
                                       has_lambda ? Real(source.lambda_next[row_next]) : own_lambda,
                                       has_interest ? Real(source.interest[row]) : Real(1)));
        }
        before = now;
        last = t;
        observer.after(t);
    }
    return last;
}
template <class Features, class Pack, class Observer>
void advance(const LaneSource& source, Pack* const* packs, std::size_t count, Observer& observer) {
    std::size_t t = 0, last = Pack::none;
    if constexpr (has_plain_loop<Features>) {
        if (is_plain(source)) {
            // Before the first step stands one that the learners remember, each its own.
            for (; t < source.steps && last == Pack::none; ++t)
                last = advance<Features, false>(source, t, t + 1, last, packs, count, observer);
            last = advance<Features, true>(source, t, source.steps, last, packs, count, observer);
            t = source.steps;
        }
    }
    last = advance<Features, false>(source, t, source.steps, last, packs, count, observer);
    if (last != Pack::none)
        for (std::size_t p = 0; p < count; ++p) packs[p]->remember(source, last);
}

// Step t of a source by itself. Its rows are given.
inline LaneSource step_of(LaneSource source, std::size_t t) {
    source.steps = 1;
    source.rows += t;
    source.rows_next += t;
    for (LaneSignal* signal : {&source.reward, &source.gamma, &source.rho, &source.pi, &source.mu})
        signal->numbers += t * signal->by_step;
    if (source.marks) source.marks += t;
    return source;
}

// Up to packs_in_flight packs of one algorithm.
template <template <class, class> class Algorithm, class Real>
class LaneLearnersOf final : public LaneLearners {
    using Learner = Online<Algorithm<Real, DenseTraces>>;
    using Pack = LanePack<Learner>;
    using Observer = LaneObserver<Real, typename Pack::Weights>;

public:
    // By way of the other constructor, so that packs are not lost where there is no memory for all.
    explicit LaneLearnersOf(const LaneLearnersRequest& request)
        : LaneLearnersOf(request.dimension, request.error_count, request.step_sizes) {
        const std::size_t left = request.block.count - request.first;
        made_ = left < packs_in_flight * Real::lanes ? left : packs_in_flight * Real::lanes;
        for (; count_ * Real::lanes < made_; ++count_) {
            packs_[count_] = new (memory_[count_]) Pack(request, count_ * Real::lanes, made_);
            seen_[count_] = &packs_[count_]->seen;
        }
    }
    ~LaneLearnersOf() override {
        for (std::size_t p = 0; p < count_; ++p) packs_[p]->~Pack();
    }

    void learn(const LaneSource& source, const LaneObservation& observation) override {
        Observer observer(observation, source, seen_, count_);
        if constexpr (LaneStepSizes<Learner>::may_change)
            if (!step_sizes_.is_constant()) return advance_by_rule(source, observer);
        advance_through(source, observer);
    }

    void sums(double* to) const noexcept override {
        for (std::size_t m = 0; m < error_count_; ++m)
            for_each_learner([&](const Pack& pack, std::size_t lane, std::size_t learner) {
                to[m * made_ + learner] =
                    pack.seen.alive ? pack.seen.sums[m][lane] : std::numeric_limits<double>::infinity();
            });
    }
    void weights(double* to) const noexcept override {
        for_each_learner([&](const Pack& pack, std::size_t lane, std::size_t learner) {
            for (std::size_t i = 0; i < dimension_; ++i)
                to[learner * dimension_ + i] = component(*pack.seen.w, i)[lane];
        });
    }
    void finite(std::uint8_t* to) const noexcept override {
        Real probes[packs_in_flight];
        for (std::size_t p = 0; p < count_; ++p) probes[p] = zero_if_finite<Real>(*packs_[p]->seen.w, dimension_);
        for_each_learner([&](const Pack&, std::size_t lane, std::size_t learner) {
            to[learner] = probes[learner / Real::lanes][lane] == 0;
        });
    }

    std::size_t body_size() const noexcept override { return write(0, nullptr); }
    void save_body(std::size_t learner, std::byte* to) const noexcept override { write(learner, to); }
    void restore_body(std::size_t learner, const std::byte* from) noexcept override {
        BodyReader reader({from, body_size()}, BodyReader::Mode::read, learner % Real::lanes);
        packs_[learner / Real::lanes]->learner.every_part(reader);
    }

private:
    LaneLearnersOf(std::size_t dimension, std::size_t error_count, const StepSizeRule& step_sizes)
        : dimension_(dimension), error_count_(error_count), step_sizes_(step_sizes) {}

    [[gnu::noinline]] void advance_through(const LaneSource& source, Observer& observer) {
        switch (source.x.kind) {
            case LaneFeatures::Kind::one_hot:
                return advance<OneHot>(source, packs_, count_, observer);
            case LaneFeatures::Kind::sparse:
                return advance<Sparse<double>>(source, packs_, count_, observer);
            case LaneFeatures::Kind::dense:
                return advance<Dense<double>>(source, packs_, count_, observer);
        }
    }

    // Step by step, observed when the rule has done its part.
    void advance_by_rule(const LaneSource& source, Observer& observer) {
        const LaneObservation nothing{};
        Observer unobserved(nothing, source, seen_, count_);
        const auto for_each_alive = [&](auto use) {
            for (std::size_t p = 0; p < count_; ++p)
                if (packs_[p]->seen.alive) use(*packs_[p]);
        };
        for (std::size_t t = 0; t < source.steps; ++t) {
            const std::uint8_t marks = source.marks ? source.marks[t] : std::uint8_t{0};
            if (marks & is_idle) {
                observer.after_idle(t);
                continue;
            }
            const bool learns = !(marks & is_no_step);
            updates_ += learns;
            if (learns) for_each_alive([&](Pack& pack) { pack.step_sizes.before_update(pack.learner, updates_); });
            advance_through(step_of(source, t), unobserved);
            if (!learns) continue;
            for_each_alive([&](Pack& pack) { pack.step_sizes.after_update(pack.learner); });
            observer.after(t);
        }
    }

    template <class Use>
    void for_each_learner(Use use) const {
        for (std::size_t p = 0; p < count_; ++p)
            for (std::size_t lane = 0; lane < packs_[p]->seen.used; ++lane)
                use(*packs_[p], lane, packs_[p]->seen.first + lane);
    }
    std::size_t write(std::size_t learner, std::byte* to) const {
        BodyWriter writer(to, learner % Real::lanes);
        packs_[learner / Real::lanes]->learner.every_part(writer);
        return writer.size();
    }

    std::size_t dimension_, error_count_;
    StepSizeRule step_sizes_;
    std::uint64_t updates_ = 0;  // counted for a rule
    std::size_t made_ = 0, count_ = 0;
    Pack* packs_[packs_in_flight];
    ObservedPack<Real, typename Pack::Weights>* seen_[packs_in_flight];
    alignas(64) std::byte memory_[packs_in_flight][(sizeof(Pack) + 63) / 64 * 64];
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
