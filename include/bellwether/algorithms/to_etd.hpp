// True-online ETD(λ)
//     F ← ρ⁻ g F + I
//     M = l I + (1 − l)F
//     e ← ρ g l e + ραM(1 − ρ g l x·e)x
//     w ← w + δe + (e − αMρx)D,  D = (w_t − w_{t−1})·x
// D is kept as a scalar: see to_gtd.hpp.
#pragma once

#include "bellwether/algorithms/etd.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// The update after the follow-on trace, shared with ETD(λ,β).
template <class Real, class Features, class WeightsType, class TraceType>
BELLWETHER_INLINE void true_online_emphatic_update(const Step<Real, Features>& s, const Real& alpha, const Real& M,
                                                   WeightsType& w, TraceType& e, Real& v) {
    const Real decay = s.rho * s.gamma * s.lambda;
    const auto [w_x, w_x_next, e_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e));
    const Real delta = td_error(s, w_x, w_x_next);
    const Real D = w_x - v;
    const Real alpha_M_rho = s.rho * alpha * M;
    pass(trace(e, decay, alpha_M_rho * fma(-decay, e_x, Real(1)), s.x),  //
         to(w, times(delta + D, e), term(-(alpha_M_rho * D), s.x)));
    v = w_x_next;
}

template <class Real, class Traces = DenseTraces>
struct ToEtd {
    static constexpr AlgorithmText text{.id = "to-etd",
                                        .name = "true-online ETD(λ)",
                                        .summary = "emphatic TD with an exact forward view at every step",
                                        .source = "Sutton 2015; White & White 2016",
                                        .family = Family::emphatic,
                                        .variant = Variant::true_online,
                                        .mean_update = MeanUpdate::emphatic,
                                        .uses_interest = true,
                                        .plain_alpha = false};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;
    Real F, v;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.cleared("F", F);
        visitor.cleared("v", v);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real M = emphasis(s, s.gamma, F);
        true_online_emphatic_update(s, parameters.alpha, M, w, e, v);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
