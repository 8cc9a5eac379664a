// PTD(λ) as the 2016 paper prints it
//     h ← g l(ρh + αδ̄e)
// in place of g' l'; everything else as in ptd.hpp. It leaks h across terminations (docs/errata.md); kept to attribute
// results.
#pragma once

#include "bellwether/algorithms/ptd.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct PtdAsPrinted : Ptd<Real, Traces> {
    static constexpr AlgorithmText text{.id = "ptd-as-printed",
                                        .name = "PTD(λ) as printed",
                                        .summary = "the paper's listing, with its misprint in h",
                                        .source = "White & White 2016",
                                        .family = Family::provisional,
                                        .variant = Variant::third,
                                        .mean_update = MeanUpdate::td,
                                        .plain_alpha = false};

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        this->update_with(s, s.gamma * s.lambda);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
