// GTD2(λ)
//     e ← ρ(g l e + x)
//     w ← w + α[(x·h)x − g'(1−l')(e·h)x']
//     h ← h + α_h[δe − (x·h)x]
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Gtd2 {
    static constexpr AlgorithmText text{.id = "gtd2",
                                        .name = "GTD2(λ)",
                                        .summary = "gradient TD: the pure gradient of the projected Bellman error",
                                        .source = "Sutton et al. 2009; Maei 2011",
                                        .family = Family::gradient,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::pure_gradient};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Weights<Real, Traces> h;
    Trace<Real, Traces> e;
    CarriedDot<Real, Traces> e_h;  // e·h: see gtd.hpp

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-dot-h", e_h);
    }

    BELLWETHER_DEVICE void connect() { move_along(h, e); }
    BELLWETHER_DEVICE void renew_products() { renew(e_h, e, h); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real decay = s.rho * s.gamma * s.lambda;
        const auto [w_x, w_x_next, h_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real correction = s.gamma_next * (Real(1) - s.lambda_next) * dot_after(e_h, e, h, decay, s.rho, h_x);
        pass(trace(e, decay, s.rho, s.x),                                           //
             to(w, term(alpha * h_x, s.x), term(-(alpha * correction), s.x_next)),  //
             to(h, times(alpha_h * delta, e), term(-(alpha_h * h_x), s.x), product(e_h, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
