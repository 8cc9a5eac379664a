#include "logs/returns.hpp"

namespace bellwether {

LongVector<double> corrected_returns(const Log& log, const FoldWeights& fold_weights) {
    LongVector<double> returns(log.memory, log.rows());
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        const std::vector<double>& w = fold_weights[i % folds];
        const std::size_t end = segment.first + segment.steps;
        double next = segment.ended ? 0 : dot(log.x(end), w);
        for (std::size_t row = end; row-- > segment.first;) {
            const double v = dot(log.x(row), w);
            returns[row] = next = v + log.rho[row] * (log.reward[row] + log.gamma[row] * next - v);
        }
    });
    return returns;
}

}  // namespace bellwether
