// TD(λ), on-policy
//     e ← g l e + x
//     w ← w + α δ e
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Td {
    static constexpr AlgorithmText text{.id = "td",
                                        .name = "TD(λ)",
                                        .summary = "on-policy TD with accumulating traces",
                                        .source = "Sutton 1988",
                                        .family = Family::td,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::td,
                                        .on_policy_only = true};

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
        pass(trace(e, s.gamma * s.lambda, Real(1), s.x),  //
             to(w, times(parameters.alpha * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
