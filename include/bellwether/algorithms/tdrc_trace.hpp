// TDRC(λ) with a trace of h·x in place of (e·h): the same mean update by another sample
//     e ← ρ(g l e + x),  z ← ρ(g l z + h·x)
//     w ← w + α[δe − (h·x)x + zu],  u = x − g'x'
//     h ← h + α_h[δe − (h·x)x − βh]
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct TdrcTrace {
    static constexpr AlgorithmText text{.id = "tdrc-trace",
                                        .name = "TDRC(λ) with a trace of h·x",
                                        .summary = "TDRC whose correction is a trace of its own",
                                        .source = "Elelimy et al. 2025",
                                        .family = Family::gradient,
                                        .variant = Variant::fourth,
                                        .mean_update = MeanUpdate::gradient};

    using Parameters = RegularizedParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Trace<Real, Traces, 1> h;  // decays in every component: see tdrc.hpp
    Trace<Real, Traces> e;
    Real z;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("h", h);
        visitor.cleared("e", e);
        visitor.cleared("z", z);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real alpha = parameters.alpha;
        const Real alpha_h = parameters.eta * alpha;
        const Real decay = s.rho * s.gamma * s.lambda;
        const auto [w_x, w_x_next, h_x] = dots(of(s.x, w), of(s.x_next, w), of(s.x, h));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real decay_h = fma(-alpha_h, parameters.regularization, Real(1));
        z = fma(decay, z, s.rho * h_x);
        pass(trace(e, decay, s.rho, s.x),
             to(w, times(alpha * delta, e), term(alpha * (z - h_x), s.x), term(-(alpha * z * s.gamma_next), s.x_next)),
             scaled_to(h, decay_h, times(alpha_h * delta, e), term(-(alpha_h * h_x), s.x)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
