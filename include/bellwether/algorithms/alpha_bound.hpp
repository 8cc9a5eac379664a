// TD(λ) with AlphaBound: off-policy TD(λ) whose step size is cut, for good, wherever it would overshoot
//     e ← ρ(g l e + x)
//     a ← 1/|e·u| where a|e·u| > 1,  u = x − g'x'
//     w ← w + aδe
// Its mean update is that of off-policy TD(λ): a small step size is never cut.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct AlphaBound {
    static constexpr AlgorithmText text{.id = "alpha-bound",
                                        .name = "AlphaBound TD(λ)",
                                        .summary = "off-policy TD whose step size is cut at every overshoot",
                                        .source = "Dabney & Barto 2012",
                                        .family = Family::bounded_steps,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::td,
                                        .plain_alpha = false};

    struct Parameters {
        Real alpha = 1;
        Real lambda = 0;
        static constexpr auto declare() {
            return std::array{parameter::initial_alpha(&Parameters::alpha), parameter::lambda(&Parameters::lambda)};
        }
    };
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;
    Real step_size;  // a

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.kept("step-size", step_size);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }
    BELLWETHER_DEVICE void initialize() { step_size = parameters.alpha; }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real decay = s.rho * s.gamma * s.lambda;
        const auto [w_x, w_x_next, e_x, e_x_next] = dots(of(s.x, w), of(s.x_next, w), of(s.x, e), of(s.x_next, e));
        const Real delta = td_error(s, w_x, w_x_next);
        // (ce + ρx)·u
        const Real x_u = fma(-s.gamma_next, dot_features<Real>(s.x, s.x_next), dot_features<Real>(s.x, s.x));
        const Real e_u = fma(decay, fma(-s.gamma_next, e_x_next, e_x), s.rho * x_u);
        step_size = where_greater(step_size * abs(e_u), Real(1), Real(1) / abs(e_u), step_size);
        pass(trace(e, decay, s.rho, s.x),  //
             to(w, times(step_size * delta, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
