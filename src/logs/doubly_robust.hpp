// Doubly robust estimates: weighted returns, corrected by learned values, over the first so many steps and with learned
// values after them. With v_h and q_h by the weights that were learned without the segment's fold, they are
//     the ratio of D_h W_h (R + g_h − q_h) over W_h  plus  the ratio of D_h W_{h−1} v_h over W_{h−1}
// (not weighted: both over 1), where g_h = γ v(S_{h+1}) in the last step of a segment or of the horizon, else 0.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "logs/doubly_robust_gradients.hpp"
#include "logs/held_out_values.hpp"
#include "logs/least_squares.hpp"
#include "logs/products.hpp"

namespace bellwether {

// Several estimates from two passes over the segments of a log, fold by fold (for_each_part_by_fold):
// add_values(), finish_values(), add_influence(). Neither reads features: `values` has what was learned. LeastSquares
// adds what influences owe to the learned values.
class DoublyRobustEstimates {
public:
    // `gradients` of the same estimates.
    DoublyRobustEstimates(const Products& products, const HeldOutValues& values, std::vector<DoublyRobust> estimates,
                          std::vector<FoldWeights> gradients);

    // What a segment's steps add to numerators; its values are there.
    void add_values(std::size_t fold, std::size_t i, const Segment& segment);
    void finish_values();
    void add_influence(std::size_t fold, std::size_t i, const Segment& segment);

    // Gradients from the beginning on; influences that others may add to; the rest after finish_values().
    std::vector<CrossFitted>& results() { return results_; }

private:
    // Σ_i of the numerators by step h.
    struct Numerators {
        explicit Numerators(std::size_t horizon) : reward(horizon), value(horizon) {}

        std::vector<double> reward, value;
    };
    // Of an estimate, by step h: the ratios θ_h, and one over their denominators (0 where these are 0).
    struct Ratios {
        DenominatorShares shares;
        std::vector<double> reward{}, value{};
        std::vector<double>
            later{};  // what the frozen ratio of a segment that is over is multiplied by, from step h on
    };
    // What the segments of one fold add up.
    struct Fold {
        explicit Fold(std::span<const std::size_t> horizons);

        std::vector<Numerators> numerators;  // by horizon
        Numerators parts;                    // of one segment: what its steps have in the numerators
    };

    std::size_t steps(std::size_t horizon, const Segment& segment) const;
    void set_parts(Numerators& parts, std::size_t horizon, std::size_t i, const Segment& segment) const;
    double divide(Ratios& ratios, const Numerators& numerators) const;
    double influence(const Ratios& ratios, bool weighted, const Numerators& parts, std::size_t steps,
                     const Segment& segment) const;

    const Log& log_;
    const Products& products_;
    const HeldOutValues& values_;
    std::vector<DoublyRobust> estimates_;
    std::vector<std::size_t> horizons_;  // distinct ones
    std::vector<Ratios> ratios_;
    std::deque<Fold> folds_;
    std::vector<CrossFitted> results_;
};

}  // namespace bellwether
