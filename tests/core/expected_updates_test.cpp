// The expected updates at the stationary distribution of a small finite MDP, against their closed forms.
//
// A step's change of (w, h) is linear in the traces of the step before, so its mean over all histories that lead to
// S_t = s is its value at the mean trace. With the transition's γ_t inside, for Q = P_{π,γ} and d the stationary
// distribution of μ,
//     z(s) = E[γ_t e_{t−1} | S_t = s],  e_t = ρ_t(λ(S_t)γ_t e_{t−1} + x(S_t))
//     d(s')z(s') = Σ_s d(s) Σ_a μ(a|s)P(s'|s,a)γ(s,s')ρ(a|s)[λ(s)z(s) + x(s)],  that is  Dz = QᵀD(Λz + X),
// because ρ_t and S_{t+1} depend on the past by S_t alone. The real update then runs once for every (s, a, s') from the
// injected z(s), with γ_t = 1 as γ_t is in z already, and the changes are averaged with d(s)μ(a|s)P(s'|s,a).
#include <gtest/gtest.h>

#include "bellwether/algorithms/etd.hpp"
#include "bellwether/algorithms/etd_beta.hpp"
#include "bellwether/algorithms/gtd.hpp"
#include "bellwether/algorithms/gtd2.hpp"
#include "bellwether/algorithms/htd.hpp"
#include "bellwether/algorithms/off_policy_td.hpp"
#include "bellwether/algorithms/ptd.hpp"
#include "bellwether/algorithms/td.hpp"
#include "bellwether/online.hpp"
#include "inner_state.hpp"
#include "stream.hpp"

namespace bellwether::test {
namespace {

// Also where linear solves stand in between: their matrices (I − Q, A, A_μ, C of order three to five) are so far from
// singular that no digits are lost.
constexpr double tolerance = 1e-12;

// ---- matrices, beside the vectors of oracle.hpp

using test::deviation;
using test::solve;
using test::operator*;
using test::operator-;

Mat zeros(std::size_t rows, std::size_t columns) {
    return Mat(rows, Vec(columns));
}
Mat diagonal(const Vec& v) {
    Mat result = zeros(v.size(), v.size());
    for (std::size_t i = 0; i < v.size(); ++i) result[i][i] = v[i];
    return result;
}
Mat identity(std::size_t n) {
    return diagonal(Vec(n, 1));
}
Mat transposed(const Mat& A) {
    Mat result = zeros(A[0].size(), A.size());
    for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t j = 0; j < A[0].size(); ++j) result[j][i] = A[i][j];
    return result;
}
Vec operator*(const Mat& A, const Vec& v) {
    Vec result;
    for (const Vec& row : A) result.push_back(dot(row, v));
    return result;
}
Mat operator*(const Mat& A, const Mat& B) {
    Mat result;
    const Mat columns = transposed(B);
    for (const Vec& row : A) result.push_back(columns * row);
    return result;
}
Mat operator-(Mat A, const Mat& B) {
    for (std::size_t i = 0; i < A.size(); ++i) A[i] = A[i] - B[i];
    return A;
}
Mat solve(const Mat& A, const Mat& B) {
    Mat columns;
    for (const Vec& b : transposed(B)) columns.push_back(solve(A, b));
    return transposed(columns);
}
double deviation(const Mat& A, const Mat& B) {
    double worst = 0;
    for (std::size_t i = 0; i < A.size(); ++i) worst = std::max(worst, deviation(A[i], B[i]));
    return worst;
}

// ---- the MDP

struct Mdp {
    std::size_t states, actions;
    std::vector<Mat> P, r;  // [a][s][s']
    Mat pi, mu;             // [s][a]
    Mat gamma;              // [s][s']
    Vec lambda, interest;
    Mat X;  // one row of features per state

    // P_{p,f}(s,s') = Σ_a p(a|s)P(s'|s,a)f(s,s')
    Mat weighted(const Mat& policy, const Mat& factor) const {
        Mat result = zeros(states, states);
        for (std::size_t s = 0; s < states; ++s)
            for (std::size_t a = 0; a < actions; ++a)
                for (std::size_t next = 0; next < states; ++next)
                    result[s][next] += policy[s][a] * P[a][s][next] * factor[s][next];
        return result;
    }
    Mat discounted(const Mat& policy) const { return weighted(policy, gamma); }
    // r_π
    Vec rewards() const {
        Vec result(states);
        for (std::size_t s = 0; s < states; ++s)
            for (std::size_t a = 0; a < actions; ++a) result[s] += pi[s][a] * dot(P[a][s], r[a][s]);
        return result;
    }
    // d = P_μᵀd, Σd = 1
    Vec stationary() const {
        Mat equations = transposed(weighted(mu, Mat(states, Vec(states, 1)))) - identity(states);
        Vec right(states);
        equations.back() = Vec(states, 1);
        right.back() = 1;
        return solve(equations, right);
    }
    Vec values() const { return solve(identity(states) - discounted(pi), rewards()); }
};

Mdp random_mdp(std::uint64_t seed, std::size_t features) {
    Random random(seed);
    const std::size_t n = 5, actions = 2;
    const auto distribution = [&](std::size_t size) {
        Vec p = random.vector(size, 0.1, 1);
        double sum = 0;
        for (const double value : p) sum += value;
        return (1 / sum) * p;
    };
    Mdp m{.states = n,
          .actions = actions,
          .P = {},
          .r = {},
          .pi = {},
          .mu = {},
          .gamma = {},
          .lambda = {},
          .interest = {},
          .X = {}};
    for (std::size_t a = 0; a < actions; ++a) {
        m.P.emplace_back();
        m.r.emplace_back();
        for (std::size_t s = 0; s < n; ++s) {
            m.P[a].push_back(distribution(n));
            m.r[a].push_back(random.vector(n, -1, 1));
        }
    }
    for (std::size_t s = 0; s < n; ++s) {
        m.pi.push_back(distribution(actions));
        m.mu.push_back(distribution(actions));
        m.gamma.push_back(random.vector(n, 0, 0.95));
        m.gamma[s][random.below(n)] = 0;
        m.X.push_back(random.vector(features, -1, 1));
    }
    m.lambda = random.vector(n, 0, 1);
    m.interest = random.vector(n, 0, 2);
    return m;
}

// ---- closed forms

// A = XᵀD(I − QΛ)⁻¹(I − Q)X, b = XᵀD(I − QΛ)⁻¹r_π; `weights` is the diagonal of D.
struct Linear {
    Mat A;
    Vec b;
    Vec at(const Vec& w) const { return b - A * w; }
};
Linear closed_form(const Mdp& m, const Mat& policy, const Vec& weights) {
    const Mat Q = m.discounted(policy), I = identity(m.states);
    const Mat resolvent = I - Q * diagonal(m.lambda);
    const Mat XtD = transposed(m.X) * diagonal(weights);
    return {XtD * solve(resolvent, (I - Q) * m.X), XtD * solve(resolvent, m.rewards())};
}
Mat second_moment(const Mdp& m) {
    return transposed(m.X) * diagonal(m.stationary()) * m.X;
}
// f = (I − P_{π,β}ᵀ)⁻¹(d∘i), m = λ∘d∘i + (1−λ)∘f
Vec emphasis(const Mdp& m, double beta_scale) {
    const Vec d = m.stationary();
    Vec d_i(m.states), result(m.states);
    for (std::size_t s = 0; s < m.states; ++s) d_i[s] = d[s] * m.interest[s];
    Mat beta = m.gamma;
    for (Vec& row : beta) row = beta_scale * row;
    const Vec f = solve(identity(m.states) - transposed(m.weighted(m.pi, beta)), d_i);
    for (std::size_t s = 0; s < m.states; ++s) result[s] = m.lambda[s] * d_i[s] + (1 - m.lambda[s]) * f[s];
    return result;
}

// ---- conditional means

// z of a trace with e_t = ρ_t(λ γ_t e_{t−1} + M_t x), for E[M_t | S_t = s] = M(s); the rows are the states.
//     (D − QᵀDΛ)z = QᵀD diag(M) X
Mat mean_trace(const Mdp& m, const Mat& policy, const Vec& M) {
    const Mat D = diagonal(m.stationary()), Q_t = transposed(m.discounted(policy));
    return solve(D - Q_t * D * diagonal(m.lambda), Q_t * D * diagonal(M) * m.X);
}
Mat mean_trace(const Mdp& m, const Mat& policy) {
    return mean_trace(m, policy, Vec(m.states, 1));
}
// φ(s) = E[ρ_{t−1}β_t F_{t−1} | S_t = s], F_t = φ + i:  Dφ = P_{π,β}ᵀD(φ + i)
Vec mean_follow_on(const Mdp& m, double beta_scale) {
    Mat beta = m.gamma;
    for (Vec& row : beta) row = beta_scale * row;
    const Mat D = diagonal(m.stationary()), B_t = transposed(m.weighted(m.pi, beta));
    return solve(D - B_t * D, B_t * D * m.interest);
}

// ---- the real update, averaged

struct Change {
    Vec w, h;
};

// The mean change of (w, h) at α = η = 1. inject(algorithm, s) sets the traces that lead into state s.
template <template <class, class> class Algorithm, class Inject>
Change expected_update(const Mdp& m, const Vec& w, const Vec& h, Inject inject,
                       typename Algorithm<double, DenseTraces>::Parameters parameters = {}) {
    const std::size_t d = w.size();
    parameters.alpha = 1;
    const Vec stationary = m.stationary();
    Change mean{Vec(d), Vec(d)};
    for (std::size_t s = 0; s < m.states; ++s)
        for (std::size_t a = 0; a < m.actions; ++a)
            for (std::size_t next = 0; next < m.states; ++next) {
                Online<Algorithm<double, DenseTraces>> learner(d, parameters);
                constexpr bool has_h = requires {
                    learner.algorithm().h;
                };
                learner.step({.x = {m.X[s]}, .gamma = 1, .x_next = {m.X[s]}});  // for γ_t = ρ_{t−1} = 1
                learner.set_weights(w);
                if constexpr (has_h) put(learner.algorithm().h, h);
                inject(learner.algorithm(), s);
                renew_products(learner.algorithm());
                learner.step({.x = {m.X[s]},
                              .reward = m.r[a][s][next],
                              .gamma = m.gamma[s][next],
                              .x_next = {m.X[next]},
                              .rho = m.pi[s][a] / m.mu[s][a],
                              .lambda = m.lambda[s],
                              .lambda_next = m.lambda[next],
                              .interest = m.interest[s]});
                const double probability = stationary[s] * m.mu[s][a] * m.P[a][s][next];
                mean.w += probability * (Vec(learner.weights().begin(), learner.weights().end()) - w);
                if constexpr (has_h) {
                    mean.h += probability * (numbers_of(learner.algorithm().h) - h);
                }
            }
    return mean;
}
// For the methods with the common trace.
template <template <class, class> class Algorithm>
Change expected_update(const Mdp& m, const Vec& w, const Vec& h) {
    const Mat z = mean_trace(m, m.pi);
    return expected_update<Algorithm>(m, w, h, [&](auto& algorithm, std::size_t s) { put(algorithm.e, z[s]); });
}
Change expected_htd(const Mdp& m, const Vec& w, const Vec& h) {
    const Mat z = mean_trace(m, m.pi), z_mu = mean_trace(m, m.mu);
    return expected_update<Htd>(m, w, h, [&](auto& algorithm, std::size_t s) {
        put(algorithm.e, z[s]);
        put(algorithm.e_mu, z_mu[s]);
    });
}

// ---- tests, each over several MDPs

class ExpectedUpdate : public testing::TestWithParam<std::uint64_t> {
protected:
    Mdp m = random_mdp(GetParam(), 3);
    Random random{GetParam() + 100};
    Vec w = random.vector(3, -1, 1), h = random.vector(3, -1, 1);
    Linear target = closed_form(m, m.pi, m.stationary());
    Mat A_mu = closed_form(m, m.mu, m.stationary()).A;
    Mat C = second_moment(m);
};

TEST_P(ExpectedUpdate, OffPolicyTd) {
    EXPECT_LE(deviation(expected_update<OffPolicyTd>(m, w, h).w, target.at(w)), tolerance);
}
TEST_P(ExpectedUpdate, OnPolicyTd) {
    m.pi = m.mu;
    EXPECT_LE(deviation(expected_update<Td>(m, w, h).w, closed_form(m, m.mu, m.stationary()).at(w)), tolerance);
}
// The provisional weights enter as (ρ − 1)h, of mean zero whatever h the history left.
TEST_P(ExpectedUpdate, Ptd) {
    const Mat z = mean_trace(m, m.pi);
    Mat any_h;
    for (std::size_t s = 0; s < m.states; ++s) any_h.push_back(random.vector(3, -1, 1));
    const Change change = expected_update<Ptd>(m, w, h, [&](auto& algorithm, std::size_t s) {
        put(algorithm.e, z[s]);
        put(algorithm.h, any_h[s]);
    });
    EXPECT_LE(deviation(change.w, target.at(w)), tolerance);
}
TEST_P(ExpectedUpdate, Gtd) {
    const Change change = expected_update<Gtd>(m, w, h);
    EXPECT_LE(deviation(change.w, target.at(w) - (C - transposed(target.A)) * h), tolerance);
    EXPECT_LE(deviation(change.h, target.at(w) - C * h), tolerance);
}
TEST_P(ExpectedUpdate, Gtd2) {
    const Change change = expected_update<Gtd2>(m, w, h);
    EXPECT_LE(deviation(change.w, transposed(target.A) * h), tolerance);
    EXPECT_LE(deviation(change.h, target.at(w) - C * h), tolerance);
}
TEST_P(ExpectedUpdate, Htd) {
    const Change change = expected_htd(m, w, h);
    EXPECT_LE(deviation(change.w, target.at(w) + transposed(target.A - A_mu) * h), tolerance);
    EXPECT_LE(deviation(change.h, target.at(w) - transposed(A_mu) * h), tolerance);
}
// h* = A_μ^{−⊤}(b − A_π w): h rests, and w moves by A_πᵀA_μ^{−⊤}(b − A_π w), what HTD was derived from.
TEST_P(ExpectedUpdate, HtdAtItsFixedAuxiliaryWeights) {
    const Vec h_star = solve(transposed(A_mu), target.at(w));
    const Change change = expected_htd(m, w, h_star);
    EXPECT_LE(deviation(change.h, Vec(3)), tolerance);
    EXPECT_LE(deviation(change.w, transposed(target.A) * h_star), tolerance);
}
TEST_P(ExpectedUpdate, Etd) {
    for (const double beta_scale : {1.0, 0.5}) {
        const Vec phi = mean_follow_on(m, beta_scale);
        Vec M(m.states);
        for (std::size_t s = 0; s < m.states; ++s)
            M[s] = m.lambda[s] * m.interest[s] + (1 - m.lambda[s]) * (phi[s] + m.interest[s]);
        const Mat z = mean_trace(m, m.pi, M);
        const Vec expected = closed_form(m, m.pi, emphasis(m, beta_scale)).at(w);
        // F ← ρ⁻ β F + I, with ρ⁻ = 1 and β = b·1: φ is injected as φ/b.
        const auto inject = [&](auto& algorithm, std::size_t s) {
            put(algorithm.e, z[s]);
            algorithm.F = phi[s] / beta_scale;
        };
        if (beta_scale == 1) {
            EXPECT_LE(deviation(expected_update<Etd>(m, w, h, inject).w, expected), tolerance);
        }
        const Change change = expected_update<EtdBeta>(m, w, h, inject, {.beta_scale = beta_scale});
        EXPECT_LE(deviation(change.w, expected), tolerance);
    }
}

class FixedPoint : public ExpectedUpdate {};

// One feature per state: A⁻¹b = V* for every λ(s).
TEST_P(FixedPoint, TabularIsTheValueFunction) {
    m.X = identity(m.states);
    const Linear tabular = closed_form(m, m.pi, m.stationary());
    EXPECT_LE(deviation(solve(tabular.A, tabular.b), m.values()), tolerance);
    EXPECT_LE(deviation(expected_update<OffPolicyTd>(m, m.values(), {}).w, Vec(m.states)), tolerance);
}
// λ = 1: A = C, and the fixed point is the projection (XᵀDX)⁻¹XᵀDV*.
TEST_P(FixedPoint, LambdaOneIsTheProjection) {
    m.lambda = Vec(m.states, 1);
    EXPECT_LE(deviation(closed_form(m, m.pi, m.stationary()).A, C), tolerance);
    const Vec at_w = expected_update<OffPolicyTd>(m, w, h).w, at_zero = expected_update<OffPolicyTd>(m, Vec(3), h).w;
    EXPECT_LE(deviation(at_zero - at_w, C * w), tolerance);
    const Vec projection = solve(C, transposed(m.X) * (diagonal(m.stationary()) * m.values()));
    EXPECT_LE(deviation(expected_update<OffPolicyTd>(m, projection, h).w, Vec(3)), tolerance);
}
// GTD, GTD2 and HTD rest where TD does, with h = 0.
TEST_P(FixedPoint, IsSharedByTheGradientMethods) {
    const Vec fixed = solve(target.A, target.b), zero(3);
    for (const Change& change :
         {expected_update<Gtd>(m, fixed, zero), expected_update<Gtd2>(m, fixed, zero), expected_htd(m, fixed, zero)}) {
        EXPECT_LE(deviation(change.w, zero), tolerance);
        EXPECT_LE(deviation(change.h, zero), tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Mdps, ExpectedUpdate, testing::Range<std::uint64_t>(0, 10));
INSTANTIATE_TEST_SUITE_P(Mdps, FixedPoint, testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace bellwether::test
