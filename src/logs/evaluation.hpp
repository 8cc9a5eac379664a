// What a target policy is worth, by a log of another one: estimates, whether they agree, and whether the log can tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logs/agreement.hpp"
#include "logs/diagnostics.hpp"
#include "logs/estimate.hpp"
#include "logs/log.hpp"
#include "logs/online.hpp"
#include "logs/ratios.hpp"
#include "logs/starts.hpp"
#include "logs/verdict.hpp"

namespace bellwether {

struct EvaluationOptions {
    TargetPolicy target{};
    BehaviourSource behaviour{};
    std::optional<Starts> starts{};           // none: segments, or all rows of a log that goes on and on
    std::optional<std::size_t> piece{};       // steps; none: only a log that goes on and on is cut
    std::optional<std::vector<double>> at{};  // rows of features; none: the most frequent ones of the log
    double lambda = 0.9;
    double level = 0.95;
    std::optional<OnlineLearner> online{};  // a row of its own; with more than most_features, the source of all values
    std::size_t threads = 1;
    std::function<void(double done)> watch = [](double) {};  // by the calling thread, some times a second
};

// The value of a row of features, by least squares.
struct StateValue {
    std::vector<double> x;
    std::size_t count;  // of steps in the log; 0 where the row was given
    double value, se;
};

struct NamedDrift {
    std::string_view of;
    Drift drift;
};

struct PolicyEvaluation {
    std::string name;
    // The log.
    std::size_t dimension = 0, actions = 0, segments = 0, steps = 0, ended = 0;
    std::size_t pieces = 0;  // their length, where the log was cut; else 0
    std::uint64_t missing_steps = 0, repeated_rows = 0;
    NumberRange lengths{}, rewards{}, discounts{};
    RatioSource ratio_source{};
    RatioSummary ratios{}, final_products{};
    double zero_ratios = 0;
    RatioHistogram histogram{};  // of the ratios
    RatioDeficit deficit{};
    bool support_known = false;
    double unsupported = 0;
    std::vector<double> effective_sample{};  // after h + 1 steps
    std::size_t horizon = 0, check_horizon = 0;
    double rest = 1;
    Rank rank{};
    std::vector<std::size_t> empty_features{};
    // Start rows, and rows that values were asked for, that leave the span of the log's.
    std::vector<std::size_t> starts_outside{}, at_outside{};
    std::vector<double> balance{};
    std::vector<NamedDrift> drifts{};
    bool starts_given = false;
    // The answer.
    double level = 0.95, lambda = 0.9;
    double spread = 0;
    std::vector<PolicyEstimate> estimates{};
    std::vector<Agreement> tests{};
    std::string_view answer{};  // the name of the estimate that is it
    LogVerdict verdict{};
    std::vector<double> weights{}, weights_se{};
    SquareMatrix covariance{};                  // of the weights; or,
    std::vector<std::vector<double>> refits{};  // where a learner's values stand in for those of least squares, its
                                                // weights of logs of segments drawn with replacement
    std::vector<StateValue> values{};

    const PolicyEstimate* find(std::string_view estimate) const;
    const PolicyEstimate& answer_estimate() const { return *find(answer); }
    bool has_action_values() const { return find("lstd-q") != nullptr; }
    bool has_least_squares() const { return find("lstd") != nullptr; }
    bool flagged(std::string_view test) const;
    // x·w and √(xᵀΣx), or the deviation over the refits.
    StateValue value_of(std::span<const double> x) const;
};

// Steps that a table has of the effective sample: 1, 2, 5, 10, … to the longest.
std::vector<std::size_t> steps_shown(std::size_t longest);

// UsageError where the log cannot be evaluated so.
PolicyEvaluation evaluate(Log log, const EvaluationOptions& options);

}  // namespace bellwether
