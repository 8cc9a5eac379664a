// The built-in domains: what they are, to the number, and what a request for one refuses. The exact solutions of the
// same domains are tested where they are computed; here every closed form is plugged into its equation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "problems/bellman.hpp"
#include "problems/domain_requests.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

// ---- what every domain must pass

TEST(Domains, AreWellFormedWithEveryFeatureSetOnAndOffPolicy) {
    std::set<std::string_view> ids;
    for (const DomainInfo* info : domains()) {
        EXPECT_TRUE(ids.insert(info->id).second) << info->id;
        EXPECT_FALSE(info->summary.empty()) << info->id;
        EXPECT_FALSE(info->source.empty()) << info->id;
        ASSERT_FALSE(info->features.empty()) << info->id;
        for (const DomainParameter& p : info->parameters) {
            EXPECT_TRUE(p.range.contains(p.default_value)) << info->id << ' ' << p.name;
            EXPECT_FALSE(p.help.empty()) << info->id << ' ' << p.name;
        }
        for (const std::string_view features : info->features) {
            const FiniteMdp off = make_domain(request_domain(*info, {}, features));
            const FiniteMdp on = make_domain(request_domain(*info, {}, features, true));
            EXPECT_EQ(off.name(), info->id);
            EXPECT_TRUE(on.on_policy()) << info->id;
            expect_same_process(off, on);
            for (std::size_t s = 0; s < off.states(); ++s) {
                double target = 0, behaviour = 0;
                for (std::size_t a = 0; a < off.actions(); ++a) {
                    target += off.target(s, a);
                    behaviour += off.behaviour(s, a);
                    double sum = 0;
                    for (const Outcome& o : off.outcomes(s, a)) sum += o.probability;
                    EXPECT_NEAR(sum, 1, rounding) << info->id;
                }
                EXPECT_NEAR(target, 1, rounding) << info->id;
                EXPECT_NEAR(behaviour, 1, rounding) << info->id;
            }
        }
    }
    EXPECT_EQ(ids.size(), 12u);
}

TEST(Domains, OnlyThoseThatSaySoDependOnSeedInstanceAndRun) {
    for (const DomainInfo* info : domains()) {
        for (const std::string_view features : info->features) {
            const DomainRequest first = request_domain(*info, {}, features);
            DomainRequest instance = first, run = first;
            instance.instance = 1;
            run.run = 1;
            const auto differs = [&](const DomainRequest& other) {
                const FiniteMdp a = make_domain(first), b = make_domain(other);
                for (std::size_t s = 0; s < a.states(); ++s) {
                    if (a.outcomes(s, 0)[0].probability != b.outcomes(s, 0)[0].probability) return true;
                    if (!std::ranges::equal(a.features(s), b.features(s))) return true;
                }
                return false;
            };
            EXPECT_EQ(differs(instance), info->has_instances) << info->id;
            EXPECT_EQ(differs(run), info->has_runs) << info->id;
        }
    }
}

// ---- requests

TEST(DomainRequests, RefuseWhatIsUnknownOrOutOfRange) {
    EXPECT_EQ(refusal([] { require_domain("bard"); }), "unknown domain 'bard'; did you mean 'baird'?");
    std::string all;
    for (const DomainInfo* info : domains()) all += (all.empty() ? "" : ", ") + std::string(info->id);
    EXPECT_TRUE(all.starts_with("random-mdp, baird, boyan, walk5, walk19, two-state, kolter, collision")) << all;
    EXPECT_EQ(refusal([] { require_domain("mountain-car"); }), "unknown domain 'mountain-car'; there are " + all);
    EXPECT_EQ(refusal([] {
                  request("walk5", {{"gama", 1}});
              }),
              "walk5 has no parameter 'gama'; it has gamma, target-right, behaviour-right");
    EXPECT_EQ(refusal([] { request("boyan", {{"gamma", 1}}); }), "boyan has no parameter 'gamma'; it has none");
    EXPECT_EQ(refusal([] {
                  request("baird", {{"gamma", 1.5}});
              }),
              "gamma = 1.5 is out of range: it must be finite and in [0, 1]");
    EXPECT_EQ(refusal([] {
                  request("kolter", {{"d1", 0}});
              }),
              "d1 = 0 is out of range: it must be finite and in (0, 1]");
    EXPECT_EQ(refusal([] {
                  request("baird", {{"gamma", std::numeric_limits<double>::quiet_NaN()}});
              }),
              "gamma = nan is out of range: it must be finite and in [0, 1]");
    EXPECT_EQ(refusal([] {
                  request("random-mdp", {{"states", 1}});
              }),
              "states = 1 is out of range: it must be finite and in [2, 10000]");
    EXPECT_EQ(refusal([] { request("random-mdp", {{"states", 30.5}}); }), "states = 30.5 is not a whole number");
    EXPECT_EQ(refusal([] { request("baird", {{"gamma", 0.5}, {"gamma", 0.5}}); }), "gamma is given twice");
    EXPECT_EQ(refusal([] { request("walk5", {}, "inverse"); }),
              "walk5 has no features 'inverse'; it has tabular, inverted, dependent");
}

TEST(DomainRequests, RefuseWhatDoesNotFitTogether) {
    EXPECT_EQ(refusal([] {
                  make("random-mdp", {{"successors", 31}});
              }),
              "random-mdp: successors = 31 is more than states = 30");
    EXPECT_EQ(refusal([] {
                  make("random-mdp", {{"aliased-states", 31}}, "aliased");
              }),
              "random-mdp: aliased-states = 31 is more than states = 30");
    EXPECT_EQ(refusal([] {
                  make("random-mdp", {{"states", 10000}, {"actions", 100}, {"successors", 11}});
              }),
              "random-mdp: states times actions times successors is more than 10000000");
    EXPECT_EQ(refusal([] {
                  make("random-mdp", {{"states", 2}, {"successors", 2}, {"terminations", 3}});
              }),
              "random-mdp: terminations = 3, but only 2 transitions lead to another state");
    EXPECT_EQ(refusal([] {
                  make("kolter", {{"d1", 1}});
              }),
              "kolter: state 0, action 1: the target policy takes it and the behaviour policy never does");
}

TEST(DomainRequests, KnowWhatWasGiven) {
    const DomainRequest wanted = request("random-mdp", {{"gamma", 0.9}, {"states", 12}}, "binary");
    EXPECT_TRUE(wanted.is_given("gamma"));
    EXPECT_FALSE(wanted.is_given("actions"));
    EXPECT_EQ(wanted.count("states"), 12u);
    EXPECT_EQ(wanted.value("actions"), 3);
    EXPECT_EQ(request("walk5").features, "tabular");
    EXPECT_THROW(wanted.value("no such"), std::logic_error);
}

// ---- the classics

TEST(Baird, IsAsInTheLiterature) {
    const FiniteMdp mdp = make("baird");
    EXPECT_EQ(row(mdp, 0), (std::vector<double>{2, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(row(mdp, 5), (std::vector<double>{0, 0, 0, 0, 0, 2, 0, 1}));
    EXPECT_EQ(row(mdp, 6), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 2}));
    EXPECT_EQ(mdp.ratio(3, 0), 0);
    EXPECT_EQ(mdp.ratio(3, 1), 7);
    EXPECT_LT(stationarity_error(mdp, std::vector<double>(7, 1.0 / 7)), rounding);
    EXPECT_EQ(bellman_error(mdp, std::vector<double>(7, 0)), 0);
    double squares = 0;
    for (std::size_t s = 0; s < 7; ++s) {
        const std::vector<double> x = row(mdp, s);
        squares += std::pow(std::inner_product(x.begin(), x.end(), mdp.initial_weights().begin(), 0.0), 2) / 7;
    }
    EXPECT_NEAR(std::sqrt(squares), 5.318431563, 1e-9);  // the published check value has ten digits
}

TEST(Boyan, ValuesAreLinearInItsFeatures) {
    const FiniteMdp mdp = make("boyan");
    std::vector<double> values, linear;
    for (std::size_t s = 0; s < 12; ++s) {
        values.push_back(-2.0 * static_cast<double>(s + 1));
        const std::vector<double> x = row(mdp, s);
        linear.push_back(-24 * x[0] - 16 * x[1] - 8 * x[2] - 0 * x[3]);
        EXPECT_EQ(x[0] + x[1] + x[2] + x[3], 1);
    }
    EXPECT_EQ(bellman_error(mdp, values), 0);
    EXPECT_EQ(linear, values);
    EXPECT_EQ(row(mdp, 11), (std::vector<double>{1, 0, 0, 0}));
    EXPECT_EQ(row(mdp, 8), (std::vector<double>{0.25, 0.75, 0, 0}));
    EXPECT_EQ(row(mdp, 0), (std::vector<double>{0, 0, 0.25, 0.75}));
    EXPECT_EQ(mdp.start()[11], 1);
    EXPECT_EQ(ends(mdp), (std::set<std::pair<std::size_t, std::size_t>>{{0, 11}, {1, 11}}));
}

TEST(Walks, ValuesAreThoseOfGamblersRuin) {
    const FiniteMdp five = make("walk5");
    // V = 2·P(right end) − 1, P = (1 − r^n)/(1 − r^6), r = π(left)/π(right)
    const double r = 0.4 / 0.6;
    std::vector<double> values;
    for (int n = 1; n <= 5; ++n) values.push_back(2 * (1 - std::pow(r, n)) / (1 - std::pow(r, 6)) - 1);
    EXPECT_LT(bellman_error(five, values), rounding);
    EXPECT_EQ(five.start()[2], 1);
    EXPECT_EQ(five.behaviour(4, 1), 0.5);
    EXPECT_EQ(five.target(4, 1), 0.6);
    EXPECT_EQ(ends(five), (std::set<std::pair<std::size_t, std::size_t>>{{0, 2}, {4, 2}}));
    // From the start the symmetric walk is in state n for a time ∝ min(n, 6 − n).
    EXPECT_LT(stationarity_error(five, {1.0 / 9, 2.0 / 9, 3.0 / 9, 2.0 / 9, 1.0 / 9}), rounding);

    const FiniteMdp nineteen = make("walk19");
    values.clear();
    for (int n = 1; n <= 19; ++n) values.push_back((n - 10) / 10.0);
    EXPECT_LT(bellman_error(nineteen, values), rounding);
    EXPECT_EQ(nineteen.start()[9], 1);
    EXPECT_TRUE(nineteen.on_policy());
    EXPECT_EQ(nineteen.dimension(), 19u);
}

TEST(Walks, FiveStatesHaveThreeFeatureSets) {
    EXPECT_TRUE(make("walk5").one_hot());
    const FiniteMdp inverted = make("walk5", {}, "inverted"), dependent = make("walk5", {}, "dependent");
    EXPECT_EQ(row(inverted, 1), (std::vector<double>{0.5, 0, 0.5, 0.5, 0.5}));
    EXPECT_EQ(dependent.dimension(), 3u);
    const double root2 = 1 / std::sqrt(2.0), root3 = 1 / std::sqrt(3.0);
    EXPECT_EQ(row(dependent, 0), (std::vector<double>{1, 0, 0}));
    EXPECT_EQ(row(dependent, 1), (std::vector<double>{root2, root2, 0}));
    EXPECT_EQ(row(dependent, 2), (std::vector<double>{root3, root3, root3}));
    EXPECT_EQ(row(dependent, 3), (std::vector<double>{0, root2, root2}));
    EXPECT_EQ(row(dependent, 4), (std::vector<double>{0, 0, 1}));
    for (std::size_t s = 0; s < 5; ++s) {
        EXPECT_NEAR(length(row(inverted, s)), 1, rounding);
        EXPECT_NEAR(length(row(dependent, s)), 1, rounding);
    }
}

// A of TD(0) with one feature: Σ_s d(s) x(s) (x(s) − Σ π P γ x(s')).
double td0_matrix(const FiniteMdp& mdp, const std::vector<double>& d) {
    double A = 0;
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        double next = 0;
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                next += mdp.target(s, a) * o.probability * o.discount * row(mdp, o.next)[0];
        A += d[s] * row(mdp, s)[0] * (row(mdp, s)[0] - next);
    }
    return A;
}

TEST(TwoState, HasANegativeMatrix) {
    const FiniteMdp mdp = make("two-state");
    const std::vector<double> d{0.5, 0.5};
    EXPECT_EQ(stationarity_error(mdp, d), 0);
    EXPECT_NEAR(td0_matrix(mdp, d), -0.2, rounding);
    EXPECT_NE(mdp.initial_weights()[0], 0);  // from 0 it would stay at its fixed point
}

TEST(Kolter, HasItsValuesAndItsSingularity) {
    for (const double d1 : {0.1, 0.5, 0.7, 0.7114, 0.9}) {
        const FiniteMdp mdp = make("kolter", {{"d1", d1}});
        EXPECT_LT(bellman_error(mdp, {1, 1.05}), 1e-15);
        EXPECT_LT(stationarity_error(mdp, {d1, 1 - d1}), 1e-15);
    }
    const auto A = [](double d1) { return td0_matrix(make("kolter", {{"d1", d1}}), {d1, 1 - d1}); };
    EXPECT_GT(A(0.7113), 0);
    EXPECT_LT(A(0.7115), 0);
}

TEST(Collision, IsAsInTheLiterature) {
    const FiniteMdp mdp = make("collision");
    std::vector<double> values;
    for (int n = 1; n <= 8; ++n) values.push_back(std::pow(0.9, 8 - n));
    EXPECT_LT(bellman_error(mdp, values), 1e-15);
    std::vector<double> d{2, 4, 6, 8, 8, 4, 2, 1};
    for (double& share : d) share /= 35;
    EXPECT_LT(stationarity_error(mdp, d), 1e-15);
    EXPECT_EQ(mdp.start()[3], 0.25);
    EXPECT_EQ(mdp.start()[4], 0);
}

TEST(Collision, FeaturesHaveThreeOnesAndAreDrawnPerRun) {
    DomainRequest wanted = request("collision");
    wanted.seed = 3;
    std::set<std::vector<double>> different;
    for (wanted.run = 0; wanted.run < 20; ++wanted.run) {
        const FiniteMdp mdp = make_domain(wanted);
        ASSERT_EQ(mdp.dimension(), 6u);
        std::vector<double> all;
        for (std::size_t s = 0; s < 8; ++s) {
            const std::vector<double> x = row(mdp, s);
            EXPECT_EQ(std::count(x.begin(), x.end(), 1), 3);
            EXPECT_EQ(std::count(x.begin(), x.end(), 0), 3);
            all.insert(all.end(), x.begin(), x.end());
        }
        different.insert(all);
    }
    EXPECT_EQ(different.size(), 20u);
    wanted.run = 7;  // golden, as the random MDPs' above
    EXPECT_EQ(row(make_domain(wanted), 0), (std::vector<double>{0, 1, 0, 1, 1, 0}));
    EXPECT_EQ(row(make_domain(wanted), 1), (std::vector<double>{0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(row(make_domain(wanted), 7), (std::vector<double>{1, 0, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace bellwether::test
