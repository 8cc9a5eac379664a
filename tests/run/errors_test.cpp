// The kernels' errors are those of the exact solution, on every domain and kind of features.
#include "run/errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "engine/backend.hpp"
#include "problems/domain.hpp"
#include "problems/exact.hpp"
#include "problems/refusal.hpp"
#include "problems/small_mdps.hpp"

namespace bellwether::test {
namespace {

// Sums of some dozen terms, in another order than the exact solution's.
constexpr double tolerance = 1e-12;

// The error of weights as a kernel computes it: a learning curve without steps.
double by_kernel(const Backend& backend, const ErrorData& error, const Evaluation& evaluation,
                 const std::vector<double>& w) {
    const LaneError view = error.view();
    const double alpha = 0.1;
    double score = 0, curve = NAN;
    const LaneTrajectory no_steps{};
    const LaneRequest request{
        .block = {.algorithm = 0, .count = 1, .parameters = &alpha},
        .features = {LaneFeatures::Kind::dense, evaluation.dimension, nullptr, nullptr, evaluation.features.data()},
        .states = {nullptr, nullptr},
        .initial_weights = w.data(),
        .trajectories = &no_steps,
        .trajectory_count = 1,
        .errors = &view,
        .error_count = 1,
        .scored_steps = 1,
        .scores = &score,
        .curves = &curve};
    backend.run({&request, 1});
    return curve;
}

std::vector<double> random_weights(std::size_t dimension, std::mt19937& random) {
    std::vector<double> w(dimension);
    for (double& x : w) x = static_cast<double>(random()) / 0x1p31 * 4 - 4;
    return w;
}

void expect_exact(const FiniteMdp& mdp, const std::string& what) {
    const Evaluation evaluation = make_evaluation(mdp);
    const Backend& backend = best_instruction_set();
    ProjectedSystems systems(mdp);
    std::mt19937 random(1);
    for (const double lambda : {0.0, 0.7, 1.0}) {
        const ExactSolution solution(mdp, lambda);
        for (const MetricInfo& info : scored_metrics()) {
            const auto make_error = [&] { return error_of(info.metric, evaluation, systems, std::vector{lambda}); };
            if (!exact_error(info.metric, solution, Eigen::VectorXd::Zero(solution.X.cols()))) {
                EXPECT_NE(refusal(make_error), "") << what;
                continue;
            }
            const ErrorData error = make_error();
            for (int k = 0; k < 3; ++k) {
                const std::vector<double> w = random_weights(mdp.dimension(), random);
                const double exact = exact_error(info.metric, solution, to_eigen(w)).value();
                EXPECT_NEAR(by_kernel(backend, error, evaluation, w), exact, tolerance * exact)
                    << what << ", " << info.id << ", lambda " << lambda;
            }
        }
    }
}

TEST(Errors, AreExactOnEveryDomain) {
    for (const DomainInfo* domain : domains())
        for (const std::string_view features : domain->features) {
            const DomainRequest request = request_domain(*domain, {}, features);
            expect_exact(make_domain(request), std::string(domain->id) + ", " + std::string(features));
        }
}

// Rows with one value, with multiples of it, with others, without any, and a state that is never entered again.
MdpDescription mixed_features() {
    MdpDescription m =
        chain({{0.5, 0.5, 0, 0, 0}, {0, 0.2, 0.8, 0, 0}, {0.4, 0, 0, 0.6, 0}, {1, 0, 0, 0, 0}, {0, 0.5, 0, 0, 0.5}});
    m.dimension = 3;
    m.features = {0.5, 0.5, 0, 1, 3, 0.1, 0.5, 0.5, 0.5, 0, 0, 0, 7, 0, 1};
    for (std::size_t s = 0; s < m.states; ++s)
        for (Outcome& o : m.outcomes[s]) o.reward = static_cast<double>(s) - 1;
    return m;
}

TEST(Errors, AreExactForAnyFeatures) {
    expect_exact(FiniteMdp(mixed_features()), "mixed features");
    MdpDescription own_lambda = mixed_features();
    own_lambda.lambda = {0, 0.3, 0.9, 1, 0.5};
    expect_exact(FiniteMdp(own_lambda), "a lambda per state");
}

TEST(Errors, LeaveOutStatesThatAreNotVisited) {
    const Evaluation evaluation = make_evaluation(FiniteMdp(mixed_features()));
    EXPECT_EQ(evaluation.weight[4], 0);
    EXPECT_EQ(value_error(Metric::msve, evaluation).terms.size(), 4U);
}

TEST(Errors, SharePartialSums) {
    const Evaluation evaluation = make_evaluation(FiniteMdp(mixed_features()));
    const ErrorData error = value_error(Metric::rmsve, evaluation);
    // (0.5, 0.5, 0) and (0.5, 0.5, 0.5) share w0 + w1; (1, 3, 0.1) has its own two.
    EXPECT_EQ(error.nodes.size(), 4U);
    EXPECT_EQ(error.nodes[0].parent, 0U);
    EXPECT_EQ(error.nodes[0].coefficient, 1);
    EXPECT_EQ(error.terms[0].node, 3U);
    const DomainRequest tabular = request_domain(require_domain("random-mdp"), {}, "aliased");
    EXPECT_TRUE(value_error(Metric::mave, make_evaluation(make_domain(tabular))).nodes.empty());
}

TEST(Errors, HaveASystemPerLambda) {
    const FiniteMdp mdp = make_domain(request_domain(require_domain("baird"), {}, ""));
    ProjectedSystems systems(mdp);
    const ErrorData error = systems.error(Metric::rmspbe, std::vector{0.5, 0.0, 0.5, 1.0});
    EXPECT_EQ(error.system_of, (std::vector<std::uint32_t>{0, 1, 0, 2}));
    EXPECT_EQ(error.systems.size(), 3 * error.rank * (mdp.dimension() + 1));
}

}  // namespace
}  // namespace bellwether::test
