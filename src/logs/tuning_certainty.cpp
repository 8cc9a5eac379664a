#include "logs/tuning_certainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "support/error.hpp"

namespace bellwether {

namespace {

// dirᵀ(b_i − A_i w) of the segments of one fold, for a few configurations at once. Σ_t z_t e_t = Σ_s x_s g_s with
// g_s = e_s + decay_s g_{s+1}.
class DirectedErrors {
public:
    static constexpr std::size_t at_once = 32;

    // `count` configurations; their weights, and as many directions.
    DirectedErrors(const ValueModel& model, double lambda, std::vector<double> vectors, std::size_t count)
        : model_(model), lambda_(lambda), count_(count), products_(model.log(), vectors) {}

    std::size_t count() const { return count_; }
    void compute(const Segment& segment) {
        const Log& log = model_.log();
        std::array<double, at_once> g{}, next{};
        sums_.fill(0);
        const std::size_t end = segment.first + segment.steps;
        for (std::size_t stop = end; stop > segment.first;) {
            const std::size_t begin = stop - std::min<std::size_t>(stop - segment.first, RowProducts::rows_at_once);
            const bool closing = stop == end && !segment.ended;
            products_.compute(begin, closing ? stop : stop - 1);
            if (closing) std::copy_n(products_.of(stop), count_, next.begin());
            for (std::size_t row = stop; row-- > begin;) {
                const double weight = model_.weight(row), reward = log.reward[row];
                const double gamma = model_.bootstraps(segment, row) ? log.gamma[row] : 0;
                const double decay = model_.decay(segment, row, lambda_);
                const double* const value = products_.of(row);
                const double* const direction = value + count_;
                for (std::size_t c = 0; c < count_; ++c) {
                    g[c] = weight * (reward + gamma * next[c] - value[c]) + decay * g[c];
                    sums_[c] += direction[c] * g[c];
                    next[c] = value[c];
                }
            }
            stop = begin;
        }
    }
    double operator[](std::size_t c) const { return sums_[c]; }

private:
    const ValueModel& model_;
    double lambda_;
    std::size_t count_;
    RowProducts products_;
    std::array<double, at_once> sums_{};
};

}  // namespace

std::vector<double> product_of(const SquareMatrix& A, std::span<const double> w) {
    std::vector<double> product(A.size);
    for (std::size_t j = 0; j < A.size; ++j) add_scaled(w[j], {A.column(j), A.size}, product);
    return product;
}

std::vector<double> transposed_product(const SquareMatrix& A, std::span<const double> w) {
    std::vector<double> product(A.size);
    for (std::size_t j = 0; j < A.size; ++j) product[j] = dot({A.column(j), A.size}, w);
    return product;
}

void check_folds(const Log& log) {
    if (log.segments.size() >= folds) return;
    throw UsageError(
        fmt::format("{}: {} segment{}; tuning takes five at least, one for each fold (--piece cuts long ones)",
                    log.name, log.segments.size(), log.segments.size() == 1 ? "" : "s"));
}

std::vector<HeldOut> held_out_folds(const Log& log, std::vector<Moments> sums) {
    std::vector<HeldOut> found(folds);
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        found[i % folds].steps += static_cast<double>(log.segments[i].steps);
        found[i % folds].segments += 1;
    }
    for (std::size_t k = 0; k < folds; ++k) {
        for (double& entry : sums[k].A.entries) entry /= found[k].steps;
        for (double& entry : sums[k].b) entry /= found[k].steps;
        found[k].moments = std::move(sums[k]);
    }
    return found;
}

Residual residual_of(const HeldOut& fold, const SquareMatrix& U, std::span<const double> w) {
    std::vector<double> r = fold.moments.b;
    add_scaled(-1, product_of(fold.moments.A, w), r);
    const std::vector<double> whitened = product_of(U, r);
    return {dot(whitened, whitened), transposed_product(U, whitened), std::move(r)};
}

std::vector<std::size_t> finite_ones(const std::vector<bool>& finite) {
    std::vector<std::size_t> there;
    for (std::size_t c = 0; c < finite.size(); ++c)
        if (finite[c]) there.push_back(c);
    return there;
}

FinalErrors final_errors(const Log& log, const std::vector<HeldOut>& by_fold, const SquareMatrix& U, double lambda,
                         const std::vector<std::vector<double>>& weights, const std::vector<bool>& finite,
                         std::size_t best, std::size_t threads) {
    const std::size_t d = log.dimension;
    FinalErrors errors{std::vector<double>(finite.size()), std::vector<double>(finite.size())};
    const std::vector<std::size_t> there = finite_ones(finite);
    const ValueModel model(log, ValueModel::Of::states);
    std::vector<std::deque<DirectedErrors>> directed(folds);
    std::vector<std::vector<double>> means(folds);  // dirᵀ r_k by configuration that is there
    for (std::size_t k = 0; k < folds; ++k)
        for (std::size_t first = 0; first < there.size(); first += DirectedErrors::at_once) {
            const std::size_t count = std::min(DirectedErrors::at_once, there.size() - first);
            std::vector<double> vectors, directions;
            for (const std::size_t c : std::span(there).subspan(first, count)) {
                const std::span<const double> w = std::span(weights[k]).subspan(c * d, d);
                const Residual residual = residual_of(by_fold[k], U, w);
                errors.S[c] += residual.square / static_cast<double>(folds);
                means[k].push_back(dot(residual.direction, residual.r));
                vectors.insert(vectors.end(), w.begin(), w.end());
                directions.insert(directions.end(), residual.direction.begin(), residual.direction.end());
            }
            vectors.insert(vectors.end(), directions.begin(), directions.end());
            directed[k].emplace_back(model, lambda, std::move(vectors), count);
        }
    // φ has the mean 0 in every fold: the sums of squares are those of the deviations.
    const auto best_place = static_cast<std::size_t>(std::find(there.begin(), there.end(), best) - there.begin());
    std::vector<std::vector<double>> squares(folds, std::vector<double>(there.size())), own = squares;
    for_each_part_by_fold(log, PartReads::features, threads, [&](const FoldPart& part) {
        const std::size_t k = part.fold;
        const double share = by_fold[k].segments / by_fold[k].steps;
        for_each_segment_of(log, part, [&](std::size_t, const Segment& segment) {
            std::size_t place = 0;
            for (DirectedErrors& some : directed[k]) {
                some.compute(segment);
                for (std::size_t c = 0; c < some.count(); ++c, ++place)
                    own[k][place] = 2 * (share * some[c] - means[k][place]);
            }
            for (place = 0; place < there.size(); ++place)
                squares[k][place] += std::pow(own[k][place] - own[k][best_place], 2);
        });
    });
    const auto n = static_cast<double>(log.segments.size());
    for (std::size_t place = 0; place < there.size(); ++place) {
        double sum = 0;
        for (std::size_t k = 0; k < folds; ++k) sum += squares[k][place];
        errors.se_of_difference[there[place]] = std::sqrt(sum / (n - 1) / n);
    }
    return errors;
}

std::vector<FreshError> fresh_errors(const Log& log, const HeldOut& fresh, const SquareMatrix& U, double lambda,
                                     std::span<const double> weights) {
    const std::size_t d = log.dimension, count = weights.size() / d;
    const ValueModel model(log, ValueModel::Of::states);
    std::vector<FreshError> errors;
    for (std::size_t c = 0; c < count; ++c) {
        const std::span<const double> w = weights.subspan(c * d, d);
        const Residual residual = residual_of(fresh, U, w);
        std::vector<double> vectors(w.begin(), w.end());
        vectors.insert(vectors.end(), residual.direction.begin(), residual.direction.end());
        DirectedErrors directed(model, lambda, std::move(vectors), 1);
        double squares = 0;
        for_each_segment(log, [&](std::size_t, const Segment& segment) {
            directed.compute(segment);
            squares +=
                std::pow(2 * (fresh.segments / fresh.steps * directed[0] - dot(residual.direction, residual.r)), 2);
        });
        errors.push_back({residual.square, std::sqrt(squares / (fresh.segments - 1) / fresh.segments)});
    }
    return errors;
}

}  // namespace bellwether
