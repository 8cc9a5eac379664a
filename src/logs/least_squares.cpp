#include "logs/least_squares.hpp"

namespace bellwether {

SquareMatrix feature_moments(const Log& log) {
    SquareMatrix sum(log.dimension);
    {
        OuterProducts products(log.dimension, sum.entries.data());
        for (const Segment& segment : log.segments)
            for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
                products.add(log.x(row), log.x(row));
    }
    return sum;
}

double ridge_of(const SquareMatrix& feature_moments) {
    const double trace = feature_moments.trace();
    return trace > 0 ? 1e-9 * trace / static_cast<double>(feature_moments.size) : 1;  // no features: w = 0
}

LeastSquares::LeastSquares(const Log& log, ValueModel::Of of, double lambda, double ridge)
    : log_(log), model_(log, of), lambda_(lambda), scatter_(model_.dimension()) {
    const std::vector<Moments> by_fold = model_.moments_by_fold(lambda);
    Moments all(model_.dimension());
    for (const Moments& fold : by_fold) all.add(fold);
    solver_.emplace(all.A, ridge);
    weights_ = solver_->solve(all.b);
    for (std::size_t k = 0; k < folds; ++k) {
        Moments rest(model_.dimension());
        for (std::size_t other = 0; other < folds; ++other)
            if (other != k) rest.add(by_fold[other]);
        fold_solvers_.emplace_back(rest.A, ridge);
        fold_weights_[k] = fold_solvers_[k].solve(rest.b);
    }
}

PolicyEstimate LeastSquares::finish(const Starts& starts, std::span<CrossFitted> others) {
    const auto n = static_cast<double>(log_.segments.size());
    const std::size_t dimension = model_.dimension();
    const std::vector<double> start = mean_start(log_, model_, starts);
    const std::vector<double> y = solver_->solve_transposed(start);
    std::vector<FoldWeights> y_of_others(others.size());
    for (std::size_t e = 0; e < others.size(); ++e)
        for (std::size_t k = 0; k < folds; ++k)
            y_of_others[e][k] = fold_solvers_[k].solve_transposed(others[e].gradient[k]);

    PolicyEstimate estimate{
        .value = dot(start, weights_), .influence = start_deviations(log_, model_, starts, weights_), .effective = n};
    // c = b_i − A_i w, and the same with w^(k) for every fold but the segment's own.
    std::vector<double> z(dimension), c(dimension);
    FoldWeights c_of_fold;
    OuterProducts scatter(dimension, scatter_.entries.data());
    for (std::size_t i = 0; i < log_.segments.size(); ++i) {
        const Segment& segment = log_.segments[i];
        c.assign(dimension, 0);
        for (std::vector<double>& one : c_of_fold) one.assign(dimension, 0);
        model_.for_each_trace(segment, lambda_, z, [&](std::size_t row, std::span<const double> trace) {
            add_scaled(model_.error(segment, row, weights_), trace, c);
            for (std::size_t k = 0; k < folds && !others.empty(); ++k)
                if (k != i % folds) add_scaled(model_.error(segment, row, fold_weights_[k]), trace, c_of_fold[k]);
        });
        estimate.influence[i] += n * dot(c, y);
        for (std::size_t e = 0; e < others.size(); ++e)
            for (std::size_t k = 0; k < folds; ++k)
                if (k != i % folds) others[e].estimate.influence[i] += n * dot(c_of_fold[k], y_of_others[e][k]);
        if (model_.of() == ValueModel::Of::states) scatter.add(c, c);
    }
    return estimate;
}

SquareMatrix LeastSquares::covariance() const {
    const auto n = static_cast<double>(log_.segments.size());
    SquareMatrix covariance = solver_->sandwich(scatter_);
    for (double& entry : covariance.entries) entry *= n / (n - 1);
    return covariance;
}

PolicyEstimate plain_least_squares(const Log& log, ValueModel::Of of, double lambda, double ridge,
                                   const Starts& starts) {
    const ValueModel model(log, of);
    const Moments all = model.moments(lambda);
    const Solver solver(all.A, ridge);
    const std::vector<double> w = solver.solve(all.b), start = mean_start(log, model, starts);
    const std::vector<double> y = solver.solve_transposed(start);
    const auto n = static_cast<double>(log.segments.size());
    PolicyEstimate estimate{
        .value = dot(start, w), .influence = start_deviations(log, model, starts, w), .effective = n};
    std::vector<double> z(model.dimension());
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        const Segment& segment = log.segments[i];
        model.for_each_trace(segment, lambda, z, [&](std::size_t row, std::span<const double> trace) {
            estimate.influence[i] += n * dot(trace, y) * model.error(segment, row, w);
        });
    }
    return estimate;
}

}  // namespace bellwether
