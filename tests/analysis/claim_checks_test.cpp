// Single checks of claims, each in the paper's world with one thing changed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

}  // namespace
}  // namespace bellwether::test
