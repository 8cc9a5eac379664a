#include "logs/least_squares.hpp"

#include <algorithm>
#include <deque>

namespace bellwether {

double ridge_of(const SquareMatrix& feature_moments) {
    const double trace = feature_moments.trace();
    return trace > 0 ? 1e-9 * trace / static_cast<double>(feature_moments.size) : 1;  // no features: w = 0
}

LeastSquares::LeastSquares(const ValueModel& model, const LogMoments& moments, double lambda, double ridge)
    : log_(model.log()), model_(model), lambda_(lambda), scatter_(0) {
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
    if (of_states()) {
        plain_solver_.emplace(moments.without_traces.A, ridge);
        plain_weights_ = plain_solver_->solve(moments.without_traces.b);
    }
}

// b_i − A_i w of one segment of a fold after the other, for w, for the w^(k) of the other folds, and, of states, for w
// without traces. Σ_t z_t e_t = Σ_s φ_s g_s with g_s = e_s + decay_s g_{s+1}. The fold's own w^(k) gives the values of
// its steps.
class LeastSquares::FoldErrors {
public:
    static constexpr std::size_t others = folds - 1, sets = 1 + others;

    FoldErrors(const LeastSquares& own, std::size_t fold, std::span<const double> plain_y, HeldOutValues& held_out)
        : model_(own.model_),
          log_(own.log_),
          lambda_(own.lambda_),
          held_out_(held_out),
          values_(log_, vectors(own, fold, plain_y)),
          steps_(RowProducts::rows_at_once),
          errors_(RowProducts::rows_at_once * lanes),
          values_of_states_(by_blocks() ? RowProducts::rows_at_once * lanes : 0),
          sums_(model_.dimension() * lanes) {
        const std::size_t d = log_.dimension;
        if (by_blocks())
            for (std::size_t a = 0; a < model_.blocks(); ++a) products_.emplace_back(lanes, d, &sums_[a * d * lanes]);
    }

    // The fold whose weights are set p > 0 of fold `fold`.
    static std::size_t other(std::size_t fold, std::size_t p) { return p - 1 < fold ? p - 1 : p; }

    void add(std::size_t i, const Segment& segment) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        plain_ = 0;
        Pack g{}, next{};  // of the step after, and v there
        const std::size_t end = segment.first + segment.steps;
        // The part of rows `begin` … `stop` − 1; with the last one, the row that closes the segment.
        for (std::size_t stop = end; stop > segment.first;) {
            const std::size_t begin = stop - std::min<std::size_t>(stop - segment.first, RowProducts::rows_at_once);
            const bool closing = stop == end && !segment.ended;
            values_.compute(begin, closing ? stop : stop - 1);
            if (closing) {
                set_values(stop, next);
                held_out_.set_closing(i, next[own_set]);
            }
            take(segment, begin, stop, g, next);
            stop = begin;
        }
        for (OuterProducts& products : products_) products.flush();
    }

    // b_i − A_i w of set p is sums()[j · lanes + p].
    std::span<const double> sums() const { return sums_; }
    double plain_influence() const { return plain_; }  // yᵀ(b_i − A_i w) without traces

private:
    using Pack = std::array<double, lanes>;  // by set, and
    // the fold's own; of states, x·w and x·y without traces
    static constexpr std::size_t own_set = sets, plain_set = sets + 1, plain_y_set = sets + 2;
    static_assert(plain_y_set < lanes);

    bool by_blocks() const { return model_.of() == ValueModel::Of::actions; }

    // Rows `begin` … `stop` − 1, after `next` and g.
    void take(const Segment& segment, std::size_t begin, std::size_t stop, Pack& g, Pack& next) {
        const double plain_next = next[plain_set];
        for (std::size_t row = begin; row < stop; ++row)
            steps_[row - begin] = {model_.weight(row), log_.reward[row],
                                   model_.bootstraps(segment, row) ? log_.gamma[row] : 0,
                                   model_.decay(segment, row, lambda_), model_.block(row)};
        set_errors({steps_.data(), stop - begin}, values_.of(begin), model_.blocks(),
                   by_blocks() ? log_.target_of(begin).data() : nullptr, next.data(), g.data(), errors_.data(),
                   values_of_states_.data());
        if (by_blocks())
            take_blocks(begin, stop);
        else
            take_states(begin, stop, plain_next);
    }

    void take_states(std::size_t begin, std::size_t stop, double plain_next) {
        add_products(errors_.data(), {log_.x(begin).data(), 1, log_.dimension}, stop - begin, sums_.data(), lanes,
                     lanes, log_.dimension);
        for (std::size_t row = stop; row-- > begin;) {
            const double* const q = values_.of(row);
            const ErrorStep& step = steps_[row - begin];
            held_out_.set(row, q[own_set], q[own_set]);
            plain_ += q[plain_y_set] * step.weight * (step.reward + step.gamma * plain_next - q[plain_set]);
            plain_next = q[plain_set];
        }
    }

    void take_blocks(std::size_t begin, std::size_t stop) {
        for (std::size_t row = stop; row-- > begin;) {
            const std::size_t block = steps_[row - begin].block, place = (row - begin) * lanes;
            std::copy_n(&errors_[place], lanes, products_[block].z().data());
            products_[block].add(log_.x(row));
            held_out_.set(row, values_of_states_[place + own_set], values_.of(row)[block * lanes + own_set]);
        }
    }

    // Block by block, those of the sets.
    static std::vector<double> vectors(const LeastSquares& own, std::size_t fold, std::span<const double> plain_y) {
        const std::size_t d = own.log_.dimension, blocks = own.model_.blocks();
        std::vector<double> all(blocks * lanes * d);
        for (std::size_t a = 0; a < blocks; ++a) {
            const auto set = [&](std::size_t p, std::span<const double> w) {
                std::copy_n(w.begin() + static_cast<std::ptrdiff_t>(a * d), d, &all[(a * lanes + p) * d]);
            };
            set(0, own.weights_);
            for (std::size_t p = 1; p < sets; ++p) set(p, own.fold_weights_[other(fold, p)]);
            set(own_set, own.fold_weights_[fold]);
            if (!own.of_states()) continue;
            set(plain_set, own.plain_weights_);
            set(plain_y_set, plain_y);
        }
        return all;
    }

    void set_values(std::size_t row, Pack& v) const {
        const double* const found = values_.of(row);
        v.fill(0);
        for (std::size_t a = 0; a < model_.blocks(); ++a) {
            const double share = model_.share(row, a);
            for (std::size_t p = 0; p < lanes; ++p) v[p] += share * found[a * lanes + p];
        }
    }

    const ValueModel& model_;
    const Log& log_;
    double lambda_;
    HeldOutValues& held_out_;
    RowProducts values_;
    std::vector<ErrorStep> steps_;
    AlignedNumbers errors_, values_of_states_;  // of some rows; the second of actions
    std::vector<double> sums_;
    std::deque<OuterProducts> products_;  // by block of actions
    double plain_ = 0;
};

// While they are added up.
struct LeastSquares::Influences {
    std::span<CrossFitted> others;
    std::vector<double> start, y;
    LongVector<double> own, plain;
    std::deque<FoldErrors> errors;
    // By fold: what b_i − A_i w of every set is multiplied by, for one estimate after the other.
    std::array<std::vector<double>, folds> y_of_others;
    std::vector<SquareMatrix> scatter;
    std::deque<OuterProducts> scattered;
};

LeastSquares::LeastSquares(LeastSquares&&) noexcept = default;
LeastSquares::~LeastSquares() = default;

void LeastSquares::start_influences(const Starts& starts, std::span<CrossFitted> others, HeldOutValues& held_out) {
    const std::size_t dimension = model_.dimension();
    std::vector<double> start = mean_start(log_, model_, starts);
    std::vector<double> y = solver_->solve_transposed(start);
    const std::vector<double> plain_y = of_states() ? plain_solver_->solve_transposed(start) : std::vector<double>();
    influences_.reset(new Influences{
        .others = others,
        .start = std::move(start),
        .y = std::move(y),
        .own = start_deviations(log_, model_, starts, weights_),
        .plain = of_states() ? start_deviations(log_, model_, starts, plain_weights_) : LongVector<double>(log_.memory),
        .errors = {},
        .y_of_others = {},
        .scatter = std::vector<SquareMatrix>(folds, SquareMatrix(of_states() ? dimension : 0)),
        .scattered = {}});
    for (std::size_t fold = 0; fold < folds; ++fold) {
        SquareMatrix& scatter = influences_->scatter[fold];
        influences_->errors.emplace_back(*this, fold, plain_y, held_out);
        influences_->scattered.emplace_back(scatter.size, scatter.size, scatter.entries.data(), 0);
        influences_->y_of_others[fold].resize(others.size() * dimension * lanes);
    }
    for (std::size_t e = 0; e < others.size(); ++e)
        for (std::size_t k = 0; k < folds; ++k) {
            const std::vector<double> of_fold = fold_solvers_[k].solve_transposed(others[e].gradient[k]);
            for (std::size_t fold = 0; fold < folds; ++fold)
                for (std::size_t p = 1; p < FoldErrors::sets; ++p)
                    if (FoldErrors::other(fold, p) == k)
                        for (std::size_t j = 0; j < dimension; ++j)
                            influences_->y_of_others[fold][(e * dimension + j) * lanes + p] = of_fold[j];
        }
}

void LeastSquares::add_influence(std::size_t fold, std::size_t i, const Segment& segment) {
    const auto n = static_cast<double>(log_.segments.size());
    FoldErrors& errors = influences_->errors[fold];
    errors.add(i, segment);
    const std::span<const double> sums = errors.sums();
    for (std::size_t e = 0; e < influences_->others.size(); ++e)
        influences_->others[e].influence[i] +=
            n * dot(sums, std::span(influences_->y_of_others[fold]).subspan(e * sums.size(), sums.size()));
    double own = 0;
    for (std::size_t j = 0; j < model_.dimension(); ++j) own += influences_->y[j] * sums[j * lanes];
    influences_->own[i] += n * own;
    if (!of_states()) return;
    influences_->plain[i] += n * errors.plain_influence();
    const std::span<double> z = influences_->scattered[fold].z();
    for (std::size_t j = 0; j < model_.dimension(); ++j) z[j] = sums[j * lanes];
    influences_->scattered[fold].add();
}

void LeastSquares::finish_influences() {
    const auto n = static_cast<double>(log_.segments.size());
    influences_->scattered.clear();
    scatter_ = SquareMatrix(of_states() ? model_.dimension() : 0);
    for (const SquareMatrix& of_fold : influences_->scatter) scatter_.add(of_fold);
    const std::vector<double>& start = influences_->start;
    estimate_ = {.value = dot(start, weights_), .influence = by_group(influences_->own), .effective = n};
    if (of_states())
        without_traces_ = {
            .value = dot(start, plain_weights_), .influence = by_group(influences_->plain), .effective = n};
    influences_.reset();
}

SquareMatrix LeastSquares::covariance(const Basis& span) const {
    const auto n = static_cast<double>(log_.segments.size());
    SquareMatrix covariance = solver_->sandwich(scatter_, span);
    for (double& entry : covariance.entries) entry *= n / (n - 1);
    return covariance;
}

}  // namespace bellwether
