// TD(λ) with replacing traces, on-policy
//     e_i ← x_i where x_i ≠ 0, else g l e_i
//     w ← w + α δ e
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct TdReplacing {
    static constexpr AlgorithmText text{.id = "td-replacing",
                                        .name = "TD(λ), replacing",
                                        .summary = "on-policy TD with replacing traces",
                                        .source = "Singh & Sutton 1996",
                                        .family = Family::td,
                                        .variant = Variant::fifth,
                                        .mean_update = MeanUpdate::none,
                                        .on_policy_only = true};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Trace<Real, Traces> e;
    SpreadFeatures<Real> spread_x;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w);
        with_spread(spread_x, e, s.x, [&](const auto& x) BELLWETHER_INLINE_LAMBDA {
            learn(x, s.gamma * s.lambda, parameters.alpha * delta);
        });
    }

private:
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Real& decay, const Real& rate) {
        for_each_active(e, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto x_i = load(x, at);
            const auto kept_i = decay * load(e, at);
            const auto e_i = where_greater(abs(x_i), Real(0), x_i, kept_i);
            store(e, at, e_i);
            store(w, at, fma(rate, e_i, load(w, at)));
        });
        drop_idle(e, x);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
