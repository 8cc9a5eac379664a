#include "logs/least_squares.hpp"

#include <deque>

namespace bellwether {

double ridge_of(const SquareMatrix& feature_moments) {
    const double trace = feature_moments.trace();
    return trace > 0 ? 1e-9 * trace / static_cast<double>(feature_moments.size) : 1;  // no features: w = 0
}

LeastSquares::LeastSquares(const ValueModel& model, const LogMoments& moments, double lambda, double ridge,
                           std::size_t threads)
    : log_(model.log()), model_(model), lambda_(lambda), threads_(threads), scatter_(0) {
    Moments all(model_.dimension());
    for (const Moments& fold : moments.by_fold) all.add(fold);
    solver_.emplace(all.A, ridge);
    weights_ = solver_->solve(all.b);
    for (std::size_t k = 0; k < folds; ++k) {
        Moments rest(model_.dimension());
        for (std::size_t other = 0; other < folds; ++other)
            if (other != k) rest.add(moments.by_fold[other]);
        fold_solvers_.emplace_back(rest.A, ridge);
        fold_weights_[k] = fold_solvers_[k].solve(rest.b);
    }
    if (model_.of() == ValueModel::Of::states) {
        plain_solver_.emplace(moments.without_traces.A, ridge);
        plain_weights_ = plain_solver_->solve(moments.without_traces.b);
    }
}

// b_i − A_i w of one segment of a fold after the other, for w, for the w^(k) of the other folds, and, of states, for w
// without traces. Σ_t z_t e_t = Σ_s φ_s g_s with g_s = e_s + decay_s g_{s+1}.
class LeastSquares::FoldErrors {
public:
    static constexpr std::size_t others = folds - 1, sets = 1 + others;

    FoldErrors(const LeastSquares& own, std::size_t fold, std::span<const double> plain_y)
        : model_(own.model_),
          log_(own.log_),
          lambda_(own.lambda_),
          values_(log_, vectors(own, fold, plain_y)),
          errors_(RowProducts::rows_at_once * lanes),
          sums_(model_.dimension() * lanes) {}

    // The fold whose weights are set p > 0 of fold `fold`.
    static std::size_t other(std::size_t fold, std::size_t p) { return p - 1 < fold ? p - 1 : p; }

    void add(const Segment& segment) {
        const std::size_t d = log_.dimension;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        plain_ = 0;
        Pack g{}, next{};  // of the step after, and v there
        double next_plain = 0;
        const std::size_t end = segment.first + segment.steps;
        // The part of rows `begin` … `stop` − 1; with the last one, the row that closes the segment.
        for (std::size_t stop = end; stop > segment.first;) {
            const std::size_t begin = stop - std::min<std::size_t>(stop - segment.first, RowProducts::rows_at_once);
            const bool closing = stop == end && !segment.ended;
            values_.compute(begin, closing ? stop : stop - 1);
            if (closing) {
                set_values(stop, next);
                if (plain()) next_plain = values_.of(stop)[sets];
            }
            for (std::size_t row = stop; row-- > begin;) {
                const double weight = model_.weight(row), reward = log_.reward[row];
                const double gamma = model_.bootstraps(segment, row) ? log_.gamma[row] : 0;
                const double decay = model_.decay(segment, row, lambda_);
                const double* const found = values_.of(row);
                const std::size_t block = model_.block(row), blocks = model_.blocks();
                double* const error = &errors_[(row - begin) * lanes];
                for (std::size_t p = 0; p < sets; ++p)
                    error[p] = g[p] = weight * (reward + gamma * next[p] - found[p * blocks + block]) + decay * g[p];
                set_values(row, next);
                if (plain()) {
                    plain_ += found[sets + 1] * weight * (reward + gamma * next_plain - found[sets]);
                    next_plain = found[sets];
                }
                if (blocks > 1)
                    add_products(error, {log_.x(row).data(), 1, d}, 1, &sums_[block * d * lanes], lanes, lanes, d);
            }
            if (model_.blocks() == 1)
                add_products(errors_.data(), {log_.x(begin).data(), 1, d}, stop - begin, sums_.data(), lanes, lanes, d);
            stop = begin;
        }
    }

    // b_i − A_i w of set p is sums()[j · lanes + p].
    std::span<const double> sums() const { return sums_; }
    double plain_influence() const { return plain_; }  // yᵀ(b_i − A_i w) without traces

private:
    using Pack = std::array<double, sets>;

    bool plain() const { return model_.of() == ValueModel::Of::states; }

    static std::vector<double> vectors(const LeastSquares& own, std::size_t fold, std::span<const double> plain_y) {
        std::vector<double> all = own.weights_;
        for (std::size_t p = 1; p < sets; ++p) {
            const std::vector<double>& w = own.fold_weights_[other(fold, p)];
            all.insert(all.end(), w.begin(), w.end());
        }
        all.insert(all.end(), own.plain_weights_.begin(), own.plain_weights_.end());
        all.insert(all.end(), plain_y.begin(), plain_y.end());
        return all;
    }

    void set_values(std::size_t row, Pack& v) const {
        const double* const found = values_.of(row);
        const std::size_t blocks = model_.blocks();
        for (std::size_t p = 0; p < sets; ++p) {
            v[p] = 0;
            for (std::size_t a = 0; a < blocks; ++a) v[p] += model_.share(row, a) * found[p * blocks + a];
        }
    }

    const ValueModel& model_;
    const Log& log_;
    double lambda_;
    RowProducts values_;
    std::vector<double> errors_, sums_;
    double plain_ = 0;
};

void LeastSquares::finish(const Starts& starts, std::span<CrossFitted> cross_fitted) {
    const std::size_t segments = log_.segments.size(), dimension = model_.dimension();
    const auto n = static_cast<double>(segments);
    const bool of_states = model_.of() == ValueModel::Of::states;
    const std::vector<double> start = mean_start(log_, model_, starts);
    const std::vector<double> y = solver_->solve_transposed(start);
    const std::vector<double> plain_y = of_states ? plain_solver_->solve_transposed(start) : std::vector<double>();

    LongVector<double> influence = start_deviations(log_, model_, starts, weights_);
    LongVector<double> plain_influence(log_.memory);
    if (of_states) plain_influence = start_deviations(log_, model_, starts, plain_weights_);
    // By fold: what b_i − A_i w of every set is multiplied by, for one estimate after the other.
    std::array<std::vector<double>, folds> y_of_others;
    std::deque<FoldErrors> errors;
    std::vector<SquareMatrix> scatter(folds, SquareMatrix(of_states ? dimension : 0));
    std::deque<OuterProducts> scattered;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        errors.emplace_back(*this, fold, plain_y);
        scattered.emplace_back(scatter[fold].size, scatter[fold].size, scatter[fold].entries.data());
        y_of_others[fold].resize(cross_fitted.size() * dimension * lanes);
    }
    for (std::size_t e = 0; e < cross_fitted.size(); ++e)
        for (std::size_t k = 0; k < folds; ++k) {
            const std::vector<double> of_fold = fold_solvers_[k].solve_transposed(cross_fitted[e].gradient[k]);
            for (std::size_t fold = 0; fold < folds; ++fold)
                for (std::size_t p = 1; p < FoldErrors::sets; ++p)
                    if (FoldErrors::other(fold, p) == k)
                        for (std::size_t j = 0; j < dimension; ++j)
                            y_of_others[fold][(e * dimension + j) * lanes + p] = of_fold[j];
        }

    for_each_segment_by_fold(log_, threads_, [&](std::size_t fold, std::size_t i, const Segment& segment) {
        errors[fold].add(segment);
        const std::span<const double> sums = errors[fold].sums();
        for (std::size_t e = 0; e < cross_fitted.size(); ++e)
            cross_fitted[e].influence[i] +=
                n * dot(sums, std::span(y_of_others[fold]).subspan(e * sums.size(), sums.size()));
        double own = 0;
        for (std::size_t j = 0; j < dimension; ++j) own += y[j] * sums[j * lanes];
        influence[i] += n * own;
        if (!of_states) return;
        plain_influence[i] += n * errors[fold].plain_influence();
        const std::span<double> z = scattered[fold].z();
        for (std::size_t j = 0; j < dimension; ++j) z[j] = sums[j * lanes];
        scattered[fold].add(z);
    });
    scattered.clear();
    scatter_ = SquareMatrix(of_states ? dimension : 0);
    for (const SquareMatrix& of_fold : scatter) scatter_.add(of_fold);
    estimate_ = {.value = dot(start, weights_), .influence = by_group(influence), .effective = n};
    if (of_states)
        without_traces_ = {.value = dot(start, plain_weights_), .influence = by_group(plain_influence), .effective = n};
}

SquareMatrix LeastSquares::covariance() const {
    const auto n = static_cast<double>(log_.segments.size());
    SquareMatrix covariance = solver_->sandwich(scatter_);
    for (double& entry : covariance.entries) entry *= n / (n - 1);
    return covariance;
}

}  // namespace bellwether
