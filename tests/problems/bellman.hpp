// The Bellman equation without a solver: how far given values are from V(s) = Σ_a π(a|s) Σ_s' P (r + γ V(s')).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "problems/finite_mdp.hpp"

namespace bellwether::test {

inline double bellman_error(const FiniteMdp& mdp, const std::vector<double>& values) {
    double largest = 0;
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        double expected = 0;
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                expected += mdp.target(s, a) * o.probability * (o.reward + o.discount * values[o.next]);
        largest = std::max(largest, std::abs(expected - values[s]));
    }
    return largest;
}

// How far a distribution is from being stationary under the behaviour policy.
inline double stationarity_error(const FiniteMdp& mdp, const std::vector<double>& distribution) {
    std::vector<double> next(mdp.states());
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                next[o.next] += distribution[s] * mdp.behaviour(s, a) * o.probability;
    double largest = 0;
    for (std::size_t s = 0; s < mdp.states(); ++s) largest = std::max(largest, std::abs(next[s] - distribution[s]));
    return largest;
}

}  // namespace bellwether::test
