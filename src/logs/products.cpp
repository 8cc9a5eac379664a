#include "logs/products.hpp"

#include <algorithm>

namespace bellwether {

std::size_t Products::horizon(double least) const {
    const auto below = std::find_if(ess.begin(), ess.end(), [&](double size) { return !(size >= least); });
    return static_cast<std::size_t>(below - ess.begin());
}

double Products::least_ess(std::size_t steps) const {
    return *std::min_element(ess.begin(), ess.begin() + static_cast<std::ptrdiff_t>(steps));
}

Products products_of(const Log& log) {
    Products products;
    products.ratio = LongVector<double>(log.memory, log.rows());
    products.discount = LongVector<double>(log.memory, log.rows());
    for (const Segment& segment : log.segments) products.longest = std::max(products.longest, segment.steps);
    products.sum.assign(products.longest, 0);
    std::vector<double> squares(products.longest), frozen(products.longest + 1), frozen_squares(products.longest + 1);
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        double ratio = 1, discount = 1;
        for (std::size_t h = 0; h < segment.steps; ++h) {
            const std::size_t row = segment.first + h;
            ratio *= log.rho[row];
            products.ratio[row] = ratio;
            products.discount[row] = discount;
            discount *= log.gamma[row];
            products.sum[h] += ratio;
            squares[h] += ratio * ratio;
        }
        frozen[segment.steps] += ratio;
        frozen_squares[segment.steps] += ratio * ratio;
    });
    double sum = 0, sum_of_squares = 0;
    for (std::size_t h = 0; h < products.longest; ++h) {
        sum += frozen[h];
        sum_of_squares += frozen_squares[h];
        products.sum[h] += sum;
        squares[h] += sum_of_squares;
        products.ess.push_back(squares[h] > 0 ? products.sum[h] * products.sum[h] / squares[h] : 0);
    }
    return products;
}

double rest_of(const Log& log, const Products& products, std::size_t horizon) {
    if (horizon == 0) return 1;
    double rest = 0, weights = 0;
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        const std::size_t last = segment.first + std::min(segment.steps, horizon) - 1;
        rest += products.ratio[last] * products.discount[last] * log.gamma[last];
        weights += products.ratio[last];
    });
    return rest / weights;
}

}  // namespace bellwether
