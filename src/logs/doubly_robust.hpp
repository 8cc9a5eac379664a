// Doubly robust estimates: weighted returns, corrected by learned values, over the first so many steps and with learned
// values after them. With v_h and q_h by the weights that were learned without the segment's fold, they are
//     the ratio of D_h W_h (R + g_h − q_h) over W_h  plus  the ratio of D_h W_{h−1} v_h over W_{h−1}
// (not weighted: both over 1), where g_h = γ v(S_{h+1}) in the last step of a segment or of the horizon, else 0.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "logs/least_squares.hpp"
#include "logs/products.hpp"

namespace bellwether {

struct DoublyRobust {
    std::size_t horizon;  // at least 1
    bool weighted;
};

// Several estimates from two passes over the segments of a log, fold by fold (for_each_part_by_fold):
// add_values(), finish_values(), add_influence(). LeastSquares adds what influences owe to the learned values.
class DoublyRobustEstimates {
public:
    DoublyRobustEstimates(const Products& products, const ValueModel& model, const FoldWeights& fold_weights,
                          std::vector<DoublyRobust> estimates);

    // The values of a segment's steps, what they add to numerators, and the derivatives by the weights.
    void add_values(std::size_t fold, std::size_t i, const Segment& segment);
    void finish_values();
    void add_influence(std::size_t fold, std::size_t i, const Segment& segment);

    std::vector<CrossFitted>& results() { return results_; }  // after finish_values()

private:
    // v_h and q_h by row of a step; and v of the rows that close segments, by segment: such a row may be the first one
    // of the next piece.
    struct HeldOutValues {
        explicit HeldOutValues(const Log& log)
            : v(log.memory, log.rows()), q(log.memory, log.rows()), closing(log.memory, log.segments.size()) {}

        double after(std::size_t i, const Segment& segment, std::size_t row) const {
            return row + 1 == segment.first + segment.steps ? closing[i] : v[row + 1];
        }

        LongVector<double> v, q, closing;
    };
    // Σ_i of the numerators by step h.
    struct Numerators {
        explicit Numerators(std::size_t horizon) : reward(horizon), value(horizon) {}

        std::vector<double> reward, value;
    };
    // Of an estimate, by step h: the ratios θ_h, and one over their denominators (0 where these are 0).
    struct Ratios {
        std::vector<double> reward, value;
        std::vector<double> share, share_before;
        std::vector<double> later;  // what the frozen ratio of a segment that is over is multiplied by, from step h on
    };
    // What the segments of one fold add up.
    struct Fold {
        Fold(const ValueModel& model, const std::vector<double>& weights, std::span<const std::size_t> horizons,
             std::size_t estimates);

        RowProducts products;
        std::vector<Numerators> numerators;  // by horizon
        Numerators parts;                    // of one segment: what its steps have in the numerators
        std::size_t width;                   // of shares, padded
        std::vector<double> shares;          // of some rows: what they have x times in ∂estimate/∂w^(k), by block
        std::vector<double> gradient;
    };

    std::size_t steps(std::size_t horizon, const Segment& segment) const;
    void set_values(Fold& fold, std::size_t i, const Segment& segment, std::size_t begin, std::size_t stop);
    void set_parts(Numerators& parts, std::size_t horizon, std::size_t i, const Segment& segment) const;
    void add_gradient(Fold& fold, const Segment& segment, std::size_t begin, std::size_t stop) const;
    void set_shares(Ratios& ratios, const DoublyRobust& estimate) const;
    double divide(Ratios& ratios, const Numerators& numerators) const;
    double influence(const Ratios& ratios, bool weighted, const Numerators& parts, std::size_t steps,
                     const Segment& segment) const;

    const Log& log_;
    const Products& products_;
    const ValueModel& model_;
    std::vector<DoublyRobust> estimates_;
    std::vector<std::size_t> horizons_;  // distinct ones
    HeldOutValues values_;
    std::vector<Ratios> ratios_;
    std::deque<Fold> folds_;
    std::vector<CrossFitted> results_;
};

}  // namespace bellwether
