// Single checks of claims, each in the paper's world with one thing changed.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "analysis/claim_quantities.hpp"
#include "analysis/claims.hpp"
#include "paper_world.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

// Of a paper's one claim, where an algorithm has this score in a setting.
auto verdict_with(PaperWorld& world, const Paper& paper, const std::string& setting, const std::string& algorithm,
                  double score) {
    world.at(setting, algorithm).score = score;
    const Findings findings = world.findings();
    return name_of(judge_claims(paper, findings, nullptr).at(0).verdict);
}

// At most a part above the best of the others: undecided where the interval reaches across, held however low.
TEST(Claims, MayBeOfNearnessToTheBest) {
    PaperWorld world;
    world.at("on-tabular", "td").score = 2;
    world.at("on-tabular", "htd").score = 1;
    const PaperTexts texts{{"claims.toml",
                            "[[claims]]\nid = 'near'\nstatement = 's'\nrule = 'r'\nsettings = 'on-tabular'\n"
                            "metric = 'mave'\nchecks = [{ check = 'near-best', algorithms = 'gtd', "
                            "others = ['td', 'htd'], within = 0.2 }]\n"}};
    const Paper paper = parse_paper("paper", texts, &world.study);
    const auto verdict = [&](double score) { return verdict_with(world, paper, "on-tabular", "gtd", score); };
    EXPECT_EQ(verdict(0.1), "held");
    EXPECT_EQ(verdict(1.1), "held");
    EXPECT_EQ(verdict(1.2), "undecided");
    EXPECT_EQ(verdict(1.3), "not held");
}

// Against another algorithm in another setting, which that setting must have.
TEST(Claims, MayBeOfScoresInOtherSettings) {
    PaperWorld world;
    const auto paper_with = [&](const std::string& others) {
        const std::string text =
            "[[claims]]\nid = 'elsewhere'\nstatement = 's'\nrule = 'r'\nsettings = 'off-tabular'\nmetric = 'mave'\n"
            "checks = [{ check = 'lower-than-elsewhere', algorithms = 'gtd', others = '" +
            others + "', other-settings = 'on-tabular' }]\n";
        return parse_paper("paper", {{"claims.toml", text}}, &world.study);
    };
    const Paper paper = paper_with("td");
    world.at("on-tabular", "td").score = 1;
    const auto verdict = [&](double score) { return verdict_with(world, paper, "off-tabular", "gtd", score); };
    EXPECT_EQ(verdict(0.9), "held");
    EXPECT_EQ(verdict(1), "undecided");
    EXPECT_EQ(verdict(1.1), "not held");
    EXPECT_THROW(paper_with("wis-td"), UsageError);
}

// One setting of four in which an algorithm is a hundred times worse: most of a geometric mean, none of the middle half
// of all instances' scores over the least.
TEST(Claims, MayBeOfMeansOverSettings) {
    PaperWorld world;
    const std::vector<std::string> settings{"on-tabular", "on-aliased", "off-tabular", "off-aliased"};
    for (const std::string& setting : settings) {
        for (const AlgorithmGrid& grid : world.study.settings[0].algorithms)
            if (world.behaviours.contains({setting, std::string(grid.info->id)}))
                world.at(setting, std::string(grid.info->id)).score = 50;
        world.at(setting, "gtd").score = 1;
        world.at(setting, "htd").score = 2;
    }
    world.at("off-aliased", "gtd").score = 200;
    const Findings findings = world.findings();
    const auto part_with = [&](const std::string& mean) {
        const std::string text =
            "[[claims]]\nid = 'across'\nstatement = 's'\nrule = 'r'\n"
            "checks = [{ check = 'lowest-across', algorithms = 'gtd', metric = 'mave', mean = '" +
            mean + "', settings = ['on-tabular', 'on-aliased', 'off-tabular', 'off-aliased'] }]\n";
        const Paper paper = parse_paper("paper", {{"claims.toml", text}}, &world.study);
        return judge_claims(paper, findings, nullptr).at(0).parts.at(0);
    };
    const ClaimPart geometric = part_with("geometric"), interquartile = part_with("interquartile");
    EXPECT_EQ(name_of(geometric.verdict), "not held") << evidence(geometric);
    EXPECT_EQ(name_of(interquartile.verdict), "held") << evidence(interquartile);
    // The fourth root of 2·2·2·2/200.
    EXPECT_NE(evidence(geometric).find("lower: HTD(λ) (0.532 times)"), std::string::npos) << evidence(geometric);
    // Three quarters of GTD's scores are the least, and three quarters of HTD's twice that.
    EXPECT_EQ(evidence(interquartile).find("lower:"), std::string::npos) << evidence(interquartile);
}

// Runs that diverged are a share of all.
TEST(Claims, CountRunsThatDiverged) {
    PaperWorld world;
    world.at("off-tabular", "gtd").diverged_runs = 5;
    const std::string text =
        "[[claims]]\nid = 'divergence'\nstatement = 's'\nrule = 'r'\nsettings = 'off-tabular'\nmetric = 'mave'\n"
        "checks = [{ check = 'never-diverges', algorithms = 'gtd' }]\n";
    const Paper paper = parse_paper("paper", {{"claims.toml", text}}, &world.study);
    const Findings findings = world.findings();
    const Evidence of_runs = judge_claims(paper, findings, nullptr).at(0).parts.at(0).evidence.at(0);
    EXPECT_EQ(of_runs.verdict, Verdict::not_held);
    EXPECT_EQ(of_runs.estimate, 0.25) << of_runs.words;
}

// Of all pairs the one nearest to turning is named: all others differ by a factor of three and more.
TEST(Claims, NameThePairNearestToTurning) {
    PaperWorld world;
    const std::string text =
        "[[claims]]\nid = 'order'\nstatement = 's'\nrule = 'r'\nsettings = 'on-tabular'\nmetric = 'mave'\n"
        "checks = [{ check = 'same-order', other-settings = 'on-aliased', by = 0.05 }]\n";
    const Paper paper = parse_paper("paper", {{"claims.toml", text}}, &world.study);
    double score = 1;
    for (const AlgorithmGrid& grid : world.study.settings[0].algorithms) {
        const std::string id(grid.info->id);
        world.at("on-tabular", id).score = world.at("on-aliased", id).score = score;
        score *= id == "gtd" ? 1.2 : 3;
    }
    const Findings findings = world.findings();
    const ClaimPart part = judge_claims(paper, findings, nullptr).at(0).parts.at(0);
    EXPECT_EQ(name_of(part.verdict), "held");
    EXPECT_NE(evidence(part).find("nearest to turning: GTD(λ) over TO-ETD(λ), ratio"), std::string::npos)
        << evidence(part);
}

// The same by more than a part, within one, and by the area over the range of a parameter: each score grows by a tenth
// with every step away from the best, wherever the setting is.
TEST(Claims, MayBeOfDistancesToOtherSettings) {
    PaperWorld world;
    world.at("on-tabular", "td") = world.at("off-tabular", "gtd") = {.score = 1, .curve = std::vector(501, 0.5)};
    const auto verdict = [&](const std::string& check, double score) {
        const std::string text =
            "[[claims]]\nid = 'elsewhere'\nstatement = 's'\nrule = 'r'\nsettings = 'off-tabular'\nmetric = 'mave'\n"
            "checks = [{ algorithms = 'gtd', others = 'td', other-settings = 'on-tabular', check = " +
            check + " }]\n";
        const Paper paper = parse_paper("paper", {{"claims.toml", text}}, &world.study);
        return verdict_with(world, paper, "off-tabular", "gtd", score);
    };
    const std::string by = "'lower-than-elsewhere', by = 0.5", within = "'similar-to-elsewhere', within = 0.2",
                      area = "'less-sensitive-than-elsewhere', parameters = ['alpha']";
    EXPECT_EQ(verdict(by, 0.6), "held");
    EXPECT_EQ(verdict(by, 0.7), "not held");
    EXPECT_EQ(verdict(within, 0.7), "not held");
    EXPECT_EQ(verdict(within, 1.1), "held");
    EXPECT_EQ(verdict(within, 1.3), "not held");
    EXPECT_EQ(verdict(area, 0.9), "held");
    EXPECT_EQ(verdict(area, 1.1), "not held");
    world.at("off-tabular", "gtd").steepness = 1;
    EXPECT_EQ(verdict(area, 0.9), "not held");
}

// By how much a score suffers where a problem changes: a tenth against a half, whichever of the two is the lower.
TEST(Claims, MayBeOfWhatAnotherSettingCosts) {
    PaperWorld world;
    const std::string text =
        "[[claims]]\nid = 'elsewhere'\nstatement = 's'\nrule = 'r'\nsettings = 'off-tabular'\nmetric = 'mave'\n"
        "checks = [{ check = 'less-affected', algorithms = 'gtd', others = 'htd', other-settings = 'off-aliased' }]\n";
    const Paper paper = parse_paper("paper", {{"claims.toml", text}}, &world.study);
    world.at("off-aliased", "gtd").score = 2;
    world.at("off-aliased", "htd").score = 1;
    world.at("off-tabular", "htd").score = 1.5;
    const auto verdict = [&](double score) { return verdict_with(world, paper, "off-tabular", "gtd", score); };
    EXPECT_EQ(verdict(2.2), "held");
    EXPECT_EQ(verdict(3), "undecided");
    EXPECT_EQ(verdict(3.4), "not held");
    EXPECT_EQ(verdict(1.4), "held");
    const std::string words = evidence(judge_claims(paper, world.findings(), nullptr).at(0).parts.at(0));
    EXPECT_NE(words.find("times what it is in off-aliased, HTD(λ) 1.500 times"), std::string::npos) << words;
}

// The one check of a claim on GTD's and others' scores, on these findings.
ClaimPart part_of(const PaperWorld& world, const Findings& findings, const std::string& checks,
                  const std::string& published = "") {
    const std::string text = "[[claims]]\nid = 'one'\nstatement = 's'\nrule = 'r'\nchecks = [" + checks + "]\n";
    const Paper paper = parse_paper("paper", {{"claims.toml", text}, {"published.toml", published}}, &world.study);
    return judge_claims(paper, findings, &world.runtimes).at(0).parts.at(0);
}

TEST(Claims, SayWhereTheirNumbersAreFrom) {
    PaperWorld world;
    const ClaimPart part = part_of(world, world.findings(),
                                   "{ check = 'lower', settings = 'on-aliased', metric = 'mave', algorithms = 'gtd', "
                                   "others = 'td0' }");
    EXPECT_NE(part.evidence.at(0).place.find("on-aliased"), std::string::npos) << part.evidence.at(0).place;
}

// Whose mean is the same is not lower.
TEST(Claims, NameNoTwinAsLower) {
    PaperWorld world;
    for (const char* setting : {"on-tabular", "on-aliased"})
        world.at(setting, "gtd").score = world.at(setting, "htd").score = 0.1;
    const ClaimPart part = part_of(world, world.findings(),
                                   "{ check = 'lowest-across', algorithms = 'gtd', metric = 'mave', mean = "
                                   "'geometric', settings = ['on-tabular', 'on-aliased'] }");
    EXPECT_EQ(evidence(part).find("lower:"), std::string::npos) << evidence(part);
}

// The middle half is of means over runs: twice the runs with the same scores weigh no more.
TEST(Claims, TakeSettingsWithMoreRunsForNoMore) {
    PaperWorld world;
    world.at("on-aliased", "gtd").score = 3;
    world.at("on-aliased", "htd").score = 2;
    const std::string check =
        "{ check = 'lowest-across', algorithms = 'gtd', metric = 'mave', mean = 'interquartile', "
        "settings = ['on-tabular', 'on-aliased'] }";
    Findings findings = world.findings();
    const ClaimPart before = part_of(world, findings, check);
    for (AlgorithmFindings& algorithm : findings.metrics.at(0).algorithms)
        for (auto* recorded : {&algorithm.fresh, &algorithm.recorded_selection}) {
            if (!*recorded) continue;
            for (std::vector<double>& runs : (*recorded)->scores) {
                const std::vector<double> once = runs;
                runs.insert(runs.end(), once.begin(), once.end());
            }
        }
    const ClaimPart after = part_of(world, findings, check);
    EXPECT_NEAR(after.evidence.at(0).estimate, before.evidence.at(0).estimate, 1e-9);
}

// Scores are over the lowest of their setting: in another unit there they say the same.
TEST(Claims, TakeSettingsWithGreaterErrorsForNoMore) {
    const auto estimate = [](double unit) {
        PaperWorld world;
        world.at("on-aliased", "gtd").score = 3;
        for (auto& [key, behaviour] : world.behaviours)
            if (key.first == "on-aliased") behaviour.score *= unit, behaviour.deviation *= unit;
        const ClaimPart part = part_of(world, world.findings(),
                                       "{ check = 'lowest-across', algorithms = 'gtd', metric = 'mave', mean = "
                                       "'interquartile', settings = ['on-tabular', 'on-aliased'] }");
        return part.evidence.at(0).estimate;
    };
    EXPECT_NEAR(estimate(16), estimate(1), 1e-9);
}

// What the choice of a configuration costs widens the interval of the middle half: where it is twice the score in every
// other resample, the ratio may be three times what it is.
TEST(Claims, KnowWhatTheChoiceCostsTheMiddleHalf) {
    PaperWorld world;
    for (const char* setting : {"on-tabular", "on-aliased"}) world.at(setting, "gtd").score = 0.1;
    Findings findings = world.findings();
    for (MetricFindings& metric : findings.metrics) {
        const auto place = metric.find("gtd");
        if (!place) continue;
        std::vector<double>& costs = metric.algorithms[*place].choice_costs;
        costs.assign(bootstrap_resamples, 0);
        for (std::size_t b = 0; b < costs.size(); b += 2) costs[b] = 0.2;
    }
    const ClaimPart part = part_of(world, findings,
                                   "{ check = 'lowest-across', algorithms = 'gtd', metric = 'mave', mean = "
                                   "'interquartile', settings = ['on-tabular', 'on-aliased'] }");
    const Evidence& first = part.evidence.at(0);
    ASSERT_TRUE(first.interval);
    EXPECT_NEAR(first.interval->high / first.estimate, 3, 0.3) << evidence(part);
}

// Configurations that overflow beside finite ones of their group.
TEST(Claims, CountOverflowsBesideFiniteScores) {
    PaperWorld world;
    Findings findings = world.findings();
    MetricFindings& metric = findings.metrics.at(0);
    metric.algorithms.at(*metric.find("gtd")).configurations.at(0).score = infinity;
    const ClaimPart part = part_of(world, findings,
                                   "{ check = 'indifferent', settings = 'on-tabular', metric = 'mave', algorithms = "
                                   "'gtd', parameter = 'eta' }");
    EXPECT_NE(evidence(part).find("1 configurations overflow"), std::string::npos) << evidence(part);
}

// ---- of time

TEST(Claims, NameTheRuntimesThatAreMissing) {
    PaperWorld world;
    world.runtimes.rows.clear();
    const ClaimPart part = part_of(world, world.findings(),
                                   "{ check = 'fast', policies = 'on', algorithms = 'gtd', others = 'td0', factor = 2, "
                                   "features = 'dense' }");
    EXPECT_NE(evidence(part).find("on-policy, dense features: no runtime of GTD"), std::string::npos) << evidence(part);
}

// Of others that are equally fast the first one is named; of pairs, the ratio of the one that is nearest to turning.
TEST(Claims, NameTheFastestAndThePairNearestToTurningInTime) {
    PaperWorld world;
    world.runtimes.rows.clear();
    const auto add = [&](const std::string& algorithm, double microseconds) {
        world.runtimes.rows.push_back({Policy::on, algorithm, microseconds, microseconds, microseconds, std::nullopt,
                                       std::nullopt, TimedFeatures::one_hot});
    };
    add("td0", 100);
    add("td", 100);
    add("gtd", 150);
    const std::string with = ", policies = 'on', features = 'one-hot' }";
    const ClaimPart fast = part_of(world, world.findings(),
                                   "{ check = 'fast', algorithms = 'gtd', others = ['td0', 'td'], factor = 2" + with);
    EXPECT_NE(evidence(fast).find("the fastest of the others TD(0) 100"), std::string::npos) << evidence(fast);
    // TD(λ) takes exactly half as long again as TD(0) in the paper, which is not more than that.
    const std::string published =
        "[runtimes]\nsteps = 500\nalgorithms = [{ id = 'td0', on = 100 }, { id = 'td', on = 150 }, "
        "{ id = 'gtd', on = 300 }]\n";
    const auto order = [&] {
        return part_of(world, world.findings(), "{ check = 'runtime-order', by = 0.5" + with, published);
    };
    const ClaimPart in_order = order();
    EXPECT_NE(evidence(in_order).find("on-policy, one-hot features: 2 of 2 pairs"), std::string::npos)
        << evidence(in_order);
    EXPECT_NEAR(in_order.evidence.at(0).estimate, 100.0 / 150, 1e-12);
    // All as fast as each other: none is in order, and none is turned.
    Runtime& gtd = world.runtimes.rows.back();
    gtd.low = gtd.microseconds = gtd.high = 100;
    const ClaimPart alike = order();
    EXPECT_NE(evidence(alike).find("0 of 2 pairs"), std::string::npos) << evidence(alike);
    EXPECT_EQ(name_of(alike.verdict), "undecided") << evidence(alike);
}

// ---- of the selection's scores

// The best score in resamples lies around the best score, and what nothing is varied of has that for an area.
TEST(ClaimQuantities, AreOfTheBestScores) {
    PaperWorld world;
    Findings findings = world.findings();
    MetricFindings& metric = findings.metrics.at(0);
    const std::size_t gtd = *metric.find("gtd");
    AlgorithmFindings& algorithm = metric.algorithms.at(gtd);
    const auto mean_of = [](const std::vector<double>& draws) {
        return std::accumulate(draws.begin(), draws.end(), 0.0) / static_cast<double>(draws.size());
    };
    ClaimQuantities quantities(findings);
    const Resampled best = quantities.best(metric, gtd);
    EXPECT_NEAR(best.value, std::log(algorithm.configurations[algorithm.best].score), 1e-12);
    EXPECT_NEAR(mean_of(best.draws), best.value, 0.05);
    const Resampled& area = quantities.area(metric, gtd, {});
    EXPECT_EQ(area.value, best.value);
    EXPECT_EQ(area.draws, best.draws);
}

}  // namespace
}  // namespace bellwether::test
