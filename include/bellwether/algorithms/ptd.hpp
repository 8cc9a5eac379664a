// PTD(λ)
//     e ← ρ(g l e + x)
//     w ← w + αδe + (ρ − 1)h
//     h ← g' l'(ρh + αδ̄e),  δ̄ = R + w·x' − w·x  (no discount in it, on purpose)
// h holds provisional weights: a trace, not the auxiliary weights of a gradient method. The paper prints g l in h:
// ptd_as_printed.hpp.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Ptd {
    static constexpr AlgorithmText text{.id = "ptd",
                                        .name = "PTD(λ)",
                                        .summary = "provisional TD: an interim forward view with importance sampling",
                                        .source = "Sutton, Mahmood, Precup & van Hasselt 2014, corrected",
                                        .family = Family::provisional,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::td,
                                        .plain_alpha = false};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Trace<Real, Traces> e;
    Trace<Real, Traces, 1> h;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.cleared("h", h);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        update_with(s, s.gamma_next * s.lambda_next);
    }

protected:
    // decay_h: the factor in front of h's update.
    template <class Features>
    BELLWETHER_INLINE void update_with(const Step<Real, Features>& s, const Real& decay_h) {
        const Real alpha = parameters.alpha;
        const auto [w_x, w_x_next] = dots(of(s.x, w), of(s.x_next, w));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real delta_bar = s.reward + w_x_next - w_x;
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x),           //
             to(w, times(s.rho - Real(1), h), times(alpha * delta, e)),  //
             scaled_to(h, decay_h * s.rho, times(decay_h * alpha * delta_bar, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
