// Off-policy TD(λ): TD(λ) with importance weights in the trace
//     e ← ρ(g l e + x)
//     w ← w + α δ e
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct OffPolicyTd {
    static constexpr AlgorithmText text{.id = "off-policy-td",
                                        .name = "off-policy TD(λ)",
                                        .summary = "TD with importance-weighted traces; may diverge",
                                        .source = "Precup, Sutton & Dasgupta 2001",
                                        .family = Family::td,
                                        .variant = Variant::third,
                                        .mean_update = MeanUpdate::td};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w);
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x),  //
             to(w, times(parameters.alpha * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
