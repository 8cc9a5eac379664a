// One time step, as the user gives it (Transition) and as the algorithms read it (Step). docs/notation.md has the
// symbols.
#pragma once

#include <optional>

#include "bellwether/target.hpp"

namespace bellwether {

// S_t, A_t, R_{t+1}, S_{t+1} as features, with what the policies and the problem say about it.
template <class Features, class Real = double>
struct Transition {
    Features x{};                       // features of S_t
    Real reward = 0;                    // R_{t+1}
    Real gamma = 0;                     // γ_{t+1}, the discount of the transition S_t → S_{t+1}; 0 ends an episode
    Features x_next{};                  // features of S_{t+1}
    Real rho = 1;                       // π(A_t|S_t) / μ(A_t|S_t)
    std::optional<Real> lambda{};       // λ(S_t), the algorithm's parameter unless given
    std::optional<Real> lambda_next{};  // λ(S_{t+1}), likewise
    Real interest = 1;                  // I_t
    Real pi = 1;                        // π(A_t|S_t), read by tree backup and ABTD only
    Real mu = 1;                        // μ(A_t|S_t), likewise
};

inline namespace BELLWETHER_TARGET {

// What the next step needs of the last one; before the first, as it stands here.
template <class Real>
struct Memory {
    Real gamma = Real(0);
    Real rho = Real(1);
    Real pi = Real(1);
    Real mu = Real(1);
};
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, Memory<Real>& memory) {
    visitor.number(memory.gamma, 0);
    visitor.number(memory.rho, 1);
    visitor.number(memory.pi, 1);
    visitor.number(memory.mu, 1);
}

}  // namespace BELLWETHER_TARGET

// What an update reads: the transition, and what it remembers of the one before.
template <class Real, class FeatureType>
struct Step {
    using Features = FeatureType;

    const Features& x;
    const Features& x_next;
    Real reward;
    Real gamma, gamma_next;    // γ_t of the transition into S_t, γ_{t+1} of the one out of it
    Real lambda, lambda_next;  // λ(S_t), λ(S_{t+1})
    Real rho, rho_prev;
    Real interest;
    Real pi_prev, mu_prev;
};

inline namespace BELLWETHER_TARGET {

// A step whose transition brings `now`, after one that brought `before`.
template <class Real, class Features>
BELLWETHER_INLINE Step<Real, Features> make_step(const Features& x, const Features& x_next, const Real& reward,
                                                 const Memory<Real>& now, const Memory<Real>& before,
                                                 const Real& lambda, const Real& lambda_next, const Real& interest) {
    return {.x = x,
            .x_next = x_next,
            .reward = reward,
            .gamma = before.gamma,
            .gamma_next = now.gamma,
            .lambda = lambda,
            .lambda_next = lambda_next,
            .rho = now.rho,
            .rho_prev = before.rho,
            .interest = interest,
            .pi_prev = before.pi,
            .mu_prev = before.mu};
}

}  // namespace BELLWETHER_TARGET

}  // namespace bellwether
