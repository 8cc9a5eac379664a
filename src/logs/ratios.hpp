// Where a log's ratios ρ = π/μ come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logs/behaviour.hpp"
#include "logs/log.hpp"
#include "logs/target.hpp"

namespace bellwether {

// μ: from the log's columns, fitted ("auto", "counts", "logistic"), or given, a row per step.
struct BehaviourSource {
    std::string model{};           // empty: the columns
    std::vector<double> given{};   // steps × actions
    double unsupported_below = 0;  // of what is given: 0 of probabilities that are known, else as of a fitted model
};

// What was done, in the words of the console.
struct RatioSource {
    std::string target, behaviour;
    bool in_columns = true;  // so that learning from the same file has the same ratios
    bool on_policy = false;
    std::optional<FittedBehaviour> fitted{};
    double unsupported_below = 0;
};

// Fills the log's ratios, its target where that is not in the columns, and μ where it was fitted. UsageError where
// there is no way to ratios.
RatioSource set_ratios(Log& log, const TargetPolicy& target, const BehaviourSource& behaviour);

}  // namespace bellwether
