// A horde: many predictions learned from one stream of features. Predictions of one algorithm that share λ, discounts
// and importance ratios share their trace, and with it every walk over the features; their weights stand side by side,
// a row for each feature. Each of them equals a learner of its own to the bit.
//
//     bellwether::SharedHorde<bellwether::Gtd> horde(dimension, predictions, {.alpha = 0.1, .eta = 1, .lambda = 0.9});
//     horde.step({.x = x, .gamma = 0.99, .x_next = x_next, .rho = rho}, cumulants);
//     horde.predictions();                                             // w·x of each, before the step
//
// For sparse features (binary ones have values of 1). docs/hordes.md tells the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bellwether/prediction_pack.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Predictions of one algorithm that share their trace, as many as are wanted, for one step after the other.
template <template <class, class> class Algorithm>
class SharedHorde {
    using Real = Pack<double, horde_lanes>;
    using OnePack = PredictionPack<Algorithm, Real>;

public:
    using Parameters = typename Algorithm<double, DenseTraces>::Parameters;

    // All with the same parameters. They are trusted to lie in their ranges.
    SharedHorde(std::size_t dimension, std::size_t predictions, const Parameters& parameters)
        : dimension_(dimension), predictions_(predictions), errors_(predictions) {
        const auto declared = Parameters::declare();
        const auto own = parameters_from<typename OnePack::Parameters>(
            [&](std::size_t p) { return Real(parameters.*declared[p].field); });
        while (packs_.size() * horde_lanes < predictions) packs_.push_back(std::make_unique<OnePack>(dimension, own));
    }

    std::size_t dimension() const { return dimension_; }

    // Learns from one step; `cumulants` has a number for each prediction.
    void step(const SharedStep& s, std::span<const double> cumulants) {
        for (std::size_t p = 0; p < packs_.size(); ++p) {
            const std::size_t first = p * horde_lanes, used = std::min(horde_lanes, errors_.size() - first);
            packs_[p]->predict(s.x, s.x_next);
            put(packs_[p]->prediction(), first, used, predictions_);
            put(packs_[p]->step(s, Real::load(cumulants.data() + first, used)), first, used, errors_);
        }
    }
    // Begins a new segment, as after a truncation: traces are cleared, weights are kept.
    void start() {
        for (const auto& pack : packs_) pack->start();
    }

    // Of the last step: what was predicted before it, and the TD errors.
    std::span<const double> predictions() const { return predictions_; }
    std::span<const double> td_errors() const { return errors_; }

    // Of one prediction, dimension() of them.
    std::vector<double> weights(std::size_t prediction) const {
        std::vector<double> own(dimension_);
        for (std::size_t i = 0; i < dimension_; ++i)
            own[i] = packs_[prediction / horde_lanes]->weight(i)[prediction % horde_lanes];
        return own;
    }

private:
    static void put(const Real& numbers, std::size_t first, std::size_t used, std::vector<double>& to) {
        for (std::size_t lane = 0; lane < used; ++lane) to[first + lane] = numbers[lane];
    }

    std::size_t dimension_;
    std::vector<std::unique_ptr<OnePack>> packs_;
    std::vector<double> predictions_, errors_;
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
