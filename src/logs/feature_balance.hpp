// Whether ratios balance the features, by segments: z_j = Σ_i s_ij / √(Σ_i s_ij²), s_ij = Σ_t (ρ_t − 1) x_tj. In passes
// over a log that read its features for something else.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "logs/log.hpp"

namespace bellwether {

class FeatureBalance {
public:
    explicit FeatureBalance(const Log& log);

    // One segment of a fold after the other; several folds may be at work at once.
    void add(std::size_t fold, const Segment& segment);
    std::vector<double> statistics() const;

private:
    struct Fold {
        std::vector<double> own, sums, squares;  // of the segment at work; of all
    };

    const Log& log_;
    std::array<Fold, folds> folds_;
};

}  // namespace bellwether
