// The expected update of every algorithm, to first order in α and per unit of α.
//
// With Ē(s) = d(s)E[e_t/ρ_t | S_t = s], the mean of the common trace e ← ρ(g l e + x) before its factor ρ,
//     Ē = DX + ΛP_{π,γ}ᵀĒ,  E[δe] = Ēᵀ(r_π − (I − P_{π,γ})Xw) = b − Aw
//     E[xxᵀ] = C,  E[g'(1−l')x'eᵀ] = Xᵀ(I − Λ)P_{π,γ}ᵀĒ = C − Aᵀ
//     E[ueᵀ] = Aᵀ,  E[u(e^μ)ᵀ] = A_μᵀ
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "bellwether/catalogue.hpp"
#include "problems/exact.hpp"
#include "support/error.hpp"

namespace bellwether {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

ExpectedUpdate weights_alone(const LinearUpdate& update) {
    return {.G = -update.A, .g = update.b, .auxiliary = 0};
}

// The blocks of G: what w and h contribute to the change of w (first row) and of h (second row).
struct Blocks {
    MatrixXd w_w, w_h, h_w, h_h;
};
ExpectedUpdate joint(const Blocks& blocks, const Eigen::VectorXd& g_w, const Eigen::VectorXd& g_h) {
    const Index d = g_w.size();
    ExpectedUpdate update{
        .G = MatrixXd(2 * d, 2 * d), .g = Eigen::VectorXd(2 * d), .auxiliary = static_cast<std::size_t>(d)};
    update.G << blocks.w_w, blocks.w_h, blocks.h_w, blocks.h_h;
    update.g << g_w, g_h;
    return update;
}

// GTD(λ):  b − Aw − (C − Aᵀ)h  and  η[b − Aw − (C + βI)h], with β = 0 but in TDRC(λ)
ExpectedUpdate gradient(const ExactSolution& s, double eta, double regularization) {
    const MatrixXd pull = regularization * MatrixXd::Identity(s.C.rows(), s.C.cols());
    return joint({-s.A, s.A.transpose() - s.C, -eta * s.A, -eta * (s.C + pull)}, s.b, eta * s.b);
}

// GTD2(λ):  Ch − (C − Aᵀ)h = Aᵀh  and  η[b − Aw − Ch]
ExpectedUpdate pure_gradient(const ExactSolution& s, double eta) {
    return joint({MatrixXd::Zero(s.A.rows(), s.A.cols()), s.A.transpose(), -eta * s.A, -eta * s.C},
                 Eigen::VectorXd::Zero(s.b.size()), eta * s.b);
}

// HTD(λ):  b − Aw + (A − A_μ)ᵀh  and  d_in_h(b − Aw) − ηA_μᵀh
ExpectedUpdate hybrid(const ExactSolution& s, double eta, double d_in_h) {
    return joint({-s.A, (s.A - s.A_mu).transpose(), -d_in_h * s.A, -eta * s.A_mu.transpose()}, s.b, d_in_h * s.b);
}

// e ← c⁻ g l e + x, w ← w + αρδe with a factor c(s,a) in place of importance weights:
//     Ē = DX + P_cᵀĒ,  P_c(s,s') = Σ_a μ(a|s)P(s'|s,a)γ(s,a,s')λ(s')c(s,a)
template <class Cut>
MatrixXd decay_of_cut(const FiniteMdp& mdp, const ExactSolution& solution, const Eigen::VectorXd& lambda, Cut&& cut) {
    MatrixXd decay = MatrixXd::Zero(solution.P_pi.rows(), solution.P_pi.cols());
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a) {
            if (mdp.behaviour(s, a) == 0) continue;
            for (const Outcome& o : mdp.outcomes(s, a))
                decay(static_cast<Index>(s), o.next) +=
                    mdp.behaviour(s, a) * o.probability * o.discount * lambda(o.next) * cut(s, a);
        }
    return decay;
}
template <class Cut>
ExpectedUpdate cut_traces(const FiniteMdp& mdp, const ExactSolution& solution, const Eigen::VectorXd& lambda,
                          Cut&& cut) {
    return weights_alone(solution.mean_update(solution.d, decay_of_cut(mdp, solution, lambda, cut)));
}

// The same with the TD errors of each action at the rate p(s,a) = min(μ, π) in the place of π:
//     Ēᵀ(r_p − (diag(p) − P_{p,γ})Xw),  p(s) = Σ_a p(s,a)
ExpectedUpdate clipped_update(const FiniteMdp& mdp, const ExactSolution& solution) {
    const auto cut = [&](std::size_t s, std::size_t a) { return std::min(1.0, mdp.ratio(s, a)); };
    const MatrixXd decay = decay_of_cut(mdp, solution, solution.lambda, cut);
    const Index states = decay.rows();
    MatrixXd P = MatrixXd::Zero(states, states);
    Eigen::VectorXd p = Eigen::VectorXd::Zero(states), r = p;
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a) {
            const auto row = static_cast<Index>(s);
            const double rate = std::min(mdp.behaviour(s, a), mdp.target(s, a));
            p(row) += rate;
            for (const Outcome& o : mdp.outcomes(s, a)) {
                r(row) += rate * o.probability * o.reward;
                P(row, o.next) += rate * o.probability * o.discount;
            }
        }
    const MatrixXd resolvent = MatrixXd::Identity(states, states) - decay.transpose();
    const MatrixXd trace = solve(resolvent, MatrixXd(solution.d.asDiagonal() * solution.X));
    const MatrixXd change = p.asDiagonal() * solution.X - P * solution.X;
    return weights_alone({trace.transpose() * change, trace.transpose() * r});
}

}  // namespace

std::optional<ExpectedUpdate> expected_update(const FiniteMdp& mdp, const ExactSolution& solution,
                                              std::string_view algorithm, std::span<const NamedValue> parameters) {
    auto found = require_algorithm(algorithm);
    if (!found) throw UsageError(found.error());
    const AlgorithmInfo& info = *found;
    const auto value = [&](std::string_view name) {
        for (const NamedValue& parameter : parameters)
            if (parameter.name == name) return parameter.value;
        return info.find(name)->default_value;
    };
    const auto has = [&](std::string_view name) { return info.find(name) != nullptr; };

    if (info.on_policy_only && !mdp.on_policy()) return std::nullopt;

    switch (info.mean_update) {
        case MeanUpdate::none:
            return std::nullopt;
        // On-policy td is off-policy-td. The true-online methods add to it (w_t − w_{t−1})·x and (x·e)x times α, of
        // second order. PTD adds (ρ − 1)h, where h is a function of the past and E[ρ − 1 | S_t] = 0, whatever factor
        // decays h.
        case MeanUpdate::td:
            return weights_alone({solution.A, solution.b});
        case MeanUpdate::one_step:
            return weights_alone(
                solution.mean_update(solution.d, MatrixXd::Zero(solution.P_pi.rows(), solution.P_pi.cols())));
        // A mirror-prox step differs from that of its base by the half step, of second order in α.
        case MeanUpdate::gradient:
            return gradient(solution, value("eta"), has("regularization") ? value("regularization") : 0);
        case MeanUpdate::pure_gradient:
            return pure_gradient(solution, value("eta"));
        case MeanUpdate::hybrid:
            return hybrid(solution, value("eta"), value("eta"));
        case MeanUpdate::hybrid_as_printed:
            return hybrid(solution, value("eta"), 1);
        case MeanUpdate::emphatic:  // D replaced by diag(m)
            return weights_alone(solution.emphatic(has("beta-scale") ? value("beta-scale") : 1));
        case MeanUpdate::tree_backup:
            return cut_traces(mdp, solution, solution.lambda,
                              [&](std::size_t s, std::size_t a) { return mdp.target(s, a); });
        case MeanUpdate::vtrace:
            return cut_traces(mdp, solution, solution.lambda,
                              [&](std::size_t s, std::size_t a) { return std::min(1.0, mdp.ratio(s, a)); });
        case MeanUpdate::vtrace_clipped:
            return clipped_update(mdp, solution);
        case MeanUpdate::abtd: {  // its trace has no λ, its own cut νπ in its place
            const double zeta = value("zeta"), psi0 = value("psi0"), psi_max = value("psi-max");
            const double psi = 2 * zeta * psi0 + std::max(0.0, 2 * zeta - 1) * (psi_max - 2 * psi0);
            const auto cut = [&](std::size_t s, std::size_t a) {
                return std::min(psi, 1 / std::max(mdp.target(s, a), mdp.behaviour(s, a))) * mdp.target(s, a);
            };
            return cut_traces(mdp, solution, Eigen::VectorXd::Ones(solution.d.size()), cut);
        }
    }
    return std::nullopt;
}

std::array<NamedValue, 2> abtd_bounds(const FiniteMdp& mdp) {
    double largest = 0, smallest = 1;
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        for (std::size_t a = 0; a < mdp.actions(); ++a) {
            if (mdp.behaviour(s, a) == 0) continue;
            const double probability = std::max(mdp.target(s, a), mdp.behaviour(s, a));
            largest = std::max(largest, probability);
            smallest = std::min(smallest, probability);
        }
    }
    return {NamedValue{"psi0", 1 / largest}, NamedValue{"psi-max", 1 / smallest}};
}

double growth_rate(const ExactSolution& solution, const ExpectedUpdate& update) {
    const MatrixXd& basis = solution.row_space;
    const Index d = basis.rows(), rank = basis.cols(), blocks = update.auxiliary > 0 ? 2 : 1;
    if (rank == 0) return 0;  // nothing moves
    MatrixXd inside(blocks * rank, blocks * rank);
    for (Index i = 0; i < blocks; ++i)
        for (Index j = 0; j < blocks; ++j)
            inside.block(i * rank, j * rank, rank, rank) =
                basis.transpose() * update.G.block(i * d, j * d, d, d) * basis;
    const Eigen::EigenSolver<MatrixXd> solver(inside, false);
    if (solver.info() != Eigen::Success) throw WorkError("the eigenvalues of the expected update did not converge");
    return solver.eigenvalues().real().maxCoeff();
}

}  // namespace bellwether
