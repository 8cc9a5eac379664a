// Tree backup
//     e ← g l π⁻ e + x,  π⁻ = π(A_{t−1}|S_{t−1})
//     w ← w + αρδe
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct TreeBackup {
    static constexpr AlgorithmText text{.id = "tb",
                                        .name = "TB(λ)",
                                        .summary = "tree backup: traces cut by the target policy",
                                        .source = "Precup, Sutton & Singh 2000",
                                        .family = Family::cut_traces,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::tree_backup,
                                        .needs_policies = true};

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
        const Real decay = s.gamma * s.lambda * s.pi_prev;
        pass(trace(e, decay, Real(1), s.x),  //
             to(w, times(parameters.alpha * s.rho * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
