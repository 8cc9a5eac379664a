// What a learner that goes along the log says: x̄_0·w of its weights at the end. Its standard error is the deviation
// over 200 logs of as many segments drawn with replacement, each learned afresh.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bellwether/info.hpp"
#include "logs/estimate.hpp"
#include "logs/log.hpp"
#include "logs/starts.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

struct OnlineLearner {
    const AlgorithmInfo* algorithm;
    std::vector<double> parameters;  // in the order of algorithm->parameters
};

struct OnlineValues {
    PolicyEstimate estimate;      // named "online", with its interval: Student's, n − 1 degrees of freedom
    std::vector<double> weights;  // of the whole log
    std::vector<std::vector<double>> refits;  // of logs of segments drawn with replacement

    // The deviation of g·w over the refits.
    double deviation_of_values(std::span<const double> g) const;
};

// WorkError where the learner diverges.
OnlineValues online_values(Log& log, const OnlineLearner& learner, const Starts& starts, double level,
                           std::size_t threads, const PassWatch& watch);
// Its weights after all segments.
std::vector<double> online_weights(Log& log, const OnlineLearner& learner);
// Its weights after the segments of all folds but k, folds learned apart.
FoldWeights online_fold_weights(Log& log, const OnlineLearner& learner, std::size_t threads);

}  // namespace bellwether
