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
                                        .source = "White & White 2016; Hackman 2012"};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Vector<Real> w, h;
    Trace<Real, Traces> e, e_mu;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-mu", e_mu);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const auto [w_x, w_x_next, e_h, e_mu_h] =
            dots(of(s.x, w), of(s.x_next, w), of(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x), h),
                 of(trace(e_mu, s.gamma * s.lambda, Real(1), s.x), h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real w_u = alpha * (e_h - e_mu_h);
        const Real h_u = -(alpha_h * e_mu_h);
        add(e,                                                                            //
            to(w, alpha * delta, term(w_u, s.x), term(-(w_u * s.gamma_next), s.x_next)),  //
            to(h, alpha_h * delta, term(h_u, s.x), term(-(h_u * s.gamma_next), s.x_next)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
