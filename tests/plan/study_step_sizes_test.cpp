// The key "step-size", and what it is refused with.
#include <gtest/gtest.h>

#include <string>

#include "plan/study_text.hpp"

namespace bellwether::test {
namespace {

// A setting whose key stands on line 5.
std::string with(const std::string& rule, const std::string& algorithms, const std::string& rest = "") {
    return "[[settings]]\nid = 'a'\ndomain = 'walk5'\nsteps = 100\nstep-size = " + rule +
           "\nruns = 2\nmetrics = ['rmsve']\ngrid = { alpha = [0.1, 0.2] }\nalgorithms = " + algorithms + "\n" + rest;
}
StepSizeRule rule_of(const std::string& rule, const std::string& algorithms = "['gtd', 'off-policy-td']") {
    return study_of(with(rule, algorithms)).settings[0].step_sizes;
}

TEST(StepSizes, AreConstantUnlessTheFileSaysOtherwise) {
    EXPECT_TRUE(study_of(good).settings[0].step_sizes.is_constant());
    EXPECT_TRUE(rule_of("'constant'").is_constant());
    EXPECT_TRUE(rule_of("{ rule = 'constant' }", "['to-gtd', 'lstd']").is_constant());
}

TEST(StepSizes, MayChangeByARule) {
    EXPECT_EQ(rule_of("'adagrad'").kind, StepSizeRule::Kind::adagrad);
    EXPECT_EQ(rule_of("{ rule = 'adagrad' }").kind, StepSizeRule::Kind::adagrad);
    const StepSizeRule power = rule_of("{ rule = 'power', exponent = 0.25 }");
    EXPECT_EQ(power.kind, StepSizeRule::Kind::power);
    EXPECT_EQ(power.exponent, 0.25);
}

TEST(StepSizes, AreNotThoseOfLeastSquares) {
    EXPECT_EQ(rule_of("'adagrad'", "['gtd', 'lstd']").kind, StepSizeRule::Kind::adagrad);
    EXPECT_EQ(refused_study(with("'adagrad'", "['lstd', 'wis-lstd']")),
              "s.toml:5:13: settings[0].step-size is 'adagrad', and no algorithm of the setting has a step size");
}

TEST(StepSizes, AreRefusedWhereTheyMakeNoSense) {
    const struct {
        std::string rule, algorithms, rest, refusal;
    } cases[]{
        {"'adagard'", "['gtd']", "", " is 'adagard', an unknown rule for step sizes; did you mean 'adagrad'?"},
        {"'power'", "['gtd']", "", " has no exponent: it is { rule = \"power\", exponent = 0.5 }, for example"},
        {"{ rule = 'power' }", "['gtd']", "",
         " has no exponent: it is { rule = \"power\", exponent = 0.5 }, for example"},
        {"{ exponent = 1 }", "['gtd']", "", " has no 'rule'"},
        {"'adagrad'", "['gtd', 'to-gtd']", "",
         " is 'adagrad', and to-gtd changes its weights by more than alpha times what holds no step size"},
        {"{ rule = 'power', exponent = 1 }", "['ptd']", "",
         " is 'power', and ptd changes its weights by more than alpha times what holds no step size"},
        {"'adagrad'", "['td0']", "policy = 'on'\nsteps-ahead = 2\n",
         " is 'adagrad', with transitions over several steps"},
    };
    for (const auto& c : cases) {
        const std::string text = replaced(with(c.rule, c.algorithms), "metrics", c.rest + "metrics");
        EXPECT_EQ(refused_study(text), "s.toml:5:13: settings[0].step-size" + c.refusal) << c.rule;
    }
    EXPECT_EQ(refused_study(with("{ rule = 'power', exponent = -1 }", "['gtd']")),
              "s.toml:5:42: settings[0].step-size.exponent is -1: it must be in [0, 10]");
    EXPECT_EQ(refused_study(with("{ rule = 'adagrad', exponent = 1 }", "['gtd']")),
              "s.toml:5:44: settings[0].step-size.exponent is for 'power', not for 'adagrad'");
    EXPECT_EQ(refused_study(with("{ rule = 'power', m = 1 }", "['gtd']")),
              "s.toml:5:31: unknown key 'settings[0].step-size.m' (known: rule, exponent)");
}

}  // namespace
}  // namespace bellwether::test
