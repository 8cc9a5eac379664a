// V-trace
//     e ← g l min(1, ρ⁻) e + x
//     w ← w + αρδe
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Vtrace {
    static constexpr AlgorithmText text{.id = "vtrace",
                                        .name = "V-trace(λ)",
                                        .summary = "traces cut by clipped importance weights",
                                        .source = "Espeholt et al. 2018",
                                        .family = Family::cut_traces,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::vtrace};

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
        const Real decay = s.gamma * s.lambda * min(Real(1), s.rho_prev);
        pass(trace(e, decay, Real(1), s.x),  //
             to(w, times(parameters.alpha * s.rho * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
