#include "logs/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>

#include "logs/doubly_robust.hpp"
#include "logs/feature_balance.hpp"
#include "logs/importance_sampling.hpp"
#include "logs/least_squares.hpp"
#include "logs/online_estimates.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace bellwether {

namespace {

constexpr std::size_t most_rows_of_values = 1'000;

using Of = ValueModel::Of;

// The estimates that rest on learned values, of states or of actions.
struct LearnedEstimates {
    PolicyEstimate least_squares, without_traces, doubly_robust, weighted, answer, check;
    std::vector<double> weights;
    SquareMatrix covariance;
};

struct Names {
    std::string_view least_squares, doubly_robust, weighted, answer;
};
constexpr Names names_of_states{"lstd", "dr", "wdr", "answer-v"},
    names_of_actions{"lstd-q", "dr-q", "wdr-q", "answer-q"};

struct Horizons {
    std::size_t answer, check;
};

PolicyEstimate estimate_of(const CrossFitted& fitted) {
    return {.value = fitted.value, .influence = by_group(fitted.influence), .effective = fitted.effective};
}

// The estimates that a model's values make, from two passes over the log.
class Learning {
public:
    Learning(const ValueModel& model, const Products& products, Horizons horizons)
        : model_(model),
          products_(products),
          horizons_(horizons),
          all_the_way_(horizons.answer == products.longest),
          checked_(model.of() == Of::states && horizons.check > 0 && horizons.check < products.longest),
          held_out_(model) {}

    std::vector<DoublyRobust> wanted() const {
        std::vector<DoublyRobust> wanted{{products_.longest, false}, {products_.longest, true}};
        if (horizons_.answer > 0 && !all_the_way_) wanted.push_back({horizons_.answer, true});
        if (checked_) wanted.push_back({horizons_.check, true});
        return wanted;
    }

    // `gradients` of what is wanted().
    void start(const LogMoments& moments, double lambda, double ridge, const Starts& starts,
               std::vector<FoldWeights> gradients) {
        learned_.emplace(model_, moments, lambda, ridge);
        robust_.emplace(products_, held_out_, wanted(), std::move(gradients));
        learned_->start_influences(starts, robust_->results(), held_out_);
    }
    void add_values(std::size_t fold, std::size_t i, const Segment& segment) {
        learned_->add_influence(fold, i, segment);
        robust_->add_values(fold, i, segment);
    }
    void finish_values() {
        learned_->finish_influences();
        robust_->finish_values();
    }
    void add_influence(std::size_t fold, std::size_t i, const Segment& segment) {
        robust_->add_influence(fold, i, segment);
    }

    LearnedEstimates finish(const Basis& span) {
        const bool of_states = model_.of() == Of::states;
        const Names& names_of = of_states ? names_of_states : names_of_actions;
        const std::vector<CrossFitted>& fitted = robust_->results();
        LearnedEstimates result;
        result.least_squares = learned_->estimate();
        result.without_traces = learned_->without_traces();
        result.doubly_robust = estimate_of(fitted[0]);
        result.weighted = estimate_of(fitted[1]);
        result.answer = horizons_.answer == 0 ? result.least_squares
                        : all_the_way_        ? result.weighted
                                              : estimate_of(fitted[2]);
        result.check = horizons_.check == 0 ? result.least_squares
                       : checked_           ? estimate_of(fitted.back())
                                            : result.weighted;
        result.least_squares.name = names_of.least_squares;
        result.doubly_robust.name = names_of.doubly_robust;
        result.weighted.name = names_of.weighted;
        result.answer.name = names_of.answer;
        result.weights = learned_->weights();
        if (of_states) result.covariance = learned_->covariance(span);
        return result;
    }

private:
    const ValueModel& model_;
    const Products& products_;
    Horizons horizons_;
    bool all_the_way_, checked_;
    HeldOutValues held_out_;
    std::optional<LeastSquares> learned_;
    std::optional<DoublyRobustEstimates> robust_;
};

// The distinct rows of a log, the most frequent ones first, then in the order of the log.
std::vector<StateValue> frequent_rows(const Log& log) {
    struct Place {
        std::size_t row, count;
    };
    std::unordered_map<std::string_view, std::size_t> known;
    std::vector<Place> places;
    // Looked at; of rows that hardly repeat, any will do.
    constexpr std::size_t most_distinct = 100'000, enough_distinct = 10'000;
    std::size_t seen = 0;
    const auto is_enough = [&] {
        return places.size() == most_distinct || (places.size() >= enough_distinct && seen < 2 * places.size());
    };
    for (const Segment& segment : log.segments) {
        if (is_enough()) break;
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) {
            ++seen;
            const std::string_view bytes{reinterpret_cast<const char*>(log.x(row).data()), log.x(row).size_bytes()};
            const auto [found, is_new] = known.try_emplace(bytes, places.size());
            if (is_new) places.push_back({row, 0});
            ++places[found->second].count;
        }
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(places.size(), most_rows_of_values));
    std::partial_sort(places.begin(), places.begin() + shown, places.end(), [](const Place& a, const Place& b) {
        return a.count != b.count ? a.count > b.count : a.row < b.row;
    });
    std::vector<StateValue> rows;
    for (const Place& place : std::span(places).first(static_cast<std::size_t>(shown)))
        rows.push_back({{log.x(place.row).begin(), log.x(place.row).end()}, place.count, 0, 0});
    return rows;
}

std::vector<double> means_by_segment(const Log& log, const auto& number_of_row) {
    std::vector<double> means(log.segments.size());
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            means[i] += number_of_row(row) / static_cast<double>(segment.steps);
    });
    return by_group(means);
}

void describe_log(PolicyEvaluation& result, const Log& log) {
    result.name = log.name;
    result.dimension = log.dimension;
    result.actions = log.actions;
    result.segments = log.segments.size();
    result.steps = log.steps();
    result.ended = static_cast<std::size_t>(
        std::count_if(log.segments.begin(), log.segments.end(), [](const Segment& s) { return s.ended; }));
    result.missing_steps = log.missing_steps;
    result.repeated_rows = count_repeated_rows(log);
    result.lengths = lengths_of(log);
    result.rewards = rewards_of(log);
    result.discounts = discounts_of(log);
}

void describe_ratios(PolicyEvaluation& result, const Log& log, const Products& products) {
    result.ratios = ratios_of(log);
    result.final_products = final_products_of(log, products);
    result.zero_ratios = share_of_zero_ratios(log);
    result.histogram = ratio_histogram(log);
    result.deficit = ratio_deficit(log);
    result.support_known = !log.behaviour.empty() && !log.target.empty();
    if (result.support_known) result.unsupported = unsupported_share(log, result.ratio_source.unsupported_below);
    result.effective_sample = products.ess;
}

// Numbers by_group(): the place as one of segments.
Drift drift_by_segment(const Log& log, std::span<const double> numbers) {
    Drift drift = drift_of(numbers);
    drift.segment = drift.segment * log.segments.size() / numbers.size();
    return drift;
}

void find_drift(PolicyEvaluation& result, const Log& log) {
    const auto find = [&](std::string_view of, std::span<const double> numbers) {
        result.drifts.push_back({of, drift_by_segment(log, numbers)});
    };
    if (!result.answer_estimate().influence.empty()) find("answer", result.answer_estimate().influence);
    find("rewards", means_by_segment(log, [&](std::size_t row) { return log.reward[row]; }));
    if (!log.mu.empty())
        find("behaviour", means_by_segment(log, [&](std::size_t row) { return std::log(log.mu[row]); }));
}

// Squares of numbers this large are no longer numbers, and nothing that follows from them is.
void refuse_too_large(const Log& log, std::string_view what, double sum_of_squares) {
    if (!std::isfinite(sum_of_squares))
        throw UsageError(
            fmt::format("{}: the {} are too large: their squares are not finite numbers; scale them", log.name, what));
}

// A part of the work, of which evaluate() gives the share that is done.
class Stage {
public:
    Stage(const EvaluationOptions& options, double from, double to) : watch_(options.watch), from_(from), to_(to) {}
    void operator()(double done) const { watch_(from_ + done * (to_ - from_)); }

private:
    const std::function<void(double)>& watch_;
    double from_, to_;
};
// Where the refits of a learner follow, they take most of the time.
double share_of_least_squares(const EvaluationOptions& options) {
    return options.online ? 0.3 : 1;
}

// Estimates with values that least squares learn, and their tests.
void add_least_squares(PolicyEvaluation& result, const Log& log, const Products& products,
                       const EvaluationOptions& options, const Starts& starts) {
    const bool has_actions = !log.action.empty() && !log.target.empty() &&
                             log.actions * log.dimension <= most_features &&
                             (!result.starts_given || !starts.target.empty());
    std::vector<ValueModel> models{{log, Of::states}};
    if (has_actions) models.emplace_back(log, Of::actions);
    std::deque<Learning> learning;
    std::vector<std::vector<DoublyRobust>> wanted;
    for (const ValueModel& model : models)
        wanted.push_back(
            learning.emplace_back(model, products, Horizons{result.horizon, result.check_horizon}).wanted());
    DoublyRobustGradients gradients(products, models, wanted);
    const double all = share_of_least_squares(options);
    FeatureBalance features_balance(log);
    std::vector<LogMoments> moments = moments_of(
        models, options.lambda, options.threads,
        [&](std::size_t fold, const Segment& segment) {
            gradients.add(fold, segment);
            features_balance.add(fold, segment);
        },
        Stage(options, 0.1 * all, 0.5 * all));
    result.balance = features_balance.statistics();
    const SquareMatrix& features = moments.front().features;
    refuse_too_large(log, "features", features.trace());
    result.rank = rank_of(features);
    const Basis span = basis_of(features, result.rank.rank);
    result.empty_features = empty_features(features);
    if (result.starts_given) result.starts_outside = rows_outside(span, starts.rows);
    if (options.at) result.at_outside = rows_outside(span, *options.at);
    const double ridge = ridge_of(features);
    for (std::size_t m = 0; m < models.size(); ++m)
        learning[m].start(moments[m], options.lambda, ridge, starts, gradients.of(m));
    moments.clear();
    const auto for_each = [&](PartReads reads, void (Learning::*add)(std::size_t, std::size_t, const Segment&),
                              const Stage& stage) {
        for_each_part_by_fold(
            log, reads, options.threads,
            [&](const FoldPart& part) {
                for_each_segment_of(log, part, [&](std::size_t i, const Segment& segment) {
                    for (Learning& one : learning) (one.*add)(part.fold, i, segment);
                });
            },
            stage);
    };
    for_each(PartReads::features, &Learning::add_values, {options, 0.5 * all, 0.9 * all});
    for (Learning& one : learning) one.finish_values();
    for_each(PartReads::numbers, &Learning::add_influence, {options, 0.9 * all, all});
    std::vector<LearnedEstimates> learned;
    for (Learning& one : learning) learned.push_back(one.finish(span));
    LearnedEstimates& states = learned.front();
    result.weights = states.weights;
    result.covariance = states.covariance;
    for (std::size_t j = 0; j < log.dimension; ++j)
        result.weights_se.push_back(std::sqrt(std::max(0.0, result.covariance.column(j)[j])));
    result.tests = {compare("values-against-weights", states.least_squares, states.check, result.spread),
                    compare("lambda", states.least_squares, states.without_traces, result.spread)};
    result.answer = "answer-v";
    if (has_actions) {
        result.tests.push_back(
            compare("states-against-actions", states.least_squares, learned.back().least_squares, result.spread));
        if (result.rest <= most_rest && !result.tests.back().flagged) result.answer = "answer-q";
    }
    for (LearnedEstimates& of_model : learned)
        for (PolicyEstimate* estimate :
             {&of_model.least_squares, &of_model.doubly_robust, &of_model.weighted, &of_model.answer})
            result.estimates.push_back(std::move(*estimate));
}

// The same with values of an online learner: there are too many features for least squares.
void add_online_estimates(PolicyEvaluation& result, Log& log, const Products& products,
                          const EvaluationOptions& options, const Starts& starts) {
    result.empty_features = empty_features(log);
    result.balance = balance(log);
    OnlineEstimates learned =
        online_estimates(log, products, *options.online, starts, result.horizon, result.check_horizon, options.level,
                         options.threads, Stage(options, 0.1, 0.9));
    result.weights = std::move(learned.values.weights);
    result.refits = std::move(learned.values.refits);
    std::vector<double> own;
    for (std::size_t j = 0; j < log.dimension; ++j) {
        own.clear();
        for (const std::vector<double>& w : result.refits) own.push_back(w[j]);
        result.weights_se.push_back(deviation_of(own));
    }
    result.tests = {compare("values-against-weights", learned.against_weights, result.spread)};
    result.answer = "answer-v";
    for (PolicyEstimate* estimate :
         {&learned.doubly_robust, &learned.weighted, &learned.answer, &learned.values.estimate})
        result.estimates.push_back(std::move(*estimate));
}

}  // namespace

const PolicyEstimate* PolicyEvaluation::find(std::string_view estimate) const {
    const auto found =
        std::find_if(estimates.begin(), estimates.end(), [&](const PolicyEstimate& e) { return e.name == estimate; });
    return found == estimates.end() ? nullptr : &*found;
}

bool PolicyEvaluation::flagged(std::string_view test) const {
    return std::any_of(tests.begin(), tests.end(), [&](const Agreement& t) { return t.name == test && t.flagged; });
}

StateValue PolicyEvaluation::value_of(std::span<const double> x) const {
    if (!refits.empty()) {
        std::vector<double> drawn;
        for (const std::vector<double>& w : refits) drawn.push_back(dot(x, w));
        return {{x.begin(), x.end()}, 0, dot(x, weights), deviation_of(drawn)};
    }
    double variance = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
        if (x[j] != 0) variance += x[j] * dot(x, {covariance.column(j), x.size()});
    return {{x.begin(), x.end()}, 0, dot(x, weights), std::sqrt(std::max(0.0, variance))};
}

std::vector<std::size_t> steps_shown(std::size_t longest) {
    std::vector<std::size_t> shown;
    for (std::size_t decade = 1; decade <= longest; decade *= 10)
        for (const std::size_t step : {decade, 2 * decade, 5 * decade})
            if (step <= longest) shown.push_back(step);
    return shown;
}

PolicyEvaluation evaluate(Log log, const EvaluationOptions& options) {
    if (log.dimension > most_features && !options.online)
        throw UsageError(
            fmt::format("{}: {} features; least squares take at most {}: name a learner whose values are taken instead "
                        "(--algorithm, or --tuned DIR)",
                        log.name, log.dimension, most_features));
    PolicyEvaluation result;
    result.level = options.level;
    result.lambda = options.lambda;
    options.watch(0);
    result.ratio_source = set_ratios(log, options.target, options.behaviour);
    const bool continuing = is_continuing(log);
    if (continuing || options.piece) {
        result.pieces = options.piece.value_or(continuing ? piece_length(log) : 0);
        cut_into_pieces(log, result.pieces);
    }
    Starts starts = options.starts.value_or(Starts{.from = continuing ? Starts::From::all : Starts::From::segments});
    result.starts_given = starts.from == Starts::From::rows;
    if (result.starts_given && starts.target.empty() && is_computed(options.target) && log.actions > 0)
        starts.target = target_in(options.target, starts.rows, log.dimension, log.actions);
    describe_log(result, log);

    const Products products = products_of(log);
    describe_ratios(result, log, products);
    // Weighted returns begin where segments begin: of other states only learned values can tell.
    result.horizon = result.starts_given ? 0 : products.horizon(least_effective);
    result.check_horizon = result.starts_given ? 0 : products.horizon(least_effective_check);
    result.rest = rest_of(log, products, result.horizon);

    result.spread = deviation_of(returns_by_segment(log, products));
    refuse_too_large(log, "ratios", result.deficit.se);
    refuse_too_large(log, "rewards", result.spread);
    result.estimates = {importance_sampling(log, products), weighted_importance_sampling(log, products),
                        per_decision(log, products), weighted_per_decision(log, products)};
    stop_if_interrupted();
    options.watch(0.1 * share_of_least_squares(options));
    if (log.dimension > most_features)
        add_online_estimates(result, log, products, options, starts);
    else
        add_least_squares(result, log, products, options, starts);
    for (PolicyEstimate& estimate : result.estimates) set_interval(estimate, options.level);
    if (options.online && !result.find("online")) {
        result.estimates.push_back(online_values(log, *options.online, starts, options.level, options.threads,
                                                 Stage(options, share_of_least_squares(options), 1))
                                       .estimate);
    }
    find_drift(result, log);
    result.verdict =
        verdict_of({.support_known = result.support_known,
                    .unsupported = result.unsupported,
                    .ratio_deficit = result.deficit.value,
                    .ratio_deficit_se = result.deficit.se,
                    .segments = result.segments,
                    .effective_after_one = products.ess.front(),
                    .half_width = result.answer_estimate().half_width(),
                    .spread = result.spread,
                    .rest = result.rest,
                    .values_contradicted = result.flagged("values-against-weights") || result.flagged("lambda")});

    if (options.at) {
        for (std::size_t first = 0; first < options.at->size(); first += log.dimension)
            result.values.push_back(result.value_of(std::span(*options.at).subspan(first, log.dimension)));
    } else {
        result.values = frequent_rows(log);
        for (StateValue& row : result.values) {
            const std::size_t count = row.count;
            row = result.value_of(row.x);
            row.count = count;
        }
    }
    return result;
}

}  // namespace bellwether
