// TD(0), off-policy
//     w ← w + α ρ δ x
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Td0 {
    static constexpr AlgorithmText text{.id = "td0",
                                        .name = "TD(0)",
                                        .summary = "one-step TD with importance weights",
                                        .source = "Sutton 1988",
                                        .family = Family::td,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::one_step};

    using Parameters = StepSizeParameters<Real>;
    Parameters parameters;

    Vector<Real> w;

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w);
        add_features(w, term(parameters.alpha * s.rho * delta, s.x));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
