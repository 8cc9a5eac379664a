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
        for (const Estimate& estimate : estimates_)
            set_factors(estimate, segment, begin, stop, own.factors.data() + estimate.lane);
        add_products(own.factors.data(), {log_.x(begin).data(), 1, log_.dimension}, stop - begin, own.gradient.data(),
                     width_, width_, log_.dimension);
    }
}

// −D_h W_h of q and D_h W_{h−1} of v, over their denominators; and v of the state after the last step that is weighted.
void DoublyRobustGradients::set_factors(const Estimate& estimate, const Segment& segment, std::size_t begin,
                                        std::size_t stop, double* factors) const {
    const ValueModel& model = *estimate.model;
    const std::size_t blocks = model.blocks(), count = std::min(segment.steps, estimate.what.horizon);
    for (std::size_t row = begin; row < std::min(stop, segment.first + count + 1); ++row, factors += width_) {
        const std::size_t h = row - segment.first;
        double of_value = 0;
        if (h < count) {
            const double discount = products_.discount[row];
            factors[model.block(row)] -= discount * products_.ratio[row] * estimate.shares.reward[h];
            of_value = discount * products_.ratio_before(segment, row) * estimate.shares.value[h];
        } else {
            of_value = products_.discount[row - 1] * products_.ratio[row - 1] * estimate.shares.reward[h - 1] *
                       log_.gamma[row - 1];
        }
        for (std::size_t a = 0; a < blocks; ++a) factors[a] += of_value * model.share(row, a);
    }
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
