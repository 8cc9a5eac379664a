#include "logs/doubly_robust.hpp"

#include <algorithm>

namespace bellwether {

namespace {

// The numerators of one step, h steps into its segment, and what their denominators are.
struct Terms {
    double reward_part;  // D_h W_h (R + g_h − q_h)
    double value_part;   // D_h W_{h−1} v_h
    double ratio;        // W_h
    double ratio_before;
};

class Walk {
public:
    Walk(const Log& log, const Products& products, const ValueModel& model, std::size_t horizon)
        : log_(log), products_(products), model_(model), horizon_(horizon) {}

    std::size_t steps(const Segment& segment) const { return std::min(segment.steps, horizon_); }

    // Whether the value of the state after the step stands in for what comes later.
    bool bootstraps(const Segment& segment, std::size_t h) const {
        return h + 1 == steps(segment) && (h + 1 < segment.steps || !segment.ended);
    }

    Terms terms(const Segment& segment, std::size_t h, std::span<const double> w) const {
        const std::size_t row = segment.first + h;
        const double discount = products_.discount[row], ratio = products_.ratio[row];
        const double before = products_.ratio_before(segment, row);
        const double after = bootstraps(segment, h) ? log_.gamma[row] * model_.value(row + 1, w) : 0;
        return {discount * ratio * (log_.reward[row] + after - model_.predicted(row, w)),
                discount * before * model_.value(row, w), ratio, before};
    }

    // to += ∂(reward_part · one + value_part · other)/∂w
    void add_gradient(const Segment& segment, std::size_t h, double one, double other, std::span<double> to) const {
        const std::size_t row = segment.first + h;
        const double discount = products_.discount[row];
        const double scale = one * discount * products_.ratio[row];
        model_.add_predicted(row, -scale, to);
        if (bootstraps(segment, h)) model_.add_value(row + 1, scale * log_.gamma[row], to);
        model_.add_value(row, other * discount * products_.ratio_before(segment, row), to);
    }

private:
    const Log& log_;
    const Products& products_;
    const ValueModel& model_;
    std::size_t horizon_;
};

double over(double above, double below) {
    return below > 0 ? above / below : 0;
}

}  // namespace

CrossFitted doubly_robust(const Log& log, const Products& products, const ValueModel& model,
                          const FoldWeights& fold_weights, std::size_t horizon, bool weighted) {
    const Walk walk(log, products, model, horizon);
    const std::size_t segments = log.segments.size();
    const auto n = static_cast<double>(segments);
    // Σ_i den_ih of both ratios.
    const auto below = [&](std::size_t h) { return weighted ? products.sum[h] : n; };
    const auto below_before = [&](std::size_t h) { return weighted ? products.sum_before(h, segments) : n; };

    std::vector<double> theta(horizon), theta_before(horizon);  // numerators' sums, then the ratios
    for (std::size_t i = 0; i < segments; ++i)
        for (std::size_t h = 0; h < walk.steps(log.segments[i]); ++h) {
            const Terms terms = walk.terms(log.segments[i], h, fold_weights[i % folds]);
            theta[h] += terms.reward_part;
            theta_before[h] += terms.value_part;
        }
    CrossFitted result{.estimate = {.effective = products.least_ess(horizon)}, .gradient = {}};
    // What the frozen ratio of a segment that is over is multiplied by, from step h on.
    std::vector<double> later(horizon + 1);
    for (std::size_t h = horizon; h-- > 0;) {
        theta[h] = over(theta[h], below(h));
        theta_before[h] = over(theta_before[h], below_before(h));
        result.estimate.value += theta[h] + theta_before[h];
        later[h] = later[h + 1] + over(theta[h], below(h)) + over(theta_before[h], below_before(h));
    }
    for (std::vector<double>& gradient : result.gradient) gradient.assign(model.dimension(), 0);
    for (std::size_t i = 0; i < segments; ++i) {
        const Segment& segment = log.segments[i];
        double sum = 0, frozen = 1;
        for (std::size_t h = 0; h < walk.steps(segment); ++h) {
            const Terms terms = walk.terms(segment, h, fold_weights[i % folds]);
            const double ratio = weighted ? terms.ratio : 1, before = weighted ? terms.ratio_before : 1;
            sum += over(terms.reward_part - ratio * theta[h], below(h));
            sum += over(terms.value_part - before * theta_before[h], below_before(h));
            walk.add_gradient(segment, h, over(1, below(h)), over(1, below_before(h)), result.gradient[i % folds]);
            frozen = ratio;
        }
        result.estimate.influence.push_back(n * (sum - frozen * later[walk.steps(segment)]));
    }
    return result;
}

}  // namespace bellwether
