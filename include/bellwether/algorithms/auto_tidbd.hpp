// AutoTIDBD(λ): TIDBD with the full gradient, normalised, and a bound on the step
//     e ← ρ(g l e + x),  u = x − g'x',  q_i = ρδ u_i h_i
//     n_i ← max(|q_i|, n_i + α_i e_i u_i(|q_i| − n_i)/τ)
//     α_i ← α_i exp(θq_i/n_i) where n_i ≠ 0;  then α ← α/M with M = max(1, Σ α_i e_i u_i)
//     w_i ← w_i + α_i δ e_i
//     h_i ← h_i[1 − α_i e_i u_i]⁺ + α_i δ e_i
// Published for ρ = 1; the form for other ρ is experimental. The step sizes are kept up to a common factor, so that
// α/M is one division: α_i = factor · a_i.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct AutoTidbd {
    static constexpr AlgorithmText text{
        .id = "auto-tidbd",
        .name = "AutoTIDBD(λ)",
        .summary = "TD with learned step sizes, normalised and bounded; off-policy experimental",
        .source = "Kearney et al. 2019",
        .family = Family::learned_steps,
        .variant = Variant::third,
        .mean_update = MeanUpdate::none,
        .plain_alpha = false};

    struct Parameters {
        Real alpha = required;
        Real theta = Scalar<Real>(0.01);
        Real tau = 10000;
        Real lambda = 0;
        static constexpr auto declare() {
            return std::array{parameter::initial_alpha(&Parameters::alpha), parameter::theta(&Parameters::theta),
                              declare_parameter(&Parameters::tau, "tau", {.minimum = 1},
                                                "how many steps the normaliser remembers, for a step size of 1"),
                              parameter::lambda(&Parameters::lambda)};
        }
    };
    Parameters parameters;

    Vector<Real> w, a, h, n;
    Trace<Real, Traces> e;
    Real factor;
    SpreadFeatures<Real> spread_x, spread_x_next;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("a", a);
        visitor.kept("h", h);
        visitor.kept("n", n);
        visitor.cleared("e", e);
        visitor.kept("factor", factor);
    }

    BELLWETHER_DEVICE void initialize() {
        fill(a, parameters.alpha);
        factor = Real(1);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w), decay = s.rho * s.gamma * s.lambda;
        with_spread(spread_x, spread_x_next, e, s.x, s.x_next,
                    [&](const auto& x, const auto& x_next)
                        BELLWETHER_INLINE_LAMBDA { learn(x, x_next, s.gamma_next, s.rho, decay, delta); });
    }

private:
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Dense<Scalar<Real>>& x_next,
                                      const Real& gamma_next, const Real& rho, const Real& decay, const Real& delta) {
        const auto u_at = [&](auto at)
                              BELLWETHER_INLINE_LAMBDA { return fma(-gamma_next, load(x_next, at), load(x, at)); };
        const Real rho_delta = rho * delta, forget = Real(1) / parameters.tau, theta = parameters.theta;
        ActiveSum<Real> overshoot;  // Σ a_i e_i u_i
        for_each_active(e, overshoot, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto u_i = u_at(at);
            const auto e_i = fma(rho, load(x, at), decay * load(e, at));
            const auto q_i = rho_delta * (u_i * load(h, at));
            const auto n_old = load(n, at), a_old = load(a, at);
            const auto n_i = max(abs(q_i), fma(factor * a_old * e_i * u_i * forget, abs(q_i) - n_old, n_old));
            const auto slope = where_greater(n_i, Real(0), q_i / n_i, Real(0));
            const auto a_i = times_exp(a_old, theta * slope);
            store(e, at, e_i);
            store(n, at, n_i);
            store(a, at, a_i);
            overshoot.add(at, a_i * e_i, u_i);
        });
        factor = factor / max(Real(1), factor * overshoot.total());
        for_each_active(e, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto step_i = factor * load(a, at) * load(e, at);
            store(w, at, fma(step_i, delta, load(w, at)));
            store(h, at, fma(load(h, at), max(Real(0), fma(-step_i, u_at(at), Real(1))), step_i * delta));
        });
        drop_idle(e, x);
        if (!magnitude_within(factor, smallest_factor(), Scalar<Real>(1))) settle_factor();
    }

    // The factor only falls. Where it has become small it moves into the step sizes, lane by lane.
    BELLWETHER_DEVICE static constexpr Scalar<Real> smallest_factor() { return Scalar<Real>(1e-30); }
    BELLWETHER_OUT_OF_LINE void settle_factor() {
        const Real moved = by_magnitude(factor, smallest_factor(), Scalar<Real>(1), Real(1), factor);
        factor = by_magnitude(factor, smallest_factor(), Scalar<Real>(1), factor, Real(1));
        for (std::size_t i = 0; i < a.size; ++i) a[i] = moved * a[i];
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
