// TDRC(λ): GTD(λ) with regularised corrections
//     e ← ρ(g l e + x)
//     w ← w + α[δe − g'(1−l')(e·h)x']
//     h ← h + α_h[δe − (x·h)x − βh]
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Tdrc {
    static constexpr AlgorithmText text{
        .id = "tdrc",
        .name = "TDRC(λ)",
        .summary = "gradient TD with a regularised correction; eta = 1 is usually right",
        .source = "Ghiassian et al. 2020",
        .family = Family::gradient,
        .variant = Variant::third,
        .mean_update = MeanUpdate::gradient};

    using Parameters = RegularizedParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Trace<Real, Traces, 1> h;  // decays in every component, so that sparse traces keep it sparse as well
    Trace<Real, Traces> e;
    Real e_h;  // e·h: see gtd.hpp

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-dot-h", e_h);
    }

    BELLWETHER_DEVICE void renew_products() { renew(e_h, e, h); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real decay = s.rho * s.gamma * s.lambda;
        const auto [w_x, w_x_next, h_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real correction = s.gamma_next * (Real(1) - s.lambda_next) * dot_after(e_h, e, h, decay, s.rho, h_x);
        const Real decay_h = fma(-alpha_h, parameters.regularization, Real(1));
        pass(trace(e, decay, s.rho, s.x),                                            //
             to(w, times(alpha * delta, e), term(-(alpha * correction), s.x_next)),  //
             scaled_to(h, decay_h, times(alpha_h * delta, e), term(-(alpha_h * h_x), s.x), product(e_h, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
