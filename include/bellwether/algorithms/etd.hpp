// ETD(λ): emphatic TD
//     F ← ρ⁻ g F + I
//     M = l I + (1 − l)F
//     e ← ρ(g l e + Mx)
//     w ← w + αδe
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// F ← ρ⁻ β F + I;  returns the emphasis M = l I + (1 − l)F.
template <class Real, class Features>
BELLWETHER_INLINE Real emphasis(const Step<Real, Features>& s, const Real& beta, Real& F) {
    F = fma(s.rho_prev * beta, F, s.interest);
    return fma(Real(1) - s.lambda, F, s.lambda * s.interest);
}

template <class Real, class Traces = DenseTraces>
struct Etd {
    static constexpr AlgorithmText text{.id = "etd",
                                        .name = "ETD(λ)",
                                        .summary = "emphatic TD: stable off-policy, of high variance",
                                        .source = "Sutton, Mahmood & White 2016",
                                        .family = Family::emphatic,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::emphatic,
                                        .uses_interest = true};

    using Parameters = TraceParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;
    Real F;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.cleared("F", F);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w);
        const Real M = emphasis(s, s.gamma, F);
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho * M, s.x),  //
             to(w, times(parameters.alpha * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
