// True-online HTD(λ) as the paper prints it
//     h ← h + d − α_h u(e^μ·h)
// in place of (α_h/α)d; everything else as in to_htd.hpp. Wrong for η ≠ 1 (docs/errata.md), kept to attribute results.
#pragma once

#include "bellwether/algorithms/to_htd.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct ToHtdAsPrinted : ToHtd<Real, Traces> {
    static constexpr AlgorithmText text{.id = "to-htd-as-printed",
                                        .name = "true-online HTD(λ) as printed",
                                        .summary = "the paper's listing, with its misprint in h",
                                        .source = "White & White 2016",
                                        .family = Family::hybrid,
                                        .variant = Variant::third,
                                        .mean_update = MeanUpdate::hybrid_as_printed,
                                        .plain_alpha = false};

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        this->update_with(s, Real(1));
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
