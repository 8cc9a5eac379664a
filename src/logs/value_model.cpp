#include "logs/value_model.hpp"

#include <deque>

namespace bellwether {

void Moments::add(const Moments& other) {
    A.add(other.A);
    for (std::size_t k = 0; k < b.size(); ++k) b[k] += other.b[k];
}

double ValueModel::value(std::size_t row, std::span<const double> w) const {
    if (of_ == Of::states) return dot(log_.x(row), w);
    const std::span<const double> policy = log_.target_of(row);
    double sum = 0;
    for (std::size_t a = 0; a < log_.actions; ++a)
        if (policy[a] != 0) sum += policy[a] * dot(log_.x(row), w.subspan(a * log_.dimension, log_.dimension));
    return sum;
}

void ValueModel::add_value(std::size_t row, double scale, std::span<double> to) const {
    if (of_ == Of::states) return add_scaled(scale, log_.x(row), to);
    const std::span<const double> policy = log_.target_of(row);
    for (std::size_t a = 0; a < log_.actions; ++a)
        if (policy[a] != 0) add_scaled(scale * policy[a], log_.x(row), to.subspan(a * log_.dimension, log_.dimension));
}

namespace {

// Adds up Σ_s u_s φ_sᵀ of segment after segment: Aᵀ, and bᵀ as one more row. Of states, the same without traces and
// x xᵀ below it. Rows of zeros follow up to a whole pack.
class FoldMoments {
public:
    FoldMoments(const ValueModel& model, double lambda)
        : model_(model),
          lambda_(lambda),
          rows_(padded(model.of() == ValueModel::Of::states ? 3 * model.dimension() + 2 : model.dimension() + 1)),
          u_(model.dimension()),
          factors_(model.blocks()),
          sums_(rows_ * model.dimension()) {
        const std::size_t d = model.log().dimension;
        const bool of_states = model.of() == ValueModel::Of::states;
        for (std::size_t a = 0; a < model.blocks(); ++a)
            products_.emplace_back(rows_, d, &sums_[a * d * rows_],
                                   of_states ? std::optional(2 * d + 2) : std::nullopt);
    }

    void add(const Segment& segment) {
        const Log& log = model_.log();
        const std::size_t d = log.dimension, dimension = model_.dimension();
        std::fill(u_.begin(), u_.end(), 0.0);
        const double* u = u_.data();  // of the step after, where it was left
        double reward = 0;
        for (std::size_t row = segment.first + segment.steps; row-- > segment.first;) {
            const double decay = model_.decay(segment, row, lambda_), weight = model_.weight(row);
            const bool goes_on = model_.bootstraps(segment, row);
            const double next = goes_on ? -weight * log.gamma[row] : 0;
            const std::span<const double> x = log.x(row), x_next = goes_on ? log.x(row + 1) : x;
            OuterProducts& products = products_[model_.block(row)];
            const std::span<double> z = products.z();
            for (std::size_t a = 0; a < factors_.size(); ++a)
                factors_[a] = {a == model_.block(row) ? weight : 0, goes_on ? next * model_.share(row + 1, a) : 0};
            set_decayed(decay, u, factors_, x, x_next, z.data());
            u = z.data();
            reward = decay * reward + weight * log.reward[row];
            z[dimension] = reward;
            if (model_.of() == ValueModel::Of::states) {
                set_decayed(0, x.data(), factors_, x, x_next, &z[d + 1]);
                z[2 * d + 1] = weight * log.reward[row];
                std::copy(x.begin(), x.end(), z.begin() + static_cast<std::ptrdiff_t>(2 * d + 2));
                products.add();
            } else {
                products.add(x);
            }
        }
    }

    void finish() { products_.clear(); }
    Moments moments() const { return part(0); }
    Moments without_traces() const { return part(model_.dimension() + 1); }
    void add_features(SquareMatrix& to) const {
        const std::size_t d = model_.dimension();
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) to.column(i)[j] += sums_[i * rows_ + 2 * d + 2 + j];
    }

private:
    Moments part(std::size_t first) const {
        const std::size_t dimension = model_.dimension();
        Moments moments(dimension);
        for (std::size_t i = 0; i < dimension; ++i) {
            for (std::size_t j = 0; j < dimension; ++j) moments.A.column(j)[i] = sums_[i * rows_ + first + j];
            moments.b[i] = sums_[i * rows_ + first + dimension];
        }
        return moments;
    }

    const ValueModel& model_;
    double lambda_;
    std::size_t rows_;
    std::vector<double> u_;
    std::vector<BlockFactors> factors_;
    std::vector<double> sums_;
    std::deque<OuterProducts> products_;  // by block
};

}  // namespace

LogMoments moments_of(const ValueModel& model, double lambda, std::size_t threads) {
    return std::move(moments_of({&model, 1}, lambda, threads).front());
}

std::vector<LogMoments> moments_of(std::span<const ValueModel> models, double lambda, std::size_t threads) {
    std::vector<std::deque<FoldMoments>> sums(models.size());
    for (std::size_t m = 0; m < models.size(); ++m)
        for (std::size_t k = 0; k < folds; ++k) sums[m].emplace_back(models[m], lambda);
    for_each_segment_by_fold(models.front().log(), threads, [&](std::size_t fold, std::size_t, const Segment& segment) {
        for (std::deque<FoldMoments>& of_model : sums) of_model[fold].add(segment);
    });
    std::vector<LogMoments> all;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const bool of_states = models[m].of() == ValueModel::Of::states;
        LogMoments& moments = all.emplace_back();
        moments.without_traces = Moments(of_states ? models[m].dimension() : 0);
        moments.features = SquareMatrix(of_states ? models[m].dimension() : 0);
        for (; !sums[m].empty(); sums[m].pop_front()) {
            FoldMoments& sum = sums[m].front();
            sum.finish();
            moments.by_fold.push_back(sum.moments());
            if (!of_states) continue;
            moments.without_traces.add(sum.without_traces());
            sum.add_features(moments.features);
        }
    }
    return all;
}

RowProducts::RowProducts(const Log& log, std::span<const double> vectors)
    : log_(log),
      count_(vectors.size() / log.dimension),
      vectors_(log.dimension * padded(count_)),
      products_((rows_at_once + 1) * padded(count_)) {
    for (std::size_t p = 0; p < count_; ++p)
        for (std::size_t j = 0; j < log.dimension; ++j)
            vectors_[j * padded(count_) + p] = vectors[p * log.dimension + j];
}

void RowProducts::compute(std::size_t first, std::size_t last) {
    first_ = first;
    const std::size_t rows = last - first + 1;
    std::fill_n(products_.begin(), rows * padded(count_), 0.0);
    add_products(vectors_.data(), {log_.x(first).data(), log_.dimension, 1}, log_.dimension, products_.data(),
                 padded(count_), count_, rows);
}

}  // namespace bellwether
