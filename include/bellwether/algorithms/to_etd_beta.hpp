// True-online ETD(λ,β): to_etd.hpp with
//     F ← ρ⁻ β F + I,  β = b·g  (b the parameter beta-scale)
#pragma once

#include "bellwether/algorithms/etd_beta.hpp"
#include "bellwether/algorithms/to_etd.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ToEtdBeta {
    static constexpr AlgorithmText text{.id = "to-etd-beta",
                                        .name = "true-online ETD(λ,β)",
                                        .summary = "true-online emphatic TD with less variance",
                                        .source = "White & White 2016; Hallak et al. 2016",
                                        .family = Family::emphatic,
                                        .variant = Variant::fourth,
                                        .mean_update = MeanUpdate::emphatic,
                                        .uses_interest = true,
                                        .plain_alpha = false};

    using Parameters = EmphaticBetaParameters<Real>;
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
        const Real M = emphasis(s, parameters.beta_scale * s.gamma, F);
        true_online_emphatic_update(s, parameters.alpha, M, w, e, v);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
