// What every metric must pass: its exact error is that of its definition, term by term, and its row of the table says
// what that depends on. (tests/run/errors_test.cpp holds the sweep's kernels to the same numbers.)
#include "problems/metric.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "problems/domain_requests.hpp"
#include "problems/exact.hpp"
#include "small_mdps.hpp"

namespace bellwether::test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Sums of some dozen terms, in another order than the exact solution's.
constexpr double relative_tolerance = 1e-12;

using Definition = std::function<double(const ExactSolution&, const VectorXd&)>;

// Σ d(s) f(x(s)·w, V*(s))
template <class Term>
Definition over_states(Term term) {
    return [=](const ExactSolution& solution, const VectorXd& w) {
        double sum = 0;
        for (Index s = 0; s < solution.d.size(); ++s) {
            double value = 0;
            for (Index i = 0; i < w.size(); ++i) value += solution.X(s, i) * w(i);
            sum += solution.d(s) * term(value, solution.v(s));
        }
        return sum;
    };
}

double squared_projected(const ExactSolution& solution, const VectorXd& w) {
    const VectorXd residual = solution.b - solution.A * w;
    return residual.dot(solution.C_pseudo_inverse * residual);
}

double squared_bellman(const ExactSolution& solution, const VectorXd& w) {
    const VectorXd value = solution.X * w;
    double sum = 0;
    for (Index s = 0; s < value.size(); ++s) {
        double target = solution.r_pi(s);
        for (Index next = 0; next < value.size(); ++next) target += solution.P_pi(s, next) * value(next);
        sum += solution.d(s) * (target - value(s)) * (target - value(s));
    }
    return sum;
}

// Σ d(s)((Xw)(s) − v̂(s))² with v̂ = X(XᵀDX)⁻¹XᵀDV*, by the normal equations
double squared_distance(const ExactSolution& solution, const VectorXd& w) {
    const Eigen::MatrixXd D = solution.d.asDiagonal();
    const Eigen::MatrixXd moments = solution.X.transpose() * D * solution.X;
    const VectorXd best = moments.completeOrthogonalDecomposition().solve(solution.X.transpose() * D * solution.v);
    const VectorXd difference = solution.X * (w - best);
    double sum = 0;
    for (Index s = 0; s < difference.size(); ++s) sum += solution.d(s) * difference(s) * difference(s);
    return sum;
}

Definition root(Definition of) {
    return [=](const ExactSolution& solution, const VectorXd& w) { return std::sqrt(of(solution, w)); };
}

const std::map<std::string_view, Definition>& definitions() {
    static const Definition squared = over_states([](double y, double v) { return (y - v) * (y - v); });
    static const std::map<std::string_view, Definition> all{
        {"mave", over_states([](double y, double v) { return std::fabs(y - v) / std::fabs(v); })},
        {"msve", squared},
        {"rmsve", root(squared)},
        {"mspbe", squared_projected},
        {"rmspbe", root(squared_projected)},
        {"mspve", squared_distance},
        {"rmspve", root(squared_distance)},
        {"nmspve",
         [](const ExactSolution& solution, const VectorXd& w) {
             return squared_distance(solution, w) / squared_distance(solution, VectorXd::Zero(w.size()));
         }},
        {"msbe", squared_bellman},
    };
    return all;
}

class EveryMetric : public testing::TestWithParam<MetricInfo> {
protected:
    // λ from outside: not the problem's own.
    static FiniteMdp problem(std::uint64_t seed) {
        MdpDescription description = random_mdp(seed);
        description.lambda.clear();
        return FiniteMdp(std::move(description));
    }
    static VectorXd weights(std::uint64_t seed, std::size_t dimension) {
        return to_eigen(Random(seed + 50).vector(dimension, -2, 2));
    }
};

TEST_P(EveryMetric, IsItsDefinition) {
    const auto definition = definitions().find(GetParam().id);
    ASSERT_NE(definition, definitions().end()) << "write it down in this test";
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        for (const double lambda : {0.0, 0.7}) {
            const FiniteMdp mdp = problem(seed);
            const ExactSolution solution(mdp, lambda);
            const VectorXd w = weights(seed, mdp.dimension());
            const double expected = definition->second(solution, w);
            ASSERT_TRUE(std::isfinite(expected));
            EXPECT_NEAR(exact_error(GetParam().metric, solution, w).value(), expected, relative_tolerance * expected);
        }
}

TEST_P(EveryMetric, DependsOnLambdaWhereItSaysSo) {
    bool differs = false;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const FiniteMdp mdp = problem(seed);
        const VectorXd w = weights(seed, mdp.dimension());
        const double at_0 = exact_error(GetParam().metric, {mdp, 0}, w).value();
        const double at_1 = exact_error(GetParam().metric, {mdp, 0.9}, w).value();
        differs = differs || std::fabs(at_0 - at_1) > 1e-6 * at_0;
    }
    EXPECT_EQ(differs, GetParam().depends_on_lambda());
}

TEST_P(EveryMetric, IsMissingWhereItDividesByAValueOfZero) {
    const FiniteMdp mdp =
        two_states({.features = {1, 2}, .values = {0, 0}, .discount = 0.9, .target = 1, .behaviour = 0.5});
    const bool has_error = exact_error(GetParam().metric, {mdp, 0}, VectorXd::Ones(1)).has_value();
    EXPECT_EQ(has_error, !GetParam().divides());
}

TEST(Weightings, AreOfTheActiveStates) {
    const FiniteMdp mdp = make("rooms", {{"question", 2}});
    const ExactSolution solution(mdp, 0);
    const VectorXd uniform = solution.weights(Weighting::uniform);
    std::vector<double> numbers(mdp.states());
    for (std::size_t s = 0; s < numbers.size(); ++s) numbers[s] = static_cast<double>(s);
    const VectorXd given = solution.weights({.kind = Weighting::Kind::given, .given = numbers});
    EXPECT_NEAR(uniform.sum(), 1, relative_tolerance);
    EXPECT_NEAR(given.sum(), 1, relative_tolerance);
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        EXPECT_EQ(uniform(static_cast<Index>(s)) > 0, mdp.active(s));
        EXPECT_EQ(given(static_cast<Index>(s)) > 0, mdp.active(s) && s > 0);
    }
}

// The same error where the stationary distribution is replaced by the same weight for every state.
TEST_P(EveryMetric, TakesAWeightingWhereItSaysSo) {
    if (!GetParam().takes_weighting()) return;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const FiniteMdp mdp = problem(seed);
        ExactSolution solution(mdp, 0);
        const VectorXd w = weights(seed, mdp.dimension());
        const double found = exact_error(GetParam().metric, solution, w, Weighting::uniform).value();
        solution.d.setConstant(1 / static_cast<double>(mdp.states()));
        const double expected = definitions().at(GetParam().id)(solution, w);
        EXPECT_NEAR(found, expected, relative_tolerance * expected);
    }
}

TEST_P(EveryMetric, HasARowThatExplainsIt) {
    EXPECT_FALSE(GetParam().help.empty());
    EXPECT_EQ(id_of(GetParam().metric), GetParam().id);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMetric, testing::ValuesIn(metric_table().begin(), metric_table().end()),
                         [](const auto& metric) { return std::string(metric.param.id); });

TEST(MetricTable, NamesDifferAndScoredOnesComeFirst) {
    std::set<std::string_view> ids;
    for (const MetricInfo& info : metric_table()) EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_EQ(scored_metrics().size(), 8U);
    for (const MetricInfo& info : scored_metrics()) EXPECT_TRUE(info.scored) << info.id;
}

}  // namespace
}  // namespace bellwether::test
