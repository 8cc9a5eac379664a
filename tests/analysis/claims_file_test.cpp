// Claims files: what they may say, and what is said of those that are wrong.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/paper.hpp"
#include "bellwether/learner.hpp"
#include "plan/study_text.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

const std::string published =
    "[runtimes]\nsteps = 5\nalgorithms = [{ id = 'td0', on = 1 }]\n"
    "[real-time]\nmetric = 'mave'\nintercept = 0\nslope = 1\n"
    "[real-time.off]\nsetting = 'random'\ndurations = [1]\n";

// Two settings: mave with td0 and gtd, rmsve with gtd alone.
Study study() {
    return study_of(
        "[[settings]]\nid = 'random'\ndomain = 'random-mdp'\nmetrics = ['mave']\nsteps = 10\nruns = 2\n"
        "grid = { alpha = 1 }\nalgorithms = ['td0', 'gtd']\n"
        "[[settings]]\nid = 'baird'\ndomain = 'baird'\nmetrics = ['rmsve']\nsteps = 10\nruns = 2\n"
        "grid = { alpha = 1 }\nalgorithms = ['gtd']\n");
}

Paper parsed(const std::string& claims, bool has_published = true) {
    PaperTexts texts{{"claims.toml", claims}};
    if (has_published) texts.emplace("published.toml", published);
    const Study of = study();
    return parse_paper("paper", texts, &of);
}

// A claim whose only check is this one, which stands in line 5 from column 11 on.
std::string claim(const std::string& check) {
    return "[[claims]]\nid = 'a'\nstatement = 's'\nrule = 'r'\nchecks = [{ " + check + " }]\n";
}

std::string refused(const std::string& claims, bool has_published = true) {
    return refusal([&] { parsed(claims, has_published); });
}
std::string refused_check(const std::string& check) {
    return refused(claim(check));
}

TEST(ClaimsFile, HasClaimsAndRecommendationsWithTheirChecks) {
    const Paper paper = parsed(
        "[groups]\nboth = ['random', 'baird']\n"
        "[[claims]]\nid = 'first'\nstatement = 's'\nrule = 'r'\nsettings = 'random'\nmetric = 'mave'\n"
        "checks = [{ check = 'lower', algorithms = 'gtd', others = 'rest' },\n"
        "  { check = 'never-diverges', settings = ['baird'], metric = 'rmsve', algorithms = 'all' },\n"
        "  { check = 'similar', algorithms = ['gtd', 'tdc'], others = ['td0'], within = 0.25 }]\n"
        "[[claims]]\nid = 'second'\nstatement = 't'\nrule = 'q'\npolicies = ['on', 'off']\n"
        "checks = [{ check = 'runtime-order', by = 0.1 }]\n"
        "[[recommendations]]\nsituation = 'always'\nadvice = 'GTD'\n"
        "checks = [{ check = 'same-order', settings = 'random', metric = 'mave', other-settings = 'both', by = 1 }]\n");
    ASSERT_EQ(paper.claims.size(), 2U);
    EXPECT_EQ(paper.claims[0].id, "first");
    ASSERT_EQ(paper.claims[0].parts.size(), 1U);
    EXPECT_EQ(paper.claims[0].parts[0].id, "first");
    const std::vector<Check>& checks = paper.claims[0].parts[0].checks;
    ASSERT_EQ(checks.size(), 3U);
    const Check& lower = checks[0];
    EXPECT_EQ(lower.kind().id, "lower");
    EXPECT_EQ(lower.names("settings"), Check::Names{"random"});  // of the claim
    EXPECT_EQ(lower.names("others"), Check::Names{"rest"});
    EXPECT_EQ(checks[1].names("settings"), Check::Names{"baird"});  // its own
    const Check& similar = checks[2];
    EXPECT_EQ(similar.names("algorithms"), (Check::Names{"gtd", "gtd"}));  // tdc is another name of gtd
    EXPECT_EQ(similar.number("within"), 0.25);
    EXPECT_EQ(paper.claims[1].parts[0].checks[0].names("policies"), (Check::Names{"on", "off"}));
    ASSERT_EQ(paper.recommendations.size(), 1U);
    EXPECT_EQ(paper.recommendations[0].advice, "GTD");
    EXPECT_EQ(paper.recommendations[0].checks[0].names("other-settings"), (Check::Names{"random", "baird"}));
}

TEST(ClaimsFile, HasClaimsInParts) {
    const Paper paper = parsed(
        "[[claims]]\nid = '1'\nstatement = 's'\nsettings = 'random'\nmetric = 'mave'\n"
        "[[claims.parts]]\nid = '1a'\nstatement = 't'\nrule = 'q'\n"
        "checks = [{ check = 'lowest', algorithms = 'gtd' }]\n"
        "[[claims.parts]]\nid = '1b'\nstatement = 'u'\nrule = 'r'\nsettings = 'baird'\nmetric = 'rmsve'\n"
        "checks = [{ check = 'reduces-error', algorithms = 'gtd', to = { value = 0.5, from = 0.1, to = 1 } }]\n");
    ASSERT_EQ(paper.claims.size(), 1U);
    ASSERT_EQ(paper.claims[0].parts.size(), 2U);
    EXPECT_EQ(paper.claims[0].parts[0].id, "1a");
    EXPECT_EQ(paper.claims[0].parts[0].checks[0].names("settings"), Check::Names{"random"});  // of the claim
    const Check& reduces = paper.claims[0].parts[1].checks[0];
    EXPECT_EQ(reduces.names("settings"), Check::Names{"baird"});  // of the part
    EXPECT_EQ(reduces.number("to"), 0.5);
    EXPECT_EQ(reduces.range("to")->from, 0.1);
    EXPECT_EQ(reduces.range("to")->to, 1);
    EXPECT_FALSE(paper.claims[0].parts[0].checks[0].range("to"));
    // The ends belong to the range.
    for (const std::string value : {"0.1", "0.3"})
        EXPECT_NO_THROW(parsed(
            claim("check = 'runtime-order', policies = 'on', by = { value = " + value + ", from = 0.1, to = 0.3 }")));
}

// Files of studies that were run before sensitivities were scored by areas.
TEST(ClaimsFile, MayBeOfAnEarlierTime) {
    const std::string place = "settings = 'random', metric = 'mave', algorithms = 'gtd'";
    for (const std::string check : {"check = 'less-sensitive', others = 'td0', parameters = ['alpha'], within = 0.5",
                                    "check = 'sensitive', parameters = 'alpha', within = 0.5",
                                    "check = 'reasonable', parameter = 'eta', within = 0.5, share = 0.5",
                                    "check = 'needs-more-than', parameter = 'eta', bound = 1, by = 0.1"})
        EXPECT_EQ(parsed(claim(check + ", " + place)).claims.size(), 1U);
}

TEST(ClaimsFile, RefusesPartsAndRangesWithLineAndColumn) {
    const std::string start = "[[claims]]\nid = '1'\nstatement = 's'\n";
    const std::string part = "[[claims.parts]]\nid = '1a'\nstatement = 't'\nrule = 'q'\n";
    const std::string checks = "checks = [{ check = 'runtime-order', policies = 'on', by = 0.1 }]\n";
    EXPECT_EQ(refused(start + "rule = 'r'\n" + part + checks),
              "paper/claims.toml:4:8: claims[0].rule is there beside 'parts', which have their own");
    EXPECT_EQ(refused(start + "parts = []\n"),
              "paper/claims.toml:4:9: claims[0].parts is empty: there must be at least one part");
    EXPECT_EQ(refused(start + part), "paper/claims.toml:4:1: claims[0].parts[0] has no 'checks'");
    EXPECT_EQ(refused(start + part + checks + part + checks),
              "paper/claims.toml:10:6: claims[0].parts[1].id is '1a', as that of another claim");
    EXPECT_EQ(refused(start + part + "check = 1\n"),
              "paper/claims.toml:8:1: unknown key 'claims[0].parts[0].check'; did you mean 'checks'? (known: id, "
              "statement, rule, settings, metric, policies, checks)");
    const auto by = [](const std::string& range) {
        return refused_check("check = 'runtime-order', policies = 'on', by = " + range);
    };
    EXPECT_EQ(by("{ value = 0.1, from = 0.3, to = 0.2 }"),
              "paper/claims.toml:5:92: claims[0].checks[0].by.to is 0.2: it must be above 'from', 0.3");
    EXPECT_EQ(by("{ value = 0.2, from = 0.2, to = 0.2 }"),
              "paper/claims.toml:5:92: claims[0].checks[0].by.to is 0.2: it must be above 'from', 0.2");
    EXPECT_EQ(by("{ value = 0.1, from = 0.2, to = 0.3 }"),
              "paper/claims.toml:5:70: claims[0].checks[0].by.value is 0.1: it must be from 0.2 to 0.3");
    EXPECT_EQ(by("{ value = 0.1, from = 0, to = 0.3 }"),
              "paper/claims.toml:5:82: claims[0].checks[0].by.from is 0: it must be above 0");
    EXPECT_EQ(by("{ value = 0.1, from = 0.05 }"), "paper/claims.toml:5:60: claims[0].checks[0].by has no 'to'");
    EXPECT_EQ(by("{ value = 0.1, form = 0.05 }"),
              "paper/claims.toml:5:75: unknown key 'claims[0].checks[0].by.form'; did you mean 'from'? (known: value, "
              "from, to)");
}

TEST(ClaimsFile, IsRefusedWithLineAndColumn) {
    EXPECT_EQ(refused("claim = []\n"),
              "paper/claims.toml:1:1: unknown key 'claim'; did you mean 'claims'? (known: groups, claims, "
              "recommendations)");
    EXPECT_EQ(refused("[[claims]]\nid = 'a'\n"), "paper/claims.toml:1:1: claims[0] has no 'statement'");
    EXPECT_EQ(refused("[[claims]]\nid = ''\n"), "paper/claims.toml:2:6: claims[0].id is empty");
    EXPECT_EQ(refused("[[claims]]\nid = 'a'\nstatement = 's'\nrule = 'r'\nchecks = []\n"),
              "paper/claims.toml:5:10: claims[0].checks is empty: there must be at least one check");
    const std::string good = claim("check = 'runtime-order', policies = 'on', by = 0.1");
    EXPECT_EQ(refused(good + good), "paper/claims.toml:7:6: claims[1].id is 'a', as that of another claim");
    EXPECT_EQ(refused("[groups]\nnone = []\n"),
              "paper/claims.toml:2:8: groups.none is empty: there must be at least one name");
    EXPECT_EQ(
        refused("[groups]\none = ['td0']\nboth = ['gtd', 'one']\n"),
        "paper/claims.toml:3:16: groups.both[1] is 'one', a group: groups name settings or algorithms, not groups");
    EXPECT_EQ(refused("[[recommendations]]\nsituation = 's'\nadvise = 'a'\n"),
              "paper/claims.toml:3:1: unknown key 'recommendations[0].advise'; did you mean 'advice'? (known: "
              "situation, advice, settings, metric, policies, checks, atlas)");
}

TEST(ClaimsFile, RefusesChecksWithTheNearestName) {
    const std::string place = "settings = 'random', metric = 'mave'";
    EXPECT_EQ(refused_check("check = 'lowre'"),
              "paper/claims.toml:5:21: claims[0].checks[0].check is 'lowre', an unknown kind of check; did you mean "
              "'lower'?");
    EXPECT_EQ(refused_check("check = 'lowest', algorithm = 'gtd', " + place),
              "paper/claims.toml:5:31: unknown key 'claims[0].checks[0].algorithm'; did you mean 'algorithms'? (known: "
              "check, settings, metric, algorithms)");
    EXPECT_EQ(refused_check("check = 'lowest', " + place),
              "paper/claims.toml:5:11: claims[0].checks[0] has no 'algorithms', which lowest needs");
    EXPECT_EQ(refused_check("check = 'lowest', settings = 'randon', metric = 'mave', algorithms = 'gtd'"),
              "paper/claims.toml:5:42: claims[0].checks[0].settings is 'randon', an unknown setting or group; did you "
              "mean 'random'?");
    EXPECT_EQ(refused_check("check = 'lowest', settings = 'baird', metric = 'mave', algorithms = 'gtd'"),
              "paper/claims.toml:5:60: claims[0].checks[0].metric is 'mave', an unknown metric of baird; did you mean "
              "'rmsve'?");
    EXPECT_EQ(refused_check("check = 'lowest', algorithms = ['gdt'], " + place),
              "paper/claims.toml:5:45: claims[0].checks[0].algorithms[0] is 'gdt', an unknown algorithm or group; did "
              "you mean 'gtd'?");
    EXPECT_EQ(refused_check("check = 'lowest', settings = 'baird', metric = 'rmsve', algorithms = 'td0'"),
              "paper/claims.toml:5:82: claims[0].checks[0].algorithms is 'td0', an unknown algorithm of baird; did "
              "you mean 'gtd'?");
    EXPECT_EQ(
        refused_check("check = 'lowest', algorithms = 'rest', " + place),
        "paper/claims.toml:5:44: claims[0].checks[0].algorithms is 'rest', an unknown algorithm or group; there "
        "are " +
            [] {
                std::string names;
                for (const AlgorithmInfo& info : algorithm_table)
                    names += (names.empty() ? "" : ", ") + std::string(info.id);
                return names;
            }());
    EXPECT_EQ(refused_check("check = 'indifferent', algorithms = 'gtd', parameter = 'aplha', " + place),
              "paper/claims.toml:5:68: claims[0].checks[0].parameter is 'aplha', an unknown parameter; did you mean "
              "'alpha'?");
    EXPECT_EQ(refused_check("check = 'similar', algorithms = 'gtd', others = 'td0', within = 0, " + place),
              "paper/claims.toml:5:77: claims[0].checks[0].within is 0: it must be above 0");
    EXPECT_EQ(refused_check("check = 'runtime-order', policies = 'onn', by = 0.1"),
              "paper/claims.toml:5:49: claims[0].checks[0].policies is 'onn', an unknown policy; did you mean 'on'?");
    EXPECT_EQ(
        refused_check("check = 'runtime-order', policies = 'on', by = 0.1, features = 'sparse'"),
        "paper/claims.toml:5:76: claims[0].checks[0].features is 'sparse', an unknown kind of features; there are "
        "one-hot, dense");
    const std::string in_time = "check = 'lowest-in-time', policy = 'off', duration = 1, algorithms = 'gtd', " + place;
    EXPECT_EQ(
        refused_check(in_time + ", time = 'quantized'"),
        "paper/claims.toml:5:134: claims[0].checks[0].time is 'quantized', an unknown reading of time; did you mean "
        "'quantised'?");
    EXPECT_EQ(refused_check(in_time + ", slowest = [1, 0]"),
              "paper/claims.toml:5:141: claims[0].checks[0].slowest[1] is 0: it must be above 0");
    EXPECT_EQ(refused_check("check = 'best-value', algorithms = 'gtd', parameter = 'alpha', is = 'over', bound = 1, "
                            "probability = 0.95, " +
                            place),
              "paper/claims.toml:5:81: claims[0].checks[0].is is 'over', an unknown relation; there are above, below, "
              "at least, at most");
}

TEST(ClaimsFile, AsksForPublishedNumbersWhereItsChecksNeedThem) {
    EXPECT_EQ(refused(claim("check = 'runtime-order', policies = 'on', by = 0.1"), false),
              "paper/claims.toml:5:11: claims[0].checks[0] is runtime-order, which needs 'runtimes' in published.toml");
    EXPECT_EQ(refused(claim("check = 'lowest-in-time', settings = 'random', metric = 'mave', policy = 'on', duration = "
                            "1, algorithms = 'gtd'"),
                      false),
              "paper/claims.toml:5:11: claims[0].checks[0] is lowest-in-time, which needs 'real-time' in "
              "published.toml");
}

TEST(ClaimsFile, AsksForThePanelsOfThePolicy) {
    EXPECT_EQ(
        refused_check("check = 'lowest-in-time', settings = 'random', metric = 'mave', policy = 'on', duration = 1, "
                      "algorithms = 'gtd'"),
        "paper/claims.toml:5:11: claims[0].checks[0] is lowest-in-time, which needs 'real-time.on' in "
        "published.toml");
}

// What the table declares is what can be written.
std::string value_of(const CheckKey& key) {
    switch (key.value) {
        case CheckValue::settings:
            return "'random'";
        case CheckValue::metric:
            return "'mave'";
        case CheckValue::algorithms:
            return "'gtd'";
        case CheckValue::others:
        case CheckValue::named:
            return "['td0']";
        case CheckValue::parameter:
        case CheckValue::parameters:
            return "'alpha'";
        case CheckValue::policies:
        case CheckValue::policy:
            return "'off'";
        case CheckValue::features:
            return "['dense', 'one-hot']";
        case CheckValue::times:
            return "'proportional'";
        case CheckValue::parts:
            return "[1.5, 2]";
        case CheckValue::relation:
            return "'at most'";
        case CheckValue::mean:
            return "'geometric'";
        case CheckValue::part:
        case CheckValue::share:
        case CheckValue::number:
            return "0.5";
    }
    return {};
}

TEST(CheckTable, HasOnlyKindsThatCanBeReadAndJudged) {
    const Study of = study();
    const Findings nothing{.study = &of};
    for (const CheckKind& kind : check_table()) {
        std::string check = "check = '" + std::string(kind.id) + "'";
        for (const CheckKey& key : kind.keys) {
            check += ", " + std::string(key.name) + " = " + value_of(key);
            EXPECT_FALSE(key.help.empty()) << kind.id;
        }
        const Paper paper = parsed(claim(check));
        EXPECT_FALSE(kind.help.empty()) << kind.id;
        // Without results everything is open, and says so.
        const std::vector<Claim> claims = judge_claims(paper, nothing, nullptr);
        EXPECT_EQ(name_of(claims.at(0).verdict), "undecided") << kind.id;
        EXPECT_FALSE(claims[0].parts.at(0).evidence.empty()) << kind.id;
        for (const CheckKey& key : kind.keys) {
            if (!key.is_required) continue;
            const std::string without = replaced(check, ", " + std::string(key.name) + " = " + value_of(key), "");
            EXPECT_NE(refused(claim(without)).find("has no '" + std::string(key.name) + "'"), std::string::npos)
                << kind.id << " " << key.name;
        }
    }
}

TEST(Bound, HoldsOnItsSide) {
    EXPECT_TRUE((Bound{"above", 1}.holds(1.5)));
    EXPECT_FALSE((Bound{"above", 1}.holds(1)));
    EXPECT_TRUE((Bound{"at least", 1}.holds(1)));
    EXPECT_FALSE((Bound{"at least", 1}.holds(0.5)));
    EXPECT_TRUE((Bound{"below", 1}.holds(0.5)));
    EXPECT_FALSE((Bound{"below", 1}.holds(1)));
    EXPECT_TRUE((Bound{"at most", 1}.holds(1)));
    EXPECT_FALSE((Bound{"at most", 1}.holds(1.5)));
}

}  // namespace
}  // namespace bellwether::test
