// ObGD-TD(λ): off-policy TD(λ) whose step is cut so that it does not overshoot
//     e ← ρ(g l e + x)
//     M = ακ max(|δ|, 1)‖e‖₁
//     w ← w + (α/max(M, 1))δe
// so that ‖Δw‖₁ ≤ min(|δ|, 1)/κ. κ = 0 is off-policy TD(λ). Its mean update is that of off-policy TD(λ): the cut
// matters from the second order of α on.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ObgdTd {
    static constexpr AlgorithmText text{.id = "obgd-td",
                                        .name = "ObGD-TD(λ)",
                                        .summary = "off-policy TD whose step cannot overshoot; runs at alpha = 1",
                                        .source = "Elsayed, Vasan & Mahmood 2024",
                                        .family = Family::bounded_steps,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::td,
                                        .plain_alpha = false};

    struct Parameters {
        Real alpha = 1;
        Real kappa = 2;
        Real lambda = 0;
        static constexpr auto declare() {
            return std::array{parameter::alpha(&Parameters::alpha),
                              declare_parameter(&Parameters::kappa, "kappa", {.minimum = 0},
                                                "how far below an overshoot a step stays; 0 does not bound it"),
                              parameter::lambda(&Parameters::lambda)};
        }
    };
    Parameters parameters;

    Vector<Real> w;
    Trace<Real, Traces> e;
    SpreadFeatures<Real> spread_x;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w), decay = s.rho * s.gamma * s.lambda;
        with_spread(spread_x, e, s.x, [&](const auto& x) BELLWETHER_INLINE_LAMBDA { learn(x, s.rho, decay, delta); });
    }

private:
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Real& rho, const Real& decay,
                                      const Real& delta) {
        ActiveSum<Real> norm;
        for_each_active(e, norm, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto e_i = fma(rho, load(x, at), decay * load(e, at));
            store(e, at, e_i);
            norm.add(at, abs(e_i), Real(1));
        });
        const Real alpha = parameters.alpha;
        const Real M = alpha * parameters.kappa * max(abs(delta), Real(1)) * norm.total();
        const Real step = alpha / max(M, Real(1)) * delta;
        for_each_active(e,
                        [&](auto at) BELLWETHER_INLINE_LAMBDA { store(w, at, fma(step, load(e, at), load(w, at))); });
        drop_idle(e, x);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
