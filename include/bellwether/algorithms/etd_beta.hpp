// ETD(λ,β): emphatic TD with a faster decay of the follow-on trace
//     F ← ρ⁻ β F + I,  β = b·g  (b the parameter beta-scale)
//     M = l I + (1 − l)F
//     e ← ρ(g l e + Mx)
//     w ← w + αδe
// β is tied to g: a constant β would leak F across terminations.
#pragma once

#include "bellwether/algorithms/etd.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real>
struct EmphaticBetaParameters {
    Real alpha = required;
    Real lambda = 0;
    Real beta_scale = 0.5;
    static constexpr auto declare() {
        return std::array{parameter::alpha(&EmphaticBetaParameters::alpha),
                          parameter::lambda(&EmphaticBetaParameters::lambda),
                          parameter::beta_scale(&EmphaticBetaParameters::beta_scale)};
    }
};

template <class Real, class Traces = DenseTraces>
struct EtdBeta {
    static constexpr AlgorithmText text{.id = "etd-beta",
                                        .name = "ETD(λ,β)",
                                        .summary = "emphatic TD with a bias that buys less variance",
                                        .source = "Hallak, Tamar, Munos & Mannor 2016",
                                        .family = Family::emphatic,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::emphatic,
                                        .uses_interest = true};

    using Parameters = EmphaticBetaParameters<Real>;
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
        const Real M = emphasis(s, parameters.beta_scale * s.gamma, F);
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho * M, s.x),  //
             to(w, times(parameters.alpha * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
