// The expected update of every algorithm: against the real update code, averaged over all transitions, and by what is
// known of its stability.
//
// To first order in α a step's change of (w, h) is linear in the traces of the step before, so that its mean over all
// histories that lead to S_t = s is its value at the mean trace. With the factors of the last transition inside, for
// e_t = q(S_t,A_t)(L(S_t)z_t + M(S_t)x(S_t)), where z_t = k(S_{t−1},A_{t−1})γ_t e_{t−1}/q(S_{t−1},A_{t−1}),
//     d(s')z(s') = Σ_{s,a} d(s)μ(a|s)P(s'|s,a)γ(s,a,s')k(s,a)[L(s)z(s) + M(s)x(s)]
// is the mean of z_t in s': k = q = ρ for the common trace, q = 1 and k = 1, π, min(1, ρ) or νπ for the others. The
// real update runs once for every (s, a, s') from the injected z(s), with γ_t = ρ⁻ = π⁻ = μ⁻ = 1, as these are in z
// already. Sums are iterated to rest here: nothing of the solver under test is used.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <string_view>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "conformance_rows.hpp"
#include "inner_state.hpp"
#include "problems/exact.hpp"
#include "small_mdps.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

const ConformanceRow& row_of(std::string_view id) {
    for (const ConformanceRow& row : conformance_rows())
        if (row.id == id) return row;
    throw std::invalid_argument("no row of parameters for " + std::string(id));
}
const std::vector<NamedValue>& parameters_of(std::string_view id) {
    return row_of(id).parameters;
}
double value_of(std::string_view id, std::string_view parameter) {
    for (const NamedValue& value : parameters_of(id))
        if (value.name == parameter) return value.value;
    return std::numeric_limits<double>::quiet_NaN();
}

// ---- conditional means

template <class Visit>
void for_each_transition(const FiniteMdp& mdp, Visit&& visit) {
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) visit(s, a, o);
}

struct Means {
    explicit Means(const FiniteMdp& m)
        : mdp(m), d(at_rest(Mat(m.states(), Vec(1, 1.0 / static_cast<double>(m.states()))), [&](const Mat& at) {
              Mat next(mdp.states(), Vec(1));
              for_each_transition(mdp, [&](std::size_t s, std::size_t a, const Outcome& o) {
                  next[o.next] += mdp.behaviour(s, a) * o.probability * at[s];
              });
              return next;
          })) {}

    // z(s) for k(s,a), L(s), M(s)
    template <class K>
    Mat trace(K&& k, const Vec& L, const Vec& M) const {
        return at_rest(Mat(mdp.states(), Vec(mdp.dimension())), [&](const Mat& z) {
            Mat next(mdp.states(), Vec(mdp.dimension()));
            for_each_transition(mdp, [&](std::size_t s, std::size_t a, const Outcome& o) {
                const Vec x(mdp.features(s).begin(), mdp.features(s).end());
                next[o.next] += (into(s, a, o) * o.discount * k(s, a)) * (L[s] * z[s] + M[s] * x);
            });
            return next;
        });
    }
    // φ(s) = E[ρ_{t−1}β_t F_{t−1} | S_t = s], F_t = φ + I
    Vec follow_on(double beta_scale) const {
        const Mat phi = at_rest(Mat(mdp.states(), Vec(1)), [&](const Mat& at) {
            Mat next(mdp.states(), Vec(1));
            for_each_transition(mdp, [&](std::size_t s, std::size_t a, const Outcome& o) {
                next[o.next][0] +=
                    into(s, a, o) * beta_scale * o.discount * mdp.ratio(s, a) * (at[s][0] + mdp.interest(s));
            });
            return next;
        });
        Vec result;
        for (const Vec& row : phi) result.push_back(row[0]);
        return result;
    }
    Vec lambda() const {
        Vec result(mdp.states());
        for (std::size_t s = 0; s < mdp.states(); ++s) result[s] = mdp.lambda(s);
        return result;
    }
    Vec ones() const { return Vec(mdp.states(), 1); }

    const FiniteMdp& mdp;
    Mat d;  // of one column

private:
    // Of the visits to o.next, the share that came from s by a.
    double into(std::size_t s, std::size_t a, const Outcome& o) const {
        return d[s][0] * mdp.behaviour(s, a) * o.probability / d[o.next][0];
    }
    // Where repeated application of `map` leads, to 1e-14/(1 − 0.98): its changes shrink by 0.98 at least.
    template <class Map>
    static Mat at_rest(Mat at, Map&& map) {
        for (double moved = 1; moved > 1e-14;) {
            const Mat next = map(at);
            moved = 0;
            for (std::size_t s = 0; s < at.size(); ++s) moved = std::max(moved, deviation(next[s], at[s]));
            at = next;
        }
        return at;
    }
};

// ---- the mean state of an algorithm in each state of the MDP

struct MeanState {
    MeanState(const FiniteMdp& mdp, std::string_view id) : means(mdp) {
        const auto ratio = [&](std::size_t s, std::size_t a) { return mdp.ratio(s, a); };
        const auto one = [](std::size_t, std::size_t) { return 1.0; };
        const Vec lambda = means.lambda(), ones = means.ones();
        common = means.trace(ratio, lambda, ones);
        e = common;
        e_mu = means.trace(one, lambda, ones);
        if (id == "tb") e = means.trace([&](auto s, auto a) { return mdp.target(s, a); }, lambda, ones);
        if (id == "vtrace" || id == "vtrace-clipped")
            e = means.trace([&](auto s, auto a) { return std::min(1.0, mdp.ratio(s, a)); }, lambda, ones);
        if (id == "abtd") {
            const double zeta = value_of(id, "zeta"), psi0 = value_of(id, "psi0"), psi_max = value_of(id, "psi-max");
            const double psi = 2 * zeta * psi0 + std::max(0.0, 2 * zeta - 1) * (psi_max - 2 * psi0);
            const auto cut = [&](std::size_t s, std::size_t a) {
                return std::min(psi, 1 / std::max(mdp.target(s, a), mdp.behaviour(s, a))) * mdp.target(s, a);
            };
            e = means.trace(cut, ones, ones);
            for (Vec& row : e) row = (1 / std::min(psi, 1.0)) * row;  // the update's own ν⁻, at π⁻ = μ⁻ = 1
        }
        if (id.ends_with("etd") || id.ends_with("etd-beta")) {
            const double beta_scale = id.ends_with("beta") ? value_of(id, "beta-scale") : 1;
            const Vec phi = means.follow_on(beta_scale);
            F = (1 / beta_scale) * phi;  // the update's own β, at γ_t = 1
            Vec M(mdp.states());
            for (std::size_t s = 0; s < mdp.states(); ++s)
                M[s] = lambda[s] * mdp.interest(s) + (1 - lambda[s]) * (phi[s] + mdp.interest(s));
            e = means.trace(ratio, lambda, M);
        }
    }

    Means means;
    Mat common, e, e_mu;
    Vec F;
};

// Puts a mean state, w and h into an algorithm.
struct Injection {
    const MeanState& mean;
    std::string_view id;
    std::size_t s;
    double alpha, eta;
    Vec w, h, provisional;
    double w_x;

    template <class Weights>
    requires requires(Weights& to, const Vec& value) { put(to, value); }
    void kept(const char* name, Weights& to) const { put(to, name == std::string_view("w") ? w : h); }
    void cleared(std::string_view name, DenseTrace<double>& to) const {
        // the e of true-online TD and ETD holds α
        const bool holds_alpha = id == "to-td" || id == "to-etd" || id == "to-etd-beta";
        if (name == "e")
            put(to, (holds_alpha ? alpha : 1.0) * mean.e[s]);
        else if (name == "e-mu")
            put(to, mean.e_mu[s]);
        else if (name == "e-online")
            put(to, alpha * mean.common[s]);
        else if (name == "e-h")  // e^h_t = α_h e_t/ρ_t to first order, and ρ⁻ stands in its decay
            put(to, eta * alpha * mean.common[s]);
        else if (name == "h")  // of PTD: any function of the past, of no consequence
            put(to, provisional);
        else
            throw std::logic_error("a trace without a mean: " + std::string(name));
    }
    void cleared(std::string_view name, double& to) const {
        if (name == "F")
            to = mean.F[s];
        else if (name == "v")  // w_{t−1}·x_t, from which w_t differs by some step of order α
            to = w_x + 0.3 * alpha;
        else if (name == "z")  // a trace of h·x: e·h where h stands still
            to = dot(mean.e[s], h);
        else if (name != "e-dot-h")  // of TDRC: likewise
            throw std::logic_error("a scalar without a mean: " + std::string(name));
    }
    // products follow, once their factors are there
    template <class State>
    requires(!is_dense_trace<State>) void cleared(std::string_view, State&) const {}
    // LSTD's matrix; it has no expected update. A step size that learning has not changed yet stays what it is.
    void kept(const char*, Matrix<double>&) const {}
    void kept(const char*, double&) const {}
};

// ---- the real update, averaged

// E[Δ(w, h)]/α at this α, with h left out where the algorithm has no auxiliary weights.
template <template <class, class> class Algorithm>
VectorXd mean_change(const FiniteMdp& mdp, const MeanState& mean, const Vec& w, const Vec& h, double alpha) {
    using Real = Algorithm<double, DenseTraces>;
    constexpr std::string_view id = Real::text.id;
    typename Real::Parameters parameters;
    for (const auto& declared : Real::Parameters::declare())
        parameters.*declared.field = declared.name == "alpha" ? alpha : value_of(id, declared.name);
    const std::size_t d = w.size();
    const bool has_h = info_of<Algorithm>.find("eta") != nullptr;
    Random random(7);
    Vec change(has_h ? 2 * d : d);
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        const Vec x(mdp.features(s).begin(), mdp.features(s).end());
        const Injection injection{.mean = mean,
                                  .id = id,
                                  .s = s,
                                  .alpha = alpha,
                                  .eta = has_h ? value_of(id, "eta") : 0,
                                  .w = w,
                                  .h = h,
                                  .provisional = random.vector(d, -1, 1),
                                  .w_x = dot(w, x)};
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) {
                const Vec x_next(mdp.features(o.next).begin(), mdp.features(o.next).end());
                Online<Real> learner(d, parameters);
                learner.step({.x = {x}, .gamma = 1, .x_next = {x}});  // for γ_t = ρ⁻ = π⁻ = μ⁻ = 1
                learner.algorithm().visit(injection);
                renew_products(learner.algorithm());
                learner.step({.x = {x},
                              .reward = o.reward,
                              .gamma = o.discount,
                              .x_next = {x_next},
                              .rho = mdp.ratio(s, a),
                              .lambda = mdp.lambda(s),
                              .lambda_next = mdp.lambda(o.next),
                              .interest = mdp.interest(s),
                              .pi = mdp.target(s, a),
                              .mu = mdp.behaviour(s, a)});
                const double share = mean.means.d[s][0] * mdp.behaviour(s, a) * o.probability / alpha;
                for (std::size_t i = 0; i < d; ++i) change[i] += share * (learner.weights()[i] - w[i]);
                if constexpr (requires { learner.algorithm().h; })
                    if (has_h)
                        for (std::size_t i = 0; i < d; ++i)
                            change[d + i] += share * (numbers_of(learner.algorithm().h)[i] - h[i]);
            }
    }
    return to_eigen(change);
}

template <template <class, class> class Algorithm>
void compare(const FiniteMdp& mdp, std::uint64_t seed) {
    constexpr std::string_view id = Algorithm<double, DenseTraces>::text.id;
    SCOPED_TRACE(id);
    const ExactSolution solution(mdp, 0);
    const auto update = expected_update(mdp, solution, id, parameters_of(id));
    if (info_of<Algorithm>.mean_update == MeanUpdate::none || (info_of<Algorithm>.on_policy_only && !mdp.on_policy())) {
        EXPECT_FALSE(update);
        return;
    }
    ASSERT_TRUE(update);
    Random random(seed + 100);
    const std::size_t d = mdp.dimension();
    const Vec w = random.vector(d, -1, 1), h = random.vector(d, -1, 1);
    VectorXd z(update->g.size());
    ASSERT_EQ(update->auxiliary, info_of<Algorithm>.find("eta") ? d : 0);
    for (Index i = 0; i < z.size(); ++i) {
        const auto component = static_cast<std::size_t>(i);
        z(i) = component < d ? w[component] : h[component - d];
    }
    const VectorXd expected = update->g + update->G * z;
    const MeanState mean(mdp, id);
    if (row_of(id).linear_in_alpha) {
        EXPECT_LE(deviation(mean_change<Algorithm>(mdp, mean, w, h, 1), expected), 1e-10);
        return;
    }
    // c(α) = c + c'α + O(α²): 2c(α/2) − c(α) is off by O(α²) = 1e-11, and by ε/α = 1e-10 of rounding in w ← w + Δw.
    constexpr double alpha = 0x1p-18;
    const VectorXd whole = mean_change<Algorithm>(mdp, mean, w, h, alpha);
    const VectorXd half = mean_change<Algorithm>(mdp, mean, w, h, alpha / 2);
    EXPECT_LE(deviation(2 * half - whole, expected), 1e-9);
}

class ExpectedUpdateOf : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ExpectedUpdateOf, EveryAlgorithmIsThatOfItsCode) {
    const FiniteMdp mdp(random_mdp(GetParam()));
    Algorithms::for_each([&]<template <class, class> class Algorithm>() { compare<Algorithm>(mdp, GetParam()); });
}
TEST_P(ExpectedUpdateOf, EveryAlgorithmIsThatOfItsCodeOnPolicy) {
    MdpDescription description = random_mdp(GetParam());
    description.target = description.behaviour;
    const FiniteMdp mdp(std::move(description));
    Algorithms::for_each([&]<template <class, class> class Algorithm>() { compare<Algorithm>(mdp, GetParam()); });
}
INSTANTIATE_TEST_SUITE_P(Mdps, ExpectedUpdateOf, testing::Range<std::uint64_t>(0, 6));

// ---- names and parameters

TEST(ExpectedUpdateRequest, DefaultsAliasesAndUnknownNames) {
    const FiniteMdp mdp(random_mdp(3));
    const ExactSolution solution(mdp, 0);
    const auto G = [&](std::string_view id, std::vector<NamedValue> parameters) {
        return expected_update(mdp, solution, id, parameters).value().G;
    };
    EXPECT_EQ(G("tdc", {}), G("gtd", {{"eta", 1}, {"zeta", 3}}));
    EXPECT_EQ(G("tdrc", {}), G("tdrc", {{"regularization", 1}}));
    EXPECT_EQ(G("tdrc", {{"regularization", 0}, {"eta", 2}}), G("gtd", {{"eta", 2}}));
    EXPECT_EQ(G("etd-beta", {}), G("to-etd-beta", {{"beta-scale", 0.5}}));
    EXPECT_EQ(G("etd-beta", {{"beta-scale", 1}}), G("etd", {}));
    EXPECT_THROW(G("gdt", {}), UsageError);
}
// TD(0) is TD(λ) at λ = 0, whatever λ the problem has.
TEST(ExpectedUpdateRequest, OneStepTdHasNoLambda) {
    MdpDescription description = random_mdp(4);
    const FiniteMdp with_lambda(description);
    description.lambda.clear();
    const FiniteMdp without(description);
    const auto td0 = expected_update(with_lambda, {with_lambda, 0}, "td0", {});
    const auto td = expected_update(without, {without, 0}, "off-policy-td", {});
    EXPECT_LE(deviation(td0->G, td->G), 1e-14);
    EXPECT_LE(deviation(td0->g, td->g), 1e-14);
}

// ---- stability

class OnBaird : public testing::Test {
protected:
    FiniteMdp mdp = baird();
    ExactSolution solution{mdp, 0};
    double rate(std::string_view algorithm, std::vector<NamedValue> parameters = {}) const {
        return growth_rate(solution, expected_update(mdp, solution, algorithm, parameters).value());
    }
};

TEST_F(OnBaird, Td) {
    EXPECT_NEAR(rate("off-policy-td"), 0.239, 5e-4);
    EXPECT_NEAR(rate("td0"), 0.239, 5e-4);
}
TEST_F(OnBaird, Gtd) {
    for (const double eta : {0x1p-16, 0x1p-8, 0x1p-4, 0x1p-3}) EXPECT_GT(rate("gtd", {{"eta", eta}}), 0.01) << eta;
    for (const double eta : {0.25, 0.5, 1.0, 2.0, 4.0, 256.0, 65536.0}) {
        EXPECT_LT(rate("gtd", {{"eta", eta}}), -2e-5) << eta;
        EXPECT_LT(rate("gtd2", {{"eta", eta}}), -2e-5) << eta;
    }
}
TEST_F(OnBaird, Htd) {
    for (const double eta : {0x1p-16, 0.25, 1.0, 2.0, 4.0, 8.0}) EXPECT_GT(rate("htd", {{"eta", eta}}), 5e-3) << eta;
    for (const double eta : {16.0, 32.0, 256.0, 65536.0}) EXPECT_LT(rate("htd", {{"eta", eta}}), -2e-5) << eta;
}
TEST_F(OnBaird, Emphatic) {
    EXPECT_LT(rate("etd"), -0.5);
    EXPECT_NEAR(rate("etd-beta", {{"beta-scale", 0.5}}), 0.106, 5e-4);
    // though γ²E[ρ²] > 1: the follow-on trace has infinite variance
    double second_moment = 0;
    for (std::size_t a = 0; a < 2; ++a) second_moment += mdp.behaviour(0, a) * std::pow(0.99 * mdp.ratio(0, a), 2);
    EXPECT_NEAR(second_moment, 6.86, 5e-3);
}
// The eighth direction of w and that of h: left out by growth_rate, which would otherwise never be below 0.
TEST_F(OnBaird, TheWholeMatrixHasTwoZeroEigenvalues) {
    for (const std::string_view id : {"gtd", "gtd2", "htd"}) {
        Eigen::FullPivLU<Eigen::MatrixXd> lu(expected_update(mdp, solution, id, {})->G);
        lu.setThreshold(1e-12);
        EXPECT_EQ(lu.rank(), 14) << id;
    }
}

// One weight: the rate is −A.
TEST(GrowthRate, OfOneWeight) {
    const FiniteMdp mdp =
        two_states({.features = {1, 2}, .values = {0, 0}, .discount = 0.9, .target = 1, .behaviour = 0.5});
    const ExactSolution solution(mdp, 0);
    EXPECT_NEAR(growth_rate(solution, *expected_update(mdp, solution, "off-policy-td", {})), 0.2, 1e-12);
    EXPECT_NEAR(growth_rate(solution, *expected_update(mdp, solution, "etd", {})), -3.4, 1e-12);
}
TEST(GrowthRate, OnPolicyTdIsStable) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        MdpDescription description = random_mdp(seed);
        description.target = description.behaviour;
        const FiniteMdp mdp(std::move(description));
        const ExactSolution solution(mdp, 0);
        EXPECT_LT(growth_rate(solution, *expected_update(mdp, solution, "td", {})), 0);
    }
}
// States that are never visited do not count as directions that do not converge.
TEST(GrowthRate, LeavesTransientStatesOut) {
    const FiniteMdp mdp(chain({{0, 1, 0}, {0, 0.5, 0.5}, {0, 0.5, 0.5}}));
    const ExactSolution solution(mdp, 0);
    // A = ½(I − 0.9·½·11ᵀ) on the two states that are visited, of eigenvalues ½ and 0.05
    EXPECT_NEAR(growth_rate(solution, *expected_update(mdp, solution, "td", {})), -0.05, 1e-12);
}

}  // namespace
}  // namespace bellwether::test
