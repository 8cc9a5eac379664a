// The random MDPs: the shape of the paper, the same numbers whatever is asked for beside them, and golden numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "problems/domain_requests.hpp"
#include "problems/exact.hpp"
#include "problems/trajectory.hpp"

namespace bellwether::test {
namespace {

FiniteMdp random_mdp(std::uint64_t seed, std::uint32_t instance, std::string_view features = {}, bool on_policy = false,
                     std::initializer_list<NamedValue> parameters = {}) {
    DomainRequest wanted = request("random-mdp", parameters, features, on_policy);
    wanted.seed = seed;
    wanted.instance = instance;
    return make_domain(wanted);
}

TEST(RandomMdp, HasTheShapeOfThePaper) {
    for (std::uint32_t instance = 0; instance < 30; ++instance) {
        const FiniteMdp mdp = random_mdp(5, instance);
        ASSERT_EQ(mdp.states(), 30u);
        ASSERT_EQ(mdp.actions(), 3u);
        for (std::size_t s = 0; s < 30; ++s) {
            std::multiset<double> target, ratios;
            for (std::size_t a = 0; a < 3; ++a) {
                target.insert(std::round(1e12 * mdp.target(s, a)) / 1e12);
                ratios.insert(mdp.ratio(s, a));
                ASSERT_EQ(mdp.outcomes(s, a).size(), 4u);
                for (std::size_t k = 0; k < 4; ++k) {
                    const Outcome& o = mdp.outcomes(s, a)[k];
                    if (k > 0) {
                        EXPECT_GT(o.next, mdp.outcomes(s, a)[k - 1].next);
                    }
                    EXPECT_GT(o.probability, 0);
                    EXPECT_TRUE(o.reward >= 0 && o.reward < 1);
                    EXPECT_TRUE(o.discount == 0.9 || ends(mdp).contains({s, o.next}));
                }
            }
            EXPECT_EQ(target, (std::multiset<double>{0.05, 0.05, 0.9}));
            EXPECT_EQ(ratios, (std::multiset<double>{0.5, 0.5, 0.9 / 0.8}));
            EXPECT_EQ(mdp.start()[s], 1.0 / 30);
        }
        const auto pairs = ends(mdp);
        EXPECT_EQ(pairs.size(), 2u);
        for (const auto& [from, to] : pairs) {
            EXPECT_NE(from, to);
            for (std::size_t a = 0; a < 3; ++a)  // γ is a function of (s, s'), whatever the action
                for (const Outcome& o : mdp.outcomes(from, a))
                    if (o.next == to) {
                        EXPECT_EQ(o.discount, 0);
                    }
        }
    }
}

TEST(RandomMdp, IsTheSameWhateverTheFeaturesAndPolicies) {
    const FiniteMdp tabular = random_mdp(3, 12, "tabular");
    expect_same_process(tabular, random_mdp(3, 12, "aliased"));
    expect_same_process(tabular, random_mdp(3, 12, "binary"));
    expect_same_process(tabular, random_mdp(3, 12, "binary", true));
    expect_same_process(tabular, random_mdp(3, 12, "tabular", false, {{"gamma", 0.5}, {"behaviour-probability", 0.4}}));
}

TEST(RandomMdp, HasTheDiscountOfItsFeaturesUnlessGiven) {
    const auto discount = [](const FiniteMdp& mdp) {
        double largest = 0;
        for (const Outcome& o : mdp.outcomes(0, 0)) largest = std::max(largest, o.discount);
        return largest;
    };
    EXPECT_EQ(discount(random_mdp(0, 0, "tabular")), 0.9);
    EXPECT_EQ(discount(random_mdp(0, 0, "aliased")), 0.9);
    EXPECT_EQ(discount(random_mdp(0, 0, "binary")), 0.99);
    EXPECT_EQ(discount(random_mdp(0, 0, "binary", false, {{"gamma", 0.9}})), 0.9);
}

TEST(RandomMdp, FeaturesAreNormalised) {
    for (const std::string_view features : {"tabular", "aliased", "binary"}) {
        const FiniteMdp mdp = random_mdp(1, 2, features);
        for (std::size_t s = 0; s < 30; ++s) EXPECT_NEAR(length(row(mdp, s)), 1, rounding) << features;
    }
}

TEST(RandomMdp, FiveStatesAreAliased) {
    for (std::uint32_t instance = 0; instance < 30; ++instance) {
        const FiniteMdp mdp = random_mdp(9, instance, "aliased");
        EXPECT_EQ(mdp.dimension(), 26u);
        ASSERT_TRUE(mdp.one_hot());
        std::vector<std::size_t> users(26);
        std::uint32_t highest = 0;
        for (const std::uint32_t feature : mdp.feature_index()) {
            ++users[feature];
            EXPECT_LE(feature, highest);  // numbered in the order of first use
            highest = std::max(highest, feature + 1);
        }
        std::sort(users.begin(), users.end());
        EXPECT_EQ(users.front(), 1u);
        EXPECT_EQ(users[24], 1u);
        EXPECT_EQ(users[25], 5u);
    }
}

TEST(RandomMdp, BinaryFeaturesAreTheDigitsOfTheIndexFromOne) {
    const FiniteMdp mdp = random_mdp(0, 0, "binary");
    EXPECT_EQ(mdp.dimension(), 5u);
    EXPECT_EQ(row(mdp, 0), (std::vector<double>{0, 0, 0, 0, 1}));
    EXPECT_EQ(row(mdp, 15), (std::vector<double>{1, 0, 0, 0, 0}));
    const double half = 0.5, root = 1 / std::sqrt(2.0);
    EXPECT_EQ(row(mdp, 29), (std::vector<double>{half, half, half, half, 0}));  // 30 = 11110
    EXPECT_EQ(row(mdp, 16), (std::vector<double>{root, 0, 0, 0, root}));
    EXPECT_EQ(random_mdp(0, 0, "binary", false, {{"states", 31}}).dimension(), 5u);
    EXPECT_EQ(random_mdp(0, 0, "binary", false, {{"states", 32}}).dimension(), 6u);
}

TEST(RandomMdp, EveryNumberIsAParameter) {
    const FiniteMdp mdp = random_mdp(2, 0, "aliased", false,
                                     {{"states", 7},
                                      {"actions", 2},
                                      {"successors", 3},
                                      {"terminations", 5},
                                      {"gamma", 0.25},
                                      {"target-probability", 0.75},
                                      {"behaviour-probability", 0.5},
                                      {"aliased-states", 7}});
    EXPECT_EQ(mdp.states(), 7u);
    EXPECT_EQ(mdp.actions(), 2u);
    EXPECT_EQ(mdp.dimension(), 1u);
    EXPECT_EQ(ends(mdp).size(), 5u);
    EXPECT_EQ(mdp.outcomes(6, 1).size(), 3u);
    EXPECT_EQ(std::max(mdp.target(0, 0), mdp.target(0, 1)), 0.75);
    EXPECT_EQ(mdp.behaviour(0, 0), 0.5);
    EXPECT_EQ(make("random-mdp", {{"actions", 1}}).target(0, 0), 1);
}

// From an implementation in another language that was written after docs/random-numbers.md. These numbers never change.
TEST(RandomMdp, GoldenNumbers) {
    const struct {
        std::uint64_t seed;
        std::uint32_t instance;
        std::size_t state, action;
        Outcome outcomes[4];
        std::set<std::pair<std::size_t, std::size_t>> ends;
        std::size_t base_actions[8];
        std::set<std::size_t> aliased;
    } golden[]{
        {0,
         0,
         0,
         0,
         {{1, 0.09285567180036643, 0.6795292412545555, 0.9},
          {2, 0.4074199744325062, 0.8269773993879107, 0.9},
          {10, 0.22838978022010845, 0.39218573731577344, 0.9},
          {19, 0.27133457354701895, 0.8946105092123958, 0.9}},
         {{25, 0}, {22, 27}},
         {2, 0, 2, 1, 1, 1, 0, 1},
         {12, 14, 17, 22, 26}},
        {3,
         12,
         17,
         2,
         {{1, 0.13566940803617544, 0.62422467538634, 0.9},
          {2, 0.15748851375924722, 0.9401814378828194, 0.9},
          {6, 0.30589921217142474, 0.4588779321847932, 0.9},
          {25, 0.40094286603315255, 0.43271079930516876, 0.9}},
         {{23, 0}, {28, 5}},
         {2, 1, 2, 1, 0, 0, 1, 2},
         {1, 17, 18, 23, 24}},
    };
    for (const auto& g : golden) {
        const FiniteMdp mdp = random_mdp(g.seed, g.instance, "aliased");
        for (std::size_t k = 0; k < 4; ++k) {
            const Outcome& o = mdp.outcomes(g.state, g.action)[k];
            EXPECT_EQ(o.next, g.outcomes[k].next);
            EXPECT_EQ(o.probability, g.outcomes[k].probability);
            EXPECT_EQ(o.reward, g.outcomes[k].reward);
            EXPECT_EQ(o.discount, g.outcomes[k].discount);
        }
        EXPECT_EQ(ends(mdp), g.ends);
        for (std::size_t s = 0; s < 8; ++s) EXPECT_EQ(mdp.target(s, g.base_actions[s]), 0.9);
        std::vector<std::size_t> users(mdp.dimension());
        for (const std::uint32_t feature : mdp.feature_index()) ++users[feature];
        std::set<std::size_t> aliased;
        for (std::size_t s = 0; s < 30; ++s)
            if (users[mdp.feature_index()[s]] > 1) aliased.insert(s);
        EXPECT_EQ(aliased, g.aliased);
    }
}

// ---- Other ways to read the paper.

TEST(RandomMdp, TeleportsAfterADiscountOfZero) {
    const FiniteMdp plain = random_mdp(5, 3, "binary"),
                    teleporting = random_mdp(5, 3, "binary", false, {{"teleport", 1}});
    // P_μ of the plain MDP, with what has discount 0 spread over all states; its stationary distribution by powers.
    constexpr std::size_t n = 30;
    std::vector<double> chain(n * n, 0.0);
    double spread = 0;
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t a = 0; a < 3; ++a)
            for (const Outcome& o : plain.outcomes(s, a)) {
                const double probability = plain.behaviour(s, a) * o.probability;
                if (o.discount == 0) spread += probability;
                for (std::size_t next = 0; next < n; ++next)
                    if (o.discount == 0 || next == o.next)
                        chain[s * n + next] += o.discount == 0 ? probability / n : probability;
            }
    EXPECT_GT(spread, 0);
    std::vector<double> d(n, 1.0 / n);
    for (int k = 0; k < 10'000; ++k) {
        std::vector<double> after(n, 0.0);
        for (std::size_t s = 0; s < n; ++s)
            for (std::size_t next = 0; next < n; ++next) after[next] += d[s] * chain[s * n + next];
        d = after;
    }
    const ExactSolution with(teleporting, 0.5), without(plain, 0.5);
    for (std::size_t s = 0; s < n; ++s) EXPECT_NEAR(with.d[static_cast<Eigen::Index>(s)], d[s], 1e-12);
    EXPECT_GT((with.d - without.d).cwiseAbs().maxCoeff(), 1e-4);
    // What comes after a discount of 0 is worth nothing to the state before.
    EXPECT_LT((with.v - without.v).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_LT((with.r_pi - without.r_pi).cwiseAbs().maxCoeff(), 1e-14);
}

// Runs that are drawn agree: after a discount of 0 every state is as likely.
TEST(RandomMdp, StartsAnywhereAfterATeleport) {
    const FiniteMdp mdp = random_mdp(5, 3, "tabular", false, {{"teleport", 1}, {"terminations", 20}});
    const Sampler sampler(mdp);
    std::vector<double> visits(30, 0.0);
    double teleports = 0;
    Sampler::Walk walk(sampler, 1, 0, 0);
    for (int t = 0; t < 300'000; ++t) {
        const Sampler::Draw& draw = walk.step();
        if (draw.gamma != 0) continue;
        ++visits[draw.next];
        ++teleports;
    }
    ASSERT_GT(teleports, 3000);
    const double expected = teleports / 30;
    double chi_squared = 0;
    for (const double count : visits) chi_squared += (count - expected) * (count - expected) / expected;
    EXPECT_LT(chi_squared, 58.3);  // the quantile of 0.999 with 29 degrees of freedom
}

// ---- Rewards that change in mid-run.

TEST(RandomMdp, DrawsItsRewardsAnew) {
    const FiniteMdp plain = random_mdp(5, 3), changing = random_mdp(5, 3, {}, false, {{"redraw-after", 40}});
    EXPECT_EQ(plain.changes_after(), 0u);
    EXPECT_EQ(changing.changes_after(), 40u);
    const FiniteMdp later = changing.after_change();
    EXPECT_EQ(later.changes_after(), 0u);
    expect_same_process(plain, changing);
    RandomStream random(5, 3, 1, Purpose::rewards);
    for (std::size_t s = 0; s < 30; ++s)
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t k = 0; k < 4; ++k) {
                const Outcome &before = plain.outcomes(s, a)[k], &after = later.outcomes(s, a)[k];
                EXPECT_EQ(after.next, before.next);
                EXPECT_EQ(after.probability, before.probability);
                EXPECT_EQ(after.discount, before.discount);
                EXPECT_EQ(after.reward, random.uniform());
            }
}

// A run goes through the same states, with the rewards of the time.
TEST(RandomMdp, BringsOtherRewardsAfterItsChange) {
    for (const double teleport : {0.0, 1.0}) {
        const auto mdp = [&](double redraw_after) {
            return random_mdp(5, 3, "binary", false, {{"teleport", teleport}, {"redraw-after", redraw_after}});
        };
        const FiniteMdp changing = mdp(40);
        Trajectory before, whole, after;
        Sampler(mdp(0)).sample(1, 2, 3, 100, before);
        Sampler(changing).sample(1, 2, 3, 100, whole);
        Sampler(changing.after_change()).sample(1, 2, 3, 100, after);
        EXPECT_EQ(whole.features, before.features);
        EXPECT_EQ(whole.gamma, before.gamma);
        EXPECT_EQ(whole.rho, before.rho);
        for (std::size_t t = 0; t < 100; ++t) EXPECT_EQ(whole.reward[t], (t < 40 ? before : after).reward[t]) << t;
        EXPECT_NE(before.reward[99], after.reward[99]);
    }
}

TEST(RandomMdp, HasFeaturesOfAnyNorm) {
    DomainRequest wanted = request("random-mdp", {}, "binary");
    const FiniteMdp by_default = make_domain(wanted);
    wanted.normalisation = Normalisation::l2;
    const FiniteMdp l2 = make_domain(wanted);
    wanted.normalisation = Normalisation::l1;
    const FiniteMdp l1 = make_domain(wanted);
    wanted.normalisation = Normalisation::none;
    const FiniteMdp none = make_domain(wanted);
    for (std::size_t s = 0; s < 30; ++s) {
        const std::vector<double> code = row(none, s);
        const auto ones = static_cast<double>(std::popcount(s + 1));
        for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(code[i], static_cast<double>((s + 1) >> (4 - i) & 1u));
        EXPECT_EQ(row(l2, s), row(by_default, s));
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_DOUBLE_EQ(row(l1, s)[i], code[i] / ones);
            EXPECT_DOUBLE_EQ(row(l2, s)[i], code[i] / std::sqrt(ones));
        }
    }
    expect_same_process(l1, none);
    // V* does not depend on the features.
    EXPECT_LT((ExactSolution(l1, 0).v - ExactSolution(none, 0).v).cwiseAbs().maxCoeff(), 1e-12);
}

// The problem of Mahmood & Sutton (2015), in shape.
TEST(RandomMdp, MayBeDrawnInOtherWays) {
    const FiniteMdp mdp = random_mdp(5, 3, "binary", false,
                                     {{"states", 10},
                                      {"successors", 3},
                                      {"cuts", 1},
                                      {"terminations", 0},
                                      {"terminal-states", 2},
                                      {"target-probability", 0.99},
                                      {"drawn-behaviour", 1},
                                      {"start", 1}});
    std::set<std::size_t> ending;
    for (const auto& [from, to] : ends(mdp)) ending.insert(to);
    EXPECT_EQ(ending.size(), 2u);
    EXPECT_EQ(mdp.start()[0], 1);
    for (std::size_t s = 0; s < 10; ++s) {
        double sum = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            sum += mdp.behaviour(s, a);
            EXPECT_GT(mdp.behaviour(s, a), 0);
            EXPECT_TRUE(std::abs(mdp.target(s, a) - 0.99) < 1e-12 || std::abs(mdp.target(s, a) - 0.005) < 1e-12);
            for (const Outcome& o : mdp.outcomes(s, a)) EXPECT_EQ(o.discount, ending.contains(o.next) ? 0 : 0.99);
        }
        EXPECT_NEAR(sum, 1, rounding);
    }
    EXPECT_NE(mdp.behaviour(0, 0), mdp.behaviour(1, 0));
    EXPECT_EQ(random_mdp(5, 3, "", true, {{"drawn-behaviour", 1}}).on_policy(), true);
}

// And that of Dann et al. (2014), with fewer states.
TEST(RandomMdp, MayDrawBothPoliciesAndRewardsOfArrival) {
    const std::initializer_list<NamedValue> sizes{{"states", 12},      {"successors", 12},     {"terminations", 0},
                                                  {"drawn-target", 1}, {"drawn-behaviour", 1}, {"arrival-rewards", 1},
                                                  {"dimension", 5}};
    const FiniteMdp mdp = random_mdp(5, 3, "uniform", false, sizes);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t next = 0; next < 12; ++next) {
            const double reward = mdp.outcomes(0, a)[next].reward;
            EXPECT_TRUE(reward >= 0 && reward < 1);
            for (std::size_t s = 0; s < 12; ++s) EXPECT_EQ(mdp.outcomes(s, a)[next].reward, reward);
            EXPECT_NE(mdp.outcomes(0, (a + 1) % 3)[next].reward, reward);
        }
    for (std::size_t s = 0; s < 12; ++s) {
        double of_target = 0, of_behaviour = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            of_target += mdp.target(s, a);
            of_behaviour += mdp.behaviour(s, a);
            EXPECT_NE(mdp.target(s, a), mdp.behaviour(s, a));
        }
        EXPECT_NEAR(of_target, 1, rounding);
        EXPECT_NEAR(of_behaviour, 1, rounding);
        const std::vector<double> x = row(mdp, s);
        ASSERT_EQ(x.size(), 5u);
        EXPECT_EQ(x[4], 1);
        for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(x[i] >= 0 && x[i] < 1);
    }
    // On-policy the behaviour is the target, which is the same one.
    const FiniteMdp on_policy = random_mdp(5, 3, "uniform", true, sizes);
    EXPECT_TRUE(on_policy.on_policy());
    EXPECT_EQ(on_policy.behaviour(3, 1), mdp.target(3, 1));
}

// Pieces between uniform cuts have the mean 1/n and the variance (n − 1)/(n²(n + 1)); normalised uniform numbers vary
// less.
TEST(RandomMdp, CutsLeavePiecesOfTheirVariance) {
    double sum = 0, squares = 0, count = 0;
    for (std::uint32_t instance = 0; instance < 60; ++instance) {
        const FiniteMdp mdp = random_mdp(1, instance, "", false, {{"cuts", 1}});
        for (std::size_t s = 0; s < 30; ++s)
            for (const Outcome& o : mdp.outcomes(s, 0)) {
                sum += o.probability;
                squares += o.probability * o.probability;
                ++count;
            }
    }
    const double mean = sum / count;
    EXPECT_NEAR(mean, 0.25, 1e-12);
    EXPECT_NEAR(squares / count - mean * mean, 3.0 / 80, 0.002);  // 7,200 pieces: four standard errors
}

TEST(RandomMdp, MayHaveNormalRewardsAndFeatures) {
    double sum = 0, squares = 0, count = 0;
    for (std::uint32_t instance = 0; instance < 30; ++instance) {
        const FiniteMdp mdp = random_mdp(1, instance, "normal", false, {{"normal-rewards", 1}, {"dimension", 7}});
        ASSERT_EQ(mdp.dimension(), 7u);
        for (std::size_t s = 0; s < 30; ++s) {
            EXPECT_NEAR(length(row(mdp, s)), 1, rounding);
            for (std::size_t a = 0; a < 3; ++a)
                for (const Outcome& o : mdp.outcomes(s, a)) {
                    sum += o.reward;
                    squares += o.reward * o.reward;
                    ++count;
                }
        }
    }
    EXPECT_NEAR(sum / count, 0, 0.04);  // 10,800 numbers: four standard errors
    EXPECT_NEAR(squares / count, 1, 0.06);
}

// Noise adds to rewards and to nothing else, and in the mean nothing.
TEST(RandomMdp, MayHaveNoiseOnItsRewards) {
    const FiniteMdp plain = random_mdp(5, 3), noisy = random_mdp(5, 3, "", false, {{"reward-noise", 0.5}});
    Trajectory without, with;
    constexpr std::size_t steps = 10'000;
    Sampler(plain).sample(1, 2, 3, steps, without);
    Sampler(noisy).sample(1, 2, 3, steps, with);
    EXPECT_EQ(with.features, without.features);
    EXPECT_EQ(with.gamma, without.gamma);
    double sum = 0, squares = 0;
    for (std::size_t t = 0; t < steps; ++t) {
        sum += with.reward[t] - without.reward[t];
        squares += std::pow(with.reward[t] - without.reward[t], 2);
    }
    EXPECT_NEAR(sum / steps, 0, 0.02);  // four standard errors
    EXPECT_NEAR(squares / steps, 0.25, 0.015);
    EXPECT_EQ(ExactSolution(noisy, 0).v, ExactSolution(plain, 0).v);
}

// What is not normalised by default can be, and what is 0 stays.
TEST(Normalisation, IsOfEveryDomain) {
    DomainRequest wanted = request("baird");
    wanted.normalisation = Normalisation::l2;
    const FiniteMdp baird = make_domain(wanted);
    for (std::size_t s = 0; s < 7; ++s) EXPECT_NEAR(length(row(baird, s)), 1, rounding);
    EXPECT_DOUBLE_EQ(row(baird, 0)[0], 2 / std::sqrt(5));
    EXPECT_EQ(baird.initial_weights()[6], 10);
    wanted = request("walk5", {}, "dependent");
    wanted.normalisation = Normalisation::l1;
    EXPECT_EQ(row(make_domain(wanted), 1), (std::vector<double>{0.5, 0.5, 0}));
}

}  // namespace
}  // namespace bellwether::test
