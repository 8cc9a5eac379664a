// What a learner that goes along the log says: x̄_0·w of its weights at the end. Its standard error is the deviation
// over 200 logs of as many segments drawn with replacement, each learned afresh.
#pragma once

#include <cstddef>
#include <vector>

#include "bellwether/info.hpp"
#include "logs/estimate.hpp"
#include "logs/log.hpp"
#include "logs/starts.hpp"

namespace bellwether {

struct OnlineLearner {
    const AlgorithmInfo* algorithm;
    std::vector<double> parameters;  // in the order of algorithm->parameters
};

// Named "online", with its interval: Student's with n − 1 degrees of freedom. WorkError where the learner diverges.
PolicyEstimate online_estimate(Log& log, const OnlineLearner& learner, const Starts& starts, double level,
                               std::size_t threads);

}  // namespace bellwether
