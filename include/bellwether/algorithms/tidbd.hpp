// TIDBD(λ): TD(λ) with a step size for every weight, learned by a gradient step on ½ρδ²
//     e ← ρ(g l e + x),  y = x
//     α_i ← α_i exp(θρδ y_i h_i)
//     w_i ← w_i + α_i δ e_i
//     h_i ← h_i[1 − α_i e_i y_i]⁺ + α_i δ e_i
// Published for ρ = 1; the form for other ρ follows from ½ρδ² and is experimental. Nothing bounds α.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Tidbd {
    static constexpr AlgorithmText text{.id = "tidbd",
                                        .name = "TIDBD(λ)",
                                        .summary = "TD with a learned step size per weight; off-policy experimental",
                                        .source = "Kearney et al. 2018",
                                        .family = Family::learned_steps,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::none,
                                        .plain_alpha = false};

    using Parameters = LearnedStepSizeParameters<Real>;
    Parameters parameters;

    Vector<Real> w, alpha, h;
    Trace<Real, Traces> e;
    SpreadFeatures<Real> spread_x;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("alpha", alpha);
        visitor.kept("h", h);
        visitor.cleared("e", e);
    }

    BELLWETHER_DEVICE void initialize() { fill(alpha, parameters.alpha); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w), decay = s.rho * s.gamma * s.lambda;
        with_spread(spread_x, e, s.x,
                    [&](const auto& x) BELLWETHER_INLINE_LAMBDA { learn(x, x, Real(0), s.rho, decay, delta); });
    }

protected:
    // y = x − gx'
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Dense<Scalar<Real>>& x_next,
                                      const Real& gamma, const Real& rho, const Real& decay, const Real& delta) {
        const Real rate = parameters.theta * rho * delta;
        for_each_active(e, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto x_i = load(x, at);
            const auto y_i = fma(-gamma, load(x_next, at), x_i);
            const auto e_i = fma(rho, x_i, decay * load(e, at));
            const auto h_i = load(h, at);
            const auto alpha_i = times_exp(load(alpha, at), rate * (y_i * h_i));
            const auto step_i = alpha_i * e_i;
            store(e, at, e_i);
            store(alpha, at, alpha_i);
            store(w, at, fma(step_i, delta, load(w, at)));
            store(h, at, fma(h_i, max(Real(0), fma(-step_i, y_i, Real(1))), step_i * delta));
        });
        drop_idle(e, x);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
