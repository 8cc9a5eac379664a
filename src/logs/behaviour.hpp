// The behaviour policy μ(a|s) fitted to a log that does not have it, and how well that went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log.hpp"

namespace bellwether {

// Steps: features, the action taken, and the number of the segment.
struct BehaviourData {
    std::size_t dimension = 0;
    std::size_t actions = 0;
    std::vector<double> features{};  // steps × dimension
    std::vector<std::uint32_t> action{};
    std::vector<std::size_t> segment{};

    std::size_t steps() const { return action.size(); }
    std::span<const double> x(std::size_t step) const { return {&features[step * dimension], dimension}; }
};
BehaviourData behaviour_data(const Log& log);

class BehaviourModel {
public:
    virtual ~BehaviourModel() = default;
    virtual void probabilities(std::span<const double> x, std::span<double> to) const = 0;
    // Below which an action has no support: 0 of frequencies, 0.005 of a model that is never 0.
    virtual double unsupported_below() const = 0;
};

// Frequencies by distinct row of features, no smoothing; those of all steps in rows that were not seen. `left_out`: a
// fold of segments that is not read.
std::unique_ptr<BehaviourModel> fit_counts(const BehaviourData& data, std::optional<std::size_t> left_out = {});

// Multinomial logistic regression on x and an intercept: the maximum of
//     Σ_t ln μ(A_t|x_t) − κ/2 Σ w²  (not of the intercepts),  by Newton's method to a gradient of 1e-10 a step.
std::unique_ptr<BehaviourModel> fit_logistic(const BehaviourData& data, double ridge,
                                             std::optional<std::size_t> left_out = {});
// κ of 0.01 … 100 with the least held-out log loss over folds of segments.
double choose_ridge(const BehaviourData& data);

// Bins of equal counts of held-out μ̂(a|x), over all steps and actions, against the share that was taken.
struct ReliabilityBin {
    double predicted, taken;
    std::size_t count;
};

struct BehaviourReport {
    std::string model;
    double ridge = 0;  // of logistic
    double log_loss = 0, held_out_log_loss = 0, marginal_log_loss = 0, uniform_log_loss = 0;
    std::vector<ReliabilityBin> reliability{};
    double calibration_error = 0;  // Σ count |predicted − taken| / Σ count
    double smallest_taken = 1;     // μ̂ of an action that was taken
    // z by segments of the held-out gain in log likelihood when x, action and reward of the step before join the
    // features; none where that would be too many features.
    std::optional<double> memory{};
};

struct FittedBehaviour {
    std::shared_ptr<const BehaviourModel> model;
    BehaviourReport report;
};

// `name`: "counts", "logistic", or "auto": counts where there are at most 10,000 distinct rows with 5 visits an action
// on average. UsageError where only one action was taken.
FittedBehaviour fit_behaviour(const BehaviourData& data, std::string_view name);

// z of the memory test; `rewards` by step.
std::optional<double> memory_test(const BehaviourData& data, std::span<const double> rewards, double ridge);
inline constexpr double memory_limit = 3;

}  // namespace bellwether
