// Rules for the step sizes of learners (bellwether/step_size_rule.hpp), around updates that know nothing of them. Every
// step adds α times what holds no step size to w, and ηα times such a thing to the other weights:
//     power:    before update t, α becomes αt^−m
//     adagrad:  the update is made with step sizes 1, which shows the change g of every weight. Then
//               G ← G + g²,  w ← w + αg/√G  from what w was before, and with ηα in the place of α for the others;
//               where G is 0 they stay what they are
// Adagrad brings all weights to rest after an update, since those that move lazily (moving.hpp) say what they are by
// way of their traces: it costs O(d) in every step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/exponential.hpp"
#include "bellwether/online.hpp"
#include "bellwether/step_size_rule.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Algorithm>
inline constexpr bool has_step_size_rules = Algorithm::text.plain_alpha;

// t^−m
[[gnu::noinline]] inline double power_of(std::uint64_t t, double m) {
    return exp(-(m * log(static_cast<double>(t))));
}

// That of the weights beside w.
template <class Parameters>
BELLWETHER_INLINE auto second_step_size(const Parameters& parameters) {
    if constexpr (requires { parameters.eta; })
        return parameters.eta * parameters.alpha;
    else
        return parameters.alpha;
}

// How many weights an algorithm has.
template <class Real>
struct CountWeights {
    std::size_t count = 0;

    void kept(const char*, const Vector<Real>& v) { count += v.size; }
    void kept(const char*, const MovingVector<Real>& v) { count += v.base.size; }
    void kept(const char*, const DenseTrace<Real>& v) { count += v.values.size; }
    void kept(const char*, const Real&) { ++count; }
    template <class State>
    void cleared(const char*, const State&) const {}
};

// Calls use(numbers, count) for all weights of an algorithm, at rest: w first, then the others.
template <class Real, class Use>
struct WeightsAtRest {
    Use use;

    BELLWETHER_INLINE
    void kept(const char*, Vector<Real>& v) const { use(v.data, v.size); }
    BELLWETHER_INLINE
    void kept(const char*, MovingVector<Real>& v) const {
        settle(v);
        use(v.base.data, v.base.size);
    }
    BELLWETHER_INLINE
    void kept(const char*, DenseTrace<Real>& v) const {
        settle_now(v);
        use(v.values.data, v.values.size);
    }
    BELLWETHER_INLINE
    void kept(const char*, Real& number) const { use(&number, 1); }
    template <class State>
    BELLWETHER_INLINE void cleared(const char*, State&) const {}
};

// What Adagrad keeps of a weight: what it was before the update, and the sum of squares.
inline constexpr std::size_t numbers_of_adagrad = 2;

// Calls use(weights, count, what is kept of them) likewise.
template <class Real, class Algorithm, class Use>
BELLWETHER_INLINE void for_kept_weights(Algorithm& algorithm, Real* kept, Use use) {
    const auto next = [&](Real* weights, std::size_t count) BELLWETHER_INLINE_LAMBDA {
        use(weights, count, kept);
        kept += numbers_of_adagrad * count * stride_of<Real>;
    };
    algorithm.visit(WeightsAtRest<Real, decltype(next)>{next});
}

template <class Real>
BELLWETHER_OUT_OF_LINE void begin_sums(const Real* weights, std::size_t count, Real* kept) {
    constexpr std::size_t next = stride_of<Real>;
    BELLWETHER_ROLLED
    for (std::size_t i = 0; i < count; ++i) {
        kept[2 * i * next] = weights[i * next];
        kept[(2 * i + 1) * next] = Real(0);
    }
}
template <class Real>
BELLWETHER_OUT_OF_LINE void rescale(Real* weights, std::size_t count, const Real& step_size, Real* kept) {
    using T = Scalar<Real>;
    constexpr std::size_t next = stride_of<Real>;
    BELLWETHER_ROLLED
    for (std::size_t i = 0; i < count; ++i) {
        const Real before = kept[2 * i * next], g = weights[i * next] - before;
        const Real squares = fma(g, g, kept[(2 * i + 1) * next]);
        kept[(2 * i + 1) * next] = squares;
        kept[2 * i * next] = weights[i * next] =
            by_magnitude(squares, T(0), T(0), before, fma(step_size, g / sqrt(squares), before));
    }
}

// Before the first update of an algorithm with its first weights, and after each.
template <class Real, class Algorithm>
BELLWETHER_INLINE void begin_adagrad(Algorithm& algorithm, Real* kept) {
    algorithm.parameters.alpha = Real(1);
    if constexpr (requires { algorithm.parameters.eta; }) algorithm.parameters.eta = Real(1);
    for_kept_weights(algorithm, kept, [](const Real* weights, std::size_t count, Real* of) BELLWETHER_INLINE_LAMBDA {
        begin_sums(weights, count, of);
    });
}
template <class Real, class Algorithm>
BELLWETHER_INLINE void after_adagrad(Algorithm& algorithm, const Real& alpha, const Real& second_alpha, Real* kept) {
    for_kept_weights(algorithm, kept, [&](Real* weights, std::size_t count, Real* of) BELLWETHER_INLINE_LAMBDA {
        rescale(weights, count, of == kept ? alpha : second_alpha, of);
    });
    if constexpr (requires { algorithm.renew_products(); }) algorithm.renew_products();
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
