// Samples as steps of packs or numbers.
#pragma once

#include "stream.hpp"

namespace bellwether::test {

template <class Real, class Features, class Learner>
void step_with(Learner& learner, const Sample& s, const Features& x, const Features& x_next) {
    if (s.starts_segment) learner.start();
    learner.step(Transition<Features, Real>{.x = x,
                                            .reward = s.reward,
                                            .gamma = s.gamma,
                                            .x_next = x_next,
                                            .rho = s.rho,
                                            .interest = s.interest,
                                            .pi = s.pi,
                                            .mu = s.mu});
}

// One step of a learner of Real, a number or a pack, with the sample's features in the form of the kind.
template <class Real, class Learner>
void feed_lanes(FeatureKind kind, Learner& learner, const Sample& s) {
    const SparseVector x(s.x), x_next(s.x_next);
    if (kind == FeatureKind::dense) {
        step_with<Real>(learner, s, Dense<double>{s.x}, Dense<double>{s.x_next});
    } else if (kind == FeatureKind::sparse) {
        step_with<Real>(learner, s, x.view(), x_next.view());
    } else {
        step_with<Real>(learner, s, OneHot{x.indices.at(0)}, OneHot{x_next.indices.at(0)});
    }
}

}  // namespace bellwether::test
