// Exact solutions of a finite MDP by linear algebra: what the right answer is, and what each algorithm tends to.
// Symbols as in docs/notation.md: P_{π,γ}(s,s') = Σ_a π(a|s) P(s'|s,a) γ(s,a,s'), Λ = diag(λ), D = diag(d_μ).
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"
#include "bellwether/state.hpp"
#include "problems/finite_mdp.hpp"

namespace bellwether {

// The stationary distribution of the chain under the behaviour policy; periodic chains have one too. UsageError where
// the chain has several closed classes, naming them.
Eigen::VectorXd stationary_distribution(const FiniteMdp& mdp);

// The exact solution for one λ: λ(s) of the MDP where it has its own, else `lambda` everywhere.
struct ExactSolution {
    ExactSolution(const FiniteMdp& mdp, double lambda);

    Eigen::VectorXd d;               // stationary distribution under μ
    Eigen::VectorXd v;               // V*, the values under π
    Eigen::MatrixXd X;               // features, a row per state
    Eigen::VectorXd lambda;          // λ(s)
    Eigen::VectorXd interest;        // I(s)
    Eigen::MatrixXd P_pi;            // P_{π,γ}
    Eigen::MatrixXd P_mu;            // P_{μ,γ}
    Eigen::VectorXd r_pi;            // expected reward under π
    Eigen::MatrixXd A;               // A_π = XᵀD(I − P_{π,γ}Λ)⁻¹(I − P_{π,γ})X
    Eigen::MatrixXd A_mu;            // the same with P_{μ,γ}
    Eigen::VectorXd b;               // XᵀD(I − P_{π,γ}Λ)⁻¹r_π
    Eigen::MatrixXd C;               // XᵀDX
    Eigen::VectorXd fixed_point;     // A⁺b
    Eigen::VectorXd projection;      // the best weights: C⁺XᵀDv
    std::vector<std::string> notes;  // where a matrix was singular and a pseudo-inverse stands in

    // ETD(λ,β) with β = beta_scale·γ: its A and b, with D replaced by diag(m), and its fixed point.
    struct Emphatic {
        Eigen::VectorXd m;
        Eigen::MatrixXd A;
        Eigen::VectorXd b;
        Eigen::VectorXd fixed_point;
    };
    Emphatic emphatic(double beta_scale) const;

    // Errors of a weight vector.
    std::optional<double> mave(const Eigen::VectorXd& w) const;  // none where some V*(s) with d(s) > 0 is 0
    double msve(const Eigen::VectorXd& w) const;
    double rmsve(const Eigen::VectorXd& w) const;
    double mspbe(const Eigen::VectorXd& w) const;  // (b − Aw)ᵀC⁺(b − Aw)
    double rmspbe(const Eigen::VectorXd& w) const;
    double msbe(const Eigen::VectorXd& w) const;  // Σ d(s)((r_π + P_{π,γ}Xw − Xw)(s))²
    Eigen::MatrixXd C_pseudo_inverse;
};

// The expected update of an algorithm to first order in α, per unit of α, as a joint linear system in z = (w, h):
// E[Δz]/α = g + G z, where d_h is the dimension of h (0 where there is none).
struct ExpectedUpdate {
    Eigen::MatrixXd G;
    Eigen::VectorXd g;
    std::size_t auxiliary = 0;  // length of h: 0 or the dimension
};
// None for an algorithm without such a system (LSTD). Parameters by name; alpha is not among them; unknown names are
// ignored, missing ones are the algorithm's defaults, lambda is the solution's.
std::optional<ExpectedUpdate> expected_update(const FiniteMdp& mdp, const ExactSolution& solution,
                                              std::string_view algorithm, std::span<const NamedValue> parameters);

// The largest real part of the eigenvalues of G on the row space of the features (for w and for h): below 0 the
// expected update converges, at that rate per unit of α; above 0 it diverges.
double growth_rate(const ExactSolution& solution, const ExpectedUpdate& update);

}  // namespace bellwether
