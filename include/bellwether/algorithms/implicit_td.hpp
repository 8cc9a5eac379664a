// Implicit TD(λ): off-policy TD(λ) that looks at its error from where the step leads, which bounds the step
//     y = g l e + x
//     e ← ρy
//     w ← w + αδe/(1 + αρ y·y)
// which is the w' that solves w' = w + αe(R + g'w·x' + g l w·e⁻ − y·w'), with e⁻ the trace from before.
// Its mean update is that of off-policy TD(λ): the divisor matters from the second order of α on.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ImplicitTd {
    static constexpr AlgorithmText text{.id = "implicit-td",
                                        .name = "implicit TD(λ)",
                                        .summary = "off-policy TD with an implicit step, bounded whatever alpha is",
                                        .source = "Tamar et al. 2014; Kim et al. 2025",
                                        .family = Family::td,
                                        .variant = Variant::fourth,
                                        .mean_update = MeanUpdate::td,
                                        .plain_alpha = false};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;
    CarriedNorm<Real, Traces> e_e;  // e·e

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.cleared("e-dot-e", e_e);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real decay = s.gamma * s.lambda;
        const auto [w_x, w_x_next, e_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e));
        const Real delta = td_error(s, w_x, w_x_next);
        // |ce + x|² = c²e·e + ce·x + y·x
        const Real y_x = fma(decay, e_x, dot_features<Real>(s.x, s.x));
        const Real y_y = square_after(e_e, e, decay, fma(decay, e_x, y_x));
        const Real step = alpha * delta / fma(alpha * s.rho, y_y, Real(1));
        pass(trace(e, s.rho * decay, s.rho, s.x),  //
             to(w, times(step, e)), square(e_e, e));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
