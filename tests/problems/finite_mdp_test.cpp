// What a FiniteMdp accepts, fills in and refuses.
#include "problems/finite_mdp.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

// Two states, two actions; action a leads to state a.
MdpDescription small() {
    MdpDescription d;
    d.name = "small";
    d.states = 2;
    d.actions = 2;
    d.outcomes = {{{0, 1, 0.5, 0.9}}, {{1, 1, 0, 0.9}}, {{0, 1, 0, 0}}, {{1, 1, -1, 0.9}}};
    d.target = {1, 0, 0.25, 0.75};
    d.behaviour = {0.5, 0.5, 0.5, 0.5};
    d.dimension = 2;
    d.features = {1, 0, 0, 1};
    return d;
}

TEST(FiniteMdp, FillsInWhatIsEmpty) {
    const FiniteMdp mdp(small());
    EXPECT_FALSE(mdp.has_lambda());
    EXPECT_EQ(mdp.interest(0), 1);
    EXPECT_EQ(mdp.interest(1), 1);
    EXPECT_EQ(std::vector<double>(mdp.initial_weights().begin(), mdp.initial_weights().end()),
              (std::vector<double>{0, 0}));
    EXPECT_EQ(std::vector<double>(mdp.start().begin(), mdp.start().end()), (std::vector<double>{0.5, 0.5}));
    EXPECT_FALSE(mdp.on_policy());
}

TEST(FiniteMdp, KeepsWhatIsGiven) {
    MdpDescription d = small();
    d.lambda = {0.25, 1};
    d.interest = {0, 3};
    d.initial_weights = {-1, 7};
    d.start = {0, 1};
    d.behaviour = d.target;
    const FiniteMdp mdp(d);
    EXPECT_TRUE(mdp.has_lambda());
    EXPECT_EQ(mdp.lambda(0), 0.25);
    EXPECT_EQ(mdp.interest(1), 3);
    EXPECT_EQ(mdp.initial_weights()[1], 7);
    EXPECT_EQ(mdp.start()[1], 1);
    EXPECT_TRUE(mdp.on_policy());
    EXPECT_EQ(mdp.outcomes(1, 0)[0].discount, 0);
    EXPECT_EQ(mdp.outcomes(1, 1)[0].reward, -1);
}

TEST(FiniteMdp, RatioIsTargetOverBehaviour) {
    const FiniteMdp mdp(small());
    EXPECT_EQ(mdp.ratio(0, 0), 2);
    EXPECT_EQ(mdp.ratio(0, 1), 0);
    EXPECT_EQ(mdp.ratio(1, 1), 1.5);
}

TEST(FiniteMdp, KnowsOneHotFeatures) {
    MdpDescription d = small();
    d.dimension = 3;
    d.features = {0, 0, 1, 1, 0, 0};
    const FiniteMdp mdp(d);
    ASSERT_TRUE(mdp.one_hot());
    EXPECT_EQ(mdp.feature_index()[0], 2u);
    EXPECT_EQ(mdp.feature_index()[1], 0u);
    for (const std::vector<double>& row : {std::vector<double>{1, 0, 1}, {0, 0, 0}, {0, 0.5, 0}, {0, 1, -1}}) {
        std::copy(row.begin(), row.end(), d.features.begin() + 3);
        EXPECT_FALSE(FiniteMdp(d).one_hot()) << row[0] << row[1] << row[2];
    }
}

TEST(FiniteMdp, RefusesWhatIsWrongAndSaysWhere) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const struct {
        std::function<void(MdpDescription&)> spoil;
        const char* message;
    } cases[]{
        {[](auto& d) { d.states = 0; }, "small: there must be at least one state"},
        {[](auto& d) { d.actions = 0; }, "small: there must be at least one action"},
        {[](auto& d) { d.dimension = 0; }, "small: there must be at least one feature"},
        {[](auto& d) { d.outcomes.pop_back(); },
         "small: the list of outcomes has 3 entries where there are 4 pairs of state and action"},
        {[](auto& d) { d.outcomes[3].clear(); },
         "small: state 1, action 1: the probabilities of the next states sum to 0, not to 1"},
        {[](auto& d) { d.outcomes[1][0].next = 2; },
         "small: state 0, action 1: leads to state 2, but the last one is 1"},
        {[](auto& d) { d.outcomes[1][0].probability = 0.5; },
         "small: state 0, action 1: the probabilities of the next states sum to 0.5, not to 1"},
        {[](auto& d) { d.outcomes[1][0].probability = nan; },
         "small: state 0, action 1: the probability of state 1 is nan: it must be in [0, 1]"},
        {[](auto& d) { d.outcomes[2][0].discount = 1.5; },
         "small: state 1, action 0: the discount to state 0 is 1.5: it must be in [0, 1]"},
        {[](auto& d) { d.outcomes[2][0].reward = infinity; },
         "small: state 1, action 0: the reward to state 0 is not finite"},
        {[](auto& d) { d.target.pop_back(); },
         "small: the target policy has 3 entries where there are 4 pairs of state and action"},
        {[](auto& d) { d.behaviour[2] = 0.4; },
         "small: state 1: the behaviour policy's probabilities sum to 0.9, not to 1"},
        {[](auto& d) { d.target[1] = -0.5; },
         "small: state 0, action 1: the target policy is -0.5: it must be in [0, 1]"},
        {[](auto& d) {
             d.behaviour = {0, 1, 0.5, 0.5};
         },
         "small: state 0, action 0: the target policy takes it and the behaviour policy never does"},
        {[](auto& d) { d.features.pop_back(); },
         "small: the feature matrix has 3 entries where there are 4 states times features"},
        {[](auto& d) { d.features[3] = nan; }, "small: state 1: feature 1 is not finite"},
        {[](auto& d) { d.lambda = {1}; }, "small: lambda has 1 entries where there are 2 states"},
        {[](auto& d) {
             d.lambda = {1, 2};
         },
         "small: state 1: lambda is 2: it must be in [0, 1]"},
        {[](auto& d) { d.interest = {1}; }, "small: interest has 1 entries where there are 2 states"},
        {[](auto& d) {
             d.interest = {-1, 1};
         },
         "small: state 0: interest is -1: it must be finite and at least 0"},
        {[](auto& d) { d.initial_weights = {1}; },
         "small: the initial weights has 1 entries where there are 2 features"},
        {[](auto& d) {
             d.initial_weights = {1, nan};
         },
         "small: initial weight 1 is not finite"},
        {[](auto& d) { d.start = {1}; }, "small: the start distribution has 1 entries where there are 2 states"},
        {[](auto& d) {
             d.start = {2, -1};
         },
         "small: state 0: the start probability is 2: it must be in [0, 1]"},
        {[](auto& d) {
             d.start = {0.5, 0.25};
         },
         "small: the start probabilities sum to 0.75, not to 1"},
    };
    for (const auto& c : cases) {
        MdpDescription d = small();
        c.spoil(d);
        EXPECT_EQ(refusal([&] { FiniteMdp mdp(d); }), c.message);
    }
}

TEST(FiniteMdp, AcceptsProbabilitiesInDecimals) {
    MdpDescription d = small();
    d.outcomes[0] = {{0, 0.333333333333, 0, 1}, {1, 0.666666666666, 0, 1}};
    EXPECT_EQ(refusal([&] { FiniteMdp mdp(d); }), "");
}

}  // namespace
}  // namespace bellwether::test
