// Differential TD(λ): the average reward r̄ is learned and taken off every reward
//     δ = R − r̄ + g'w·x' − w·x
//     e ← ρ(g l e + x),  z ← ρ(g l z + 1)
//     w ← w + αδe
//     r̄ ← r̄ + ηαδz
// With γ = 1 throughout w are differential values and r̄ the average reward; with γ < 1 this is TD(λ) with centred
// rewards.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct DifferentialTd {
    static constexpr AlgorithmText text{.id = "differential-td",
                                        .name = "differential TD(λ)",
                                        .summary = "average reward: TD with centred rewards, for tasks without an end",
                                        .source = "Wan et al. 2021; Naik et al. 2024",
                                        .family = Family::beyond_values,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::none};

    struct Parameters {
        Real alpha = required;
        Real eta = 1;
        Real lambda = 0;
        static constexpr auto declare() {
            return std::array{parameter::alpha(&Parameters::alpha),
                              declare_parameter(&Parameters::eta, "eta", {.minimum = 0},
                                                "step size of the average reward, as a multiple of alpha"),
                              parameter::lambda(&Parameters::lambda)};
        }
    };
    Parameters parameters;

    Weights<Real, Traces> w;
    Trace<Real, Traces> e;
    Real average_reward, z;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.cleared("e", e);
        visitor.kept("average-reward", average_reward);
        visitor.cleared("z", z);
    }

    BELLWETHER_DEVICE void connect() { move_along(w, e); }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real decay = s.rho * s.gamma * s.lambda;
        const Real step = parameters.alpha * (td_error(s, w) - average_reward);
        z = fma(decay, z, s.rho);
        average_reward = fma(parameters.eta * step, z, average_reward);
        pass(trace(e, decay, s.rho, s.x),  //
             to(w, times(step, e)));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
