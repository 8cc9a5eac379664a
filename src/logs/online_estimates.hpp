// The estimates that rest on learned values, with the values of an online learner: for logs of more features than least
// squares take. Folds are learned apart. An influence does not have what an estimate owes to the learner's weights;
// that is added to the standard error, from the refits w* of OnlineValues:
//     se² = sd(ψ)²/n + sd(g·w*)²,   g = Σ_k ∂estimate/∂w^(k)
#pragma once

#include "logs/log.hpp"
#include "logs/online.hpp"
#include "logs/products.hpp"
#include "logs/starts.hpp"

namespace bellwether {

struct OnlineEstimates {
    OnlineValues values;
    PolicyEstimate doubly_robust, weighted, answer;  // "dr", "wdr", "answer-v"
    PolicyEstimate against_weights;                  // learned values less weighted returns over check_horizon steps
};

OnlineEstimates online_estimates(Log& log, const Products& products, const OnlineLearner& learner, const Starts& starts,
                                 std::size_t horizon, std::size_t check_horizon, double level, std::size_t threads,
                                 const PassWatch& watch);

}  // namespace bellwether
