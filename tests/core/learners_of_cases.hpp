// Learners on the streams of property tests, and how far two of them are apart.
#pragma once

#include <algorithm>

#include "bellwether/online.hpp"
#include "stream.hpp"

namespace bellwether::test {

// Both sides of an equality do a hundred roundings a step; none of the tests needs more room.
constexpr double tolerance = 1e-12;
// Evidence that two algorithms differ: far above every rounding.
constexpr double visible = 1e-3;

template <template <class, class> class Algorithm>
using Learner = Online<Algorithm<double, DenseTraces>>;

// A learner that starts at the case's w_0, with h = 0.
template <template <class, class> class Algorithm>
Learner<Algorithm> learner(const Case& c, const typename Learner<Algorithm>::Parameters& parameters) {
    Learner<Algorithm> result(c.dimension, parameters);
    result.set_weights(c.w_0);
    return result;
}
template <class AnyLearner>
Vec weights_of(const AnyLearner& l) {
    return {l.weights().begin(), l.weights().end()};
}

// The largest deviation of a's w from b's over all steps.
template <class A, class B>
double deviation_of_w(const Case& c, A a, B b) {
    double worst = 0;
    for (const Sample& s : c.stream) {
        feed(a, s);
        feed(b, s);
        worst = std::max(worst, deviation(a.weights(), b.weights()));
    }
    return worst;
}

}  // namespace bellwether::test
