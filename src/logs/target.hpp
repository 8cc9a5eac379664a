// The target policy, where the log does not have it: probabilities of every action in every row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logs/log.hpp"

namespace bellwether {

struct TargetPolicy {
    enum class Kind { columns, uniform, always, behaviour, greedy, softmax };

    Kind kind = Kind::columns;
    std::uint32_t action = 0;     // always this one
    std::vector<double> weights;  // actions × dimension: q(s,a) = w_a·x
    double epsilon = 0;      // greedy: π = 1 − ε + ε/K of the best action (ties: the first), ε/K of the others
    double temperature = 1;  // softmax: π ∝ exp(q/τ)
};

// "uniform", "always:2", "behaviour", "greedy", "softmax"; UsageError.
// Whether it has probabilities in any state, not only in the rows of a log.
bool is_computed(const TargetPolicy& policy);
TargetPolicy target_named(const std::string& text);

// Weights by action as CSV: a header `action,index,weight`; what is not listed is 0. Grows with the largest action.
std::vector<double> read_action_weights(const std::string& path, std::size_t dimension);

// Fills the log's probabilities, and its number of actions where the policy knows it. A target that is the behaviour
// leaves them as those of the behaviour, where these are known. UsageError where actions are missing or do not fit.
void set_target(Log& log, const TargetPolicy& policy);

// The policy's probabilities in rows of features, where it is a function of them (not columns, not behaviour).
std::vector<double> target_in(const TargetPolicy& policy, std::span<const double> features, std::size_t dimension,
                              std::size_t actions);

}  // namespace bellwether
