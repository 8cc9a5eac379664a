// WIS-TD(λ): true-online off-policy TD(λ) whose step size per weight is the inverse of how much importance its feature
// has had, so that importance ratios are weighted against each other
//     k_i = 1 − recency·alpha·x_i²,  c = g l
//     U_i ← k_i U_i + ρx_i² + (ρ−1)c k_i q_i,  q_i ← ρc k_i q_i + ρx_i²,  a_i = x_i/U_i, 0 where U_i = 0
//     v ← w·x where g = 0
//     e ← ρ[ce + (1 − ρc x·e)a],  f = c(h − ρ(x·h)a)
//     w ← w + (R + g'w·x' − v)e + ρ(v − w·x)a + (ρ−1)f
//     h ← ρf + (R + w·x' − v)e;  v ← w·x', with w before the update
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct WisTd {
    static constexpr AlgorithmText text{.id = "wis-td",
                                        .name = "WIS-TD(λ)",
                                        .summary = "true-online TD with weighted importance sampling",
                                        .source = "Mahmood & Sutton 2015",
                                        .family = Family::weighted_sampling,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::none,
                                        .plain_alpha = false};

    struct Parameters {
        Real alpha = required;
        Real recency = 1;
        Real lambda = 0;
        static constexpr auto declare() {
            return std::array{parameter::initial_alpha(&Parameters::alpha),
                              declare_parameter(&Parameters::recency, "recency", {.minimum = 0, .maximum = 1},
                                                "how fast old importance is forgotten, as a multiple of alpha"),
                              parameter::lambda(&Parameters::lambda)};
        }
    };
    Parameters parameters;

    Vector<Real> w, usage;
    Trace<Real, Traces> e;
    Vector<Real> h, q;
    Real v;
    SpreadFeatures<Real> spread_x;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("usage", usage);
        visitor.cleared("e", e);
        visitor.cleared("h", h);
        visitor.cleared("q", q);
        visitor.cleared("v", v);
    }

    BELLWETHER_DEVICE void initialize() { fill(usage, Real(1) / parameters.alpha); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const auto [w_x, w_x_next, e_x, h_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e), of(s.x, h));
        const Real expected = where_greater(s.gamma, Real(0), v, w_x);
        const Real c = s.gamma * s.lambda, rho_c = s.rho * c;
        const Scalars scalars{.rho = s.rho,
                              .c = c,
                              .a_in_e = s.rho * fma(-rho_c, e_x, Real(1)),
                              .a_in_f = -(rho_c * h_x),
                              .a_in_w = s.rho * (expected - w_x),
                              .error = td_error(s, expected, w_x_next),
                              .undiscounted = s.reward + w_x_next - expected};
        with_spread(spread_x, e, s.x, [&](const auto& x) BELLWETHER_INLINE_LAMBDA { learn(x, scalars); });
        v = w_x_next;
    }

private:
    struct Scalars {
        Real rho, c, a_in_e, a_in_f, a_in_w, error, undiscounted;
    };
    BELLWETHER_OUT_OF_LINE void learn(const Dense<Scalar<Real>>& x, const Scalars& scalars) {
        const Real rho = scalars.rho, c = scalars.c, error = scalars.error, undiscounted = scalars.undiscounted;
        const Real a_in_e = scalars.a_in_e, a_in_f = scalars.a_in_f, a_in_w = scalars.a_in_w;
        const Real forget = parameters.recency * parameters.alpha;
        const Real rho_c = rho * c, excess = rho - Real(1), excess_c = excess * c;
        for_each_active(e, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto x_i = load(x, at);
            const auto square = x_i * x_i;
            const auto k_i = fma(-forget, square, Real(1));
            const auto k_q = k_i * load(q, at);
            const auto usage_i = fma(k_i, load(usage, at), fma(rho, square, excess_c * k_q));
            const auto a_i = where_greater(abs(usage_i), Real(0), x_i / usage_i, Real(0));
            const auto e_i = fma(a_in_e, a_i, rho_c * load(e, at));
            const auto f_i = fma(a_in_f, a_i, c * load(h, at));
            store(usage, at, usage_i);
            store(q, at, fma(rho, square, rho_c * k_q));
            store(e, at, e_i);
            store(w, at, fma(error, e_i, fma(a_in_w, a_i, fma(excess, f_i, load(w, at)))));
            store(h, at, fma(undiscounted, e_i, rho * f_i));
        });
        drop_idle(e, x, h, q);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
