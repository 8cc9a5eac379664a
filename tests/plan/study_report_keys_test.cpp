// What a study file says for reports: titles, figures, the paper it reproduces.
#include <gtest/gtest.h>

#include <string>

#include "plan/study.hpp"
#include "plan/study_text.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

const std::string two_metrics =
    "[[settings]]\nid = 'a'\ntitle = 'First <one>'\ndomain = 'walk5'\nmetrics = ['rmsve', 'msve']\nsteps = 10\nruns = "
    "2\n"
    "grid = { alpha = 1 }\nalgorithms = ['td0']\n"
    "[[settings]]\nid = 'b'\ndomain = 'walk5'\nmetrics = ['msve']\nsteps = 10\nruns = 2\ngrid = { alpha = 1 }\n"
    "algorithms = ['td0']\n";

TEST(StudyReportKeys, HaveDefaults) {
    const Study study = study_of(two_metrics);
    EXPECT_EQ(study.settings[0].title, "First <one>");
    EXPECT_EQ(study.settings[1].title, "b");
    EXPECT_EQ(study.paper, "");
    ASSERT_EQ(study.figures.size(), 3U);
    EXPECT_EQ(study.figures[0].id, "a-rmsve");
    EXPECT_EQ(study.figures[1].id, "a-msve");
    EXPECT_EQ(study.figures[2].id, "b-msve");
    ASSERT_EQ(study.figures[1].rows.size(), 1U);
    EXPECT_EQ(study.figures[1].rows[0].setting, 0U);
    EXPECT_EQ(study.figures[1].rows[0].metric, 1U);
}

TEST(StudyReportKeys, AreRead) {
    const Study study = study_of("description = 'd'\npaper = 'white2016'\n" + two_metrics +
                                 "[[figures]]\nid = 'both'\ntitle = 'Both'\nsettings = ['b', 'a']\nmetric = 'msve'\n"
                                 "[[figures]]\nid = 'first'\nsettings = ['a']\n");
    EXPECT_EQ(study.description, "d");
    EXPECT_EQ(study.paper, "white2016");
    ASSERT_EQ(study.figures.size(), 2U);
    EXPECT_EQ(study.figures[0].title, "Both");
    ASSERT_EQ(study.figures[0].rows.size(), 2U);
    EXPECT_EQ(study.figures[0].rows[0].setting, 1U);
    EXPECT_EQ(study.figures[0].rows[0].metric, 0U);
    EXPECT_EQ(study.figures[0].rows[1].metric, 1U);
    EXPECT_EQ(study.figures[1].title, "first");
    EXPECT_EQ(study.figures[1].rows[0].metric, 0U);
}

TEST(StudyReportKeys, DoNotTouchTheIdentity) {
    EXPECT_EQ(study_of(two_metrics).identity(),
              study_of("paper = 'white2016'\n" + replaced(two_metrics, "title = 'First <one>'\n", "") +
                       "[[figures]]\nid = 'one'\nsettings = ['a']\n")
                  .identity());
}

TEST(StudyReportKeys, AreRefusedWithLineAndColumn) {
    const auto with_figure = [](const std::string& figure) { return two_metrics + "[[figures]]\n" + figure; };
    EXPECT_EQ(refused_study(with_figure("settings = ['a']\n")), "s.toml:18:1: figures[0] has no 'id'");
    EXPECT_EQ(refused_study(with_figure("id = 'f/g'\nsettings = ['a']\n")),
              "s.toml:19:6: figures[0].id is 'f/g': it must be of letters, digits, - and _");
    EXPECT_EQ(refused_study(with_figure("id = 'f'\n")), "s.toml:18:1: figures[0] has no 'settings'");
    EXPECT_EQ(refused_study(with_figure("id = 'f'\nsettings = []\n")),
              "s.toml:20:12: figures[0].settings is empty: there must be at least one setting");
    EXPECT_EQ(refused_study(with_figure("id = 'f'\nsettings = ['c']\n")),
              "s.toml:20:13: figures[0].settings[0] is 'c', an unknown setting; there are a, b");
    EXPECT_EQ(refused_study(with_figure("id = 'f'\nsettings = ['b']\nmetric = 'rmsve'\n")),
              "s.toml:21:10: figures[0].metric is 'rmsve', an unknown metric of b; did you mean 'msve'?");
    EXPECT_EQ(refused_study(with_figure("id = 'f'\nsettings = ['b']\n[[figures]]\nid = 'f'\nsettings = ['b']\n")),
              "s.toml:22:6: figures[1].id is 'f', as that of another figure");
    EXPECT_EQ(refused_study(with_figure("id = 'f'\nsetting = ['b']\n")),
              "s.toml:20:1: unknown key 'figures[0].setting'; did you mean 'settings'? (known: id, title, kind, "
              "settings, metric)");
}

}  // namespace
}  // namespace bellwether::test
