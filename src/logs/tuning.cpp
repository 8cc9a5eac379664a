#include "logs/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bellwether/catalogue.hpp"
#include "logs/estimate.hpp"
#include "logs/least_squares.hpp"
#include "logs/value_model.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t checkpoints = 20;
constexpr double scored_share = 0.5;

LaneFeatures dense_rows(const std::vector<double>& values, std::size_t dimension) {
    return {LaneFeatures::Kind::dense, dimension, nullptr, nullptr, values.data()};
}

// The segments of all folds but one, as a stream to learn from.
class Training {
public:
    Training(const Log& log, std::size_t left_out) : dimension_(log.dimension) {
        for (std::size_t i = 0; i < log.segments.size(); ++i) {
            if (i % folds == left_out) continue;
            const Segment& segment = log.segments[i];
            const std::size_t rows = segment.steps + (segment.ended ? 0 : 1);
            for (std::size_t h = 0; h < rows; ++h) add(log, segment.first + h, h == 0, h == segment.steps);
        }
        features_.resize(features_.size() + dimension_);  // after the last row, which nothing is read of
    }

    StreamView view() const {
        StreamView view{.steps = reward_.size(),
                        .x = dense_rows(features_, dimension_),
                        .x_next = {},
                        .reward = {reward_.data()},
                        .gamma = {gamma_.data()},
                        .rho = {rho_.data()}};
        view.x_next = rows_from(view.x, 1);
        view.marks = marks_.data();
        return view;
    }

private:
    void add(const Log& log, std::size_t row, bool begins, bool closes) {
        features_.insert(features_.end(), log.x(row).begin(), log.x(row).end());
        reward_.push_back(closes ? 0 : log.reward[row]);
        gamma_.push_back(closes ? 0 : log.gamma[row]);
        rho_.push_back(closes ? 1 : log.rho[row]);
        marks_.push_back(static_cast<std::uint8_t>((begins ? begins_segment : 0) | (closes ? is_no_step : 0)));
    }

    std::size_t dimension_;
    std::vector<double> features_, reward_, gamma_, rho_;
    std::vector<std::uint8_t> marks_;
};

// What a fold measures by.
struct HeldOut {
    Moments moments;  // A_k, b_k: by step
    double steps = 0, segments = 0;
};

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

std::vector<HeldOut> held_out(const Log& log, double lambda) {
    std::vector<HeldOut> found(folds);
    std::vector<Moments> sums = ValueModel(log, ValueModel::Of::states).moments_by_fold(lambda);
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        found[i % folds].steps += static_cast<double>(log.segments[i].steps);
        found[i % folds].segments += 1;
    }
    for (std::size_t k = 0; k < folds; ++k) {
        if (found[k].segments == 0)
            throw UsageError(
                fmt::format("{}: {} segments; tuning takes five at least, one for each fold (--piece cuts "
                            "long ones)",
                            log.name, log.segments.size()));
        for (double& entry : sums[k].A.entries) entry /= found[k].steps;
        for (double& entry : sums[k].b) entry /= found[k].steps;
        found[k].moments = std::move(sums[k]);
    }
    return found;
}

double largest_square(const Log& log) {
    double largest = 0;
    for (const Segment& segment : log.segments)
        for (std::size_t h = 0; h < segment.steps; ++h)
            largest = std::max(largest, dot(log.x(segment.first + h), log.x(segment.first + h)));
    if (!(largest > 0))
        throw UsageError(fmt::format("{}: every feature is 0 in every step: nothing to learn", log.name));
    return largest;
}

// ‖U r‖² of a fold's residual, and C̄⁻¹ r = Uᵀ U r.
struct Residual {
    double square;
    std::vector<double> direction;
    std::vector<double> r;
};
Residual residual_of(const HeldOut& fold, const SquareMatrix& U, std::span<const double> w) {
    std::vector<double> r = fold.moments.b;
    add_scaled(-1, product_of(fold.moments.A, w), r);
    const std::vector<double> whitened = product_of(U, r);
    return {dot(whitened, whitened), transposed_product(U, whitened), std::move(r)};
}

// S_c and φ_ci of several weights at once: configuration c of fold k has the weights `weights[k][c·d …]`.
struct FinalErrors {
    std::vector<double> S;                       // by configuration
    std::vector<std::vector<double>> influence;  // by configuration: φ_ci
};
FinalErrors final_errors(const Log& log, const std::vector<HeldOut>& by_fold, const SquareMatrix& U, double lambda,
                         const std::vector<std::vector<double>>& weights, const std::vector<bool>& finite) {
    const std::size_t d = log.dimension, count = finite.size();
    FinalErrors errors{std::vector<double>(count), std::vector<std::vector<double>>(count)};
    std::vector<Residual> residuals(folds * count);
    for (std::size_t c = 0; c < count; ++c) {
        if (!finite[c]) continue;
        errors.influence[c].resize(log.segments.size());
        for (std::size_t k = 0; k < folds; ++k) {
            residuals[k * count + c] = residual_of(by_fold[k], U, std::span(weights[k]).subspan(c * d, d));
            errors.S[c] += residuals[k * count + c].square / static_cast<double>(folds);
        }
    }
    const ValueModel model(log, ValueModel::Of::states);
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        const std::size_t k = i % folds;
        const Moments own = model.moments_of(log.segments[i], lambda);
        const double share = by_fold[k].segments / by_fold[k].steps;
        for (std::size_t c = 0; c < count; ++c) {
            if (!finite[c]) continue;
            const Residual& residual = residuals[k * count + c];
            std::vector<double> r = own.b;
            add_scaled(-1, product_of(own.A, std::span(weights[k]).subspan(c * d, d)), r);
            errors.influence[c][i] = 2 * (share * dot(residual.direction, r) - dot(residual.direction, residual.r));
        }
    }
    return errors;
}

double error_of_difference(const std::vector<double>& one, const std::vector<double>& other) {
    std::vector<double> difference(one.size());
    for (std::size_t i = 0; i < one.size(); ++i) difference[i] = one[i] - other[i];
    return deviation_of(difference) / std::sqrt(static_cast<double>(one.size()));
}

}  // namespace

std::vector<AlgorithmGrid> tuning_grid(const Log& log, const TuningOptions& options, double alpha_scale) {
    bool off_policy = false;
    for (const Segment& segment : log.segments)
        for (std::size_t h = 0; h < segment.steps; ++h) off_policy = off_policy || log.rho[segment.first + h] != 1;
    std::vector<std::string> ids = options.algorithms;
    if (ids.empty() && off_policy) ids = {"off-policy-td", "vtrace", "gtd", "tdrc", "htd", "to-htd", "to-etd-beta"};
    if (ids.empty()) ids = {"td", "to-td", "gtd", "tdrc", "htd", "to-htd"};
    std::vector<const AlgorithmInfo*> algorithms;
    for (const std::string& id : ids) algorithms.push_back(&algorithm_named(id));
    ParameterValues alpha{"alpha", {}};
    for (int j = 0; j < 12; ++j) alpha.values.push_back(std::ldexp(1.0, -j) / alpha_scale);
    std::vector<ParameterValues> values{alpha, {"eta", {1.0 / 16, 1}}, {"lambda", {0, 0.5, 0.8, 0.95, 1}}};
    // A part of the grid that nobody has a use for is left out; one that was asked for is refused by grids_of.
    std::erase_if(values, [&](const ParameterValues& part) {
        return std::none_of(algorithms.begin(), algorithms.end(), [&](const auto* a) { return a->find(part.name); });
    });
    for (const ParameterValues& given : options.values) {
        const auto found =
            std::find_if(values.begin(), values.end(), [&](const auto& part) { return part.name == given.name; });
        if (found == values.end())
            values.push_back(given);
        else
            *found = given;
    }
    return grids_of(algorithms, values);
}

Tuning tune(const Log& log, const TuningOptions& options) {
    const std::size_t d = log.dimension;
    Tuning result{.name = log.name, .alpha_scale = largest_square(log)};
    const std::vector<AlgorithmGrid> grids = tuning_grid(log, options, result.alpha_scale);
    const std::vector<HeldOut> by_fold = held_out(log, options.lambda);
    SquareMatrix C = feature_moments(log);
    for (double& entry : C.entries) entry /= static_cast<double>(log.steps());
    const double ridge = ridge_of(C);
    for (std::size_t j = 0; j < d; ++j) C.column(j)[j] += ridge;
    const SquareMatrix U = inverse_cholesky(C);

    std::vector<double> squares;
    std::vector<bool> finite;
    std::vector<std::vector<double>> weights;
    for (std::size_t k = 0; k < folds; ++k) {
        const Training training(log, k);
        const StreamView stream = training.view();
        std::vector<double> rows(d * d);  // U A_k, row by row
        for (std::size_t j = 0; j < d; ++j) {
            const std::vector<double> column = product_of(U, {by_fold[k].moments.A.column(j), d});
            for (std::size_t i = 0; i < d; ++i) rows[i * d + j] = column[i];
        }
        const std::vector<double> truth = product_of(U, by_fold[k].moments.b);
        const StreamTruth measure{.rows = dense_rows(rows, d),
                                  .row_count = d,
                                  .values = truth.data(),
                                  .every = std::max<std::size_t>(1, stream.steps / checkpoints)};
        StreamSweepOptions sweeping{.metric = StreamMetric::mse,
                                    .score_share = scored_share,
                                    .keeps_weights = true,
                                    .threads = options.threads};
        if (options.watch)
            sweeping.watch = [&](double done) {
                options.watch((static_cast<double>(k) + done) / static_cast<double>(folds));
            };
        StreamScores scores = sweep_stream(stream, grids, measure, sweeping);
        squares.resize(scores.scores.size());
        finite.resize(scores.scores.size(), true);
        for (std::size_t c = 0; c < squares.size(); ++c) {
            squares[c] += scores.scores[c] * static_cast<double>(d) / static_cast<double>(folds);
            if (scores.diverged[c] || !std::isfinite(scores.scores[c])) finite[c] = false;
        }
        weights.push_back(std::move(scores.weights));
    }

    std::size_t c = 0;
    std::vector<std::size_t> order(squares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<TunedConfiguration> all;
    for (const AlgorithmGrid& grid : grids)
        for (std::size_t own = 0; own < grid.configurations(); ++own, ++c) {
            TunedConfiguration configuration{
                grid.info, std::vector<double>(grid.info->parameters.size()),
                finite[c] ? std::sqrt(squares[c]) : std::numeric_limits<double>::infinity()};
            grid.parameters(own, configuration.parameters);
            all.push_back(std::move(configuration));
        }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].score < all[b].score; });
    for (const std::size_t place : order) result.configurations.push_back(all[place]);
    result.diverged = static_cast<std::size_t>(std::count(finite.begin(), finite.end(), false));
    if (result.diverged == finite.size())
        throw WorkError("every configuration diverged; smaller values of --alpha may help");

    // w = 0 as one more configuration, after all others.
    const std::size_t zero = finite.size(), best = order.front();
    finite.push_back(true);
    for (std::vector<double>& of_fold : weights) of_fold.resize(of_fold.size() + d);
    const FinalErrors errors = final_errors(log, by_fold, U, options.lambda, weights, finite);
    result.score_of_zero = std::sqrt(errors.S[zero]);
    result.score_of_best = std::sqrt(errors.S[best]);
    result.z = (errors.S[zero] - errors.S[best]) / error_of_difference(errors.influence[zero], errors.influence[best]);
    for (std::size_t other = 0; other < zero; ++other)
        if (finite[other] &&
            (other == best || errors.S[other] - errors.S[best] <
                                  2 * error_of_difference(errors.influence[other], errors.influence[best])))
            ++result.indistinguishable;

    const LeastSquares learned(log, ValueModel::Of::states, options.lambda, ridge_of(feature_moments(log)));
    for (std::size_t k = 0; k < folds; ++k)
        result.least_squares +=
            residual_of(by_fold[k], U, learned.fold_weights()[k]).square / static_cast<double>(folds);
    result.least_squares = std::sqrt(result.least_squares);
    return result;
}

}  // namespace bellwether
