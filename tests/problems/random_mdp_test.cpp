// The random MDPs: the shape of the paper, the same numbers whatever is asked for beside them, and golden numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "problems/domain_requests.hpp"

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

}  // namespace
}  // namespace bellwether::test
