// True-online GTD(λ)
//     e°  ← ρ[g l e° + α(1 − ρ g l x·e°)x]
//     e   ← ρ(g l e + x)
//     e^h ← ρ⁻ g l e^h + α_h(1 − ρ⁻ g l x·e^h)x
//     d   = δe° + (e° − αρx)D,  D = (w_t − w_{t−1})·x
//     w   ← w + d − α g'(1−l')(h·e)x'
//     h   ← h + ρδe^h − α_h(x·h)x
// D = w_t·x_t − v with v = w_{t−1}·x_t, the w·x' of the step before: a scalar stands for the second weight vector. At
// the start of a segment e° = αρx, and D cannot matter.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ToGtd {
    static constexpr AlgorithmText text{.id = "to-gtd",
                                        .name = "true-online GTD(λ)",
                                        .summary = "GTD with an exact forward view at every step",
                                        .source = "van Hasselt, Mahmood & Sutton 2014",
                                        .family = Family::gradient,
                                        .variant = Variant::true_online,
                                        .mean_update = MeanUpdate::gradient,
                                        .plain_alpha = false};

    using Parameters = GradientParameters<Real>;
    Parameters parameters;

    Weights<Real, Traces> w, h;
    Trace<Real, Traces> e;
    Trace<Real, Traces, 1> e_online;
    Trace<Real, Traces, 2> e_h;
    Real v;
    CarriedDot<Real, Traces> h_e;  // h·e: see gtd.hpp

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("e-online", e_online);
        visitor.cleared("e-h", e_h);
        visitor.cleared("v", v);
        visitor.cleared("h-dot-e", h_e);
    }

    BELLWETHER_DEVICE void connect() {
        move_along(w, e_online);
        move_along(h, e_h);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real decay = s.rho * s.gamma * s.lambda;
        const Real decay_h = s.rho_prev * s.gamma * s.lambda;
        const auto [w_x, w_x_next, h_x, e_online_x, e_h_x] =
            dots(of(s.x, w), of(s.x_next, w), of(s.x, h), of(s.x, e_online), of(s.x, e_h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real D = w_x - v;
        const Real alpha_rho = alpha * s.rho;

        const Real correction = s.gamma_next * (Real(1) - s.lambda_next) * dot_after(h_e, e, h, decay, s.rho, h_x);
        pass(trace(e, decay, s.rho, s.x), trace(e_online, decay, alpha_rho * fma(-decay, e_online_x, Real(1)), s.x),
             trace(e_h, decay_h, alpha_h * fma(-decay_h, e_h_x, Real(1)), s.x),
             to(w, times(delta + D, e_online), term(-(alpha_rho * D), s.x), term(-(alpha * correction), s.x_next)),
             to(h, times(s.rho * delta, e_h), term(-(alpha_h * h_x), s.x), product(h_e, e)));
        v = w_x_next;
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
