#include "logs/importance_sampling.hpp"

namespace bellwether {

namespace {

// One ratio over segments.
PolicyEstimate ratio(std::string_view name, std::span<const double> numerators, std::span<const double> denominators,
                     double effective) {
    double above = 0, below = 0;
    for (const double number : numerators) above += number;
    for (const double number : denominators) below += number;
    PolicyEstimate estimate{.name = name, .value = below > 0 ? above / below : 0, .effective = effective};
    const auto n = static_cast<double>(numerators.size());
    std::vector<double> influence(numerators.size());
    for (std::size_t i = 0; i < numerators.size() && below > 0; ++i)
        influence[i] = n * (numerators[i] - denominators[i] * estimate.value) / below;
    estimate.influence = by_group(influence);
    return estimate;
}

double last_ratio(const Segment& segment, const Products& products) {
    return products.ratio[segment.first + segment.steps - 1];
}

std::vector<double> weighted_returns(const Log& log, const Products& products) {
    std::vector<double> returns = returns_by_segment(log, products);
    for_each_segment(log, [&](std::size_t i, const Segment& segment) { returns[i] *= last_ratio(segment, products); });
    return returns;
}

std::vector<double> ones(const Log& log) {
    return std::vector<double>(log.segments.size(), 1.0);
}

}  // namespace

std::vector<double> returns_by_segment(const Log& log, const Products& products) {
    std::vector<double> returns(log.segments.size());
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            returns[i] += products.discount[row] * log.reward[row];
    });
    return returns;
}

PolicyEstimate importance_sampling(const Log& log, const Products& products) {
    return ratio("is", weighted_returns(log, products), ones(log), products.ess.back());
}

PolicyEstimate weighted_importance_sampling(const Log& log, const Products& products) {
    std::vector<double> ratios(log.segments.size());
    for_each_segment(log, [&](std::size_t i, const Segment& segment) { ratios[i] = last_ratio(segment, products); });
    return ratio("wis", weighted_returns(log, products), ratios, products.ess.back());
}

PolicyEstimate per_decision(const Log& log, const Products& products) {
    std::vector<double> sums(log.segments.size());
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            sums[i] += products.discount[row] * products.ratio[row] * log.reward[row];
    });
    return ratio("pdis", sums, ones(log), products.least_ess(products.longest));
}

PolicyEstimate weighted_per_decision(const Log& log, const Products& products) {
    std::vector<double> theta(products.longest);  // Σ_i num_ih, then θ_h
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        for (std::size_t h = 0; h < segment.steps; ++h) {
            const std::size_t row = segment.first + h;
            theta[h] += products.discount[row] * products.ratio[row] * log.reward[row];
        }
    });
    PolicyEstimate estimate{.name = "wpdis", .effective = products.least_ess(products.longest)};
    std::vector<double> later(products.longest + 1);  // Σ_{j≥h} θ_j / Σ_i W_ij: what a frozen W is multiplied by
    for (std::size_t h = products.longest; h-- > 0;) {
        theta[h] = products.sum[h] > 0 ? theta[h] / products.sum[h] : 0;
        later[h] = later[h + 1] + (products.sum[h] > 0 ? theta[h] / products.sum[h] : 0);
        estimate.value += theta[h];
    }
    const auto n = static_cast<double>(log.segments.size());
    std::vector<double> influence(log.segments.size());
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        double sum = 0;
        for (std::size_t h = 0; h < segment.steps; ++h) {
            const std::size_t row = segment.first + h;
            if (products.sum[h] > 0)
                sum += products.ratio[row] * (products.discount[row] * log.reward[row] - theta[h]) / products.sum[h];
        }
        influence[i] = n * (sum - last_ratio(segment, products) * later[segment.steps]);
    });
    estimate.influence = by_group(influence);
    return estimate;
}

}  // namespace bellwether
