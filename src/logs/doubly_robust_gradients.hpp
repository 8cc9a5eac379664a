// What doubly robust estimates owe to the weights that were learned without a fold: ∂estimate/∂w^(k). q and v of every
// step are linear in w^(k), and what they are multiplied by are products of ratios and discounts: no value is read.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "logs/products.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

struct DoublyRobust {
    std::size_t horizon;  // at least 1
    bool weighted;
};

// One over the denominators of an estimate's two ratios, by step h (0 where these are 0).
struct DenominatorShares {
    DenominatorShares(const Products& products, std::size_t segments, const DoublyRobust& estimate);

    std::vector<double> reward, value;
};

// Of several models of a log, each with its own estimates, in one pass over the segments, fold by fold
// (for_each_part_by_fold).
class DoublyRobustGradients {
public:
    DoublyRobustGradients(const Products& products, std::span<const ValueModel> models,
                          std::span<const std::vector<DoublyRobust>> estimates);

    void add(std::size_t fold, const Segment& segment);
    // By estimate of a model.
    std::vector<FoldWeights> of(std::size_t model) const;

private:
    struct Estimate {
        DoublyRobust what;
        DenominatorShares shares;
        const ValueModel* model;
        std::size_t model_number, lane;  // of the first block
    };
    struct Fold {
        std::vector<double> taken, before;  // of some rows: D_h W_h and D_h W_{h−1}
        std::vector<double> factors;        // what they have x times, by lane
        std::vector<double> gradient;       // dimension × lanes
    };

    void set_factors(const Estimate& estimate, const Segment& segment, std::size_t begin, std::size_t stop,
                     Fold& fold) const;

    const Log& log_;
    const Products& products_;
    std::vector<Estimate> estimates_;
    std::size_t width_ = 0;  // of lanes, padded
    std::array<Fold, folds> folds_;
};

}  // namespace bellwether
