// Off-policy TD(λ) with a second learner for the variance of the return under the target policy
//     e ← ρ(g l e + x),  f ← ρ((gκ)²λ_f f + x)
//     w ← w + αδe
//     m ← m + ηα[δ² + (g'κ)²m·x' − m·x]f
// Its w is that of off-policy TD(λ). m·x predicts the variance of the return for κ = 1, of the λ-return with λ = κ
// below that. It may be negative.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Variance {
    static constexpr AlgorithmText text{.id = "variance",
                                        .name = "TD(λ) with the variance of the return",
                                        .summary = "off-policy TD, and a second learner for the return's variance",
                                        .source = "Sherstan et al. 2018",
                                        .family = Family::beyond_values,
                                        .variant = Variant::base,
                                        .mean_update = MeanUpdate::none};

    struct Parameters {
        Real alpha = required;
        Real lambda = 0;
        Real eta = 1;
        Real variance_lambda = 0;
        Real target_lambda = 1;
        static constexpr auto declare() {
            return std::array{
                parameter::alpha(&Parameters::alpha), parameter::lambda(&Parameters::lambda),
                declare_parameter(&Parameters::eta, "eta", {.minimum = 0},
                                  "step size of the variance's weights m, as a multiple of alpha"),
                declare_parameter(&Parameters::variance_lambda, "variance-lambda", {.minimum = 0, .maximum = 1},
                                  "trace parameter of the variance's learner"),
                declare_parameter(&Parameters::target_lambda, "target-lambda", {.minimum = 0, .maximum = 1},
                                  "whose variance: 1 the return's, below it the lambda-return's")};
        }
    };
    Parameters parameters;

    Weights<Real, Traces> w, m;
    Trace<Real, Traces> e;
    Trace<Real, Traces, 1> f;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("m", m);
        visitor.cleared("e", e);
        visitor.cleared("f", f);
    }

    BELLWETHER_DEVICE void connect() {
        move_along(w, e);
        move_along(m, f);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real discount = s.gamma * parameters.target_lambda,
                   discount_next = s.gamma_next * parameters.target_lambda;
        const auto [w_x, w_x_next, m_x, m_x_next] = dots(of(s.x, w), of(s.x_next, w), of(s.x, m), of(s.x_next, m));
        const Real delta = td_error(s, w_x, w_x_next);
        const Real delta_m = fma(discount_next * discount_next, m_x_next, delta * delta) - m_x;
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x),
             trace(f, s.rho * (discount * discount) * parameters.variance_lambda, s.rho, s.x),
             to(w, times(parameters.alpha * delta, e)), to(m, times(parameters.eta * parameters.alpha * delta_m, f)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
