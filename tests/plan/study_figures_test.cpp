// The kinds of figures that a study file asks for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/study.hpp"
#include "problems/refusal.hpp"
#include "study_text.hpp"

namespace bellwether::test {
namespace {

// td0 with two α; gtd with one α, η at its default, and three λ.
Figure figure_of(const std::string& text) {
    return study_of(toml() + "[[figures]]\nid = 'f'\nsettings = ['first']\n" + text).figures.at(0);
}

std::string refused_figure(const std::string& text) {
    const std::string whole = refusal([&] { figure_of(text); });
    return whole.substr(whole.find(' ') + 1);  // without the place
}

TEST(StudyFigures, AreOverviewsWhereTheyDoNotSay) {
    const Figure figure = figure_of("");
    EXPECT_EQ(figure.kind, FigureKind::overview);
    EXPECT_EQ(figure.rows.at(0).algorithms, (std::vector<std::size_t>{0, 1}));
}

TEST(StudyFigures, OfSensitivityHaveParametersAndAnOrder) {
    const Figure figure =
        figure_of("kind = 'sensitivity'\nx = 'alpha'\nlines = ['lambda', 'zeta']\nalgorithms = ['gtd', 'td0']\n");
    EXPECT_EQ(figure.kind, FigureKind::sensitivity);
    EXPECT_EQ(figure.x, "alpha");
    EXPECT_EQ(figure.lines, (std::vector<std::string>{"lambda", "zeta"}));
    EXPECT_EQ(figure.rows.at(0).algorithms, (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(figure_of("kind = 'sensitivity'\nx = 'alpha'\nlines = 'lambda'\n").lines,
              std::vector<std::string>{"lambda"});
}

TEST(StudyFigures, MayCompareAlgorithmsOrSettings) {
    const auto lines = [](const std::string& text) { return figure_of(text).lines; };
    EXPECT_EQ(lines("kind = 'sensitivity'\nx = 'alpha'\nlines = 'algorithm'\n"), std::vector<std::string>{"algorithm"});
    EXPECT_EQ(lines("kind = 'sensitivity'\nx = 'alpha'\nlines = 'setting'\n"), std::vector<std::string>{"setting"});
    EXPECT_EQ(lines("kind = 'curves'\nof = [{ algorithm = 'td0', alpha = 0.2 }]\nlines = 'setting'\n"),
              std::vector<std::string>{"setting"});
    EXPECT_EQ(refused_figure("kind = 'curves'\nof = [{ algorithm = 'td0', alpha = 0.2 }]\nlines = 'settings'\n"),
              "figures[0].lines is 'settings', an unknown kind of lines; did you mean 'setting'?");
    EXPECT_EQ(refused_figure("kind = 'sensitivity'\nx = 'alpha'\nlines = ['lambda', 'setting']\n").substr(0, 54),
              "figures[0].lines[1] is 'setting', an unknown parameter");
}

TEST(StudyFigures, OfCurvesStateConfigurationsOfTheGrid) {
    const Figure figure =
        figure_of("kind = 'curves'\nof = [{ algorithm = 'td0', alpha = 0.2 }, { algorithm = 'tdc', lambda = 0.5 }]\n");
    const std::vector<StatedConfiguration>& of = figure.rows.at(0).of;
    ASSERT_EQ(of.size(), 2U);
    EXPECT_EQ(of[0], (StatedConfiguration{0, 1}));
    // α and η have one value, so that λ = 1/4, 1/2, 1 are configurations 0, 1, 2.
    EXPECT_EQ(of[1], (StatedConfiguration{1, 1}));
}

TEST(StudyFigures, OfBarsHaveAReference) {
    const Figure figure = figure_of("kind = 'bars'\nrelative-to = 'tdc'\n");
    EXPECT_EQ(figure.kind, FigureKind::bars);
    EXPECT_EQ(figure.relative_to, "gtd");
}

TEST(StudyFigures, AreRefusedWithTheNearestName) {
    EXPECT_EQ(refused_figure("kind = 'bar'\n"),
              "figures[0].kind is 'bar', an unknown kind of figures; did you mean 'bars'?");
    EXPECT_EQ(refused_figure("kind = 'bars'\n"), "figures[0] has no 'relative-to'");
    EXPECT_EQ(refused_figure("x = 'alpha'\n"), "unknown key 'figures[0].x' (known: id, title, kind, settings, metric)");
    EXPECT_EQ(refused_figure("kind = 'sensitivity'\n"), "figures[0] has no 'x'");
    EXPECT_EQ(refused_figure("kind = 'sensitivity'\nx = 'zeta'\n"),
              "figures[0].x is zeta, which none of its algorithms has");
    EXPECT_EQ(refused_figure("kind = 'sensitivity'\nx = 'alpha'\nlines = 'alpha'\n"),
              "figures[0].lines has alpha, which is along the x axis");
    EXPECT_EQ(refused_figure("kind = 'sensitivity'\nx = 'alpha'\nalgorithms = ['gtd', 'tdc']\n"),
              "figures[0].algorithms[1] repeats the algorithm gtd");
    EXPECT_EQ(refused_figure("kind = 'curves'\nof = [{ algorithm = 'gtd' }]\n"),
              "figures[0].of[0] has no 'lambda', which has 3 values in the grid of first");
    EXPECT_EQ(refused_figure("kind = 'curves'\nof = [{ algorithm = 'td0', alpha = 0.3 }]\n"),
              "figures[0].of[0].alpha is 0.3, which is not in the grid of first");
    EXPECT_EQ(refused_figure("kind = 'curves'\nof = [{ algorithm = 'td', alpha = 0.1 }]\n"),
              "figures[0].of[0].algorithm is 'td', an unknown algorithm of first; did you mean 'td0'?");
}

TEST(StudyFigures, DoNotTouchTheIdentity) {
    const std::string figure =
        "[[figures]]\nid = 'f'\nsettings = ['first']\nkind = 'curves'\nof = [{ algorithm = 'td0', alpha = 0.2 }]\n";
    EXPECT_EQ(study_of(toml() + figure).identity(), study_of(toml()).identity());
}

}  // namespace
}  // namespace bellwether::test
