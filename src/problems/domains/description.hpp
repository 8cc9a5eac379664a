// What the domains have in common when they write themselves down.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "problems/domain.hpp"
#include "problems/finite_mdp.hpp"
#include "support/random.hpp"

namespace bellwether {

// A description with room for every state and action, and nothing in it yet.
inline MdpDescription blank_description(const DomainRequest& request, std::size_t states, std::size_t actions) {
    MdpDescription d;
    d.name = request.info->id;
    d.states = states;
    d.actions = actions;
    d.outcomes.resize(states * actions);
    return d;
}

inline std::vector<Outcome>& outcomes_of(MdpDescription& d, std::size_t state, std::size_t action) {
    return d.outcomes[state * d.actions + action];
}

inline void add_outcome(MdpDescription& d, std::size_t state, std::size_t action, std::size_t next, double probability,
                        double reward, double discount) {
    outcomes_of(d, state, action).push_back({static_cast<std::uint32_t>(next), probability, reward, discount});
}

// The end of an episode: discount 0, and on to the start distribution, which must have been set.
inline void add_end(MdpDescription& d, std::size_t state, std::size_t action, double probability, double reward) {
    for (std::size_t next = 0; next < d.states; ++next)
        if (d.start[next] > 0) add_outcome(d, state, action, next, probability * d.start[next], reward, 0);
}

// Every episode starts in this state.
inline void start_in(MdpDescription& d, std::size_t state) {
    d.start.assign(d.states, 0);
    d.start[state] = 1;
}

// π(a|s) and μ(a|s) as functions of (state, action); on-policy μ is π.
template <class Target, class Behaviour>
void set_policies(MdpDescription& d, const DomainRequest& request, Target target, Behaviour behaviour) {
    for (std::size_t s = 0; s < d.states; ++s) {
        for (std::size_t a = 0; a < d.actions; ++a) {
            d.target.push_back(target(s, a));
            d.behaviour.push_back(request.on_policy ? d.target.back() : behaviour(s, a));
        }
    }
}

// Component i of x(s) as a function of (state, i).
template <class Component>
void set_features(MdpDescription& d, std::size_t dimension, Component component) {
    d.dimension = dimension;
    for (std::size_t s = 0; s < d.states; ++s)
        for (std::size_t i = 0; i < dimension; ++i) d.features.push_back(component(s, i));
}

inline void set_tabular_features(MdpDescription& d) {
    set_features(d, d.states, [](std::size_t s, std::size_t i) { return s == i ? 1.0 : 0.0; });
}

// Divides every feature vector by its norm; one that is 0 stays.
inline void normalise_features(MdpDescription& d, Normalisation by) {
    if (by == Normalisation::none) return;
    for (std::size_t s = 0; s < d.states; ++s) {
        double* const x = d.features.data() + s * d.dimension;
        const double norm =
            by == Normalisation::l2
                ? std::sqrt(std::inner_product(x, x + d.dimension, x, 0.0))
                : std::accumulate(x, x + d.dimension, 0.0, [](double sum, double c) { return sum + std::abs(c); });
        if (norm == 0) continue;
        for (std::size_t i = 0; i < d.dimension; ++i) x[i] /= norm;
    }
}

// For features that have length 1 unless the request says otherwise; make_domain() sees to the latter.
inline void normalise_by_default(MdpDescription& d, const DomainRequest& request) {
    if (!request.normalisation) normalise_features(d, Normalisation::l2);
}

// `count` different numbers of 0 … n−1, by the first steps of a Fisher–Yates shuffle, in the order drawn.
inline std::vector<std::uint32_t> draw_distinct(RandomStream& random, std::size_t n, std::size_t count) {
    std::vector<std::uint32_t> pool(n);
    std::iota(pool.begin(), pool.end(), 0u);
    for (std::size_t k = 0; k < count; ++k) std::swap(pool[k], pool[k + random.below(n - k)]);
    pool.resize(count);
    return pool;
}

}  // namespace bellwether
