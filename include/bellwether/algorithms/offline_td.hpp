// The off-line λ-return algorithm, on-policy: at the end of an episode, in order of time, w ← w + α(G_t^λ − w·x_t)x_t,
// every G^λ with the w from before the episode. λ = 1 is Monte Carlo. With u for what w is to gain, the same needs no
// memory of the episode:
//     e ← g l e + α(1 − g l e·x)x
//     u ← u − α(u·x)x + δe,  with the w of the episode in δ
//     where g' = 0:  w ← w + u,  u ← 0
// A segment that is cut before γ is 0 has taught nothing.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct OfflineTd {
    static constexpr AlgorithmText text{.id = "offline-td",
                                        .name = "off-line λ-return",
                                        .summary = "on-policy λ-returns, learned from at the end of an episode",
                                        .source = "Sutton & Barto 2018",
                                        .family = Family::td,
                                        .variant = Variant::reference,
                                        .mean_update = MeanUpdate::none,
                                        .on_policy_only = true,
                                        .plain_alpha = false};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Vector<Real> w, u;
    Trace<Real, Traces> e;
    SpreadFeatures<Real> spread_x;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("u", u);
        visitor.cleared("e", e);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const auto [w_x, w_x_next, e_x, u_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e), of(s.x, u));
        const Real alpha = parameters.alpha, decay = s.gamma * s.lambda;
        const Scalars scalars{.decay = decay,
                              .gain = alpha * fma(-decay, e_x, Real(1)),
                              .pull = alpha * u_x,
                              .delta = td_error(s, w_x, w_x_next),
                              .gamma_next = s.gamma_next};
        with_spread(spread_x, e, s.x, [&](const auto& x) BELLWETHER_INLINE_LAMBDA { learn(x, scalars); });
    }

private:
    struct Scalars {
        Real decay, gain, pull, delta, gamma_next;
    };
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Scalars& scalars) {
        const Real decay = scalars.decay, gain = scalars.gain, pull = scalars.pull, delta = scalars.delta;
        for_each_active(e, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto x_i = load(x, at);
            const auto e_i = fma(gain, x_i, decay * load(e, at));
            const auto u_i = fma(delta, e_i, fma(-pull, x_i, load(u, at)));
            using Components = std::remove_cvref_t<decltype(u_i)>;
            const Components goes_on(scalars.gamma_next), none(0);
            const auto w_i = load(w, at);
            store(e, at, e_i);
            store(w, at, where_greater(goes_on, none, w_i, w_i + u_i));
            store(u, at, where_greater(goes_on, none, u_i, none));
        });
        drop_idle(e, x, u);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
