#include "logs/doubly_robust.hpp"

#include <algorithm>

namespace bellwether {

namespace {

std::vector<std::size_t> distinct_horizons(std::span<const DoublyRobust> estimates) {
    std::vector<std::size_t> horizons;
    for (const DoublyRobust& estimate : estimates)
        if (std::find(horizons.begin(), horizons.end(), estimate.horizon) == horizons.end())
            horizons.push_back(estimate.horizon);
    return horizons;
}

}  // namespace

DoublyRobustEstimates::Fold::Fold(std::span<const std::size_t> horizons)
    : parts(*std::max_element(horizons.begin(), horizons.end())) {
    for (const std::size_t horizon : horizons) numerators.emplace_back(horizon);
}

DoublyRobustEstimates::DoublyRobustEstimates(const Products& products, const HeldOutValues& values,
                                             std::vector<DoublyRobust> estimates, std::vector<FoldWeights> gradients)
    : log_(values.log()),
      products_(products),
      values_(values),
      estimates_(std::move(estimates)),
      horizons_(distinct_horizons(estimates_)),
      results_(estimates_.size()) {
    for (std::size_t e = 0; e < estimates_.size(); ++e) {
        ratios_.push_back({.shares = {products, log_.segments.size(), estimates_[e]}});
        results_[e].influence = LongVector<double>(log_.memory, log_.segments.size());
        results_[e].gradient = std::move(gradients[e]);
    }
    for (std::size_t k = 0; k < folds; ++k) folds_.emplace_back(horizons_);
}

std::size_t DoublyRobustEstimates::steps(std::size_t horizon, const Segment& segment) const {
    return std::min(segment.steps, horizon);
}

// ---- the first pass

void DoublyRobustEstimates::add_values(std::size_t fold, std::size_t i, const Segment& segment) {
    Fold& own = folds_[fold];
    for (std::size_t w = 0; w < horizons_.size(); ++w) {
        set_parts(own.parts, horizons_[w], i, segment);
        for (std::size_t h = 0; h < steps(horizons_[w], segment); ++h) {
            own.numerators[w].reward[h] += own.parts.reward[h];
            own.numerators[w].value[h] += own.parts.value[h];
        }
    }
}

// D_h W_h (R + g_h − q_h) and D_h W_{h−1} v_h
void DoublyRobustEstimates::set_parts(Numerators& parts, std::size_t horizon, std::size_t i,
                                      const Segment& segment) const {
    const std::size_t count = steps(horizon, segment), last = segment.first + count - 1;
    const double *const discount = &products_.discount[segment.first], *const ratio = &products_.ratio[segment.first];
    const double *const v = values_.v(segment.first), *const q = values_.q(segment.first);
    const double* const reward = &log_.reward[segment.first];
    for (std::size_t h = 0; h < count; ++h) parts.reward[h] = discount[h] * ratio[h] * (reward[h] - q[h]);
    parts.value[0] = discount[0] * v[0];
    for (std::size_t h = 1; h < count; ++h) parts.value[h] = discount[h] * ratio[h - 1] * v[h];
    if (count == segment.steps && segment.ended) return;
    // The value of the state after the last step stands in for what comes later.
    const double after = log_.gamma[last] * values_.after(i, segment, last);
    parts.reward[count - 1] = discount[count - 1] * ratio[count - 1] * (reward[count - 1] + after - q[count - 1]);
}

// ---- between the passes

void DoublyRobustEstimates::finish_values() {
    for (std::size_t k = 1; k < folds; ++k)
        for (std::size_t w = 0; w < horizons_.size(); ++w)
            for (std::size_t h = 0; h < horizons_[w]; ++h) {
                folds_[0].numerators[w].reward[h] += folds_[k].numerators[w].reward[h];
                folds_[0].numerators[w].value[h] += folds_[k].numerators[w].value[h];
            }
    for (std::size_t e = 0; e < estimates_.size(); ++e) {
        const auto w = std::find(horizons_.begin(), horizons_.end(), estimates_[e].horizon) - horizons_.begin();
        results_[e].value = divide(ratios_[e], folds_[0].numerators[static_cast<std::size_t>(w)]);
        results_[e].effective = products_.least_ess(estimates_[e].horizon);
    }
}

// The estimate: the sum of the ratios.
double DoublyRobustEstimates::divide(Ratios& ratios, const Numerators& numerators) const {
    const std::size_t horizon = numerators.reward.size();
    ratios.reward.resize(horizon);
    ratios.value.resize(horizon);
    ratios.later.resize(horizon + 1);
    double value = 0;
    for (std::size_t h = horizon; h-- > 0;) {
        ratios.reward[h] = numerators.reward[h] * ratios.shares.reward[h];
        ratios.value[h] = numerators.value[h] * ratios.shares.value[h];
        value += ratios.reward[h] + ratios.value[h];
        ratios.later[h] =
            ratios.later[h + 1] + ratios.reward[h] * ratios.shares.reward[h] + ratios.value[h] * ratios.shares.value[h];
    }
    return value;
}

// ---- the second pass

void DoublyRobustEstimates::add_influence(std::size_t fold, std::size_t i, const Segment& segment) {
    Numerators& parts = folds_[fold].parts;
    for (const std::size_t horizon : horizons_) {
        set_parts(parts, horizon, i, segment);
        for (std::size_t e = 0; e < estimates_.size(); ++e)
            if (estimates_[e].horizon == horizon)
                results_[e].influence[i] +=
                    influence(ratios_[e], estimates_[e].weighted, parts, steps(horizon, segment), segment);
    }
}

double DoublyRobustEstimates::influence(const Ratios& ratios, bool weighted, const Numerators& parts, std::size_t steps,
                                        const Segment& segment) const {
    double sum = 0, frozen = 1;
    for (std::size_t h = 0; h < steps; ++h) {
        const double ratio = weighted ? products_.ratio[segment.first + h] : 1;
        sum += (parts.reward[h] - ratio * ratios.reward[h]) * ratios.shares.reward[h];
        sum += (parts.value[h] - frozen * ratios.value[h]) * ratios.shares.value[h];
        frozen = ratio;
    }
    return static_cast<double>(log_.segments.size()) * (sum - frozen * ratios.later[steps]);
}

}  // namespace bellwether
