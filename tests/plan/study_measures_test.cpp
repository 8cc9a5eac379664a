// How long a setting is run and what is measured of it, grids of several tables, and step sizes as such.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/study_text.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

// A walk, whose episodes end, on lines of their own from 4 on.
std::string walk(const std::string& lines, const std::string& metrics = "['rmsve']") {
    return "[[settings]]\nid = 'a'\ndomain = 'walk5'\n" + lines + "\nruns = 2\nmetrics = " + metrics +
           "\ngrid = { alpha = [0.1, 0.2], lambda = [0, 1] }\nalgorithms = ['gtd', 'td0']\n";
}
TEST(Measures, AreEveryStepUnlessTheFileSaysOtherwise) {
    const Setting plain = study_of(walk("steps = 100")).settings[0];
    EXPECT_TRUE(plain.is_measured_every_step());
    EXPECT_EQ(plain.measurements(), 100U);
    EXPECT_EQ(plain.time_of(100), 100U);
    EXPECT_EQ(plain.time_unit(), "step");
    EXPECT_EQ(plain.weighting, Weighting::stationary);
}

TEST(Measures, MayBeAtTheEndsOfEpisodes) {
    const Setting setting = study_of(walk("episodes = 10\nmeasure = 'episode'\nscore = 1")).settings[0];
    EXPECT_FALSE(setting.is_measured_every_step());
    EXPECT_EQ(setting.measurements(), 10U);
    EXPECT_EQ(setting.metrics[0].scored, 10U);
    EXPECT_EQ(setting.time_of(7), 7U);
    EXPECT_EQ(setting.time_unit(), "episode");
    EXPECT_EQ(setting.steps, 90U);  // from the middle of five states to an end: 3 · 3 steps
}

TEST(Measures, MayBeEverySoManySteps) {
    const Setting setting = study_of(walk("steps = 101\nevery = 100\nscore = 1")).settings[0];
    EXPECT_EQ(setting.measurements(), 2U);
    EXPECT_EQ(setting.time_of(0), 0U);
    EXPECT_EQ(setting.time_of(1), 1U);
    EXPECT_EQ(setting.time_of(2), 101U);
    EXPECT_EQ(study_of(walk("steps = 100\nevery = 100")).settings[0].measurements(), 1U);
}

TEST(Measures, MayBeBeforeTheSteps) {
    const Setting setting = study_of(walk("steps = 101\nmeasure = 'before'\nscore = [1, 0.5]")).settings[0];
    EXPECT_TRUE(setting.is_measured_every_step());
    EXPECT_EQ(setting.measurements(), 100U);  // beside that of w_0
    EXPECT_EQ(setting.errors_of_run(), 101U);
    EXPECT_EQ(setting.learned_steps(), 100U);
    EXPECT_EQ(setting.time_of(100), 100U);
    EXPECT_EQ(setting.metrics[0].scored, 101U);
    EXPECT_EQ(setting.metrics[1].scored, 51U);
    const Setting few = study_of(walk("steps = 101\nevery = 10\nmeasure = 'before'")).settings[0];
    EXPECT_EQ(few.errors_of_run(), 11U);  // before steps 1, 11, ..., 101
    EXPECT_EQ(few.time_of(10), 100U);
    EXPECT_EQ(few.learned_steps(), 100U);
}

TEST(Measures, MayHaveAWeightForEachState) {
    const Setting setting = study_of(walk("steps = 5\nweighting = [0, 1, 2, 1, 0]")).settings[0];
    EXPECT_EQ(setting.weighting.given, (std::vector<double>{0, 1, 2, 1, 0}));
}

TEST(Measures, MakeOneScoreOrSeveral) {
    const Setting several =
        study_of(walk("steps = 200\nscore = [1, 0.01, 'end']", "{ rmsve = 2, mspbe = 1 }")).settings[0];
    ASSERT_EQ(several.metrics.size(), 6U);
    std::vector<std::string> ids;
    for (const ScoredMetric& scored : several.metrics) ids.push_back(scored.id());
    EXPECT_EQ(ids,
              (std::vector<std::string>{"rmsve@1", "rmsve@0.01", "rmsve@end", "mspbe@1", "mspbe@0.01", "mspbe@end"}));
    EXPECT_EQ(several.metrics[0].scored, 200U);
    EXPECT_EQ(several.metrics[1].scored, 2U);
    EXPECT_EQ(several.metrics[5].scored, 1U);
    EXPECT_EQ(several.metrics[5].runs, 1U);
    const Setting one = study_of(walk("steps = 200\nscore = [0.01]")).settings[0];
    EXPECT_EQ(one.metrics[0].id(), "rmsve");
    EXPECT_EQ(study_of(walk("steps = 200\nscore = [0.01]")).identity(),
              study_of(walk("steps = 200\nscore = 0.01")).identity());
}

TEST(Measures, AreRefusedWhereTheyMakeNoSense) {
    EXPECT_EQ(refused_study(walk("steps = 5\nepisodes = 5\nmeasure = 'episode'")),
              "s.toml:5:12: settings[0].episodes is there beside 'steps'");
    EXPECT_EQ(
        refused_study(walk("episodes = 5")),
        "s.toml:4:12: settings[0].episodes has runs of different numbers of steps: it needs measure = \"episode\", "
        "the error at the end of each");
    EXPECT_EQ(refused_study(walk("steps = 5\nmeasure = 'episode'")),
              "s.toml:5:11: settings[0].measure is 'episode', and runs of so many steps have different numbers of "
              "episodes: give 'episodes' in place of 'steps'");
    EXPECT_EQ(refused_study(walk("steps = 5\nmeasure = 'day'")),
              "s.toml:5:11: settings[0].measure is 'day', an unknown measure; there are step, episode, before");
    EXPECT_EQ(refused_study(walk("episodes = 5\nmeasure = 'episode'\nevery = 2")),
              "s.toml:6:9: settings[0].every is there beside 'episodes', at whose ends errors are measured");
    EXPECT_EQ(refused_study(replaced(walk("episodes = 5\nmeasure = 'episode'"), "walk5", "baird")),
              "s.toml:4:12: settings[0].episodes is 5, but a run may never end an episode: the behaviour meets no "
              "discount of 0");
    EXPECT_EQ(refused_study(walk("episodes = 999999999\nmeasure = 'episode'")),
              "s.toml:4:12: settings[0].episodes is 999999999, which takes some 9e+09 steps: there may be 1000000000");
    EXPECT_EQ(refused_study(walk("steps = 5\nweighting = 'equal'")),
              "s.toml:5:13: settings[0].weighting is 'equal', an unknown weighting; there are stationary, uniform");
    EXPECT_EQ(
        refused_study(walk("steps = 5\nweighting = 1")),
        "s.toml:5:13: settings[0].weighting must be one of stationary and uniform, or a list of a number for each "
        "state");
    EXPECT_EQ(refused_study(walk("steps = 5\nquestions = 'all'")),
              "s.toml:5:13: settings[0].questions is there, but walk5 has one question");
    EXPECT_EQ(
        refused_study(walk("steps = 5\nweighting = 'uniform'", "['rmsve', 'rmspbe']")),
        "s.toml:7:21: settings[0].metrics[1] is rmspbe, which is defined by the stationary distribution: it has no "
        "weighting of its own");
    EXPECT_EQ(refused_study(walk("steps = 5\nweighting = [1, 1]")),
              "s.toml:5:13: settings[0].weighting has 2 numbers, and there are 5 states");
    EXPECT_EQ(refused_study(walk("steps = 5\nweighting = [1, 1, -1, 1, 1]")),
              "s.toml:5:20: settings[0].weighting[2] is below 0");
    EXPECT_EQ(refused_study(walk("steps = 5\nweighting = [0, 0, 0, 0, 0]")),
              "s.toml:5:13: settings[0].weighting is 0 in every state that the errors are about");
    EXPECT_EQ(refused_study(walk("steps = 5\nweighting = [1, 1, 1, 1, 1]", "['rmspbe']")),
              "s.toml:7:12: settings[0].metrics[0] is rmspbe, which is defined by the stationary distribution: it has "
              "no weighting of its own");
    EXPECT_EQ(
        refused_study(walk("steps = 5\nevery = 5\nmeasure = 'before'")),
        "s.toml:6:11: settings[0].measure is 'before', and before the first step there is the error of w_0 alone");
    EXPECT_EQ(refused_study(walk("steps = 5\nscore = [1, 0.5, 1]")),
              "s.toml:5:18: settings[0].score[2] repeats the score 1");
    EXPECT_EQ(refused_study(walk("steps = 5\nscore = []")),
              "s.toml:5:9: settings[0].score is empty: there must be at least one score");
    EXPECT_EQ(refused_study(replaced(walk("steps = 5", "['nmspve']"), "walk5", "baird")),
              "s.toml:6:12: settings[0].metrics[0] is nmspve, which divides by the best values that the features can "
              "represent, and these are 0: take mspve");
}

TEST(Measures, BelongToTheStudyOnlyWhereTheyAreGiven) {
    const std::string plain = study_of(walk("steps = 100")).identity();
    EXPECT_EQ(
        study_of(walk("steps = 100\nevery = 1\nmeasure = 'step'\nweighting = 'stationary'\nscore = 0.5")).identity(),
        plain);
    EXPECT_NE(plain.find("setting a: steps = 100\nsetting a: scored steps = 50\nsetting a: metric 1 = rmsve\n"),
              std::string::npos);
    for (const char* other :
         {"steps = 100\nevery = 2", "steps = 100\nweighting = 'uniform'", "steps = 100\nweighting = [1, 2, 3, 2, 1]",
          "steps = 100\nmeasure = 'before'", "steps = 100\nscore = [0.5, 1]", "episodes = 100\nmeasure = 'episode'"})
        EXPECT_NE(study_of(walk(other)).identity(), plain) << other;
    const std::string episodes = study_of(walk("episodes = 100\nmeasure = 'episode'")).identity();
    EXPECT_NE(episodes.find("setting a: episodes = 100\nsetting a: scored episodes = 50\n"), std::string::npos);
}

// ---- the variance of the return

constexpr const char* by_td = "values = { algorithm = 'td', alpha = 0.1, lambda = 0.9, features = 'tabular' }";

TEST(LearningTargets, AreValuesUnlessTheFileSaysOtherwise) {
    const Setting plain = study_of(walk("steps = 5")).settings[0];
    EXPECT_EQ(plain.target, LearningTarget::value);
    EXPECT_FALSE(plain.values);
    EXPECT_EQ(study_of(walk("steps = 5\nlearn = 'value'")).identity(), study_of(walk("steps = 5")).identity());
    const Study study = study_of(
        walk(std::string("steps = 5\npolicy = 'on'\nlearn = 'second-moment'\nfeatures = 'inverted'\n") + by_td));
    const Setting& setting = study.settings[0];
    EXPECT_EQ(setting.target, LearningTarget::second_moment);
    EXPECT_EQ(setting.values->info->id, "td");
    EXPECT_EQ(setting.values->parameters, (std::vector{0.1, 0.9}));
    EXPECT_EQ(setting.problem.request()->features, "inverted");
    EXPECT_EQ(setting.values->problem.request()->features, "tabular");
    EXPECT_NE(study.identity().find("setting a: learn = second-moment\nsetting a: values by td\n"
                                    "setting a: values alpha = 0.1\nsetting a: values lambda = 0.9\n"
                                    "setting a: values state 0 features: 0: 1\n"),
              std::string::npos);
}

TEST(LearningTargets, AreRefusedWhereTheyMakeNoSense) {
    const auto refused_with = [](const std::string& lines, const std::string& metrics = "['rmsve']") {
        return refused_study(walk("steps = 5\n" + lines, metrics));
    };
    const std::string on = "policy = 'on'\n", variance = on + "learn = 'variance'\n";
    EXPECT_EQ(refused_with("learn = 'median'"),
              "s.toml:5:9: settings[0].learn is 'median', an unknown target of learning; there are value, variance, "
              "second-moment");
    EXPECT_EQ(refused_with(by_td),
              "s.toml:5:10: settings[0].values is for settings that learn a variance or a second moment: this one "
              "learns values");
    EXPECT_EQ(refused_with("learn = 'variance'"), "s.toml:1:1: settings[0] has no 'values'");
    EXPECT_EQ(refused_with(variance + by_td, "['rmsve', 'mave']"),
              "s.toml:6:9: settings[0].learn is 'variance', whose error is rmsve or msve, not mave");
    EXPECT_EQ(refused_with("learn = 'variance'\n" + std::string(by_td)),
              "s.toml:6:10: settings[0].values has td, which is for on-policy settings only");
    EXPECT_EQ(refused_with(variance + "values = { algorithm = 'td' }"),
              "s.toml:7:10: settings[0].values has td, which needs a value of alpha");
    EXPECT_EQ(refused_with(variance + "values = { algorithm = 'td', alpha = -1 }"),
              "s.toml:7:38: settings[0].values.alpha is -1: alpha must be at least 0 for td");
    EXPECT_EQ(refused_with(variance + "values = { algorithm = 'td', alpha = 1, eta = 1 }"),
              "s.toml:7:41: unknown key 'settings[0].values.eta' (known: alpha, lambda, algorithm, features)");
    EXPECT_EQ(refused_with(variance + "values = { algorithm = 'td', alpha = 1, features = 'linear' }"),
              "s.toml:7:52: settings[0].values.features is 'linear', an unknown kind of features of walk5; there are "
              "tabular, inverted, dependent");
    EXPECT_EQ(refused_study(replaced(walk("steps = 5\nlearn = 'variance'\nvalues = { algorithm = 'gtd', alpha = 1 }"),
                                     "walk5", "baird")),
              "s.toml:5:9: settings[0].learn is 'variance', where weights do not start at 0");
}

// ---- grids

std::string with_tables(const std::string& tables) {
    return walk("steps = 10") + tables;
}

std::vector<std::vector<double>> configurations_of(const AlgorithmGrid& grid) {
    std::vector<std::vector<double>> all(grid.configurations(), std::vector<double>(grid.values.size()));
    for (std::size_t c = 0; c < all.size(); ++c) grid.parameters(c, all[c]);
    return all;
}

TEST(Grids, AreUnionsOfSeveralTables) {
    const Study study =
        study_of(with_tables("[[settings.for.gtd]]\nlambda = [0, 0.4]\nalpha = [1, 0.5]\n"
                             "[[settings.for.gtd]]\nlambda = 0.4\nalpha = [0.25, 0.5]\neta = [1, 3]\n"));
    const AlgorithmGrid& grid = study.settings[0].algorithms[0];
    ASSERT_TRUE(grid.is_union());
    // α, η, λ: the first table, then of the second what the first has not.
    const std::vector<std::vector<double>> expected{{1, 1, 0},      {0.5, 1, 0},    {1, 1, 0.4},  {0.5, 1, 0.4},
                                                    {0.25, 1, 0.4}, {0.25, 3, 0.4}, {0.5, 3, 0.4}};
    EXPECT_EQ(configurations_of(grid), expected);
    EXPECT_EQ(grid.values, (std::vector<std::vector<double>>{{0.25, 0.5, 1}, {1, 3}, {0, 0.4}}));
    for (std::size_t c = 0; c < expected.size(); ++c)
        for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(grid.value(c, p), expected[c][p]);
    EXPECT_EQ(grid.at_place(0, 2, 1), 2U);            // λ = 0.4 in the place of 0
    EXPECT_EQ(grid.at_place(0, 1, 1), std::nullopt);  // there is no η = 3 with λ = 0
    EXPECT_EQ(study.settings[0].configurations(), 7U + 2);
    EXPECT_NE(study.identity().find("setting a: gtd configuration 7 = alpha 0.5, eta 3, lambda 0.4\n"),
              std::string::npos);
    const AlgorithmGrid& other = study.settings[0].algorithms[1];
    EXPECT_FALSE(other.is_union());
    EXPECT_EQ(other.at_place(0, 0, 1), 1U);
}

TEST(Grids, OfOneTableAreNoUnion) {
    EXPECT_EQ(study_of(with_tables("[[settings.for.gtd]]\nlambda = [0, 0.4]\n")).identity(),
              study_of(with_tables("[settings.for.gtd]\nlambda = [0, 0.4]\n")).identity());
    EXPECT_EQ(refused_study(replaced(with_tables(""), "algorithms", "for = { gtd = [] }\nalgorithms")),
              "s.toml:8:15: settings[0].for.gtd is empty: there must be at least one table of parameters");
    EXPECT_EQ(
        refused_study(with_tables("[[settings.for.gtd]]\nlambda = 0\n[[settings.for.gtd]]\nlamda = 0\n")),
        "s.toml:12:1: unknown key 'settings[0].for.gtd[1].lamda'; did you mean 'lambda'? (known: alpha, eta, lambda, "
        "alpha-h)");
}

TEST(Grids, GiveTheSecondStepSizeItself) {
    const Study study =
        study_of(with_tables("[settings.for.gtd]\nalpha = [0.5, 0.25]\nalpha-h = [0, 0.125]\nlambda = 0\n"));
    const AlgorithmGrid& grid = study.settings[0].algorithms[0];
    EXPECT_EQ(grid.info->id, "gtd");
    EXPECT_EQ(study.parameter_names(), (std::vector<std::string_view>{"alpha", "lambda", "alpha-h"}));
    EXPECT_EQ(configurations_of(grid),
              (std::vector<std::vector<double>>{{0.5, 0, 0}, {0.25, 0, 0}, {0.5, 0.125, 0}, {0.25, 0.125, 0}}));
    std::vector<double> own(3);
    grid.learner_parameters(3, own);
    EXPECT_EQ(own, (std::vector<double>{0.25, 0.5, 0}));
    grid.learner_parameters(1, own);
    EXPECT_EQ(own, (std::vector<double>{0.25, 0, 0}));
    EXPECT_NE(study.identity().find("setting a: gtd alpha-h = 0, 0.125\n"), std::string::npos);
    // A shared grid has it for the algorithms that have such a step size.
    const Study shared = study_of(replaced(with_tables(""), "lambda = [0, 1]", "alpha-h = 0.1"));
    EXPECT_EQ(shared.settings[0].configurations(), 4U);
    const Study own_ratio =
        study_of(replaced(with_tables("[settings.for.gtd]\neta = 2\n"), "lambda = [0, 1]", "alpha-h = 0.1"));
    EXPECT_EQ(own_ratio.parameter_names(), (std::vector<std::string_view>{"alpha", "lambda", "eta"}));
}

TEST(Grids, RefuseStepSizesThatTheyCannotHave) {
    EXPECT_EQ(refused_study(with_tables("[settings.for.gtd]\nalpha-h = 1\neta = 2\n")),
              "s.toml:10:11: settings[0].for.gtd.alpha-h is there beside 'eta'");
    EXPECT_EQ(refused_study(with_tables("[settings.for.gtd]\nalpha-h = -1\n")),
              "s.toml:10:11: settings[0].for.gtd.alpha-h is -1: alpha-h must be at least 0 for gtd");
    EXPECT_EQ(
        refused_study(with_tables("[settings.for.gtd]\nalpha = [0, 1]\nalpha-h = [0, 1]\n")),
        "s.toml:8:15: settings[0].algorithms[0] is refused: alpha is 0 where alpha-h is not, and their ratio is all "
        "that it knows");
    EXPECT_EQ(
        refused_study(with_tables("[[settings.for.gtd]]\nalpha-h = 1\n[[settings.for.gtd]]\neta = 1\n")),
        "s.toml:8:15: settings[0].algorithms[0] is gtd, which has alpha-h in some of its tables and eta in others");
    EXPECT_EQ(refused_study(with_tables("[settings.for.td0]\nalpha-h = 1\n")),
              "s.toml:10:1: unknown key 'settings[0].for.td0.alpha-h'; did you mean 'alpha'? (known: alpha)");
}

}  // namespace
}  // namespace bellwether::test
