// SwiftTD(λ): true-online TD(λ) with a step size for every weight, learned, and a bound on how far a step may go
//     D = w·x − v, but 0 where g = 0;  c = ρ g l
//     τ = ρ Σ α_i x_i²,  m = bound/τ where τ > bound, else 1;  b = c e·x with e from before;  s_i = ρmα_i x_i
//     e ← ce + (1−b)s
//     p_i ← c p_i + ρ h⁻_i x_i
//     ē_i ← cē_i + s_i(1 − b − cē_i x_i)
//     k_i = h_i − h⁻_i x_i(e_i − s_i) − h_i s_i x_i
//     where τ > bound and x_i ≠ 0:  k_i = h_i = ē_i = 0,  α_i ← α_i exp(x_i² ln decay)
//     w ← w + (δ+D)e − Ds
//     α_i ← min(max(α_i exp(θδp_i/α_i), alpha-min), bound)
//     h⁻ ← h;  h_i ← k_i + (δ+D)ē_i − Ds_i;  v ← w·x', with w before the update
// Published for ρ = 1; the form for other ρ substitutes ρ g l for g l and ρα for α, and is experimental.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct SwiftTd {
    static constexpr AlgorithmText text{
        .id = "swift-td",
        .name = "SwiftTD(λ)",
        .summary = "true-online TD with learned step sizes and bounded steps; off-policy experimental",
        .source = "Javed, Sharifnassab & Sutton 2024",
        .family = Family::learned_steps,
        .variant = Variant::true_online,
        .mean_update = MeanUpdate::none,
        .plain_alpha = false};

    struct Parameters {
        Real alpha = required;
        Real theta = Scalar<Real>(0.001);
        Real bound = Scalar<Real>(0.1);
        Real decay = Scalar<Real>(0.99);
        Real alpha_min = Scalar<Real>(3.06e-7);  // e⁻¹⁵
        Real lambda = 0;
        static constexpr auto declare() {
            return std::array{
                parameter::initial_alpha(&Parameters::alpha),
                parameter::theta(&Parameters::theta),
                declare_parameter(&Parameters::bound, "bound", {.minimum = 0, .includes_minimum = false},
                                  "most that a step may change the prediction, and largest step size"),
                declare_parameter(&Parameters::decay, "decay", {.minimum = 0, .maximum = 1, .includes_minimum = false},
                                  "what active step sizes are multiplied by where the bound is hit"),
                declare_parameter(&Parameters::alpha_min, "alpha-min", {.minimum = 0, .includes_minimum = false},
                                  "smallest step size; the bound goes before it"),
                parameter::lambda(&Parameters::lambda)};
        }
    };
    Parameters parameters;

    Vector<Real> w, alpha, h, h_prev;
    Trace<Real, Traces> e;
    Vector<Real> e_bar, p;
    Real v;
    Real log_decay;
    SpreadFeatures<Real> spread_x;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("alpha", alpha);
        visitor.kept("h", h);
        visitor.kept("h-prev", h_prev);
        visitor.cleared("e", e);
        visitor.cleared("e-bar", e_bar);
        visitor.cleared("p", p);
        visitor.cleared("v", v);
    }

    BELLWETHER_DEVICE void initialize() {
        fill(alpha, min(max(parameters.alpha, parameters.alpha_min), parameters.bound));
        log_decay = log(parameters.decay);
        if constexpr (std::is_same_v<Traces, SparseTraces>) e.keeps_entries = true;  // h⁻ may differ from h there
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const auto [w_x, w_x_next, e_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e));
        const Real decay = s.rho * s.gamma * s.lambda;
        Scalars scalars{.rho = s.rho,
                        .decay = decay,
                        .tau = s.rho * dot_squares(s.x, alpha),
                        .kept = fma(-decay, e_x, Real(1)),
                        .delta = td_error(s, w_x, w_x_next),
                        .drift = where_greater(s.gamma, Real(0), w_x - v, Real(0))};
        with_spread(spread_x, e, s.x, [&](const auto& x) BELLWETHER_INLINE_LAMBDA { learn(x, scalars); });
        v = w_x_next;
    }

private:
    struct Scalars {
        Real rho, decay, tau, kept, delta, drift;  // kept = 1 − b, drift = D
    };
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Scalars& scalars) {
        const Real rho = scalars.rho, decay = scalars.decay, tau = scalars.tau;
        const Real kept = scalars.kept, delta = scalars.delta, drift = scalars.drift;
        const Real bound = parameters.bound, alpha_min = parameters.alpha_min;
        const Real hit = where_greater(tau, bound, Real(1), Real(0));
        const bool some_hit = !magnitude_within(hit, Scalar<Real>(0), Scalar<Real>(0));
        const Real rho_m = rho * where_greater(tau, bound, bound / tau, Real(1));
        const Real gain = delta + drift, rate = parameters.theta * delta;
        for_each_active(e, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto x_i = load(x, at);
            const auto old_h_prev = load(h_prev, at);
            auto alpha_i = load(alpha, at), h_i = load(h, at);
            const auto s_i = rho_m * alpha_i * x_i;
            const auto e_i = fma(kept, s_i, decay * load(e, at));
            const auto p_i = fma(rho * old_h_prev, x_i, decay * load(p, at));
            const auto e_bar_decayed = decay * load(e_bar, at);
            auto e_bar_i = fma(s_i, fma(-e_bar_decayed, x_i, kept), e_bar_decayed);
            auto k_i = h_i - old_h_prev * x_i * (e_i - s_i) - h_i * s_i * x_i;
            if (some_hit) {
                const auto reset = where_greater(abs(x_i), Real(0), hit, Real(0));
                k_i = where_greater(reset, Real(0), Real(0), k_i);
                h_i = where_greater(reset, Real(0), Real(0), h_i);
                e_bar_i = where_greater(reset, Real(0), Real(0), e_bar_i);
                alpha_i = times_exp(alpha_i, reset * (x_i * x_i) * log_decay);
            }
            alpha_i = times_exp(alpha_i, rate * p_i / alpha_i);
            store(e, at, e_i);
            store(p, at, p_i);
            store(e_bar, at, e_bar_i);
            store(w, at, fma(gain, e_i, fma(-drift, s_i, load(w, at))));
            store(alpha, at, min(max(alpha_i, alpha_min), bound));
            store(h_prev, at, h_i);
            store(h, at, fma(gain, e_bar_i, fma(-drift, s_i, k_i)));
        });
        drop_idle(e, x, e_bar, p);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
