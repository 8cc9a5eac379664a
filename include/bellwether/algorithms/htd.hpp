// HTD(λ): hybrid TD, which is TD(λ) where the data is on-policy and a gradient method where it is not
//     e   ← ρ(g l e + x)
//     e^μ ← g l e^μ + x
//     w   ← w + α[δe + u((e − e^μ)·h)],  u = x − g'x'
//     h   ← h + α_h[δe − u(e^μ·h)]
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Htd {
    static constexpr AlgorithmText text{.id = "htd",
                                        .name = "HTD(λ)",
                                        .summary = "hybrid TD: TD(λ) on-policy, a gradient method off-policy",
                                        .source = "White & White 2016; Hackman 2012",
                                        .family = Family::hybrid,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::hybrid};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w, h;
    Trace<Real, Traces> e;
    Trace<Real, Traces, 1> e_mu;
    CarriedDot<Real, Traces> e_h, e_mu_h;  // e·h and e^μ·h: see gtd.hpp

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-mu", e_mu);
        visitor.cleared("e-dot-h", e_h);
        visitor.cleared("e-mu-dot-h", e_mu_h);
    }

    BELLWETHER_DEVICE void connect() {
        move_along(w, e);
        move_along(h, e);
    }
    BELLWETHER_DEVICE void renew_products() {
        renew(e_h, e, h);
        renew(e_mu_h, e_mu, h);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real decay_mu = s.gamma * s.lambda;
        const Real decay = s.rho * decay_mu;
        const auto [w_x, w_x_next, h_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real new_e_mu_h = dot_after(e_mu_h, e_mu, h, decay_mu, Real(1), h_x);
        const Real w_u = alpha * (dot_after(e_h, e, h, decay, s.rho, h_x) - new_e_mu_h);
        const Real h_u = -(alpha_h * new_e_mu_h);
        pass(trace(e, decay, s.rho, s.x), trace(e_mu, decay_mu, Real(1), s.x),
             to(w, times(alpha * delta, e), term(w_u, s.x), term(-(w_u * s.gamma_next), s.x_next)),
             to(h, times(alpha_h * delta, e), term(h_u, s.x), term(-(h_u * s.gamma_next), s.x_next), product(e_h, e),
                product(e_mu_h, e_mu)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
