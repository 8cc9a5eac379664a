// True-online TD(λ), on-policy
//     e ← g l e + α(1 − g l e·x)x
//     w ← w + (R + g'w·x' − v)e + α(v − w·x)x
//     v ← w·x', with w before the update
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ToTd {
    static constexpr AlgorithmText text{.id = "to-td",
                                        .name = "true-online TD(λ)",
                                        .summary = "equals the online λ-return algorithm at every step",
                                        .source = "van Seijen & Sutton 2014",
                                        .family = Family::td,
                                        .variant = Variant::true_online,
                                        .mean_update = MeanUpdate::td,
                                        .on_policy_only = true,
                                        .plain_alpha = false};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;
    Real v;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.cleared("v", v);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real decay = s.gamma * s.lambda;
        const auto [w_x, w_x_next, e_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e));
        pass(trace(e, decay, alpha * fma(-decay, e_x, Real(1)), s.x),
             to(w, times(td_error(s, v, w_x_next), e), term(alpha * (v - w_x), s.x)));
        v = w_x_next;
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
