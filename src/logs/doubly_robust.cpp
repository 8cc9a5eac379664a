#include "logs/doubly_robust.hpp"

#include <algorithm>
#include <deque>

namespace bellwether {

namespace {

// v_h and q_h by row of a step, by the weights that were learned without the fold of its segment; and v of the rows
// that close segments, by segment: such a row may be the first one of the next piece.
struct HeldOutValues {
    explicit HeldOutValues(const Log& log)
        : v(log.memory, log.rows()), q(log.memory, log.rows()), closing(log.memory, log.segments.size()) {}

    double after(std::size_t i, const Segment& segment, std::size_t row) const {
        return row + 1 == segment.first + segment.steps ? closing[i] : v[row + 1];
    }

    void set(const ValueModel& model, RowProducts& products, std::size_t i, const Segment& segment) {
        const std::size_t end = segment.first + segment.steps + (segment.ended ? 0 : 1);
        for (std::size_t begin = segment.first; begin < end; begin += RowProducts::rows_at_once) {
            const std::size_t stop = std::min(end, begin + RowProducts::rows_at_once);
            products.compute(begin, stop - 1);
            for (std::size_t row = begin; row < stop; ++row) {
                const double* const found = products.of(row);
                double value = 0;
                for (std::size_t a = 0; a < model.blocks(); ++a) value += model.share(row, a) * found[a];
                if (row == segment.first + segment.steps) {
                    closing[i] = value;
                    continue;
                }
                v[row] = value;
                q[row] = found[model.block(row)];
            }
        }
    }

    LongVector<double> v, q, closing;
};

// By step h: the ratios, and one over their denominators (0 where these are 0).
struct Ratios {
    Ratios(std::size_t horizon)
        : above(horizon), above_before(horizon), share(horizon), share_before(horizon), later(horizon + 1) {}

    std::vector<double> above, above_before;  // Σ_i of the numerators, then divided: θ_h
    std::vector<double> share, share_before;
    std::vector<double> later;  // what the frozen ratio of a segment that is over is multiplied by, from step h on
};

// One estimate along a segment.
class Walk {
public:
    Walk(const Log& log, const Products& products, const HeldOutValues& values, std::size_t horizon)
        : log_(log), products_(products), values_(values), horizon_(horizon) {}

    std::size_t steps(const Segment& segment) const { return std::min(segment.steps, horizon_); }

    // Whether the value of the state after the step stands in for what comes later.
    bool bootstraps(const Segment& segment, std::size_t h) const {
        return h + 1 == steps(segment) && (h + 1 < segment.steps || !segment.ended);
    }
    // D_h W_h (R + g_h − q_h)
    double reward_part(std::size_t i, const Segment& segment, std::size_t h) const {
        const std::size_t row = segment.first + h;
        const double after = bootstraps(segment, h) ? log_.gamma[row] * values_.after(i, segment, row) : 0;
        return products_.discount[row] * products_.ratio[row] * (log_.reward[row] + after - values_.q[row]);
    }
    // D_h W_{h−1} v_h
    double value_part(const Segment& segment, std::size_t h) const {
        const std::size_t row = segment.first + h;
        return products_.discount[row] * products_.ratio_before(segment, row) * values_.v[row];
    }

private:
    const Log& log_;
    const Products& products_;
    const HeldOutValues& values_;
    std::size_t horizon_;
};

double over(double above, double below) {
    return below > 0 ? above / below : 0;
}

// ∂estimate/∂w^(k), added up over the rows of a fold: what every row has x times, block by block and estimate by
// estimate.
class Gradient {
public:
    Gradient(const ValueModel& model, std::size_t estimates)
        : model_(model),
          width_(padded(estimates * model.blocks())),
          shares_(RowProducts::rows_at_once * width_),
          sums_(width_ * model.log().dimension) {}

    // The shares of one row, 0 at first.
    double* row(std::size_t row) {
        if (waiting_ == RowProducts::rows_at_once || (waiting_ > 0 && row != first_ + waiting_)) flush();
        if (waiting_ == 0) first_ = row;
        double* const shares = &shares_[waiting_++ * width_];
        std::fill_n(shares, width_, 0.0);
        return shares;
    }
    std::vector<double> of(std::size_t estimate) {
        flush();
        const std::size_t d = model_.log().dimension;
        std::vector<double> gradient(model_.dimension());
        for (std::size_t a = 0; a < model_.blocks(); ++a)
            for (std::size_t j = 0; j < d; ++j)
                gradient[a * d + j] = sums_[j * width_ + estimate * model_.blocks() + a];
        return gradient;
    }

private:
    void flush() {
        const std::size_t d = model_.log().dimension;
        if (waiting_ > 0)
            add_products(shares_.data(), {model_.log().x(first_).data(), 1, d}, waiting_, sums_.data(), width_, width_,
                         d);
        waiting_ = 0;
    }

    const ValueModel& model_;
    std::size_t width_, first_ = 0, waiting_ = 0;
    std::vector<double> shares_, sums_;
};

class DoublyRobustEstimates {
public:
    DoublyRobustEstimates(const Products& products, const ValueModel& model, std::span<const DoublyRobust> estimates)
        : log_(model.log()), products_(products), model_(model), estimates_(estimates), values_(log_) {
        for (const DoublyRobust& estimate : estimates) walks_.emplace_back(log_, products, values_, estimate.horizon);
    }

    std::vector<CrossFitted> run(const FoldWeights& fold_weights, std::size_t threads) {
        add_numerators(fold_weights, threads);
        std::vector<CrossFitted> results;
        for (std::size_t e = 0; e < estimates_.size(); ++e) {
            results.push_back({.effective = products_.least_ess(estimates_[e].horizon),
                               .influence = LongVector<double>(log_.memory, log_.segments.size())});
            results[e].value = divide(ratios_[e], estimates_[e]);
        }
        std::deque<Gradient> gradients;
        for (std::size_t k = 0; k < folds; ++k) gradients.emplace_back(model_, estimates_.size());
        for_each_segment_by_fold(log_, threads, [&](std::size_t fold, std::size_t i, const Segment& segment) {
            for (std::size_t e = 0; e < estimates_.size(); ++e) results[e].influence[i] = influence(e, i, segment);
            add_gradient(segment, gradients[fold]);
        });
        for (std::size_t e = 0; e < estimates_.size(); ++e)
            for (std::size_t k = 0; k < folds; ++k) results[e].gradient[k] = gradients[k].of(e);
        return results;
    }

private:
    // The values, and the sums of the numerators over all segments, fold by fold.
    void add_numerators(const FoldWeights& fold_weights, std::size_t threads) {
        std::vector<std::vector<Ratios>> by_fold(folds);
        std::deque<RowProducts> products;
        for (std::size_t k = 0; k < folds; ++k) {
            products.emplace_back(log_, fold_weights[k]);
            for (const DoublyRobust& estimate : estimates_) by_fold[k].emplace_back(estimate.horizon);
        }
        for_each_segment_by_fold(log_, threads, [&](std::size_t fold, std::size_t i, const Segment& segment) {
            values_.set(model_, products[fold], i, segment);
            for (std::size_t e = 0; e < estimates_.size(); ++e) {
                Ratios& ratios = by_fold[fold][e];
                for (std::size_t h = 0; h < walks_[e].steps(segment); ++h) {
                    ratios.above[h] += walks_[e].reward_part(i, segment, h);
                    ratios.above_before[h] += walks_[e].value_part(segment, h);
                }
            }
        });
        ratios_ = std::move(by_fold[0]);
        for (std::size_t k = 1; k < folds; ++k)
            for (std::size_t e = 0; e < estimates_.size(); ++e)
                for (std::size_t h = 0; h < estimates_[e].horizon; ++h) {
                    ratios_[e].above[h] += by_fold[k][e].above[h];
                    ratios_[e].above_before[h] += by_fold[k][e].above_before[h];
                }
    }

    // The estimate: the sum of the ratios.
    double divide(Ratios& ratios, const DoublyRobust& estimate) const {
        const std::size_t segments = log_.segments.size();
        double value = 0;
        for (std::size_t h = estimate.horizon; h-- > 0;) {
            const double n = static_cast<double>(segments);
            ratios.share[h] = over(1, estimate.weighted ? products_.sum[h] : n);
            ratios.share_before[h] = over(1, estimate.weighted ? products_.sum_before(h, segments) : n);
            ratios.above[h] *= ratios.share[h];
            ratios.above_before[h] *= ratios.share_before[h];
            value += ratios.above[h] + ratios.above_before[h];
            ratios.later[h] = ratios.later[h + 1] + ratios.above[h] * ratios.share[h] +
                              ratios.above_before[h] * ratios.share_before[h];
        }
        return value;
    }

    double influence(std::size_t e, std::size_t i, const Segment& segment) const {
        const Walk& walk = walks_[e];
        const Ratios& ratios = ratios_[e];
        double sum = 0, frozen = 1;
        for (std::size_t h = 0; h < walk.steps(segment); ++h) {
            const std::size_t row = segment.first + h;
            const bool weighted = estimates_[e].weighted;
            const double ratio = weighted ? products_.ratio[row] : 1;
            const double before = weighted ? products_.ratio_before(segment, row) : 1;
            sum += (walk.reward_part(i, segment, h) - ratio * ratios.above[h]) * ratios.share[h];
            sum += (walk.value_part(segment, h) - before * ratios.above_before[h]) * ratios.share_before[h];
            frozen = ratio;
        }
        return static_cast<double>(log_.segments.size()) * (sum - frozen * ratios.later[walk.steps(segment)]);
    }

    // q and v of a step, and v of the state after the last one that is weighted.
    void add_gradient(const Segment& segment, Gradient& to) const {
        const std::size_t blocks = model_.blocks(), rows = segment.steps + (segment.ended ? 0 : 1);
        for (std::size_t h = 0; h < rows; ++h) {
            const std::size_t row = segment.first + h;
            double* const shares = to.row(row);
            for (std::size_t e = 0; e < walks_.size(); ++e) {
                const Ratios& ratios = ratios_[e];
                double of_value = 0;
                if (h < walks_[e].steps(segment)) {
                    const double discount = products_.discount[row];
                    shares[e * blocks + model_.block(row)] -= discount * products_.ratio[row] * ratios.share[h];
                    of_value = discount * products_.ratio_before(segment, row) * ratios.share_before[h];
                } else if (h == walks_[e].steps(segment)) {
                    of_value = products_.discount[row - 1] * products_.ratio[row - 1] * ratios.share[h - 1] *
                               log_.gamma[row - 1];
                }
                if (of_value == 0) continue;
                for (std::size_t a = 0; a < blocks; ++a) shares[e * blocks + a] += of_value * model_.share(row, a);
            }
        }
    }

    const Log& log_;
    const Products& products_;
    const ValueModel& model_;
    std::span<const DoublyRobust> estimates_;
    HeldOutValues values_;
    std::vector<Walk> walks_;
    std::vector<Ratios> ratios_;
};

}  // namespace

std::vector<CrossFitted> doubly_robust(const Products& products, const ValueModel& model,
                                       const FoldWeights& fold_weights, std::span<const DoublyRobust> estimates,
                                       std::size_t threads) {
    return DoublyRobustEstimates(products, model, estimates).run(fold_weights, threads);
}

}  // namespace bellwether
