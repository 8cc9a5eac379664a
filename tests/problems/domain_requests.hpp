// Domains by name, and what the tests ask of them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "problems/domain.hpp"

namespace bellwether::test {

// The sums below have a few terms of size 1 (Boyan's: 24).
inline constexpr double rounding = 1e-14;

inline DomainRequest request(std::string_view id, std::initializer_list<NamedValue> parameters = {},
                             std::string_view features = {}, bool on_policy = false) {
    return request_domain(require_domain(id), std::span(parameters.begin(), parameters.size()), features, on_policy);
}

inline FiniteMdp make(std::string_view id, std::initializer_list<NamedValue> parameters = {},
                      std::string_view features = {}, bool on_policy = false) {
    return make_domain(request(id, parameters, features, on_policy));
}

inline std::vector<double> row(const FiniteMdp& mdp, std::size_t state) {
    return {mdp.features(state).begin(), mdp.features(state).end()};
}

inline double length(const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

// (state, next) of every transition with discount 0.
inline std::set<std::pair<std::size_t, std::size_t>> ends(const FiniteMdp& mdp) {
    std::set<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                if (o.discount == 0) found.emplace(s, o.next);
    return found;
}

// Everything but the features and the discounts.
inline void expect_same_process(const FiniteMdp& one, const FiniteMdp& other) {
    ASSERT_EQ(one.states(), other.states());
    ASSERT_EQ(one.actions(), other.actions());
    for (std::size_t s = 0; s < one.states(); ++s) {
        for (std::size_t a = 0; a < one.actions(); ++a) {
            EXPECT_EQ(one.target(s, a), other.target(s, a));
            ASSERT_EQ(one.outcomes(s, a).size(), other.outcomes(s, a).size());
            for (std::size_t k = 0; k < one.outcomes(s, a).size(); ++k) {
                EXPECT_EQ(one.outcomes(s, a)[k].next, other.outcomes(s, a)[k].next);
                EXPECT_EQ(one.outcomes(s, a)[k].probability, other.outcomes(s, a)[k].probability);
                EXPECT_EQ(one.outcomes(s, a)[k].reward, other.outcomes(s, a)[k].reward);
            }
        }
    }
    EXPECT_EQ(ends(one), ends(other));
}

}  // namespace bellwether::test
