// GTD(λ), also known as TDC(λ)
//     e ← ρ(g l e + x)
//     w ← w + α[δe − g'(1−l')(e·h)x']
//     h ← h + α_h[δe − (x·h)x]
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Gtd {
    static constexpr AlgorithmText text{
        .id = "gtd", .name = "GTD(λ)", .summary = "gradient TD: TD with a gradient correction", .source = "Maei 2011"};

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
        const auto [w_x, w_x_next, h_x, e_h] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h),  //
                                                    of(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x), h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real correction = s.gamma_next * (Real(1) - s.lambda_next) * e_h;
        add(e,                                                            //
            to(w, alpha * delta, term(-(alpha * correction), s.x_next)),  //
            to(h, alpha_h * delta, term(-(alpha_h * h_x), s.x)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
