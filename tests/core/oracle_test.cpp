// The library against the oracle, step by step: every algorithm, every kind of features, dense and sparse traces.
#include "oracle.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "learners.hpp"
#include "stream.hpp"

namespace bellwether::test {
namespace {

constexpr double tolerance = 1e-12;

// The parameters that the algorithm has, by name.
std::vector<NamedValue> named(const AlgorithmInfo& info, const OracleParameters& p) {
    const NamedValue all[] = {{"alpha", p.alpha},
                              {"eta", p.eta},
                              {"zeta", p.zeta},
                              {"beta-scale", p.beta_scale},
                              {"psi0", p.psi0},
                              {"regularization", p.regularization},
                              {"psi-max", p.psi_max},
                              {"epsilon", p.epsilon},
                              {"theta", p.theta},
                              {"bound", p.bound},
                              {"decay", p.decay},
                              {"alpha-min", p.alpha_min},
                              {"tau", p.tau},
                              {"kappa", p.kappa},
                              {"recency", p.recency},
                              {"variance-lambda", p.variance_lambda},
                              {"target-lambda", p.target_lambda}};
    std::vector<NamedValue> result;
    for (const NamedValue& value : all)
        if (info.find(value.name)) result.push_back(value);
    return result;
}

OracleParameters random_parameters(const Case& c, Random& random) {
    return {.alpha = c.alpha,
            .eta = c.eta,
            .beta_scale = random.uniform(0, 1),
            .regularization = random.uniform(0, 2),
            .zeta = random.uniform(0, 1),
            .psi0 = random.uniform(0.5, 1.5),
            .psi_max = random.uniform(1.5, 4),
            // Large enough to keep A well conditioned: the comparison is of LSTD's algebra, not of two ways to lose
            // digits in a matrix that is nearly singular.
            .epsilon = random.uniform(10, 50),
            .theta = random.uniform(0, 0.1),
            .bound = random.uniform(0.02, 0.2),
            .decay = random.uniform(0.9, 1),
            .alpha_min = random.uniform(1e-3, 1e-2),
            .tau = random.uniform(1, 100),
            .kappa = random.uniform(0, 3),
            .recency = random.uniform(0, 1),
            .variance_lambda = random.uniform(0, 1),
            .target_lambda = random.uniform(0, 1)};
}

// The largest deviation of w over all steps.
double deviation_from_oracle(const AlgorithmInfo& info, const Case& c, const OracleParameters& parameters,
                             FeatureKind kind, std::optional<double> cutoff) {
    Oracle oracle(info.id, parameters, c.w_0);
    auto learner = make_learner(info.id, c.dimension, named(info, parameters), cutoff);
    learner->set_weights(c.w_0);
    double worst = 0;
    for (const Sample& s : c.stream) {
        oracle.step(s);
        feed_as(kind, *learner, s);
        worst = std::max(worst, deviation(learner->weights(), oracle.w));
    }
    return worst;
}

class OracleTest : public testing::TestWithParam<std::string_view> {
protected:
    void compare(FeatureKind kind) {
        const AlgorithmInfo& info = *find_algorithm(GetParam());
        for (const std::size_t dimension : {1U, 3U, 8U, 11U, 20U})
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                SCOPED_TRACE("dimension " + std::to_string(dimension) + ", seed " + std::to_string(seed));
                const Case c = random_case(seed, 80, {.dimension = dimension, .features = kind});
                Random random(seed + 1000);
                const OracleParameters parameters = random_parameters(c, random);
                EXPECT_LE(deviation_from_oracle(info, c, parameters, kind, {}), tolerance) << "dense traces";
                EXPECT_LE(deviation_from_oracle(info, c, parameters, kind, 0.0), tolerance) << "sparse traces";
                // Sparse data may also come as what it is not: a list of all components.
                EXPECT_LE(deviation_from_oracle(info, c, parameters, FeatureKind::dense, 0.0), tolerance)
                    << "dense features, sparse traces";
            }
    }
};

TEST_P(OracleTest, DenseFeatures) {
    compare(FeatureKind::dense);
}
TEST_P(OracleTest, SparseFeatures) {
    compare(FeatureKind::sparse);
}
TEST_P(OracleTest, OneHotFeatures) {
    compare(FeatureKind::one_hot);
}

std::string name_of(const testing::TestParamInfo<std::string_view>& info) {
    std::string name(info.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Library, OracleTest, testing::ValuesIn(oracle_ids()), name_of);

TEST(Oracle, KnowsEveryAlgorithmOfTheLibrary) {
    const std::vector<std::string_view> ids = oracle_ids();
    for (const AlgorithmInfo& info : algorithm_table)
        EXPECT_NE(std::find(ids.begin(), ids.end(), info.id), ids.end()) << info.id;
    EXPECT_EQ(ids.size(), algorithm_table.size());
}

// All weights of an algorithm, and what they gain in a step with so many times its step size.
Vec all_weights(const AlgorithmInfo& info, const Oracle& oracle) {
    Vec all = oracle.w;
    if (!info.find("eta")) return all;
    for (const Vec* more : {&oracle.h, &oracle.m}) all.insert(all.end(), more->begin(), more->end());
    all.push_back(oracle.average_reward);
    return all;
}
Vec gain(const AlgorithmInfo& info, Oracle oracle, const Sample& s, double times) {
    const Vec before = all_weights(info, oracle);
    oracle.parameters.alpha *= times;
    oracle.step(s);
    return all_weights(info, oracle) - before;
}

// What rules for step sizes rest on: from where it is, an algorithm with a plain α gains twice as much with 2α, and
// ones that are not so do not. (Off-line TD gains what it has seen with α at the end of an episode: the same in one
// step, and still no step of its own for each.)
TEST(PlainAlpha, IsWhatTheEquationsHave) {
    for (const AlgorithmInfo& info : algorithm_table) {
        if (!info.find("alpha")) continue;
        double worst = 0;
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            const Case c = random_case(seed, 40, {.dimension = 5});
            Random random(seed + 1000);
            Oracle oracle(info.id, random_parameters(c, random), c.w_0);
            for (const Sample& s : c.stream) {
                const Vec once = gain(info, oracle, s, 1), twice = gain(info, oracle, s, 2);
                worst = std::max(worst, deviation(twice, 2 * once));
                oracle.step(s);
            }
        }
        if (info.plain_alpha) {
            EXPECT_LE(worst, tolerance) << info.id;
        } else if (info.id != "offline-td") {
            EXPECT_GT(worst, 1e-6) << info.id;
        }
    }
}

}  // namespace
}  // namespace bellwether::test
