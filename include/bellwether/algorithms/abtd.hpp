// ABTD(ζ): action-dependent bootstrapping
//     e ← g ν⁻π⁻ e + x,  ν = min(ψ, 1/max(π, μ)),  ψ = 2ζψ0 + max(0, 2ζ − 1)(ψmax − 2ψ0)
//     w ← w + αρδe
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Abtd {
    static constexpr AlgorithmText text{.id = "abtd",
                                        .name = "ABTD(ζ)",
                                        .summary = "traces cut by action-dependent bootstrapping",
                                        .source = "Mahmood, Yu & Sutton 2017",
                                        .family = Family::cut_traces,
                                        .variant = Variant::third,
                                        .mean_update = MeanUpdate::abtd,
                                        .needs_policies = true};

    struct Parameters {
        Real alpha = required;
        Real zeta = 0.5;
        Real psi0 = 1;
        Real psi_max = 2;
        static constexpr auto declare() {
            return std::array{parameter::alpha(&Parameters::alpha),
                              declare_parameter(&Parameters::zeta, "zeta", {.minimum = 0, .maximum = 1},
                                                "degree of bootstrapping: 0 is one-step TD, 1 the longest traces"),
                              declare_parameter(&Parameters::psi0, "psi0", {.minimum = 0},
                                                "1 / the largest of max(pi, mu) over states and actions"),
                              declare_parameter(&Parameters::psi_max, "psi-max", {.minimum = 0},
                                                "1 / the smallest of max(pi, mu) over states and actions")};
        }
    };
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
        const auto& [alpha, zeta, psi0, psi_max] = parameters;
        const Real psi =
            fma(max(Real(0), fma(Real(2), zeta, Real(-1))), psi_max - Real(2) * psi0, Real(2) * zeta * psi0);
        const Real nu = min(psi, Real(1) / max(s.pi_prev, s.mu_prev));
        const Real decay = s.gamma * nu * s.pi_prev;
        pass(trace(e, decay, Real(1), s.x),  //
             to(w, times(parameters.alpha * s.rho * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
