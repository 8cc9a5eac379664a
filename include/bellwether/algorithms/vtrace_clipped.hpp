// V-trace with ρ clipped in its update too, as Espeholt et al. (2018) have it
//     e ← g l min(1, ρ⁻) e + x
//     w ← w + α min(1, ρ) δ e
// It tends to the values of another policy, one between μ and π.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct VtraceClipped {
    static constexpr AlgorithmText text{.id = "vtrace-clipped",
                                        .name = "V-trace(λ), clipped",
                                        .summary = "V-trace that clips the importance weight of its update too; biased",
                                        .source = "Espeholt et al. 2018",
                                        .family = Family::cut_traces,
                                        .variant = Variant::fourth,
                                        .mean_update = MeanUpdate::vtrace_clipped};

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
             to(w, times(parameters.alpha * min(Real(1), s.rho) * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
