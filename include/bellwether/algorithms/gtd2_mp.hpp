// GTD2(λ)-MP: GTD2(λ) with mirror-prox, a half step and then a step from where it leads
//     e  ← ρ(g l e + x),  c = g'(1−l')
//     h½ = h + α_h[δe − (x·h)x],  w½ = w + α[(x·h)x − c(h·e)x'],  δ½ = R + g'w½·x' − w½·x
//     w  ← w + α[(x·h½)x − c(h½·e)x']
//     h  ← h + α_h[δ½e − (x·h½)x]
// The half-step vectors are needed only in dot products, which follow from those of e, h, x and x':
//     x·h½ = x·h + α_h[δ e·x − (x·h)x·x],  h½·e = h·e + α_h[δ e·e − (x·h)e·x],
//     δ½ = δ + (w½ − w)·(g'x' − x).
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Gtd2Mp {
    static constexpr AlgorithmText text{.id = "gtd2-mp",
                                        .name = "GTD2(λ)-MP",
                                        .summary = "GTD2 with mirror-prox half steps",
                                        .source = "Liu et al. 2015; White & White 2016",
                                        .family = Family::mirror_prox,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::pure_gradient,
                                        .plain_alpha = false};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Weights<Real, Traces> h;
    Trace<Real, Traces> e;
    CarriedDot<Real, Traces> e_h;  // e·h and e·e: see gtd.hpp
    CarriedNorm<Real, Traces> e_e;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-dot-h", e_h);
        visitor.cleared("e-dot-e", e_e);
    }

    BELLWETHER_DEVICE void connect() { move_along(h, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real c = s.gamma_next * (Real(1) - s.lambda_next);
        const Real decay = s.rho * s.gamma * s.lambda;
        const auto [w_x, w_x_next, h_x, old_e_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h), of(s.x, e));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real x_x = dot_features<Real>(s.x, s.x);
        const Real x_x_next = dot_features<Real>(s.x, s.x_next);
        const Real x_next_x_next = dot_features<Real>(s.x_next, s.x_next);
        // Of e as it becomes: (ce + ax)·h, (ce + ax)·x, |ce + ax|².
        const Real new_e_h = dot_after(e_h, e, h, decay, s.rho, h_x);
        const Real e_x = fma(decay, old_e_x, s.rho * x_x);
        const Real new_e_e = square_after(e_e, e, decay, s.rho * fma(decay, old_e_x, e_x));

        const Real h_half_x = fma(alpha_h, fma(delta, e_x, -(h_x * x_x)), h_x);
        const Real h_half_e = fma(alpha_h, fma(delta, new_e_e, -(h_x * e_x)), new_e_h);
        const Real to_x = h_x, to_x_next = -(c * new_e_h);  // w½ − w = α(to_x x + to_x_next x')
        const Real moved_x = fma(to_x, x_x, to_x_next * x_x_next);
        const Real moved_x_next = fma(to_x, x_x_next, to_x_next * x_next_x_next);
        const Real delta_half = fma(alpha, fma(s.gamma_next, moved_x_next, -moved_x), delta);

        pass(trace(e, decay, s.rho, s.x), to(w, term(alpha * h_half_x, s.x), term(-(alpha * c * h_half_e), s.x_next)),
             to(h, times(alpha_h * delta_half, e), term(-(alpha_h * h_half_x), s.x), product(e_h, e)), square(e_e, e));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
