#include "logs/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "bellwether/catalogue.hpp"
#include "bellwether/number_text.hpp"
#include "bellwether/suggest.hpp"
#include "logs/estimate.hpp"
#include "logs/least_squares.hpp"
#include "logs/online.hpp"
#include "logs/products.hpp"
#include "logs/return_errors.hpp"
#include "logs/returns.hpp"
#include "logs/rupee.hpp"
#include "logs/training_stream.hpp"
#include "logs/tuning_certainty.hpp"
#include "logs/verdict.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t checkpoints = 20;
constexpr double scored_share = 0.5;
constexpr std::size_t least_segments_for_fresh = 120;
constexpr std::array<std::string_view, 3> score_names{"projected", "return", "progressive"};

LaneFeatures dense_rows(const std::vector<double>& values, std::size_t dimension) {
    return {LaneFeatures::Kind::dense, dimension, nullptr, nullptr, values.data()};
}

double largest_square(const Log& log) {
    double largest = 0;
    for_each_step(log, [&](std::size_t row) { largest = std::max(largest, dot(log.x(row), log.x(row))); });
    if (!std::isfinite(largest))
        throw UsageError(
            fmt::format("{}: the features are too large: their squares are not finite numbers; scale them", log.name));
    if (!(largest > 0))
        throw UsageError(fmt::format("{}: every feature is 0 in every step: nothing to learn", log.name));
    return largest;
}

// Every `every`-th segment, which the log then lacks.
std::vector<Segment> set_apart(Log& log, std::size_t every) {
    std::vector<Segment> fresh, rest;
    if (every == 0 || log.segments.size() < least_segments_for_fresh) return fresh;
    for (std::size_t i = 0; i < log.segments.size(); ++i)
        (i % every == every - 1 ? fresh : rest).push_back(log.segments[i]);
    log.segments = std::move(rest);
    return fresh;
}

// What held-out rows measure by: d rows of U A_k, or the rows of a fold.
struct Measure {
    std::vector<double> rows, truth;
};

// What the projected error and LSTD are made of: matrices of d × d, which not every log has room for.
struct Projection {
    Projection(const ValueModel& model, double lambda, std::size_t threads)
        : moments(moments_of(model, lambda, threads)),
          by_fold(held_out_folds(model.log(), moments.by_fold)),
          learned(model, moments, lambda, ridge_of(moments.features)) {
        SquareMatrix C = moments.features;
        for (double& entry : C.entries) entry /= static_cast<double>(model.log().steps());
        const double ridge = ridge_of(C);
        for (std::size_t j = 0; j < C.size; ++j) C.column(j)[j] += ridge;
        U = inverse_cholesky(C);
    }

    LogMoments moments;
    std::vector<HeldOut> by_fold;
    LeastSquares learned;
    SquareMatrix U;
};

// Whose values steady returns where there is no LSTD: it learns safely whatever the ratios are.
OnlineLearner steadying_learner(double alpha_scale) {
    const AlgorithmInfo& tdrc = algorithm_named("tdrc");
    const std::vector<NamedValue> parameters{{"alpha", 0.125 / alpha_scale}, {"eta", 1}, {"lambda", 0.9}};
    return {&tdrc, check_parameters(tdrc, parameters).value()};
}

class Tuner {
public:
    Tuner(Log& log, const TuningOptions& options)
        : log_(log),
          options_(options),
          has_projection_(log.dimension <= most_features),
          score_(options.score.value_or(has_projection_ ? TuningScore::projected : TuningScore::returns)),
          fresh_(set_apart(log, options.fresh)),
          alpha_scale_(largest_square(log)),
          grids_(tuning_grid(log, options, alpha_scale_)),
          model_(log, ValueModel::Of::states) {
        check_folds(log);
        if (score_ != TuningScore::projected)
            refuse_too_much_on_values();
        else if (!has_projection_)
            throw UsageError(fmt::format("--score projected: {} features; it takes at most {}: use return",
                                         log.dimension, most_features));
        if (has_projection_) projection_.emplace(model_, options.lambda, options.threads);
        if (score_ == TuningScore::projected) return;
        returns_ = corrected_returns(
            log, projection_ ? projection_->learned.fold_weights()
                             : online_fold_weights(log, steadying_learner(alpha_scale_), options.threads));
    }

    Tuning run() {
        pad_features(log_);
        if (options_.keeper) options_.keeper->open(identity());
        Tuning result{.name = log_.name, .score = score_, .alpha_scale = alpha_scale_};
        if (score_ == TuningScore::progressive)
            score_along_the_log();
        else
            score_by_folds();
        const std::vector<std::size_t> order = rank(result);
        if (score_ == TuningScore::progressive) learn_best_by_folds(order);
        say_how_sure(result, order);
        if (options_.monitor) add_monitors(result);
        if (!fresh_.empty()) score_on_fresh(result, order);
        return result;
    }

private:
    void refuse_too_much_on_values() const {
        const Products products = products_of(log_);
        const double rest = rest_of(log_, products, products.horizon(least_effective));
        if (rest > most_rest)
            throw UsageError(fmt::format(
                "--score {}: {:.0f}% of it would rest on values (see 'weighted horizon'); {}", name_of(score_),
                100 * rest,
                has_projection_ ? "use projected"
                                : fmt::format("projected, which would do, takes at most {} features", most_features)));
    }

    // ---- learning ----

    std::size_t configurations() const {
        std::size_t count = 0;
        for (const AlgorithmGrid& grid : grids_) count += grid.configurations();
        return count;
    }

    StreamSweepOptions sweeping(double before, double share) {
        StreamSweepOptions sweeping{.metric = StreamMetric::mse,
                                    .score_share = scored_share,
                                    .keeps_weights = true,
                                    .threads = options_.threads};
        sweeping.watch = [this, before, share](double done) {
            if (log_.memory) log_.memory->release();
            if (options_.watch) options_.watch(before + done * share);
        };
        return sweeping;
    }

    Measure measure_of(std::size_t k) const {
        const std::size_t d = log_.dimension;
        Measure measure;
        if (score_ == TuningScore::projected) {
            measure.rows.resize(d * d);
            for (std::size_t j = 0; j < d; ++j) {
                const std::vector<double> column =
                    product_of(projection_->U, {projection_->by_fold[k].moments.A.column(j), d});
                for (std::size_t i = 0; i < d; ++i) measure.rows[i * d + j] = column[i];
            }
            measure.truth = product_of(projection_->U, projection_->by_fold[k].moments.b);
            return measure;
        }
        for (std::size_t i = k; i < log_.segments.size(); i += folds)
            for (std::size_t h = 0; h < log_.segments[i].steps; ++h) {
                const std::size_t row = log_.segments[i].first + h;
                measure.rows.insert(measure.rows.end(), log_.x(row).begin(), log_.x(row).end());
                measure.truth.push_back(returns_[row]);
            }
        return measure;
    }

    // All grids on the log without fold k, algorithm by algorithm: each is kept when it is done.
    void score_by_folds() {
        squares_.assign(configurations(), 0);
        finite_.assign(configurations(), true);
        const double units = static_cast<double>(folds * grids_.size());
        for (std::size_t k = 0; k < folds; ++k) {
            const TrainingStream training(log_, k);
            const Measure measure = measure_of(k);
            const std::vector<std::uint8_t> at =
                training.checkpoints(std::max<std::size_t>(1, training.length() / checkpoints), scored_share);
            const StreamTruth truth{.rows = dense_rows(measure.rows, log_.dimension),
                                    .row_count = measure.truth.size(),
                                    .values = measure.truth.data(),
                                    .at = at.data()};
            // A mean over d rows where the score is a sum.
            const double rows = score_ == TuningScore::projected ? static_cast<double>(log_.dimension) : 1;
            weights_.emplace_back();
            std::size_t c = 0;
            for (std::size_t g = 0; g < grids_.size(); ++g) {
                const StreamScores scores =
                    unit(training, truth, k, g, static_cast<double>(k * grids_.size() + g) / units);
                weights_[k].insert(weights_[k].end(), scores.weights.begin(), scores.weights.end());
                for (std::size_t own = 0; own < scores.scores.size(); ++own, ++c) {
                    squares_[c] += scores.scores[own] * rows / static_cast<double>(folds);
                    if (scores.diverged[own] || !std::isfinite(scores.scores[own])) finite_[c] = false;
                }
            }
        }
    }

    StreamScores unit(const TrainingStream& training, const StreamTruth& truth, std::size_t k, std::size_t g,
                      double before) {
        if (options_.keeper)
            if (auto kept = options_.keeper->find(k, g)) return *kept;
        StreamSweepOptions options = sweeping(before, 1 / static_cast<double>(folds * grids_.size()));
        options.is_checked = checked_fold_ == k;
        StreamScores scores = sweep_stream(training.view(), std::span(grids_).subspan(g, 1), truth, options);
        checked_fold_ = k;
        if (options_.keeper) options_.keeper->keep(k, g, scores);
        return scores;
    }

    // One pass over the log: predictions before each update.
    void score_along_the_log() {
        const TrainingStream training(log_, std::nullopt);
        const std::vector<std::uint8_t> at = training.checkpoints(1, scored_share);
        const StreamScores scores =
            sweep_stream(training.view(), grids_, {.by_step = returns_.data(), .at = at.data()}, sweeping(0, 1));
        squares_ = scores.scores;
        finite_.assign(squares_.size(), true);
        for (std::size_t c = 0; c < squares_.size(); ++c)
            if (scores.diverged[c] || !std::isfinite(squares_[c])) finite_[c] = false;
    }

    // Of one configuration as a grid of its own.
    AlgorithmGrid alone(std::size_t c) const {
        for (const AlgorithmGrid& grid : grids_) {
            if (c < grid.configurations()) {
                AlgorithmGrid one{.info = grid.info};
                for (std::size_t p = 0; p < grid.values.size(); ++p) one.values.push_back({grid.value(c, p)});
                return one;
            }
            c -= grid.configurations();
        }
        throw WorkError("no such configuration");
    }

    // The final weights of the first so many, learned on the log without a fold, one after the other.
    std::vector<double> weights_of(std::span<const std::size_t> chosen, std::optional<std::size_t> left_out) {
        const TrainingStream training(log_, left_out);
        std::vector<AlgorithmGrid> grids;
        for (const std::size_t c : chosen) grids.push_back(alone(c));
        const std::vector<double> nothing(log_.rows());
        const std::vector<std::uint8_t> at = training.checkpoints(training.length(), 1);  // one step: no score is read
        return sweep_stream(training.view(), grids, {.by_step = nothing.data(), .at = at.data()}, sweeping(1, 0))
            .weights;
    }

    // `progressive` has no held-out weights: the best ones get them, and only these can be told apart.
    void learn_best_by_folds(std::span<const std::size_t> order) {
        const std::span<const std::size_t> chosen = order.first(looked_at(order));
        for (std::size_t k = 0; k < folds; ++k) {
            const std::vector<double> found = weights_of(chosen, k);
            std::vector<double>& to = weights_.emplace_back(configurations() * log_.dimension);
            for (std::size_t place = 0; place < chosen.size(); ++place)
                std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(place * log_.dimension), log_.dimension,
                            to.begin() + static_cast<std::ptrdiff_t>(chosen[place] * log_.dimension));
        }
        std::vector<bool> told(configurations());
        for (const std::size_t c : chosen) told[c] = true;
        finite_ = told;
    }

    std::size_t looked_at(std::span<const std::size_t> order) const {
        std::size_t count = 0;
        while (count < std::min(order.size(), best_looked_at) && finite_[order[count]]) ++count;
        return count;
    }

    // ---- what comes of it ----

    // Places of configurations, the best first.
    std::vector<std::size_t> rank(Tuning& result) const {
        std::vector<std::size_t> order(squares_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<TunedConfiguration> all;
        std::size_t c = 0;
        for (const AlgorithmGrid& grid : grids_)
            for (std::size_t own = 0; own < grid.configurations(); ++own, ++c) {
                TunedConfiguration configuration{
                    grid.info, std::vector<double>(grid.info->parameters.size()),
                    finite_[c] ? std::sqrt(squares_[c]) : std::numeric_limits<double>::infinity()};
                grid.parameters(own, configuration.parameters);
                all.push_back(std::move(configuration));
            }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return all[a].score < all[b].score; });
        for (const std::size_t place : order) result.configurations.push_back(all[place]);
        result.diverged = static_cast<std::size_t>(std::count(finite_.begin(), finite_.end(), false));
        if (result.diverged == finite_.size())
            throw WorkError("every configuration diverged; smaller values of --alpha may help");
        return order;
    }

    // On final weights, with w = 0 as one more configuration, after all others.
    void say_how_sure(Tuning& result, std::span<const std::size_t> order) {
        const std::size_t zero = finite_.size(), best = order.front();
        finite_.push_back(true);
        for (std::vector<double>& of_fold : weights_) of_fold.resize(of_fold.size() + log_.dimension);
        const FinalErrors errors = projection_
                                       ? final_errors(log_, projection_->by_fold, projection_->U, options_.lambda,
                                                      weights_, finite_, best, options_.threads)
                                       : final_return_errors(log_, returns_, weights_, finite_, best, options_.threads);
        result.score_of_zero = std::sqrt(errors.S[zero]);
        result.score_of_best = std::sqrt(errors.S[best]);
        const double gain = errors.S[zero] - errors.S[best];
        result.z = gain == 0 ? 0 : gain / errors.se_of_difference[zero];
        for (std::size_t other = 0; other < zero; ++other)
            if (finite_[other] &&
                (other == best || errors.S[other] - errors.S[best] < 2 * errors.se_of_difference[other]))
                ++result.indistinguishable;
        if (!projection_) return;
        double squares = 0;
        for (std::size_t k = 0; k < folds; ++k)
            squares +=
                residual_of(projection_->by_fold[k], projection_->U, projection_->learned.fold_weights()[k]).square /
                static_cast<double>(folds);
        result.least_squares = std::sqrt(squares);
    }

    void add_monitors(Tuning& result) const {
        for (std::size_t place = 0; place < std::min(best_looked_at, result.configurations.size()); ++place) {
            TunedConfiguration& one = result.configurations[place];
            if (std::isfinite(one.score)) one.rupee = rupee_of(log_, *one.algorithm, one.parameters, alpha_scale_);
        }
    }

    // The best ones, w = 0 and LSTD, learned on all other segments.
    void score_on_fresh(Tuning& result, std::span<const std::size_t> order) {
        const std::span<const std::size_t> chosen = order.first(looked_at(order));
        std::vector<double> weights = weights_of(chosen, std::nullopt);
        weights.resize(weights.size() + log_.dimension);
        if (projection_)
            weights.insert(weights.end(), projection_->learned.weights().begin(), projection_->learned.weights().end());
        log_.segments.swap(fresh_);
        const std::vector<FreshError> errors =
            projection_ ? fresh_errors(log_, fresh_moments(), projection_->U, options_.lambda, weights)
                        : fresh_return_errors(log_, fresh_returns(), weights);
        result.fresh_segments = log_.segments.size();
        log_.segments.swap(fresh_);
        const double t = student_quantile(0.95, static_cast<double>(result.fresh_segments) - 1);
        const auto score_of = [&](const FreshError& error) {
            return FreshScore{std::sqrt(error.S), std::sqrt(std::max(0.0, error.S - t * error.se)),
                              std::sqrt(error.S + t * error.se)};
        };
        for (std::size_t place = 0; place < chosen.size(); ++place)
            result.configurations[place].fresh = score_of(errors[place]);
        result.fresh_zero = score_of(errors[chosen.size()]);
        if (projection_) result.fresh_least_squares = score_of(errors.back());
    }

    // Of the log's segments when these are the fresh ones.
    HeldOut fresh_moments() const {
        HeldOut fresh{Moments(log_.dimension), static_cast<double>(log_.steps()),
                      static_cast<double>(log_.segments.size())};
        for (const Moments& sum : moments_of(model_, options_.lambda, options_.threads).by_fold) fresh.moments.add(sum);
        for (double& entry : fresh.moments.A.entries) entry /= fresh.steps;
        for (double& entry : fresh.moments.b) entry /= fresh.steps;
        return fresh;
    }
    LongVector<double> fresh_returns() {
        log_.segments.swap(fresh_);
        FoldWeights weights;
        weights.fill(online_weights(log_, steadying_learner(alpha_scale_)));
        log_.segments.swap(fresh_);
        return corrected_returns(log_, weights);
    }

    // ---- what it is of ----

    // N, A, b and C of the log, or all of its numbers, to the bit (FNV-1a), and every option.
    TuningIdentity identity() const {
        std::uint64_t hash = 0xcbf29ce484222325;
        const auto add = [&](std::span<const double> numbers) {
            for (const std::byte byte : std::as_bytes(numbers))
                hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
        };
        if (projection_) {
            for (const Moments& fold : projection_->moments.by_fold) {
                add(fold.A.entries);
                add(fold.b);
            }
            add(projection_->moments.features.entries);
        } else {
            for (const LongVector<double>* numbers : {&log_.features, &log_.reward, &log_.gamma, &log_.rho})
                add(*numbers);
        }
        std::string grid;
        for (const AlgorithmGrid& one : grids_) {
            grid += fmt::format("{}{}(", grid.empty() ? "" : " ", one.info->id);
            for (std::size_t p = 0; p < one.values.size(); ++p) {
                grid += fmt::format("{}{}", p > 0 ? "; " : "", one.info->parameters[p].name);
                for (const double value : one.values[p]) grid += fmt::format(" {}", number_text(value));
            }
            grid += ")";
        }
        return {{"share of fresh segments", fresh_.empty() ? "0" : fmt::format("1/{}", options_.fresh)},
                {"score", std::string(name_of(score_))},
                {"lambda", number_text(options_.lambda)},
                {"log", fmt::format("{} segments, {} steps, {:016x}", log_.segments.size(), log_.steps(), hash)},
                {"grid", grid}};
    }

    Log& log_;
    const TuningOptions& options_;
    bool has_projection_;  // whether there is room for one
    TuningScore score_;
    std::vector<Segment> fresh_;
    double alpha_scale_;
    std::vector<AlgorithmGrid> grids_;
    ValueModel model_;
    std::optional<Projection> projection_;
    LongVector<double> returns_;
    // By configuration, in the order of the grids.
    std::vector<double> squares_;
    std::vector<bool> finite_;
    std::vector<std::vector<double>> weights_;  // by fold
    std::optional<std::size_t> checked_fold_;   // whose stream was swept last
};

}  // namespace

std::string_view name_of(TuningScore score) {
    return score_names[static_cast<std::size_t>(score)];
}

TuningScore tuning_score_named(const std::string& name) {
    const auto found = std::find(score_names.begin(), score_names.end(), name);
    if (found == score_names.end())
        throw UsageError(fmt::format("score '{}' is none of {}{}", name, fmt::join(score_names, ", "),
                                     did_you_mean(name, score_names)));
    return static_cast<TuningScore>(found - score_names.begin());
}

Tuning tune(Log log, const TuningOptions& options) {
    return Tuner(log, options).run();
}

}  // namespace bellwether
