// Exact solutions of a finite MDP by linear algebra: what the right answer is, and what each algorithm tends to.
// Symbols as in docs/notation.md: P_{π,γ}(s,s') = Σ_a π(a|s) P(s'|s,a) γ(s,a,s'), Λ = diag(λ), D = diag(d_μ).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/state.hpp"
#include "problems/finite_mdp.hpp"
#include "problems/metric.hpp"
#include "problems/weighting.hpp"
#include "support/eigen_memory.hpp"

namespace bellwether {

// The values come out of a linear solve: below this share of the largest one they cannot be told from 0.
inline constexpr double zero_value = 1e-10;
// Likewise of ΠV*, whose mean square this is, where the largest value is that.
inline bool is_zero_projection(double mean_square, double largest_value) {
    return mean_square <= zero_value * zero_value * largest_value * largest_value;
}

// The stationary distribution of the chain under a policy; periodic chains have one too, and transient states have
// probability 0 in it. UsageError where the chain has several closed classes, naming them.
enum class PolicyOf { behaviour, target };
Eigen::VectorXd stationary_distribution(const FiniteMdp& mdp, PolicyOf policy = PolicyOf::behaviour);

// The x with Ax = b. (Here, since Eigen's decompositions take long to compile.)
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);

// A mean update b − Aw of the weights.
struct LinearUpdate {
    Eigen::MatrixXd A;
    Eigen::VectorXd b;
};

// The exact solution for one λ: λ(s) of the MDP where it has its own, else `lambda_elsewhere` in every state.
// UsageError where the chain has several closed classes, or the target policy never terminates.
struct ExactSolution {
    ExactSolution(const FiniteMdp& mdp, double lambda_elsewhere);

    // The problem.
    Eigen::VectorXd d;         // stationary distribution under μ, within the active states
    Eigen::VectorXd active;    // 1 for these, 0 for others
    Eigen::VectorXd v;         // V*, the values under π
    Eigen::MatrixXd X;         // features, a row per state
    Eigen::VectorXd lambda;    // λ(s)
    Eigen::VectorXd interest;  // I(s)
    Eigen::MatrixXd P_pi;      // P_{π,γ}
    Eigen::MatrixXd P_mu;      // P_{μ,γ}
    Eigen::VectorXd r_pi;      // expected reward under π

    // What the algorithms see of it.
    Eigen::MatrixXd A;                 // A_π = XᵀD(I − P_{π,γ}Λ)⁻¹(I − P_{π,γ})X
    Eigen::MatrixXd A_mu;              // the same with P_{μ,γ}
    Eigen::VectorXd b;                 // XᵀD(I − P_{π,γ}Λ)⁻¹r_π
    Eigen::MatrixXd C;                 // XᵀDX
    Eigen::MatrixXd C_pseudo_inverse;  // C⁺
    Eigen::MatrixXd whitening;         // W with WᵀW = C⁺, a row per dimension of the row space
    Eigen::MatrixXd row_space;         // orthonormal columns that span the features of the states with d(s) > 0
    Eigen::VectorXd fixed_point;       // A⁺b
    Eigen::VectorXd projection;        // the best weights: C⁺XᵀDv
    std::vector<std::string> notes;    // where a matrix was singular, and what stands in

    // ETD(λ,β) with β = beta_scale·γ: A and b with D replaced by diag(m),
    //     f = (I − P_{π,β}ᵀ)⁻¹(d∘I),  m = λ∘d∘I + (1−λ)∘f
    struct Emphatic : LinearUpdate {
        Eigen::VectorXd m;
        Eigen::VectorXd fixed_point;  // A⁺b
        std::vector<std::string> notes;
    };
    Emphatic emphatic(double beta_scale) const;

    // A = Xᵀdiag(weight)(I − decay)⁻¹(I − P_{π,γ})X,  b = Xᵀdiag(weight)(I − decay)⁻¹r_π: the mean of ρδe for a trace
    // e that gains x(s) at rate weight(s) and keeps decay(s,s') of itself, on average, from s to s'.
    LinearUpdate mean_update(const Eigen::VectorXd& weight, const Eigen::MatrixXd& decay) const;

    // What the states count: d, or the same for each active one, or what is given for these; the sum is 1.
    Eigen::VectorXd weights(const Weighting& weighting) const;
    // The w with the least Σ weight(s)(x(s)·w − V*(s))², of several the one of smallest norm. `projection` is that of
    // d.
    Eigen::VectorXd best_weights(const Eigen::VectorXd& weight) const;

    // Errors of a weight vector; with other weights of the states in the place of d.
    std::optional<double> weighted_mave(const Eigen::VectorXd& w, const Eigen::VectorXd& weight) const;
    double weighted_msve(const Eigen::VectorXd& w, const Eigen::VectorXd& weight) const;
    double weighted_msbe(const Eigen::VectorXd& w, const Eigen::VectorXd& weight) const;
    // None where some V*(s) with d(s) > 0 is 0.
    std::optional<double> mave(const Eigen::VectorXd& w) const { return weighted_mave(w, d); }
    double msve(const Eigen::VectorXd& w) const { return weighted_msve(w, d); }  // Σ d(s)(x(s)·w − V*(s))²
    double rmsve(const Eigen::VectorXd& w) const;
    double mspbe(const Eigen::VectorXd& w) const;  // (b − Aw)ᵀC⁺(b − Aw)
    double rmspbe(const Eigen::VectorXd& w) const;
    double msbe(const Eigen::VectorXd& w) const { return weighted_msbe(w, d); }  // Σ d(s)((r_π + P_{π,γ}Xw − Xw)(s))²
};

// That for λ = 0 elsewhere. The last one is kept: settings of a study are often of one problem.
std::shared_ptr<const ExactSolution> exact_solution(const FiniteMdp& mdp);

// The error of weights; none for a relative one where some V*(s) with d(s) > 0 is 0, and for a normalised one where
// every (ΠV*)(s) is. With a weighting of its own, for metrics that take one, Π is that of this weighting.
std::optional<double> exact_error(Metric metric, const ExactSolution& solution, const Eigen::VectorXd& w,
                                  const Weighting& weighting = Weighting::stationary);

// The expected update of an algorithm to first order in α, per unit of α, as a joint linear system in z = (w, h):
// E[Δz]/α = g + Gz.
struct ExpectedUpdate {
    Eigen::MatrixXd G;
    Eigen::VectorXd g;
    std::size_t auxiliary = 0;  // length of h: the dimension, or 0 where the algorithm has none
};
// None for an algorithm that declares no such system (MeanUpdate::none), and off-policy for those on-policy only.
// Parameters by name: missing ones have the algorithm's defaults, those it does not have are ignored; λ is the
// solution's.
std::optional<ExpectedUpdate> expected_update(const FiniteMdp& mdp, const ExactSolution& solution,
                                              std::string_view algorithm, std::span<const NamedValue> parameters);

// The parameters psi0 and psi-max that ABTD has on this problem: 1 over the largest and over the smallest max(π, μ) of
// the actions that are taken.
std::array<NamedValue, 2> abtd_bounds(const FiniteMdp& mdp);

// The largest real part of the eigenvalues of G on the row space of the features, for w and for h: outside it nothing
// moves and nothing is predicted. Below 0 the expected update converges, at that rate per unit of α; above 0 it
// diverges.
double growth_rate(const ExactSolution& solution, const ExpectedUpdate& update);

}  // namespace bellwether
