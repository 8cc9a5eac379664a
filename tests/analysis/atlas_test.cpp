// The atlas, of two made-up studies: ratios, summaries, and recommendations judged on both.
#include "analysis/atlas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "plan/study_text.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

// A setting with some algorithms whose best scores are known exactly: every run has the same score, so that intervals
// are points.
std::string setting_text(const std::string& id, const std::string& domain, const std::string& algorithms,
                         const std::string& alphas = "[0.1, 0.2]") {
    return "[[settings]]\nid = '" + id + "'\n" + domain +
           "\nmetrics = ['rmsve']\nsteps = 10\nruns = 3\ngrid = { alpha = " + alphas + " }\nalgorithms = [" +
           algorithms + "]\n";
}

struct MadeStudy {
    explicit MadeStudy(const std::string& name, const std::string& text) : study(study_of(text)) {
        study.name = name;
        findings.study = &study;
    }
    MadeStudy(const MadeStudy&) = delete;
    MadeStudy& operator=(const MadeStudy&) = delete;

    // Scores of the algorithms of the next setting; those from `failing` on fail in every second run.
    void add(const std::vector<double>& scores, double initial_error) {
        const Setting& setting = study.settings[findings.metrics.size()];
        MetricFindings metric{.setting = &setting, .instances = 1, .runs = 4, .initial_error = initial_error};
        std::vector<RunScores> runs;
        for (std::size_t a = 0; a < scores.size(); ++a) {
            AlgorithmFindings& algorithm = metric.algorithms.emplace_back();
            algorithm.grid = &setting.algorithms[a];
            algorithm.selection = {.runs = 4, .score = scores[a]};
            algorithm.configurations = {{.instances = 1, .runs = 4, .mean = scores[a], .score = scores[a]}};
            algorithm.distribution.within_50 = 0.5;
            algorithm.robust = RobustStatistics{.runs = 100, .failed = scores[a] > initial_error ? 50U : 0U};
            algorithm.robust->failure_interval = scores[a] > initial_error ? Interval{0.4, 0.6} : Interval{0, 0.04};
            runs.push_back({std::vector<double>(4, scores[a])});
        }
        metric.spread.emplace(runs, 1, 0);
        findings.metrics.push_back(std::move(metric));
    }

    Study study;
    Findings findings;
};

class AtlasOfTwo : public testing::Test {
protected:
    AtlasOfTwo() {
        first.add({0.2, 0.1, 0.4}, 1);
        first.add({0.3, 0.3}, 0.2);  // both are worse than w_0, and count as 0.2
        second.add({0.4, 0.1}, 1);
        second.add({0.01}, 1);       // alone, and therefore not there
        second.add({0.01, 0.9}, 1);  // one configuration of each: likewise
        const AtlasSource sources[] = {{&first.findings, {{1e-9, 2e-9, 4e-9}, {1e-9, 2e-9}}},
                                       {&second.findings, {{3e-9, 1e-9}}}};
        atlas = make_atlas(sources);
    }

    static PaperRecommendation advise(AtlasRule rule) {
        return {.situation = "Always", .advice = "This", .checks = {}, .atlas = {std::move(rule)}};
    }
    Advice judged(const AtlasRule& rule) const {
        const PaperRecommendation all[] = {advise(rule)};
        return judge_on_atlas(atlas, all).at(0);
    }
    const AtlasSummary& of(std::string_view algorithm) const {
        for (const AtlasSummary& one : atlas.summaries)
            if (one.algorithm == algorithm) return one;
        return atlas.summaries.at(100);
    }

    MadeStudy first{"first", setting_text("walk", "domain = 'walk5'\npolicy = 'on'", "'td0', 'td', 'gtd'") +
                                 setting_text("star", "domain = 'baird'", "'td0', 'gtd'")};
    MadeStudy second{"second", setting_text("walk", "domain = 'walk5'\npolicy = 'off'", "'td0', 'gtd'") +
                                   setting_text("alone", "domain = 'walk5'", "'td0'") +
                                   setting_text("shown", "domain = 'walk5'", "'td0', 'gtd'", "0.1")};
    Atlas atlas;
};

TEST_F(AtlasOfTwo, HasEveryProblemWithRatiosToItsBest) {
    ASSERT_EQ(atlas.problems.size(), 3U);
    EXPECT_EQ(atlas.problems[0].id(), "first/walk rmsve");
    EXPECT_TRUE(atlas.problems[0].on_policy);
    EXPECT_FALSE(atlas.problems[1].on_policy);
    EXPECT_DOUBLE_EQ(atlas.problems[0].find("td0")->ratio, 2);
    EXPECT_DOUBLE_EQ(atlas.problems[0].find("td")->ratio, 1);
    EXPECT_DOUBLE_EQ(atlas.problems[1].find("td0")->ratio, 1);
    EXPECT_EQ(atlas.problems[1].find("td"), nullptr);
}

TEST_F(AtlasOfTwo, SumsAlgorithmsUpOverTheProblemsThatHaveThem) {
    EXPECT_EQ(of("td").problems, 1U);
    EXPECT_EQ(of("td0").problems, 3U);
    EXPECT_NEAR(of("td0").typical, std::cbrt(2.0 * 1 * 4), 1e-12);
    EXPECT_DOUBLE_EQ(of("td0").worst, 4);
    EXPECT_EQ(of("td0").worst_in->id(), "second/walk rmsve");
    EXPECT_DOUBLE_EQ(of("td0").within_50, 0.5);
    EXPECT_DOUBLE_EQ(of("td0").failure_rate, 0.5);
    EXPECT_DOUBLE_EQ(of("td").failure_rate, 0);
    // Over the cheapest: 1, 1, 3 and 4, 2, 1.
    EXPECT_NEAR(*of("td0").cost, std::cbrt(3.0), 1e-12);
    EXPECT_NEAR(*of("gtd").cost, 2, 1e-12);
    EXPECT_EQ(atlas.summaries.front().algorithm, "td");
}

TEST_F(AtlasOfTwo, JudgesWhatIsLowestOverSharedProblems) {
    const Advice held = judged({.kind = AtlasRuleKind::lowest, .algorithms = {"td"}});
    EXPECT_EQ(held.verdict, Verdict::held);
    ASSERT_EQ(held.evidence.size(), 2U);
    // GTD over TD(0): 0.4/0.2, 1 and 0.1/0.4.
    const Advice mixed = judged({.kind = AtlasRuleKind::lowest, .algorithms = {"gtd"}, .others = {"td0"}});
    EXPECT_EQ(mixed.evidence.at(0).place, "3 problems");
    EXPECT_NEAR(mixed.evidence.at(0).estimate, std::cbrt(0.5), 1e-12);
    EXPECT_EQ(mixed.verdict, Verdict::held);
    AtlasRule on_policy{.kind = AtlasRuleKind::lowest, .algorithms = {"gtd"}, .others = {"td0"}};
    on_policy.on_policy = true;
    EXPECT_NEAR(judged(on_policy).evidence.at(0).estimate, 2, 1e-12);
    EXPECT_EQ(judged(on_policy).verdict, Verdict::not_held);
    AtlasRule without{.kind = AtlasRuleKind::lowest, .algorithms = {"gtd"}, .others = {"td0"}, .without = {"baird"}};
    EXPECT_EQ(judged(without).evidence.at(0).place, "2 problems");
}

// Where a problem does not have the first one, the next stands for it.
TEST_F(AtlasOfTwo, LetsAnotherStandForTheAdvised) {
    const Advice advice = judged({.kind = AtlasRuleKind::lowest, .algorithms = {"td", "gtd"}, .others = {"td0"}});
    EXPECT_EQ(advice.evidence.at(0).place, "3 problems");
    EXPECT_NEAR(advice.evidence.at(0).estimate, std::cbrt(0.5 * 1 * 0.25), 1e-12);
    EXPECT_EQ(advice.evidence.at(0).label, "TD(λ) or GTD(λ) over TD(0)");
}

TEST_F(AtlasOfTwo, JudgesCosts) {
    EXPECT_EQ(judged({.kind = AtlasRuleKind::cheaper, .algorithms = {"td0"}, .others = {"td"}}).verdict, Verdict::held);
    EXPECT_EQ(judged({.kind = AtlasRuleKind::cheaper, .algorithms = {"td"}, .others = {"td0"}}).verdict,
              Verdict::not_held);
    const AtlasSource without_costs[] = {{&first.findings, {}}};
    atlas = make_atlas(without_costs);
    EXPECT_FALSE(of("td").cost);
    EXPECT_EQ(judged({.kind = AtlasRuleKind::cheaper, .algorithms = {"td0"}, .others = {"td"}}).verdict,
              Verdict::undecided);
}

TEST_F(AtlasOfTwo, JudgesFailuresOnEveryProblem) {
    const auto fails = [&](double below) {
        return judged({.kind = AtlasRuleKind::never_fails, .algorithms = {"gtd"}, .below = below}).verdict;
    };
    EXPECT_EQ(fails(0.05), Verdict::not_held);
    EXPECT_EQ(fails(0.5), Verdict::undecided);
    EXPECT_EQ(fails(0.7), Verdict::held);
}

std::vector<AtlasRule> rules_of(const std::string& atlas) {
    const std::string text =
        "[[recommendations]]\nsituation = 's'\nadvice = 'a'\n"
        "checks = [{ check = 'faster', policies = 'on', algorithms = 'td0', others = 'td' }]\natlas = [" +
        atlas + "]\n";
    return parse_paper("p", {{std::string(claims_of_folder), text}}, nullptr).recommendations.at(0).atlas;
}

TEST(AtlasRules, AreReadFromClaims) {
    const std::vector<AtlasRule> rules = rules_of(
        "{ rule = 'lowest', algorithms = ['gtd', 'td'], policy = 'on', without = ['baird'] }, "
        "{ rule = 'never-fails', algorithms = 'gtd', below = 0.1 }");
    ASSERT_EQ(rules.size(), 2U);
    EXPECT_EQ(rules[0].kind, AtlasRuleKind::lowest);
    EXPECT_EQ(rules[0].algorithms, (std::vector<std::string>{"gtd", "td"}));
    EXPECT_EQ(rules[0].on_policy, true);
    EXPECT_EQ(rules[0].without, std::vector<std::string>{"baird"});
    EXPECT_EQ(rules[1].kind, AtlasRuleKind::never_fails);
    EXPECT_EQ(rules[1].below, 0.1);
    EXPECT_EQ(
        refusal([] { rules_of("{ rule = 'lowst', algorithms = 'gtd' }"); }),
        "p/claims.toml:5:19: recommendations[0].atlas[0].rule is 'lowst', an unknown rule of the atlas; did you mean "
        "'lowest'?");
}

TEST_F(AtlasOfTwo, LeavesRecommendationsWithoutARuleOut) {
    const PaperRecommendation none[] = {{.situation = "s", .advice = "a", .checks = {}}};
    EXPECT_TRUE(judge_on_atlas(atlas, none).empty());
}

}  // namespace
}  // namespace bellwether::test
