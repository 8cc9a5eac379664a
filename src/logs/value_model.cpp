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
// x xᵀ below it. Each of these, and each block of actions where that takes hardly more rows, begins with a whole pack;
// rows of zeros lie between them.
class FoldMoments {
public:
    FoldMoments(const ValueModel& model, double lambda)
        : model_(model),
          lambda_(lambda),
          of_states_(model.of() == ValueModel::Of::states),
          by_block_(rows_of_block(model)),
          reward_(by_block_ > model.log().dimension ? model.log().dimension : model.dimension()),
          part_(padded(std::max(reward_ + 1, by_block_ * model.blocks()))),
          rows_(of_states_ ? 2 * part_ + padded(model.dimension()) : part_),
          u_(part_),
          steps_(RowProducts::rows_at_once),
          factors_(model.blocks()),
          sums_(rows_ * model.dimension()) {
        const std::size_t d = model.log().dimension;
        for (std::size_t a = 0; a < model.blocks(); ++a)
            products_.emplace_back(rows_, d, &sums_[a * d * rows_],
                                   of_states_ ? std::optional(2 * part_) : std::nullopt);
    }

    void add(const Segment& segment) {
        std::fill(u_.begin(), u_.end(), 0.0);
        const double* u = u_.data();  // of the step after, where it was left
        double reward = 0;
        for (std::size_t stop = segment.first + segment.steps; stop > segment.first;) {
            const std::size_t begin = stop - std::min(stop - segment.first, steps_.size());
            set_steps(segment, begin, stop);
            for (std::size_t row = stop; row-- > begin;) u = take(steps_[row - begin], row, u, reward);
            stop = begin;
        }
    }

    void finish() { products_.clear(); }
    Moments moments() const { return part(0); }
    Moments without_traces() const { return part(part_); }
    void add_features(SquareMatrix& to) const {
        const std::size_t d = model_.dimension();
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) to.column(i)[j] += sums_[i * rows_ + 2 * part_ + j];
    }

private:
    struct Step {
        double decay, weight, next, reward;  // next: −weight γ
        std::size_t block;
        bool goes_on;
    };

    // Of rows `begin` … `stop` − 1, apart from what is done with them: they come one after the other from memory.
    void set_steps(const Segment& segment, std::size_t begin, std::size_t stop) {
        const Log& log = model_.log();
        for (std::size_t row = begin; row < stop; ++row) {
            const double weight = model_.weight(row);
            const bool goes_on = model_.bootstraps(segment, row);
            steps_[row - begin] = {model_.decay(segment, row, lambda_),
                                   weight,
                                   goes_on ? -weight * log.gamma[row] : 0,
                                   weight * log.reward[row],
                                   model_.block(row),
                                   goes_on};
        }
    }

    // u of the step, where it stays until the next one.
    const double* take(const Step& step, std::size_t row, const double* u, double& reward) {
        const Log& log = model_.log();
        const std::span<const double> x = log.x(row), x_next = step.goes_on ? log.x(row + 1) : x;
        OuterProducts& products = products_[step.block];
        double* const z = products.z().data();
        reward = step.decay * reward + step.reward;
        z[reward_] = reward;
        if (of_states_) {
            set_decayed_and_plain(step.decay, u, {step.weight, step.next}, x, x_next, z, z + part_, z + 2 * part_);
            z[part_ + reward_] = step.reward;
            products.add();
            return z;
        }
        for (std::size_t a = 0; a < factors_.size(); ++a)
            factors_[a] = {a == step.block ? step.weight : 0, step.goes_on ? step.next * model_.share(row + 1, a) : 0};
        set_decayed(step.decay, u, factors_, by_block_, x, x_next, z);
        products.add(x);
        return z;
    }

    static std::size_t rows_of_block(const ValueModel& model) {
        const std::size_t d = model.log().dimension, blocks = model.blocks();
        return 8 * padded(d) * blocks <= 9 * padded(d * blocks + 1) ? padded(d) : d;
    }

    Moments part(std::size_t first) const {
        const std::size_t d = model_.log().dimension, dimension = model_.dimension();
        Moments moments(dimension);
        for (std::size_t i = 0; i < dimension; ++i) {
            const double* const sums = &sums_[i * rows_ + first];
            for (std::size_t j = 0; j < dimension; ++j) moments.A.column(j)[i] = sums[j / d * by_block_ + j % d];
            moments.b[i] = sums[reward_];
        }
        return moments;
    }

    const ValueModel& model_;
    double lambda_;
    bool of_states_;
    std::size_t by_block_;     // rows from one block of u to the next
    std::size_t reward_;       // the row of b
    std::size_t part_, rows_;  // of A and b, and of all
    AlignedNumbers u_;
    std::vector<Step> steps_;  // of some rows
    std::vector<BlockFactors> factors_;
    AlignedNumbers sums_;
    std::deque<OuterProducts> products_;  // by block
};

}  // namespace

LogMoments moments_of(const ValueModel& model, double lambda, std::size_t threads) {
    return std::move(moments_of({&model, 1}, lambda, threads, [](std::size_t, const Segment&) {}).front());
}

std::vector<LogMoments> moments_of(std::span<const ValueModel> models, double lambda, std::size_t threads,
                                   const std::function<void(std::size_t, const Segment&)>& beside,
                                   const PassWatch& watch) {
    std::vector<std::deque<FoldMoments>> sums(models.size());
    for (std::size_t m = 0; m < models.size(); ++m)
        for (std::size_t k = 0; k < folds; ++k) sums[m].emplace_back(models[m], lambda);
    const Log& log = models.front().log();
    for_each_part_by_fold(
        log, PartReads::features, threads,
        [&](const FoldPart& part) {
            for (std::deque<FoldMoments>& of_model : sums)
                for_each_segment_of(log, part, [&](std::size_t, const Segment& s) { of_model[part.fold].add(s); });
            for_each_segment_of(log, part, [&](std::size_t, const Segment& s) { beside(part.fold, s); });
        },
        watch);
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
