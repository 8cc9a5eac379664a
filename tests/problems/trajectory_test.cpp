// Trajectories: the same wherever they are drawn, to the bit, and drawn as the problem says.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "problems/domain.hpp"
#include "problems/exact.hpp"
#include "problems/trajectory.hpp"

namespace bellwether::test {
namespace {

FiniteMdp domain(const char* id, std::string_view features = "", std::uint64_t seed = 0, std::uint32_t instance = 0) {
    DomainRequest request = request_domain(require_domain(id), {}, features);
    request.seed = seed;
    request.instance = instance;
    return make_domain(request);
}

bool operator==(const Trajectory& a, const Trajectory& b) {
    return std::tie(a.features, a.reward, a.gamma, a.rho, a.pi, a.mu) ==
           std::tie(b.features, b.reward, b.gamma, b.rho, b.pi, b.mu);
}

// Another implementation that follows docs/random-numbers.md must find these.
TEST(Trajectory, IsWhatTheDocumentSays) {
    Trajectory t;
    Sampler(domain("random-mdp")).sample(0, 0, 0, 12, t);
    const std::vector<std::uint32_t> states = t.features;
    EXPECT_EQ(states, (std::vector<std::uint32_t>{26, 11, 9, 0, 13, 6, 4, 20, 22, 1, 12, 9, 4}));
    EXPECT_EQ(t.reward[0], 0.4248517317842553);
    Sampler(domain("baird")).sample(7, 0, 3, 12, t);
    EXPECT_EQ(t.features, (std::vector<std::uint32_t>{0, 2, 2, 1, 5, 0, 4, 0, 3, 5, 2, 3, 5}));
}

TEST(Trajectory, DoesNotDependOnWhatWasDrawnBefore) {
    const FiniteMdp mdp = domain("random-mdp", "", 5, 12);
    const Sampler sampler(mdp);
    std::vector<Trajectory> in_order(80);
    for (std::uint32_t run = 0; run < 80; ++run) sampler.sample(5, 12, run, 300, in_order[run]);
    Trajectory alone;
    Sampler(domain("random-mdp", "", 5, 12)).sample(5, 12, 77, 300, alone);
    EXPECT_TRUE(alone == in_order[77]);
    EXPECT_FALSE(in_order[76] == in_order[77]);
}

TEST(Trajectory, StartsTheSameHoweverLong) {
    const Sampler sampler(domain("random-mdp"));
    Trajectory brief, lengthy;
    sampler.sample(1, 2, 3, 100, brief);
    sampler.sample(1, 2, 3, 1000, lengthy);
    for (auto* numbers : {&lengthy.reward, &lengthy.gamma, &lengthy.rho, &lengthy.pi, &lengthy.mu})
        numbers->resize(100);
    lengthy.features.resize(101);
    EXPECT_TRUE(brief == lengthy);
}

// The features are not part of what is drawn: the same walk with every representation.
TEST(Trajectory, IsTheSameWhateverTheFeatures) {
    Trajectory tabular, aliased, binary;
    Sampler(domain("random-mdp", "tabular", 3, 4)).sample(3, 4, 5, 500, tabular);
    Sampler(domain("random-mdp", "aliased", 3, 4)).sample(3, 4, 5, 500, aliased);
    Sampler(domain("random-mdp", "binary", 3, 4)).sample(3, 4, 5, 500, binary);
    EXPECT_TRUE(tabular == aliased);
    EXPECT_EQ(tabular.features, binary.features);
    EXPECT_EQ(tabular.reward, binary.reward);
}

TEST(Trajectory, TakesOnlyTransitionsThereAre) {
    const FiniteMdp mdp = domain("random-mdp");
    Trajectory t;
    Sampler(mdp).sample(0, 0, 0, 20'000, t);
    for (std::size_t i = 0; i < t.steps(); ++i) {
        bool found = false;
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(t.features[i], a))
                found =
                    found || (o.next == t.features[i + 1] && o.reward == t.reward[i] && o.discount == t.gamma[i] &&
                              mdp.target(t.features[i], a) == t.pi[i] && mdp.behaviour(t.features[i], a) == t.mu[i] &&
                              mdp.ratio(t.features[i], a) == t.rho[i]);
        ASSERT_TRUE(found) << "step " << i;
    }
}

// The share of time in each state within 5 standard errors of d_μ, estimated from 100 independent runs.
TEST(Trajectory, VisitsStatesAsTheStationaryDistributionSays) {
    for (const char* id : {"random-mdp", "baird", "walk5", "collision", "boyan"}) {
        const FiniteMdp mdp = domain(id);
        const Eigen::VectorXd d = stationary_distribution(mdp);
        const Sampler sampler(mdp);
        const std::size_t steps = 20'000, runs = 100;
        std::vector<std::vector<double>> share(mdp.states(), std::vector<double>(runs));
        Trajectory t;
        for (std::uint32_t run = 0; run < runs; ++run) {
            sampler.sample(11, 0, run, steps, t);
            for (std::size_t i = 0; i < steps; ++i) share[t.features[i]][run] += 1.0 / static_cast<double>(steps);
        }
        for (std::size_t s = 0; s < mdp.states(); ++s) {
            double mean = 0, square = 0;
            for (const double x : share[s]) mean += x / static_cast<double>(runs);
            for (const double x : share[s]) square += (x - mean) * (x - mean);
            const double error = std::sqrt(square / static_cast<double>(runs * (runs - 1)));
            // A run starts elsewhere than at d_μ: a bias of the order of one visit in a run.
            EXPECT_NEAR(mean, d[static_cast<Eigen::Index>(s)], 5 * error + 2.0 / static_cast<double>(steps))
                << id << ", state " << s;
        }
    }
}

// n-step TD as the book has it (Sutton & Barto 2018, section 7.1), with a buffer: its weights where episodes end are
// those of TD(0) on the transitions ahead.
TEST(TransitionsAhead, MakeNStepTdOutOfTd) {
    const FiniteMdp mdp = domain("walk19");
    Trajectory run;
    Sampler(mdp).sample(3, 0, 1, 3000, run);
    constexpr double alpha = 0.3;
    for (const std::size_t n : {1u, 2u, 7u, 512u}) {
        const TransitionsAhead ahead = look_ahead(run, n);
        std::vector<double> book(19), ours(19);
        std::size_t begin = 0, ends = 0;
        for (std::size_t end = 0; end < run.steps(); ++end) {
            if (run.gamma[end] != 0) continue;
            const std::size_t T = end + 1 - begin;  // of the episode
            for (std::size_t t = 0; t < T + n - 1; ++t) {
                if (t + 1 < n) continue;
                const std::size_t tau = t + 1 - n;
                double G = 0;
                for (std::size_t i = tau; i < std::min(tau + n, T); ++i) G += run.reward[begin + i];
                if (tau + n < T) G += book[run.features[begin + tau + n]];
                double& value = book[run.features[begin + tau]];
                if (tau < T) value += alpha * (G - value);
            }
            for (std::size_t t = begin; t <= end; ++t)
                ours[run.features[t]] +=
                    alpha * (ahead.reward[t] + ahead.gamma[t] * ours[ahead.next[t]] - ours[run.features[t]]);
            for (std::size_t s = 0; s < 19; ++s) EXPECT_NEAR(ours[s], book[s], 1e-14) << n;
            begin = end + 1;
            ++ends;
        }
        EXPECT_GT(ends, 10u);
    }
}

TEST(Evaluation, HasTheTruthOfTheProblem) {
    const Evaluation tabular = make_evaluation(domain("random-mdp"));
    EXPECT_EQ(tabular.rows, 30U);
    EXPECT_EQ(tabular.feature_index.size(), 30U);
    const Evaluation aliased = make_evaluation(domain("random-mdp", "aliased"));
    EXPECT_EQ(aliased.dimension, 26U);
    EXPECT_EQ(aliased.feature_index.size(), 30U);
    EXPECT_EQ(aliased.truth, tabular.truth);
    EXPECT_EQ(aliased.weight, tabular.weight);
    EXPECT_TRUE(make_evaluation(domain("random-mdp", "binary")).feature_index.empty());
    const Evaluation collision = make_evaluation(domain("collision"));
    for (std::size_t s = 0; s < 8; ++s)
        EXPECT_NEAR(collision.truth[s], std::pow(0.9, 7.0 - static_cast<double>(s)), 1e-12);
    EXPECT_EQ(make_evaluation(domain("baird")).initial_weights[6], 10);
}

}  // namespace
}  // namespace bellwether::test
