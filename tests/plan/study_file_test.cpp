// Study files: the ones we ship say what they should, and whatever is wrong is refused with its place.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "files.hpp"
#include "plan/study.hpp"
#include "plan/study_grid.hpp"
#include "plan/study_text.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

std::vector<double> parameters_of(const AlgorithmGrid& grid, std::size_t configuration) {
    std::vector<double> values(grid.info->parameters.size());
    grid.parameters(configuration, values);
    return values;
}

double agent_steps(const Study& study) {
    double sum = 0;
    for (const Setting& s : study.settings)
        sum += static_cast<double>(s.configurations()) * static_cast<double>(s.instances * s.runs * s.steps);
    return sum;
}

struct ExpectedSetting {
    const char* id;
    std::size_t configurations, algorithms;
    bool on_policy;
};
const ExpectedSetting settings_of_the_paper[]{
    {"on-tabular", 14'115, 12, true},   {"on-aliased", 14'115, 12, true},   {"on-binary", 14'115, 12, true},
    {"off-tabular", 13'515, 10, false}, {"off-aliased", 13'515, 10, false}, {"off-binary", 13'515, 10, false},
    {"baird", 16'500, 9, false},
};

TEST(StudyFile, White2016IsTheStudyOfThePaper) {
    const Study study = read_study(BELLWETHER_SOURCE "/studies/white2016/study.toml");
    EXPECT_EQ(study.name, "white2016");
    EXPECT_EQ(study.text, content_of(BELLWETHER_SOURCE "/studies/white2016/study.toml"));
    ASSERT_EQ(study.settings.size(), std::size(settings_of_the_paper));
    for (std::size_t i = 0; i < study.settings.size(); ++i) {
        const Setting& setting = study.settings[i];
        const ExpectedSetting& expected = settings_of_the_paper[i];
        EXPECT_EQ(setting.id, expected.id);
        EXPECT_EQ(setting.configurations(), expected.configurations) << setting.id;
        EXPECT_EQ(setting.algorithms.size(), expected.algorithms) << setting.id;
        EXPECT_EQ(setting.problem.make(study.seed, 0, 0).on_policy(), expected.on_policy) << setting.id;
        EXPECT_TRUE(setting.record);
        EXPECT_EQ(setting.fresh_runs, setting.runs);
        const bool random = setting.id != "baird";
        EXPECT_EQ(setting.problem.has_instances(), random);
        EXPECT_EQ(setting.fresh_instances, random);
        EXPECT_EQ(setting.steps, random ? 500u : 1000u);
        EXPECT_EQ(setting.metrics[0].scored, random ? 250u : 500u);
        EXPECT_EQ(setting.instances, random ? 30u : 1u);
        EXPECT_EQ(setting.runs, random ? 100u : 500u);
        if (!random) continue;
        ASSERT_EQ(setting.metrics.size(), 1u);
        EXPECT_EQ(setting.metrics[0].metric, Metric::mave);
        EXPECT_EQ(setting.metrics[0].runs, 100u);
    }
    EXPECT_NEAR(agent_steps(study), 1.33e11, 0.01e11);  // the count is given to three digits
    EXPECT_EQ(study.parameter_names(), (std::vector<std::string_view>{"alpha", "lambda", "eta", "beta-scale"}));
}

TEST(StudyFile, White2016HasTheGridsOfThePaper) {
    const Study study = read_study(BELLWETHER_SOURCE "/studies/white2016/study.toml");
    const Setting& on = study.settings[0];
    const char* const ids[]{"td0",         "td",  "to-td",  "ptd",     "gtd",    "to-etd",
                            "to-etd-beta", "htd", "to-gtd", "gtd2-mp", "tdc-mp", "to-htd"};
    for (std::size_t i = 0; i < std::size(ids); ++i) EXPECT_EQ(on.algorithms[i].info->id, ids[i]);
    const AlgorithmGrid& gtd = on.algorithms[4];
    EXPECT_EQ(gtd.configurations(), 2100u);
    EXPECT_EQ(parameters_of(gtd, 0), (std::vector<double>{0.1 / 256, 1.0 / 16, 0}));
    EXPECT_EQ(parameters_of(gtd, 1), (std::vector<double>{0.1 / 128, 1.0 / 16, 0}));
    EXPECT_EQ(parameters_of(gtd, 15), (std::vector<double>{0.1 / 256, 1.0 / 4, 0}));
    EXPECT_EQ(parameters_of(gtd, 15 * 7 * 11), (std::vector<double>{0.1 / 256, 1.0 / 16, 0.92}));
    EXPECT_EQ(parameters_of(gtd, 2099), (std::vector<double>{6.4, 16, 1}));
    EXPECT_EQ(parameters_of(on.algorithms[6], 299), (std::vector<double>{6.4, 1, 0.5}));  // alpha, lambda, beta-scale

    const Setting& baird = study.settings[6];
    EXPECT_EQ(parameters_of(baird.algorithms[1], 0), (std::vector<double>{0.1 / 1024, std::ldexp(1, -16), 0}));
    EXPECT_EQ(parameters_of(baird.algorithms[1], 2639), (std::vector<double>{0.1, std::ldexp(1, 32), 1}));
    ASSERT_EQ(baird.metrics.size(), 2u);
    EXPECT_EQ(baird.metrics[0].metric, Metric::rmsve);  // in the order of the file
    EXPECT_EQ(baird.metrics[0].runs, 500u);
    EXPECT_EQ(baird.metrics[1].metric, Metric::rmspbe);
    EXPECT_EQ(baird.metrics[1].runs, 200u);
}

TEST(StudyFile, QuickHasTheSameSettingsInSmall) {
    const Study study = read_study(BELLWETHER_SOURCE "/studies/quick.toml");
    ASSERT_EQ(study.settings.size(), std::size(settings_of_the_paper));
    for (std::size_t i = 0; i < study.settings.size(); ++i) {
        EXPECT_EQ(study.settings[i].id, settings_of_the_paper[i].id);
        EXPECT_EQ(study.settings[i].algorithms.size(), settings_of_the_paper[i].algorithms);
    }
    EXPECT_LE(agent_steps(study), 1.2e10);
}

TEST(StudyFile, DocumentedExampleIsAStudy) {
    const std::string page = content_of(BELLWETHER_SOURCE "/docs/study-file.md");
    const std::string opening = "```toml\n";
    const std::size_t begin = page.find(opening) + opening.size();
    const std::string shown = page.substr(begin, page.find("```\n", begin) - begin);
    const Study study = study_of(shown);
    EXPECT_EQ(study.name, "first-look");
    ASSERT_EQ(study.settings.size(), 2u);
    EXPECT_EQ(study.settings[0].configurations(), 7u + 7 * 3 * 4 + 7 * 4 * 3);
    EXPECT_EQ(study.settings[1].configurations(), 2u * 7 * 3 * 4);
    EXPECT_EQ(study.settings[1].metrics[1].runs, 20u);

    const std::string error = refusal([&] { parse_study("first-look.toml", replaced(shown, "\"gtd\"", "\"gdt\"")); });
    EXPECT_NE(page.find("    " + error + "\n"), std::string::npos) << error;
}

TEST(StudyFile, DocumentationNamesEveryMetric) {
    const std::string page = content_of(BELLWETHER_SOURCE "/docs/study-file.md");
    for (const MetricInfo& info : scored_metrics()) {
        EXPECT_NE(page.find("`" + std::string(info.id) + "`"), std::string::npos) << info.id;
        EXPECT_EQ(id_of(info.metric), info.id);
    }
}

TEST(StudyFile, HasFreshInstancesOnlyWhereProblemsAreDrawn) {
    const auto text = [](const std::string& domain) {
        return "[[settings]]\nid = 'a'\ndomain = '" + domain +
               "'\nsteps = 7\nruns = 2\nfresh-instances = true\n"
               "metrics = ['rmsve']\ngrid = { alpha = 0.5 }\nalgorithms = ['tdc']\n";
    };
    EXPECT_TRUE(parse_study("s.toml", text("random-mdp")).settings[0].fresh_instances);
    EXPECT_EQ(refusal([&] { parse_study("s.toml", text("baird")); }),
              "s.toml:6:19: settings[0].fresh-instances is true, but the problem has one instance");
}

TEST(StudyFile, FillsInWhatIsMissing) {
    const Study study = parse_study("some/where.toml",
                                    "[[settings]]\nid = 'a'\ndomain = 'boyan'\nsteps = 7\nruns = 2\n"
                                    "metrics = ['rmsve']\ngrid = { alpha = 0.5 }\nalgorithms = ['tdc']\n");
    EXPECT_EQ(study.name, "where");
    EXPECT_EQ(study.seed, 0u);
    const Setting& setting = study.settings[0];
    EXPECT_EQ(setting.instances, 1u);
    EXPECT_EQ(setting.fresh_runs, 2u);
    EXPECT_FALSE(setting.fresh_instances);
    EXPECT_EQ(setting.metrics[0].scored, 4u);
    EXPECT_TRUE(setting.record);
    EXPECT_EQ(setting.algorithms[0].info->id, "gtd");
    EXPECT_EQ(setting.configurations(), 1u);
    EXPECT_EQ(parameters_of(setting.algorithms[0], 0)[0], 0.5);
    EXPECT_FALSE(setting.problem.has_instances());
}

TEST(StudyFile, ReadsLargeSeedsToTheLastDigit) {
    EXPECT_EQ(study_of(toml("seed = 7", "seed = 9223372036854775807")).seed, 9223372036854775807u);
    EXPECT_EQ(study_of(toml("seed = 7", "seed = 9007199254740993")).seed, 9007199254740993u);
}

TEST(StudyFile, ScoresTheLastPartOfARun) {
    const auto scored = [](const char* steps, const char* score) {
        return study_of(replaced(toml("steps = 100", std::string("steps = ") + steps), "score = 0.5",
                                 std::string("score = ") + score))
            .settings[0]
            .metrics[0]
            .scored;
    };
    EXPECT_EQ(scored("500", "0.5"), 250u);
    EXPECT_EQ(scored("501", "0.5"), 251u);
    EXPECT_EQ(scored("500", "1"), 500u);
    EXPECT_EQ(scored("10", "0.9"), 9u);  // though 1 - 0.9 is not quite 0.1
    EXPECT_EQ(scored("10", "0.7"), 7u);
    EXPECT_EQ(scored("1000000000", "0.3"), 300'000'000u);
    EXPECT_EQ(scored("10", "1e-300"), 1u);
}

TEST(StudyFile, OwnValuesTakeThePlaceOfTheGrids) {
    const Study study = study_of(good);
    EXPECT_EQ(study.settings[0].algorithms[0].values[0], (std::vector<double>{0.1, 0.2}));
    EXPECT_EQ(study.settings[0].algorithms[1].values[0], (std::vector<double>{0.3}));
    EXPECT_EQ(study.settings[0].algorithms[1].values[2], (std::vector<double>{0.25, 0.5, 1}));
    EXPECT_EQ(study_of(toml("for.gtd", "for.tdc")).settings[0].algorithms[1].values[0][0], 0.3);
}

TEST(StudyFile, PowersOfTwoAreExact) {
    const double literals[]{0.000390625, 0.00078125, 0.0015625, 0.003125, 0.00625, 0.0125, 0.025, 0.05,
                            0.1,         0.2,        0.4,       0.8,      1.6,     3.2,    6.4};
    for (int j = -8; j <= 6; ++j) {
        EXPECT_EQ(scaled_power(0.1, 2, j), literals[j + 8]);
        EXPECT_EQ(scaled_power(0.1, 0.5, -j), literals[j + 8]);
    }
    EXPECT_EQ(scaled_power(0.1, 4, 3), 6.4);
    EXPECT_EQ(scaled_power(3, 2, 32), 3.0 * 4294967296);
    EXPECT_EQ(scaled_power(2, 3, 4), 162);
    EXPECT_EQ(scaled_power(5, 1, 9), 5);
}

TEST(StudyFile, JsonMeansTheSame) {
    const std::string json =
        "{\"seed\": 7, \"grids\": {\"small\": {\"alpha\": [0.1, 0.2], \"lambda\": [0.25, 0.5, 1]}},\n"
        " \"settings\": [{\"id\": \"first\", \"domain\": \"random-mdp\", \"parameters\": {\"states\": 10},\n"
        "  \"steps\": 100, \"runs\": 20, \"metrics\": [\"mave\"], \"record\": false, \"grid\": \"small\",\n"
        "  \"algorithms\": [\"td0\", \"gtd\"], \"for\": {\"gtd\": {\"alpha\": 0.3}}}]}";
    const Study study = parse_study("s.json", json);
    EXPECT_EQ(study.identity(), study_of(good).identity());
    EXPECT_FALSE(study.settings[0].record);
    EXPECT_EQ(refusal([&] { parse_study("s.json", replaced(json, "small\",", "smal\",")); }),
              "s.json: settings[0].grid is 'smal', an unknown grid; did you mean 'small'?");
}

TEST(StudyFile, RefusesWithLineAndColumn) {
    const struct {
        const char *from, *to, *message;
    } cases[]{
        // The top.
        {"seed = 7", "sed = 7",
         "s.toml:1:1: unknown key 'sed'; did you mean 'seed'? (known: name, description, paper, seed, grids, settings, "
         "figures, reading, cut)"},
        {"seed = 7", "seed = -1", "s.toml:1:8: seed is -1: it must be a whole number in [0, 9223372036854775807]"},
        {"seed = 7", "seed = 0.5", "s.toml:1:8: seed is 0.5: it must be a whole number in [0, 9223372036854775807]"},
        {"seed = 7", "seed = 'x'", "s.toml:1:8: seed is a text, not a number"},
        {"seed = 7", "name = ''", "s.toml:1:8: name is empty"},
        {"seed = 7", "description = 1", "s.toml:1:15: description is a number, not a text"},
        {"[grids.small]", "[gird.small]",
         "s.toml:2:2: unknown key 'gird'; did you mean 'grids'? (known: name, description, paper, seed, grids, "
         "settings, figures, reading, cut)"},
        // Grids.
        {"[grids.small]\nalpha", "[grids.small]\nalhpa",
         "s.toml:3:1: unknown key 'grids.small.alhpa'; did you mean 'alpha'? (known: alpha, lambda, eta, alpha-h, "
         "beta-scale, regularization, zeta, psi0, psi-max, epsilon, theta, bound, decay, alpha-min, tau, kappa, "
         "recency, "
         "variance-lambda, target-lambda)"},
        {"alpha = [0.1, 0.2]", "alpha = []",
         "s.toml:3:9: grids.small.alpha is empty: there must be at least one value"},
        {"alpha = [0.1, 0.2]", "alpha = [0.1, 0.2, 0.1]", "s.toml:3:20: grids.small.alpha[2] repeats the value 0.1"},
        {"alpha = [0.1, 0.2]", "alpha = [0.0, -0.0]", "s.toml:3:15: grids.small.alpha[1] repeats the value 0"},
        {"alpha = [0.1, 0.2]", "alpha = [0.1, -0.2]",
         "s.toml:3:15: grids.small.alpha[1] is -0.2: alpha must be at least 0 for td0"},
        {"alpha = [0.1, 0.2]", "alpha = [0.1, inf]", "s.toml:3:15: grids.small.alpha[1] is inf, not a finite number"},
        {"alpha = [0.1, 0.2]", "alpha = 'all'", "s.toml:3:9: grids.small.alpha is a text, not a number"},
        {"alpha = [0.1, 0.2]\n", "",
         "s.toml:18:15: settings[0].algorithms[0] is td0, which needs values of alpha: there are none in its grid"},
        {"to = 0 }", "to = 1 }", "s.toml:4:10: grids.small.lambda has 2: lambda must be in [0, 1] for gtd"},
        {"to = 0 }", "to = -3 }", "s.toml:4:40: grids.small.lambda.to is -3, below 'from', which is -2"},
        {"to = 0 }", "to = 0.5 }",
         "s.toml:4:40: grids.small.lambda.to is 0.5: it must be a whole number in [-10000, 10000]"},
        {", to = 0 }", " }", "s.toml:4:10: grids.small.lambda has no 'to'"},
        {"factor = 2, ", "", "s.toml:4:10: grids.small.lambda has no 'factor'"},
        {"factor = 2", "factor = 0", "s.toml:4:21: grids.small.lambda.factor is 0: it must be above 0"},
        {"factor = 2", "factor = 1", "s.toml:4:10: grids.small.lambda repeats the value 1"},
        {"factor = 2", "factr = 2",
         "s.toml:4:12: unknown key 'grids.small.lambda.factr'; did you mean 'factor'? (known: base, factor, from, to, "
         "exponents)"},
        {"from = -2, to = 0", "exponents = []",
         "s.toml:4:36: grids.small.lambda.exponents is empty: there must be at least one value"},
        {"from = -2, to = 0", "exponents = [0, -1, 0]", "s.toml:4:10: grids.small.lambda repeats the value 1"},
        {"to = 0", "exponents = [0]", "s.toml:4:47: grids.small.lambda.exponents is there beside 'from' and 'to'"},
        {"from = -2, to = 0", "from = 0, to = 1024",
         "s.toml:4:10: grids.small.lambda has 1 * 2^1024, which is beyond the largest number"},
        {"grid = 'small'", "grid = 'smal'",
         "s.toml:18:8: settings[0].grid is 'smal', an unknown grid; did you mean 'small'?"},
        {"grid = 'small'", "grid = {}", "s.toml:18:8: settings[0].grid is empty: there must be at least one parameter"},
        // Settings and problems.
        {"id = 'first'\n", "", "s.toml:5:1: settings[0] has no 'id'"},
        {"id = 'first'", "id = 'a b'", "s.toml:6:6: settings[0].id is 'a b': it must be of letters, digits, - and _"},
        {"id = 'first'", "id = ''", "s.toml:6:6: settings[0].id is '': it must be of letters, digits, - and _"},
        {"domain = 'random-mdp'", "domain = 'random-mpd'",
         "s.toml:7:10: settings[0].domain is 'random-mpd', an unknown domain; did you mean 'random-mdp'?"},
        {"domain = 'random-mdp'\n", "", "s.toml:5:1: settings[0] has neither 'domain' nor 'model'"},
        {"domain = 'random-mdp'", "domain = 'random-mdp'\nmodel = 'm.toml'",
         "s.toml:8:9: settings[0].model is there beside a 'domain'"},
        {"domain = 'random-mdp'", "model = 'm.toml'",
         "s.toml:8:14: settings[0].parameters is for domains: a model file has its own"},
        {"states = 10", "sates = 10",
         "s.toml:8:16: unknown key 'settings[0].parameters.sates'; did you mean 'states'? (known: states, actions, "
         "successors, terminations, gamma, target-probability, behaviour-probability, aliased-states, teleport, "
         "redraw-after, "
         "cuts, normal-rewards, reward-noise, terminal-states, drawn-behaviour, start, dimension, drawn-target, "
         "arrival-rewards)"},
        {"states = 10", "states = 1", "s.toml:8:25: settings[0].parameters.states is 1: states must be in [2, 10000]"},
        {"states = 10", "states = 10.5", "s.toml:8:25: settings[0].parameters.states is 10.5, not a whole number"},
        {"states = 10", "states = 3",
         "s.toml:5:1: settings[0] is refused: random-mdp: successors = 4 is more than states = 3"},
        {"features = 'tabular'", "features = 'tabluar'",
         "s.toml:9:12: settings[0].features is 'tabluar', an unknown kind of features of random-mdp; did you mean "
         "'tabular'?"},
        {"policy = 'off'", "policy = 'of'",
         "s.toml:10:10: settings[0].policy is 'of', an unknown policy; did you mean 'off'?"},
        {"policy = 'off'", "policy = 'greedy'",
         "s.toml:10:10: settings[0].policy is 'greedy', an unknown policy; there are off, on"},
        {"policy = 'off'", "polcy = 'off'",
         "s.toml:10:1: unknown key 'settings[0].polcy'; did you mean 'policy'? (known: id, title, domain, model, "
         "parameters, "
         "features, normalise, policy, steps, episodes, measure, every, instances, runs, score, weighting, aggregate, "
         "metrics, record, fresh-runs, fresh-instances, grid, algorithms, for, questions, "
         "steps-ahead, learn, values, step-size)"},
        // Sizes.
        {"steps = 100\n", "", "s.toml:5:1: settings[0] has no 'steps'"},
        {"steps = 100", "steps = 0",
         "s.toml:11:9: settings[0].steps is 0: it must be a whole number in [1, 1000000000]"},
        {"steps = 100", "steps = 1000000001",
         "s.toml:11:9: settings[0].steps is 1000000001: it must be a whole number in [1, 1000000000]"},
        {"instances = 3", "instances = -3",
         "s.toml:12:13: settings[0].instances is -3: it must be a whole number in [1, 4294967295]"},
        {"instances = 3", "instances = 4294967296",
         "s.toml:12:13: settings[0].instances is 4294967296: it must be a whole number in [1, 4294967295]"},
        {"runs = 20", "runs = 2.5",
         "s.toml:13:8: settings[0].runs is 2.5: it must be a whole number in [1, 2147483648]"},
        {"runs = 20", "runs = 4294967296",
         "s.toml:13:8: settings[0].runs is 4294967296: it must be a whole number in [1, 2147483648]"},
        {"fresh-runs = 5", "fresh-runs = 0",
         "s.toml:17:14: settings[0].fresh-runs is 0: it must be a whole number in [1, 2147483648]"},
        {"fresh-runs = 5", "fresh-instances = 5",
         "s.toml:17:19: settings[0].fresh-instances is a number, neither true nor false"},
        {"score = 0.5", "score = 0", "s.toml:14:9: settings[0].score is 0: it must be in (0, 1], or 'end'"},
        {"score = 0.5", "score = 1.5", "s.toml:14:9: settings[0].score is 1.5: it must be in (0, 1], or 'end'"},
        {"score = 0.5", "score = 'start'", "s.toml:14:9: settings[0].score is 'start': it must be in (0, 1], or 'end'"},
        {"score = 0.5", "aggregate = 'mode'",
         "s.toml:14:13: settings[0].aggregate is 'mode', an unknown aggregate; there are mean, median"},
        {"score = 0.5", "normalise = 'l3'",
         "s.toml:14:13: settings[0].normalise is 'l3', an unknown normalisation; did you mean 'l1'?"},
        {"record = true", "record = 1", "s.toml:16:10: settings[0].record is a number, neither true nor false"},
        // Metrics.
        {"metrics = ['mave']\n", "", "s.toml:5:1: settings[0] has no 'metrics'"},
        {"['mave']", "[]", "s.toml:15:11: settings[0].metrics is empty: there must be at least one metric"},
        {"['mave']", "{}", "s.toml:15:11: settings[0].metrics is empty: there must be at least one metric"},
        {"['mave']", "'mave'", "s.toml:15:11: settings[0].metrics is a text, not a list"},
        {"['mave']", "['mvae']",
         "s.toml:15:12: settings[0].metrics[0] is 'mvae', an unknown metric; did you mean 'mave'?"},
        {"['mave']", "['mave', 'msve', 'mave']", "s.toml:15:28: settings[0].metrics[2] repeats the metric mave"},
        {"['mave']", "{ mave = 21 }", "s.toml:15:20: settings[0].metrics.mave is 21, more than the setting's runs, 20"},
        {"['mave']", "{ mave = 0 }",
         "s.toml:15:20: settings[0].metrics.mave is 0: it must be a whole number in [1, 2147483648]"},
        {"['mave']", "{ mvae = 1 }",
         "s.toml:15:13: unknown key 'settings[0].metrics.mvae'; did you mean 'mave'? (known: mave, rmsve, msve, "
         "rmspbe, mspbe, mspve, rmspve, nmspve)"},
        // Algorithms.
        {"algorithms = ['td0', 'gtd']\n", "", "s.toml:5:1: settings[0] has no 'algorithms'"},
        {"['td0', 'gtd']", "[]", "s.toml:19:14: settings[0].algorithms is empty: there must be at least one algorithm"},
        {"['td0', 'gtd']", "['td0', 'gdt']",
         "s.toml:19:22: settings[0].algorithms[1] is 'gdt', an unknown algorithm; did you mean 'gtd'?"},
        {"['td0', 'gtd']", "['gtd', 'tdc']", "s.toml:19:22: settings[0].algorithms[1] repeats the algorithm gtd"},
        {"['td0', 'gtd']", "['td', 'gtd']",
         "s.toml:19:15: settings[0].algorithms[0] is td, which is for on-policy settings only"},
        {"for.gtd]", "for.htd]",
         "s.toml:20:15: unknown key 'settings[0].for.htd'; did you mean 'gtd'? (known: td0, gtd, tdc)"},
        {"for.gtd]\nalpha = 0.3", "for.td0]\nlambda = 0.3",
         "s.toml:21:1: unknown key 'settings[0].for.td0.lambda' (known: alpha)"},
        {"for.gtd]\nalpha = 0.3", "for.gtd]\nlambda = 3",
         "s.toml:21:10: settings[0].for.gtd.lambda is 3: lambda must be in [0, 1] for gtd"},
        {"for.gtd]\nalpha", "for]\ngtd.alpha = 1\ntdc.alpha",
         "s.toml:22:1: settings[0].for.tdc repeats the algorithm gtd"},
    };
    for (const auto& c : cases) EXPECT_EQ(refused_study(toml(c.from, c.to)), c.message) << c.to;
}

TEST(StudyFile, RefusesStudiesOfNothing) {
    EXPECT_EQ(refused_study(""), "s.toml:1:1: the study has no 'settings'");
    EXPECT_EQ(refused_study("settings = []\n"), "s.toml:1:12: settings is empty: there must be at least one setting");
    EXPECT_EQ(refused_study("settings = 3\n"), "s.toml:1:12: settings is a number, not a list");
    EXPECT_EQ(refused_study("grids = 3\n"), "s.toml:1:9: grids is not a table of grids");
    EXPECT_EQ(refused_study("settings = [3]\n"), "s.toml:1:13: settings[0] is a number, not a table");
    EXPECT_EQ(refused_study("seed = = 3\n").substr(0, 12), "s.toml:1:8: ");
    EXPECT_EQ(refusal([] { read_study("/no/such.toml"); }), "/no/such.toml: cannot read: No such file or directory");
}

TEST(StudyFile, RefusesTwoSettingsOfOneId) {
    EXPECT_EQ(refused_study(good + good.substr(good.find("[[settings]]"))),
              "s.toml:23:6: settings[1].id is 'first', as that of another setting");
}

TEST(StudyFile, RefusesWhatTheProblemDoesNotAllow) {
    EXPECT_EQ(refused_study(small_study("domain = 'baird'", "['rmsve', 'mave']")),
              "s.toml:4:21: settings[0].metrics[1] is mave, which divides by the true value, and that is 0 in some "
              "state: take rmsve");
    EXPECT_EQ(refused_study(small_study("domain = 'baird'", "{ mave = 2 }")).substr(0, 41),
              "s.toml:4:20: settings[0].metrics.mave is ");
    EXPECT_EQ(refused_study(small_study("domain = 'baird'", "['rmsve', 'rmspbe', 'msve', 'mspbe']")), "");
    EXPECT_EQ(refused_study(small_study("domain = 'baird'", "['rmsve']", "instances = 2\n")),
              "s.toml:9:13: settings[0].instances is 2, but the problem has one instance");
    EXPECT_EQ(refused_study(small_study("domain = 'baird'", "['rmsve']", "instances = 1\n")), "");
    EXPECT_EQ(refused_study(small_study("domain = 'collision'", "['rmsve']", "instances = 2\n")), "");
    EXPECT_EQ(refused_study(small_study("domain = 'baird'\nparameters = { gamma = 1 }", "['rmsve']")).substr(0, 40),
              "s.toml:1:1: settings[0] is refused: bair");
}

TEST(StudyFile, RefusesTooManyConfigurations) {
    const std::string range = "{ factor = 1.0001, from = -4999, to = 0 }";
    const std::string grid = "grid = { alpha = " + range + ", lambda = " + range + " }";
    const std::string text = replaced(small_study("domain = 'baird'", "['rmsve']"), "grid = { alpha = 1 }", grid);
    EXPECT_EQ(refused_study(text), "");  // td0 has no lambda
    EXPECT_EQ(refused_study(replaced(text, "'td0'", "'ptd'")),
              "s.toml:8:14: settings[0].algorithms have more than 10000000 configurations");
}

}  // namespace
}  // namespace bellwether::test
