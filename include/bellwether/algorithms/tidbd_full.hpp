// TIDBD(λ) with the full gradient of ½ρδ²: as in tidbd.hpp, with
//     y = x − g'x'
#pragma once

#include "bellwether/algorithms/tidbd.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct TidbdFull : Tidbd<Real, Traces> {
    static constexpr AlgorithmText text{
        .id = "tidbd-full",
        .name = "TIDBD(λ), full gradient",
        .summary = "TIDBD with the gradient of the whole TD error; off-policy experimental",
        .source = "Kearney et al. 2019",
        .family = Family::learned_steps,
        .variant = Variant::second,
        .mean_update = MeanUpdate::none,
        .plain_alpha = false};

    SpreadFeatures<Real> spread_x_next;

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, this->w), decay = s.rho * s.gamma * s.lambda;
        with_spread(this->spread_x, spread_x_next, this->e, s.x, s.x_next,
                    [&](const auto& x, const auto& x_next)
                        BELLWETHER_INLINE_LAMBDA { this->learn(x, x_next, s.gamma_next, s.rho, decay, delta); });
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
