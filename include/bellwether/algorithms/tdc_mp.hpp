// TDC(λ)-MP: TDC(λ), which is GTD(λ), with mirror-prox, a half step and then a step from where it leads
//     e  ← ρ(g l e + x),  c = g'(1−l')
//     h½ = h + α_h[δe − (x·h)x],  w½ = w + α[δe − c(h·e)x'],  δ½ = R + g'w½·x' − w½·x
//     w  ← w + α[δ½e − c(h½·e)x']
//     h  ← h + α_h[δ½e − (x·h½)x]
// As in gtd2_mp.hpp the half-step vectors enter by dot products alone.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct TdcMp {
    static constexpr AlgorithmText text{.id = "tdc-mp",
                                        .name = "TDC(λ)-MP",
                                        .summary = "TDC with mirror-prox half steps",
                                        .source = "Liu et al. 2015; White & White 2016"};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Vector<Real> w, h;
    Trace<Real, Traces> e;

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real c = s.gamma_next * (Real(1) - s.lambda_next);
        const auto [w_x, w_x_next, h_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h));
        const Real delta = td_error(s, w_x, w_x_next);
        const auto [e_h, e_e] = apply_and_dot_square(h, trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x));
        const auto [e_x, e_x_next] = dots(of(s.x, e), of(s.x_next, e));
        const Real x_x = dot_features<Real>(s.x, s.x);
        const Real x_x_next = dot_features<Real>(s.x, s.x_next);
        const Real x_next_x_next = dot_features<Real>(s.x_next, s.x_next);

        const Real h_half_x = fma(alpha_h, fma(delta, e_x, -(h_x * x_x)), h_x);
        const Real h_half_e = fma(alpha_h, fma(delta, e_e, -(h_x * e_x)), e_h);
        const Real to_x_next = -(c * e_h);  // w½ − w = α(δe + to_x_next x')
        const Real moved_x = fma(delta, e_x, to_x_next * x_x_next);
        const Real moved_x_next = fma(delta, e_x_next, to_x_next * x_next_x_next);
        const Real delta_half = fma(alpha, fma(s.gamma_next, moved_x_next, -moved_x), delta);

        add(e,                                                                   //
            to(w, alpha * delta_half, term(-(alpha * c * h_half_e), s.x_next)),  //
            to(h, alpha_h * delta_half, term(-(alpha_h * h_half_x), s.x)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
