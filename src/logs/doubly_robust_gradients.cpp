#include "logs/doubly_robust_gradients.hpp"

#include <algorithm>

#include "logs/vectors.hpp"

namespace bellwether {

namespace {

double over(double above, double below) {
    return below > 0 ? above / below : 0;
}

}  // namespace

DenominatorShares::DenominatorShares(const Products& products, std::size_t segments, const DoublyRobust& estimate) {
    const auto n = static_cast<double>(segments);
    for (std::size_t h = 0; h < estimate.horizon; ++h) {
        reward.push_back(over(1, estimate.weighted ? products.sum[h] : n));
        value.push_back(over(1, estimate.weighted ? products.sum_before(h, segments) : n));
    }
}

DoublyRobustGradients::DoublyRobustGradients(const Products& products, std::span<const ValueModel> models,
                                             std::span<const std::vector<DoublyRobust>> estimates)
    : log_(models.front().log()), products_(products) {
    std::size_t lane = 0;
    for (std::size_t m = 0; m < models.size(); ++m)
        for (const DoublyRobust& estimate : estimates[m]) {
            estimates_.push_back({estimate, {products, log_.segments.size(), estimate}, &models[m], m, lane});
            lane += models[m].blocks();
        }
    width_ = padded(lane);
    for (Fold& fold : folds_) {
        fold.taken.resize(RowProducts::rows_at_once);
        fold.before.resize(RowProducts::rows_at_once);
        fold.factors.resize(RowProducts::rows_at_once * width_);
        fold.gradient.resize(width_ * log_.dimension);
    }
}

void DoublyRobustGradients::add(std::size_t fold, const Segment& segment) {
    Fold& own = folds_[fold];
    const std::size_t end = segment.first + segment.steps + (segment.ended ? 0 : 1);
    for (std::size_t begin = segment.first; begin < end; begin += RowProducts::rows_at_once) {
        const std::size_t stop = std::min(end, begin + RowProducts::rows_at_once);
        std::fill_n(own.factors.begin(), (stop - begin) * width_, 0.0);
        for (std::size_t row = begin; row < std::min(stop, segment.first + segment.steps); ++row) {
            own.taken[row - begin] = products_.discount[row] * products_.ratio[row];
            own.before[row - begin] = products_.discount[row] * products_.ratio_before(segment, row);
        }
        for (const Estimate& estimate : estimates_) set_factors(estimate, segment, begin, stop, own);
        add_products(own.factors.data(), {log_.x(begin).data(), 1, log_.dimension}, stop - begin, own.gradient.data(),
                     width_, width_, log_.dimension);
    }
}

// −D_h W_h of q and D_h W_{h−1} of v, over their denominators; and v of the state after the last step that is weighted.
void DoublyRobustGradients::set_factors(const Estimate& estimate, const Segment& segment, std::size_t begin,
                                        std::size_t stop, Fold& fold) const {
    const ValueModel& model = *estimate.model;
    const std::size_t end = segment.first + std::min(segment.steps, estimate.what.horizon);
    if (end < begin) return;
    const std::size_t blocks = model.blocks(), steps = std::min(stop, end) - begin;
    const double* const taken = fold.taken.data();
    const double* const before = fold.before.data();
    const double* const of_reward = estimate.shares.reward.data() + (begin - segment.first);
    const double* const of_value = estimate.shares.value.data() + (begin - segment.first);
    double* factors = fold.factors.data() + estimate.lane;
    if (model.of() == ValueModel::Of::states) {
        for (std::size_t k = 0; k < steps; ++k, factors += width_)
            *factors = before[k] * of_value[k] - taken[k] * of_reward[k];
    } else {
        for (std::size_t k = 0; k < steps; ++k, factors += width_) {
            const double value = before[k] * of_value[k];
            for (std::size_t a = 0; a < blocks; ++a) factors[a] = value * model.share(begin + k, a);
            factors[model.block(begin + k)] -= taken[k] * of_reward[k];
        }
    }
    if (end >= stop) return;
    const std::size_t last = end - 1;  // its own part may be the one before
    const double value = products_.discount[last] * products_.ratio[last] *
                         estimate.shares.reward[last - segment.first] * log_.gamma[last];
    for (std::size_t a = 0; a < blocks; ++a) factors[a] += value * model.share(end, a);
}

std::vector<FoldWeights> DoublyRobustGradients::of(std::size_t model) const {
    std::vector<FoldWeights> gradients;
    const std::size_t d = log_.dimension;
    for (const Estimate& estimate : estimates_) {
        if (estimate.model_number != model) continue;
        FoldWeights& gradient = gradients.emplace_back();
        for (std::size_t k = 0; k < folds; ++k) {
            gradient[k].resize(estimate.model->dimension());
            for (std::size_t a = 0; a < estimate.model->blocks(); ++a)
                for (std::size_t j = 0; j < d; ++j)
                    gradient[k][a * d + j] = folds_[k].gradient[j * width_ + estimate.lane + a];
        }
    }
    return gradients;
}

}  // namespace bellwether
