// Rules for the step sizes of a pack of learners (bellwether/step_size_rule.hpp), around updates that know nothing of
// them. Every step adds α times what holds no step size to w, and ηα times such a thing to the other weights:
//     power:    before update t, α becomes αt^−m
//     adagrad:  the update is made with step sizes 1, which shows the change g of every weight. Then
//               G ← G + g²,  w ← w + αg/√G  from what w was before, and with ηα in the place of α for the others;
//               where G is 0 they stay what they are
// Adagrad brings all weights to rest before and after an update, since those that move lazily (moving.hpp) say what
// they are by way of their traces: it costs O(d) in every step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/exponential.hpp"
#include "bellwether/online.hpp"
#include "bellwether/step_size_rule.hpp"
#include "engine/lane_observer.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Calls use(numbers, count) for all weights of an algorithm, at rest: w first, then the others.
template <class Real, class Use>
struct WeightsAtRest {
    Use use;

    void kept(const char*, Vector<Real>& v) const { use(v.data, v.size); }
    void kept(const char*, MovingVector<Real>& v) const {
        settle(v);
        use(v.base.data, v.base.size);
    }
    void kept(const char*, DenseTrace<Real>& v) const {
        settle_now(v);
        use(v.values.data, v.values.size);
    }
    void kept(const char*, Real& number) const { use(&number, 1); }
    template <class State>
    void cleared(const char*, State&) const {}
};
template <class Real, class Algorithm, class Use>
void for_weights_at_rest(Algorithm& algorithm, Use use) {
    algorithm.visit(WeightsAtRest<Real, Use>{use});
}

// What Adagrad keeps of a weight.
template <class Real>
struct AdagradOfWeight {
    Real before, squares;
};
template <class Real>
[[gnu::noinline]] void remember(const Real* weights, std::size_t count, AdagradOfWeight<Real>* kept) {
    for (std::size_t i = 0; i < count; ++i) kept[i].before = weights[i];
}
template <class Real>
[[gnu::noinline]] void rescale(Real* weights, std::size_t count, const Real& step_size, AdagradOfWeight<Real>* kept) {
    using T = Scalar<Real>;
    for (std::size_t i = 0; i < count; ++i) {
        const Real before = kept[i].before, g = weights[i] - before;
        const Real squares = fma(g, g, kept[i].squares);
        kept[i].squares = squares;
        weights[i] = by_magnitude(squares, T(0), T(0), before, fma(step_size, g / sqrt(squares), before));
    }
}

// t^−m
[[gnu::noinline]] inline double power_of(std::uint64_t t, double m) {
    return exp(-(m * log(static_cast<double>(t))));
}

template <class Learner>
class LaneStepSizes {
    using Real = typename Learner::Real;

public:
    static constexpr bool may_change = Learner::Algorithm::text.plain_alpha;

    LaneStepSizes(const StepSizeRule& rule, Learner& learner) : rule_(rule), kept_(weights_of(rule, learner)) {
        if constexpr (may_change) {
            auto& parameters = learner.algorithm().parameters;
            alpha_ = alpha_other_ = parameters.alpha;
            if constexpr (requires { parameters.eta; }) alpha_other_ = parameters.eta * parameters.alpha;
            if (rule_.kind != StepSizeRule::Kind::adagrad) return;
            parameters.alpha = Real(1);
            if constexpr (requires { parameters.eta; }) parameters.eta = Real(1);
            for_each_kept(learner, [](const Real*, std::size_t count, const Real&, AdagradOfWeight<Real>* kept) {
                for (std::size_t i = 0; i < count; ++i) kept[i].squares = Real(0);
            });
        }
    }

    // Before and after the t-th update of a run, t = 1, 2, …
    void before_update(Learner& learner, std::uint64_t t) {
        if (rule_.kind == StepSizeRule::Kind::power)
            learner.algorithm().parameters.alpha = alpha_ * Real(power_of(t, rule_.exponent));
        else
            for_each_kept(learner, [](const Real* weights, std::size_t count, const Real&,
                                      AdagradOfWeight<Real>* kept) { remember(weights, count, kept); });
    }
    void after_update(Learner& learner) {
        if (rule_.kind == StepSizeRule::Kind::power) return;
        for_each_kept(learner, [](Real* weights, std::size_t count, const Real& step_size,
                                  AdagradOfWeight<Real>* kept) { rescale(weights, count, step_size, kept); });
        if constexpr (requires { learner.algorithm().renew_products(); }) learner.algorithm().renew_products();
    }

private:
    static std::size_t weights_of(const StepSizeRule& rule, Learner& learner) {
        std::size_t all = 0;
        if constexpr (may_change)
            if (rule.kind == StepSizeRule::Kind::adagrad)
                for_weights_at_rest<Real>(learner.algorithm(), [&](const Real*, std::size_t count) { all += count; });
        return all;
    }
    template <class Use>
    void for_each_kept(Learner& learner, Use use) const {
        AdagradOfWeight<Real>* kept = kept_.data();
        for_weights_at_rest<Real>(learner.algorithm(), [&](Real* weights, std::size_t count) {
            use(weights, count, kept == kept_.data() ? alpha_ : alpha_other_, kept);
            kept += count;
        });
    }

    StepSizeRule rule_;
    Real alpha_{0}, alpha_other_{0};  // of w, and of the other weights
    PackBuffer<AdagradOfWeight<Real>> kept_;
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
