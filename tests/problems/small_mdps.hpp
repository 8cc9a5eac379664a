// Small problems to test the exact solutions on, built by hand: they share nothing with the built-in domains.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problems/finite_mdp.hpp"
#include "stream.hpp"

namespace bellwether::test {

inline double deviation(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
    if (found.rows() != expected.rows() || found.cols() != expected.cols()) return HUGE_VAL;
    const auto n = static_cast<std::size_t>(found.size());
    return deviation(std::span(found.data(), n), std::span(expected.data(), n));
}
inline Eigen::VectorXd to_eigen(std::span<const double> values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

inline MdpDescription sized(std::string name, std::size_t states, std::size_t actions, std::size_t dimension) {
    MdpDescription m;
    m.name = std::move(name);
    m.states = states;
    m.actions = actions;
    m.dimension = dimension;
    return m;
}

// A chain without choices, one feature per state; P row by row.
inline MdpDescription chain(const Mat& P, double discount = 0.9) {
    const std::size_t n = P.size();
    MdpDescription m = sized("chain", n, 1, n);
    for (std::size_t s = 0; s < n; ++s) {
        m.outcomes.emplace_back();
        for (std::size_t next = 0; next < n; ++next) {
            m.outcomes.back().push_back({static_cast<std::uint32_t>(next), P[s][next], 1, discount});
            m.features.push_back(s == next ? 1 : 0);
        }
    }
    m.target = m.behaviour = Vec(n, 1);
    return m;
}

// Two states, one feature, two actions that lead to one of the states each, whatever the state.
struct TwoStates {
    Vec features, values;  // rewards are such that V* = values
    double discount;
    double target, behaviour;  // probability of the action that leads to the second state
};
inline FiniteMdp two_states(const TwoStates& t) {
    MdpDescription m = sized("two states", 2, 2, 1);
    m.features = t.features;
    const double mean = (1 - t.target) * t.values[0] + t.target * t.values[1];
    for (std::size_t s = 0; s < 2; ++s) {
        for (std::uint32_t next = 0; next < 2; ++next)
            m.outcomes.push_back({{next, 1, t.values[s] - t.discount * mean, t.discount}});
        m.target.insert(m.target.end(), {1 - t.target, t.target});
        m.behaviour.insert(m.behaviour.end(), {1 - t.behaviour, t.behaviour});
    }
    return FiniteMdp(std::move(m));
}

// Baird's counterexample: seven states, eight features; dashed to states 1–6, solid to state 7.
inline FiniteMdp baird() {
    MdpDescription m = sized("baird", 7, 2, 8);
    for (std::size_t s = 0; s < 7; ++s) {
        m.outcomes.emplace_back();
        for (std::uint32_t next = 0; next < 6; ++next) m.outcomes.back().push_back({next, 1.0 / 6, 0, 0.99});
        m.outcomes.push_back({{6, 1, 0, 0.99}});
        m.target.insert(m.target.end(), {0, 1});
        m.behaviour.insert(m.behaviour.end(), {6.0 / 7, 1.0 / 7});
        Vec x(8);
        x[s] = s < 6 ? 2 : 1;
        x[7] = s < 6 ? 1 : 2;
        m.features.insert(m.features.end(), x.begin(), x.end());
    }
    m.initial_weights = {1, 1, 1, 1, 1, 1, 10, 1};
    return FiniteMdp(std::move(m));
}

// Five states, three actions, three features; everything random: γ(s,a,s') with terminations, λ(s), I(s), policies that
// differ, the target policy without one action in one state.
inline MdpDescription random_mdp(std::uint64_t seed) {
    Random random(seed);
    MdpDescription m = sized("random", 5, 3, 3);
    const auto distribution = [&](std::size_t size, bool with_zero) {
        Vec p = random.vector(size, 0.1, 1);
        if (with_zero) p[random.below(size)] = 0;
        double sum = 0;
        for (const double value : p) sum += value;
        return (1 / sum) * p;
    };
    const auto append = [](Vec& to, const Vec& values) { to.insert(to.end(), values.begin(), values.end()); };
    for (std::size_t s = 0; s < m.states; ++s) {
        for (std::size_t a = 0; a < m.actions; ++a) {
            const Vec p = distribution(m.states, true);
            m.outcomes.emplace_back();
            for (std::uint32_t next = 0; next < m.states; ++next)
                m.outcomes.back().push_back(
                    {next, p[next], random.uniform(-1, 1), random.chance(0.2) ? 0 : random.uniform(0.5, 0.98)});
        }
        append(m.target, distribution(m.actions, s == 0));
        append(m.behaviour, distribution(m.actions, false));
        append(m.features, random.vector(m.dimension, -1, 1));
    }
    m.lambda = random.vector(m.states, 0, 1);
    m.interest = random.vector(m.states, 0, 2);
    return m;
}

}  // namespace bellwether::test
