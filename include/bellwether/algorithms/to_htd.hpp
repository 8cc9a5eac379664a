// True-online HTD(λ)
//     e   ← ρ(g l e + x)
//     e^μ ← g l e^μ + x
//     e°  ← ρ[g l e° + α(1 − ρ g l x·e°)x]
//     d   = δe° + (e° − αρx)D,  D = (w_t − w_{t−1})·x
//     w   ← w + d + αu((e − e^μ)·h),  u = x − g'x'
//     h   ← h + (α_h/α)d − α_h u(e^μ·h)
// α_h/α = η. The paper prints plain d in h: to_htd_as_printed.hpp. D is kept as a scalar: see to_gtd.hpp.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ToHtd {
    static constexpr AlgorithmText text{.id = "to-htd",
                                        .name = "true-online HTD(λ)",
                                        .summary = "HTD with an exact forward view at every step",
                                        .source = "White & White 2016, corrected",
                                        .family = Family::hybrid,
                                        .variant = Variant::true_online,
                                        .mean_update = MeanUpdate::hybrid,
                                        .plain_alpha = false};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w, h;
    Trace<Real, Traces> e;
    Trace<Real, Traces, 1> e_mu;
    Trace<Real, Traces, 2> e_online;
    CarriedDot<Real, Traces> e_h, e_mu_h;  // e·h and e^μ·h: see gtd.hpp
    Real v;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-mu", e_mu);
        visitor.cleared("e-online", e_online);
        visitor.cleared("e-dot-h", e_h);
        visitor.cleared("e-mu-dot-h", e_mu_h);
        visitor.cleared("v", v);
    }

    BELLWETHER_DEVICE void connect() {
        move_along(w, e_online);
        move_along(h, e_online);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        update_with(s, parameters.eta);
    }

protected:
    // d_in_h: the factor of d in the update of h.
    template <class Features>
    BELLWETHER_INLINE void update_with(const Step<Real, Features>& s, const Real& d_in_h) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real decay_mu = s.gamma * s.lambda;
        const Real decay = s.rho * decay_mu;
        const auto [w_x, w_x_next, h_x, e_online_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h), of(s.x, e_online));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real D = w_x - v;
        const Real alpha_rho = alpha * s.rho;

        const Real new_e_mu_h = dot_after(e_mu_h, e_mu, h, decay_mu, Real(1), h_x);
        const Real w_u = alpha * (dot_after(e_h, e, h, decay, s.rho, h_x) - new_e_mu_h);
        const Real h_u = -(alpha_h * new_e_mu_h);
        const Real d_e = delta + D;  // d = d_e e° + d_x x
        const Real d_x = -(alpha_rho * D);
        pass(trace(e, decay, s.rho, s.x), trace(e_mu, decay_mu, Real(1), s.x),
             trace(e_online, decay, alpha_rho * fma(-decay, e_online_x, Real(1)), s.x),
             to(w, times(d_e, e_online), term(d_x + w_u, s.x), term(-(w_u * s.gamma_next), s.x_next)),
             to(h, times(d_in_h * d_e, e_online), term(fma(d_in_h, d_x, h_u), s.x),
                term(-(h_u * s.gamma_next), s.x_next), product(e_h, e), product(e_mu_h, e_mu)));
        v = w_x_next;
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
