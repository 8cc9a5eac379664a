#include "logs/doubly_robust.hpp"

#include <algorithm>

namespace bellwether {

namespace {

double over(double above, double below) {
    return below > 0 ? above / below : 0;
}

std::vector<std::size_t> distinct_horizons(std::span<const DoublyRobust> estimates) {
    std::vector<std::size_t> horizons;
    for (const DoublyRobust& estimate : estimates)
        if (std::find(horizons.begin(), horizons.end(), estimate.horizon) == horizons.end())
            horizons.push_back(estimate.horizon);
    return horizons;
}

}  // namespace

DoublyRobustEstimates::Fold::Fold(const ValueModel& model, const std::vector<double>& weights,
                                  std::span<const std::size_t> horizons, std::size_t estimates)
    : products(model.log(), weights),
      parts(*std::max_element(horizons.begin(), horizons.end())),
      width(padded(estimates * model.blocks())),
      shares(RowProducts::rows_at_once * width),
      gradient(width * model.log().dimension) {
    for (const std::size_t horizon : horizons) numerators.emplace_back(horizon);
}

DoublyRobustEstimates::DoublyRobustEstimates(const Products& products, const ValueModel& model,
                                             const FoldWeights& fold_weights, std::vector<DoublyRobust> estimates)
    : log_(model.log()),
      products_(products),
      model_(model),
      estimates_(std::move(estimates)),
      horizons_(distinct_horizons(estimates_)),
      values_(log_),
      ratios_(estimates_.size()) {
    for (std::size_t e = 0; e < estimates_.size(); ++e) set_shares(ratios_[e], estimates_[e]);
    for (std::size_t k = 0; k < folds; ++k) folds_.emplace_back(model, fold_weights[k], horizons_, estimates_.size());
}

std::size_t DoublyRobustEstimates::steps(std::size_t horizon, const Segment& segment) const {
    return std::min(segment.steps, horizon);
}

// ---- the first pass

void DoublyRobustEstimates::add_values(std::size_t fold, std::size_t i, const Segment& segment) {
    Fold& own = folds_[fold];
    const std::size_t end = segment.first + segment.steps + (segment.ended ? 0 : 1);
    for (std::size_t begin = segment.first; begin < end; begin += RowProducts::rows_at_once) {
        const std::size_t stop = std::min(end, begin + RowProducts::rows_at_once);
        set_values(own, i, segment, begin, stop);
        add_gradient(own, segment, begin, stop);
    }
    for (std::size_t w = 0; w < horizons_.size(); ++w) {
        set_parts(own.parts, horizons_[w], i, segment);
        for (std::size_t h = 0; h < steps(horizons_[w], segment); ++h) {
            own.numerators[w].reward[h] += own.parts.reward[h];
            own.numerators[w].value[h] += own.parts.value[h];
        }
    }
}

void DoublyRobustEstimates::set_values(Fold& fold, std::size_t i, const Segment& segment, std::size_t begin,
                                       std::size_t stop) {
    fold.products.compute(begin, stop - 1);
    for (std::size_t row = begin; row < stop; ++row) {
        const double* const found = fold.products.of(row);
        double value = 0;
        for (std::size_t a = 0; a < model_.blocks(); ++a) value += model_.share(row, a) * found[a];
        if (row == segment.first + segment.steps) {
            values_.closing[i] = value;
            continue;
        }
        values_.v[row] = value;
        values_.q[row] = found[model_.block(row)];
    }
}

// D_h W_h (R + g_h − q_h) and D_h W_{h−1} v_h
void DoublyRobustEstimates::set_parts(Numerators& parts, std::size_t horizon, std::size_t i,
                                      const Segment& segment) const {
    const std::size_t count = steps(horizon, segment), last = segment.first + count - 1;
    const double *const discount = &products_.discount[segment.first], *const ratio = &products_.ratio[segment.first];
    const double *const v = &values_.v[segment.first], *const q = &values_.q[segment.first];
    const double* const reward = &log_.reward[segment.first];
    for (std::size_t h = 0; h < count; ++h) parts.reward[h] = discount[h] * ratio[h] * (reward[h] - q[h]);
    parts.value[0] = discount[0] * v[0];
    for (std::size_t h = 1; h < count; ++h) parts.value[h] = discount[h] * ratio[h - 1] * v[h];
    if (count == segment.steps && segment.ended) return;
    // The value of the state after the last step stands in for what comes later.
    const double after = log_.gamma[last] * values_.after(i, segment, last);
    parts.reward[count - 1] = discount[count - 1] * ratio[count - 1] * (reward[count - 1] + after - q[count - 1]);
}

// ∂estimate/∂w^(k): q and v of a step, and v of the state after the last one that is weighted.
void DoublyRobustEstimates::add_gradient(Fold& fold, const Segment& segment, std::size_t begin,
                                         std::size_t stop) const {
    const std::size_t blocks = model_.blocks();
    std::fill_n(fold.shares.begin(), (stop - begin) * fold.width, 0.0);
    for (std::size_t e = 0; e < estimates_.size(); ++e) {
        const Ratios& ratios = ratios_[e];
        const std::size_t count = steps(estimates_[e].horizon, segment);
        for (std::size_t row = begin; row < std::min(stop, segment.first + count + 1); ++row) {
            double* const shares = &fold.shares[(row - begin) * fold.width + e * blocks];
            const std::size_t h = row - segment.first;
            double of_value = 0;
            if (h < count) {
                const double discount = products_.discount[row];
                shares[model_.block(row)] -= discount * products_.ratio[row] * ratios.share[h];
                of_value = discount * products_.ratio_before(segment, row) * ratios.share_before[h];
            } else {
                of_value =
                    products_.discount[row - 1] * products_.ratio[row - 1] * ratios.share[h - 1] * log_.gamma[row - 1];
            }
            for (std::size_t a = 0; a < blocks; ++a) shares[a] += of_value * model_.share(row, a);
        }
    }
    add_products(fold.shares.data(), {log_.x(begin).data(), 1, log_.dimension}, stop - begin, fold.gradient.data(),
                 fold.width, fold.width, log_.dimension);
}

// ---- between the passes

void DoublyRobustEstimates::set_shares(Ratios& ratios, const DoublyRobust& estimate) const {
    const std::size_t segments = log_.segments.size();
    const auto n = static_cast<double>(segments);
    for (std::size_t h = 0; h < estimate.horizon; ++h) {
        ratios.share.push_back(over(1, estimate.weighted ? products_.sum[h] : n));
        ratios.share_before.push_back(over(1, estimate.weighted ? products_.sum_before(h, segments) : n));
    }
}

void DoublyRobustEstimates::finish_values() {
    for (std::size_t k = 1; k < folds; ++k)
        for (std::size_t w = 0; w < horizons_.size(); ++w)
            for (std::size_t h = 0; h < horizons_[w]; ++h) {
                folds_[0].numerators[w].reward[h] += folds_[k].numerators[w].reward[h];
                folds_[0].numerators[w].value[h] += folds_[k].numerators[w].value[h];
            }
    const std::size_t d = log_.dimension, blocks = model_.blocks();
    for (std::size_t e = 0; e < estimates_.size(); ++e) {
        const auto w = std::find(horizons_.begin(), horizons_.end(), estimates_[e].horizon) - horizons_.begin();
        CrossFitted& result = results_.emplace_back();
        result.value = divide(ratios_[e], folds_[0].numerators[static_cast<std::size_t>(w)]);
        result.effective = products_.least_ess(estimates_[e].horizon);
        result.influence = LongVector<double>(log_.memory, log_.segments.size());
        for (std::size_t k = 0; k < folds; ++k) {
            result.gradient[k].resize(model_.dimension());
            for (std::size_t a = 0; a < blocks; ++a)
                for (std::size_t j = 0; j < d; ++j)
                    result.gradient[k][a * d + j] = folds_[k].gradient[j * folds_[k].width + e * blocks + a];
        }
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
        ratios.reward[h] = numerators.reward[h] * ratios.share[h];
        ratios.value[h] = numerators.value[h] * ratios.share_before[h];
        value += ratios.reward[h] + ratios.value[h];
        ratios.later[h] =
            ratios.later[h + 1] + ratios.reward[h] * ratios.share[h] + ratios.value[h] * ratios.share_before[h];
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
        sum += (parts.reward[h] - ratio * ratios.reward[h]) * ratios.share[h];
        sum += (parts.value[h] - frozen * ratios.value[h]) * ratios.share_before[h];
        frozen = ratio;
    }
    return static_cast<double>(log_.segments.size()) * (sum - frozen * ratios.later[steps]);
}

}  // namespace bellwether
