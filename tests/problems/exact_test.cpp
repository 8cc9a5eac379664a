// Exact solutions: golden data, chains of every kind, known problems, identities, and agreement with simulation.
#include "problems/exact.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <fstream>

#include "golden_mdp.hpp"
#include "small_mdps.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of identities between solves of order eight at most, none of them near singular.
constexpr double tolerance = 1e-12;

template <class Action>
std::string refusal(Action&& action) {
    try {
        action();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "no refusal";
}
testing::AssertionResult says(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << part << "' is not in '" << text << "'";
}
using Notes = std::vector<std::string>;

// ---- golden data: an implementation that shares no code with this one

TEST(Golden, EverythingAgrees) {
    constexpr double golden = 1e-10;
    const auto j = nlohmann::json::parse(std::ifstream(BELLWETHER_TEST_DATA "/mdp.json"));
    const auto& expected = j["expected"];
    const ExactSolution solution(mdp_of(j), 0);
    EXPECT_LE(deviation(solution.d, vector_of(expected["stationary"])), golden);
    EXPECT_LE(deviation(solution.v, vector_of(expected["values"])), golden);
    EXPECT_LE(deviation(solution.A, matrix_of(expected["A"])), golden);
    EXPECT_LE(deviation(solution.b, vector_of(expected["b"])), golden);
    EXPECT_LE(deviation(solution.A_mu, matrix_of(expected["A_mu"])), golden);
    EXPECT_LE(deviation(solution.C, matrix_of(expected["C"])), golden);
    EXPECT_LE(deviation(solution.fixed_point, vector_of(expected["td_fixed_point"])), golden);
    EXPECT_LE(deviation(solution.emphatic(1).fixed_point, vector_of(expected["emphatic_fixed_point"])), golden);
    const VectorXd w = vector_of(expected["weights"]);
    EXPECT_NEAR(solution.mspbe(w), expected["mspbe"], golden);
    EXPECT_NEAR(solution.msve(w), expected["msve"], golden);
    EXPECT_NEAR(solution.mave(w).value(), expected["mave"], golden);
    EXPECT_EQ(solution.notes, Notes{});
    EXPECT_EQ(solution.emphatic(1).notes, Notes{});
}

// ---- the stationary distribution

VectorXd stationary(const Mat& P) {
    return stationary_distribution(FiniteMdp(chain(P)));
}

// The sums of large products are taken in blocks of this size, whatever the machine's cache is (exact.cpp).
TEST(Exact, HasTheSameBlocksOnEveryMachine) {
    EXPECT_EQ(Eigen::l1CacheSize(), 32 << 10);
}

TEST(Stationary, PeriodicChains) {
    EXPECT_LE(deviation(stationary({{0, 1}, {1, 0}}), to_eigen(Vec{0.5, 0.5})), tolerance);
    EXPECT_LE(deviation(stationary({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}), VectorXd::Constant(3, 1.0 / 3)), tolerance);
    // a walk between walls: of period 2, and the ends have half the probability of the middle
    EXPECT_LE(deviation(stationary({{0, 1, 0}, {0.5, 0, 0.5}, {0, 1, 0}}), to_eigen(Vec{0.25, 0.5, 0.25})), tolerance);
}
TEST(Stationary, TransientStatesHaveNone) {
    const VectorXd d = stationary({{0.5, 0.25, 0.25, 0}, {0, 0.5, 0.5, 0}, {0, 1, 0, 0}, {0.1, 0.9, 0, 0}});
    EXPECT_EQ(d(0), 0);
    EXPECT_EQ(d(3), 0);
    EXPECT_NEAR(d(1), 2.0 / 3, tolerance);
    EXPECT_NEAR(d(2), 1.0 / 3, tolerance);
}
TEST(Stationary, AnAbsorbingStateHasAll) {
    EXPECT_LE(deviation(stationary({{0.5, 0.5}, {0, 1}}), to_eigen(Vec{0, 1})), 0);
}
TEST(Stationary, SeveralClosedClassesAreRefusedByName) {
    const Mat P{{0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}, {0.2, 0.2, 0.2, 0.2, 0.2}, {0, 0, 0, 1, 0}, {0, 0, 0.5, 0.5, 0}};
    EXPECT_TRUE(says(refusal([&] { stationary(P); }), "2 closed classes"));
    EXPECT_TRUE(says(refusal([&] { stationary(P); }), ": states 0, 1; state 3"));
    EXPECT_TRUE(says(refusal([&] { ExactSolution(FiniteMdp(chain(P)), 0); }), "2 closed classes"));
}
// An action that μ never takes joins no classes.
TEST(Stationary, ActionsThatAreNeverTakenLeadNowhere) {
    MdpDescription m = chain({{1, 0}, {0, 1}});
    m.actions = 2;
    const std::vector<Outcome> away{{1, 1, 0, 0.9}}, back{{0, 1, 0, 0.9}};
    m.outcomes = {m.outcomes[0], away, m.outcomes[1], back};
    m.target = m.behaviour = {1, 0, 1, 0};
    EXPECT_TRUE(says(refusal([&] { stationary_distribution(FiniteMdp(m)); }), "2 closed classes"));
    m.behaviour = {1, 0, 0.75, 0.25};
    EXPECT_EQ(stationary_distribution(FiniteMdp(m))(0), 1);
    m.behaviour = {0.5, 0.5, 0.75, 0.25};
    EXPECT_NEAR(stationary_distribution(FiniteMdp(m))(0), 1.0 / 3, tolerance);
}
// Each state leads on with probability 1/1000, else back to the start: d falls to 1e-15, to full relative accuracy.
TEST(Stationary, SmallProbabilitiesAreAccurate) {
    Mat P(6, Vec(6));
    for (std::size_t s = 0; s < 6; ++s) {
        P[s][0] += 0.999;
        P[s][(s + 1) % 6] += 0.001;
    }
    const VectorXd d = stationary(P);
    for (Index s = 1; s < 6; ++s) EXPECT_NEAR(d(s) / d(s - 1), 0.001, 1e-3 * 1e-14);
}

// ---- episodes that never end

TEST(Termination, EndlessEpisodesAreRefusedByName) {
    EXPECT_TRUE(says(refusal([&] {
                         ExactSolution(FiniteMdp(chain({{0, 1}, {1, 0}}, 1)), 0.5);
                     }),
                     "the target policy never terminates from states 0, 1:"));
    // state 1 is reached by way of a termination, and then kept for ever
    MdpDescription m = chain({{0, 1}, {0, 1}}, 1);
    m.outcomes[0][1].discount = 0;
    EXPECT_TRUE(says(refusal([&] { ExactSolution(FiniteMdp(m), 0); }), "never terminates from state 1:"));
}
// The behaviour policy ends, the target policy does not.
TEST(Termination, IsAboutTheTargetPolicy) {
    MdpDescription m = chain({{1}}, 1);
    m.actions = 2;
    m.outcomes = {{{0, 1, 1, 1}}, {{0, 1, 1, 0}}};
    m.target = {1, 0};
    m.behaviour = {0.5, 0.5};
    EXPECT_TRUE(says(refusal([&] { ExactSolution(FiniteMdp(m), 1); }), "never terminates"));
    m.target = {0.75, 0.25};
    EXPECT_NEAR(ExactSolution(FiniteMdp(m), 1).v(0), 4, tolerance);  // the mean length of an episode
}
TEST(Termination, RarerThanRoundingIsRefused) {
    MdpDescription m = chain({{1}}, 1);
    m.outcomes[0] = {{0, 1, 1, 1}, {0, 1e-17, 1, 0}};
    EXPECT_TRUE(says(refusal([&] { ExactSolution(FiniteMdp(m), 0); }), "terminates too rarely"));
}
// A walk with γ = 1 between two ends, ±1 there: V* is linear, and 0 in the middle, where MAVE is not defined even
// though rounding leaves a tiny number there.
MdpDescription walk(double left_reward) {
    MdpDescription m = chain(Mat(5, Vec(5, 0.2)), 1);
    for (std::uint32_t s = 0; s < 5; ++s)
        m.outcomes[s] = {s > 0 ? Outcome{s - 1, 0.5, 0, 1} : Outcome{2, 0.5, left_reward, 0},
                         s < 4 ? Outcome{s + 1, 0.5, 0, 1} : Outcome{2, 0.5, 1, 0}};
    return m;
}
TEST(Termination, UndiscountedEpisodes) {
    for (const double lambda : {0.0, 0.5, 1.0}) {
        const ExactSolution solution(FiniteMdp(walk(-1)), lambda);
        EXPECT_LE(deviation(solution.v, to_eigen(Vec{-2.0 / 3, -1.0 / 3, 0, 1.0 / 3, 2.0 / 3})), tolerance);
        EXPECT_LE(deviation(solution.fixed_point, solution.v), tolerance);
        EXPECT_FALSE(solution.mave(VectorXd::Zero(5)));
    }
    EXPECT_NEAR(ExactSolution(FiniteMdp(walk(0)), 0).mave(VectorXd::Zero(5)).value(), 1, tolerance);
}

// ---- known problems

TEST(KnownProblems, TwoStatesOfTheEmphaticPaper) {
    const ExactSolution solution(
        two_states({.features = {1, 2}, .values = {0, 0}, .discount = 0.9, .target = 1, .behaviour = 0.5}), 0);
    EXPECT_NEAR(solution.A(0, 0), -0.2, tolerance);
    EXPECT_NEAR(solution.emphatic(1).A(0, 0), 3.4, tolerance);  // f = (0.5, 9.5)
}

FiniteMdp kolter(double d1) {
    return two_states(
        {.features = {1, 1.051}, .values = {1, 1.05}, .discount = 0.99, .target = 0.5, .behaviour = 1 - d1});
}
// A is linear in d1 and changes its sign: at the root there is no fixed point, beside it an arbitrarily bad one, though
// the features all but represent V*.
TEST(KnownProblems, Kolter) {
    const double at_0 = ExactSolution(kolter(1e-3), 0).A(0, 0), at_1 = ExactSolution(kolter(1 - 1e-3), 0).A(0, 0);
    const double root = 1e-3 + 0.998 * at_0 / (at_0 - at_1);
    EXPECT_NEAR(root, 0.7114, 5e-5);
    const ExactSolution singular(kolter(root), 0);
    EXPECT_EQ(singular.notes, (Notes{"A is singular (rank 0 of 1): the fixed point is the least-squares solution "
                                     "of smallest norm, as b is not in the range of A"}));
    EXPECT_EQ(singular.fixed_point(0), 0);
    const ExactSolution near(kolter(root + 1e-9), 0);
    EXPECT_EQ(near.notes, Notes{});
    EXPECT_GT(near.rmsve(near.fixed_point), 1e3);
    EXPECT_LT(near.rmsve(near.projection), 1e-3);
}

TEST(KnownProblems, Baird) {
    const FiniteMdp mdp = baird();
    const ExactSolution solution(mdp, 0);
    const VectorXd w_0 = to_eigen(mdp.initial_weights());
    EXPECT_LE(deviation(solution.d, VectorXd::Constant(7, 1.0 / 7)), tolerance);
    EXPECT_EQ(solution.v, VectorXd::Zero(7));
    EXPECT_NEAR(solution.rmsve(w_0), 5.318431563, 1e-9);
    EXPECT_NEAR(solution.rmspbe(w_0), 8.221407596, 1e-9);
    EXPECT_FALSE(solution.mave(w_0));
    EXPECT_EQ(solution.fixed_point, VectorXd::Zero(8));
    EXPECT_EQ(solution.notes, (Notes{"C is singular (rank 7 of 8): its pseudo-inverse is used",
                                     "A is singular (rank 7 of 8): the fixed point is the solution of smallest norm"}));
    EXPECT_EQ(solution.emphatic(0.5).notes, (Notes{"A of ETD(λ,β) with β = 0.5γ is singular (rank 7 of 8): the "
                                                   "fixed point is the solution of smallest norm"}));
    // the conditions of Moore and Penrose
    const MatrixXd &C = solution.C, &inverse = solution.C_pseudo_inverse;
    EXPECT_LE(deviation(C * inverse * C, C), tolerance);
    EXPECT_LE(deviation(inverse * C * inverse, inverse), tolerance);
    EXPECT_LE(deviation(MatrixXd((C * inverse).transpose()), C * inverse), tolerance);
    EXPECT_LE(deviation(MatrixXd((inverse * C).transpose()), inverse * C), tolerance);
    EXPECT_LE(deviation(solution.row_space.transpose() * solution.row_space, MatrixXd::Identity(7, 7)), tolerance);
}

// A feature of a state that is never visited: nothing is known of its weight, and 0 is the smallest.
TEST(KnownProblems, FeaturesOfTransientStatesAreOutsideTheRowSpace) {
    const ExactSolution solution(FiniteMdp(chain({{0, 1, 0}, {0, 0.5, 0.5}, {0, 0.5, 0.5}})), 0.3);
    ASSERT_EQ(solution.notes.size(), 2U);
    EXPECT_TRUE(says(solution.notes[0], "C is singular (rank 2 of 3)"));
    EXPECT_TRUE(says(solution.notes[1], "A is singular (rank 2 of 3)"));
    EXPECT_NEAR(solution.v(0), 10, 1e-12 * 10);
    EXPECT_LE(deviation(solution.fixed_point, to_eigen(Vec{0, 10, 10})), tolerance);
    EXPECT_LE(deviation(solution.projection, to_eigen(Vec{0, 10, 10})), tolerance);
}
TEST(KnownProblems, FeaturesThatAreAllZero) {
    MdpDescription m = chain({{0, 1}, {1, 0}});
    m.features = Vec(4);
    const ExactSolution solution(FiniteMdp(m), 0);
    EXPECT_EQ(solution.notes, Notes{"C is singular (rank 0 of 2): its pseudo-inverse is used"});
    EXPECT_EQ(solution.fixed_point, VectorXd::Zero(2));
    EXPECT_EQ(solution.mspbe(VectorXd::Ones(2)), 0);
}

// ---- identities, over random MDPs

class Identity : public testing::TestWithParam<std::uint64_t> {
protected:
    MdpDescription description = random_mdp(GetParam());
    void make_tabular() {
        description.dimension = description.states;
        description.features.clear();
        for (std::size_t s = 0; s < description.states; ++s)
            for (std::size_t i = 0; i < description.states; ++i) description.features.push_back(s == i ? 1 : 0);
    }
    ExactSolution solve() const { return {FiniteMdp(description), 0}; }
    VectorXd random_weights() const { return to_eigen(Random(GetParam() + 100).vector(description.dimension, -1, 1)); }
};

TEST_P(Identity, TabularFixedPointsAreTheValues) {
    make_tabular();
    const ExactSolution solution = solve();
    EXPECT_LE(deviation(solution.fixed_point, solution.v), tolerance);
    EXPECT_LE(deviation(solution.projection, solution.v), tolerance);
    EXPECT_LE(deviation(solution.emphatic(1).fixed_point, solution.v), tolerance);
    EXPECT_LE(deviation(solution.emphatic(0.5).fixed_point, solution.v), tolerance);
    EXPECT_LE(solution.msve(solution.v) + solution.mspbe(solution.v) + solution.msbe(solution.v), tolerance);
}
TEST_P(Identity, LambdaOneIsTheProjection) {
    description.lambda = Vec(description.states, 1);
    const ExactSolution solution = solve();
    EXPECT_LE(deviation(solution.A, solution.C), tolerance);
    EXPECT_LE(deviation(solution.fixed_point, solution.projection), tolerance);
}
TEST_P(Identity, ProjectionIsTheBest) {
    const ExactSolution solution = solve();
    const double best = solution.msve(solution.projection);
    for (Index i = 0; i < 3; ++i)
        for (const double step : {-1e-3, 1e-3})
            EXPECT_GT(solution.msve(solution.projection + step * VectorXd::Unit(3, i)), best);
}
TEST_P(Identity, EmphasisOfNothingIsInterest) {
    description.interest = Vec(description.states, 1);
    const ExactSolution solution = solve();
    EXPECT_LE(deviation(solution.emphatic(0).m, solution.d), tolerance);
    EXPECT_LE(deviation(solution.emphatic(0).A, solution.A), tolerance);
}
TEST_P(Identity, OnPolicyTheTwoMatricesAreOne) {
    description.target = description.behaviour;
    const ExactSolution solution = solve();
    EXPECT_LE(deviation(solution.A, solution.A_mu), tolerance);
}
// The parameter λ stands in where the MDP has no λ(s).
TEST_P(Identity, ParameterLambda) {
    const ExactSolution own = (description.lambda = Vec(description.states, 0.3), solve());
    description.lambda.clear();
    EXPECT_LE(deviation(ExactSolution(FiniteMdp(description), 0.3).A, own.A), 0);
}

// The errors by their definitions, in plain loops.
TEST_P(Identity, Errors) {
    const ExactSolution solution = solve();
    const FiniteMdp mdp(description);
    const VectorXd w = random_weights(), prediction = solution.X * w;
    double msbe = 0, msve = 0, mave = 0;
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        const auto i = static_cast<Index>(s);
        double bellman = -prediction(i);
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                bellman += mdp.target(s, a) * o.probability * (o.reward + o.discount * prediction(o.next));
        msbe += solution.d(i) * bellman * bellman;
        msve += solution.d(i) * std::pow(prediction(i) - solution.v(i), 2);
        mave += solution.d(i) * std::abs(prediction(i) - solution.v(i)) / std::abs(solution.v(i));
    }
    const VectorXd residual = solution.b - solution.A * w;
    EXPECT_NEAR(solution.msbe(w), msbe, tolerance);
    EXPECT_NEAR(solution.msve(w), msve, tolerance);
    EXPECT_NEAR(solution.rmsve(w) * solution.rmsve(w), msve, tolerance);
    EXPECT_NEAR(solution.mave(w).value() / mave, 1, tolerance);
    EXPECT_NEAR(solution.mave(VectorXd::Zero(3)).value(), 1, tolerance);
    EXPECT_NEAR(solution.mspbe(w), residual.dot(solution.C.inverse() * residual), tolerance);
    EXPECT_NEAR(solution.rmspbe(w) * solution.rmspbe(w), solution.mspbe(w), tolerance);
    EXPECT_LE(solution.mspbe(solution.fixed_point), tolerance);
}
// −½∇MSPBE = AᵀC⁺(b − Aw); central differences are exact for a quadratic function, up to the rounding of a step of ½.
TEST_P(Identity, GradientOfMspbe) {
    const ExactSolution solution = solve();
    const VectorXd w = random_weights();
    VectorXd gradient(3);
    for (Index i = 0; i < 3; ++i)
        gradient(i) = solution.mspbe(w + 0.5 * VectorXd::Unit(3, i)) - solution.mspbe(w - 0.5 * VectorXd::Unit(3, i));
    EXPECT_LE(
        deviation(-0.5 * gradient, solution.A.transpose() * solution.C_pseudo_inverse * (solution.b - solution.A * w)),
        tolerance);
}

INSTANTIATE_TEST_SUITE_P(Mdps, Identity, testing::Range<std::uint64_t>(0, 10));

// ---- simulation

// One long trajectory: d, A, A_μ, b and C are means over it of 1(s), e uᵀ, e^μ uᵀ, e R and x xᵀ. Each must lie within
// five standard errors, which the means of 200 batches of 5,000 steps give: a batch is far longer than the memory of
// traces.
TEST(Simulation, AgreesWithinFiveStandardErrors) {
    const FiniteMdp mdp(random_mdp(1));
    const ExactSolution solution(mdp, 0);
    Random random(20160509);
    const auto draw = [&](auto&& probability) {
        double rest = random.uniform(0, 1);
        std::size_t i = 0;
        while ((rest -= probability(i)) >= 0) ++i;
        return i;
    };
    constexpr std::size_t batches = 200, steps = 5000;
    constexpr Index d = 3, states = 5, size = states + 3 * d * d + d;
    VectorXd expected(size);
    expected << solution.d, solution.A.reshaped(), solution.A_mu.reshaped(), solution.b, solution.C.reshaped();
    VectorXd sum = VectorXd::Zero(size), sum_of_squares = VectorXd::Zero(size);
    VectorXd e = VectorXd::Zero(d), e_mu = VectorXd::Zero(d), sample(size);
    double gamma = 0;
    std::size_t s = 0;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        VectorXd mean = VectorXd::Zero(size);
        for (std::size_t step = 0; step < steps; ++step) {
            const std::size_t a = draw([&](std::size_t i) { return mdp.behaviour(s, i); });
            const auto outcomes = mdp.outcomes(s, a);
            const Outcome& o = outcomes[draw([&](std::size_t i) { return outcomes[i].probability; })];
            const VectorXd x = to_eigen(mdp.features(s)), u = x - o.discount * to_eigen(mdp.features(o.next));
            e = mdp.ratio(s, a) * (gamma * mdp.lambda(s) * e + x);
            e_mu = gamma * mdp.lambda(s) * e_mu + x;
            sample << VectorXd::Unit(states, static_cast<Index>(s)), (e * u.transpose()).reshaped(),
                (e_mu * u.transpose()).reshaped(), o.reward * e, (x * x.transpose()).reshaped();
            mean += sample / static_cast<double>(steps);
            gamma = o.discount;
            s = o.next;
        }
        sum += mean;
        sum_of_squares += mean.cwiseAbs2();
    }
    const double n = batches;
    for (Index i = 0; i < size; ++i) {
        const double mean = sum(i) / n;
        const double error = std::sqrt((sum_of_squares(i) / n - mean * mean) / (n - 1));
        EXPECT_LE(std::abs(mean - expected(i)), 5 * error) << "component " << i;
        EXPECT_LE(error, 0.01) << "component " << i;  // else five of them say little
    }
}

}  // namespace
}  // namespace bellwether::test

// The address sanitizer would end the program instead.
extern "C" const char* __asan_default_options() {
    return "allocator_may_return_null=1";
}

namespace bellwether::test {
namespace {

// So many rows and columns are 2⁶³ bytes, which no system has. Not a constant: the compiler would warn of it.
volatile Eigen::Index huge = Eigen::Index{1} << 30;

// Eigen would free twice what matrices had before there was no memory for larger ones.
TEST(EigenMatrix, OutlivesMemoryThatRunsOut) {
    for (const Eigen::Index size : {3, 10, 100}) {
        for (int time = 0; time < 2; ++time) {
            Eigen::MatrixXd grown = Eigen::MatrixXd::Ones(size, size), other = grown;
            EXPECT_THROW(grown.resize(huge, huge), std::bad_alloc);
            EXPECT_THROW(other.resize(huge, huge), std::bad_alloc);
        }
        const Eigen::MatrixXd next = Eigen::MatrixXd::Constant(size, size, 2.0);
        EXPECT_EQ(next.sum(), 2.0 * static_cast<double>(size * size));
    }
}

// Its decompositions are destroyed and made anew in their place, with other sizes: what could not be made is destroyed
// once more.
TEST(EigenMatrix, OutlivesDecompositionsThatCouldNotBeMade) {
    using Decomposition = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
    for (int time = 0; time < 2; ++time) {
        Decomposition made(Eigen::MatrixXd::Identity(10, 10));
        made.~Decomposition();
        EXPECT_THROW(::new (&made) Decomposition(huge, huge), std::bad_alloc);
    }
    EXPECT_EQ(Decomposition(Eigen::MatrixXd::Identity(10, 10)).rank(), 10);
}

}  // namespace
}  // namespace bellwether::test
