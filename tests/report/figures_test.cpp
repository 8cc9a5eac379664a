#include "report/figures.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "bellwether/registry.hpp"
#include "files.hpp"
#include "report/figure_axes.hpp"
#include "report/figure_layout.hpp"
#include "report/gnuplot.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A directory that is gone at the end.
class Directory : public TemporaryFolder {
public:
    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(path())) all.insert(entry.path().filename());
        return all;
    }
    std::string read(const std::string& name) const { return content_of(path() / name); }
};

// The environment variable that names the program, for one test.
class NamedGnuplot {
public:
    explicit NamedGnuplot(const std::string& program) {
        if (const char* named = std::getenv(variable)) before_ = named;
        ::setenv(variable, program.c_str(), 1);
    }
    NamedGnuplot(const NamedGnuplot&) = delete;
    NamedGnuplot& operator=(const NamedGnuplot&) = delete;
    ~NamedGnuplot() {
        if (before_)
            ::setenv(variable, before_->c_str(), 1);
        else
            ::unsetenv(variable);
    }

private:
    static constexpr const char* variable = "BELLWETHER_GNUPLOT";
    std::optional<std::string> before_;
};

// GTD(λ) and TD(0) in one setting. GTD's best configuration is α = 0.4; α = 0.8 is finite and far above the scale, and
// 1.6 diverged.
class FabricatedFindings {
public:
    FabricatedFindings() {
        Setting& setting = study_.settings.emplace_back(
            Setting{.id = "one", .problem = Problem(std::shared_ptr<const FiniteMdp>()), .title = "One setting"});
        setting.steps = 100;
        setting.metrics = {{.metric = Metric::rmsve, .runs = 10, .scored = 50}};
        setting.algorithms = {{find_algorithm("td0"), {{0.1, 0.2, 0.4, 0.8, 1.6}}},
                              {find_algorithm("gtd"), {{0.1, 0.2, 0.4, 0.8, 1.6}, {0.5, 1}, {0, 0.9, 1}}}};
        study_.figures = {{.id = "figure", .title = "A figure", .rows = {{0, 0}}}};
        MetricFindings metric{.setting = &study_.settings[0], .metric = 0, .instances = 2, .runs = 10, .fresh_runs = 5};
        metric.initial_error = 1;
        for (const AlgorithmGrid& grid : setting.algorithms) metric.algorithms.push_back(findings_of(grid));
        findings_ = {.study = &study_, .metrics = {std::move(metric)}};
    }
    FabricatedFindings(const FabricatedFindings&) = delete;
    FabricatedFindings& operator=(const FabricatedFindings&) = delete;

    const Findings& get() const { return findings_; }
    Study& study() { return study_; }
    AlgorithmFindings& algorithm(std::size_t place) { return findings_.metrics[0].algorithms[place]; }
    MetricFindings& metric() { return findings_.metrics[0]; }

private:
    static AlgorithmFindings findings_of(const AlgorithmGrid& grid) {
        AlgorithmFindings algorithm;
        algorithm.grid = &grid;
        for (std::size_t c = 0; c < grid.configurations(); ++c) {
            const double alpha = grid.values[0][grid.place(c, 0)];
            const double score = alpha > 1 ? infinity : alpha > 0.5 ? 1234.5 : 0.5 - alpha;
            algorithm.configurations.push_back({.instances = 2,
                                                .runs = 20,
                                                .diverged = std::isinf(score) ? 1U : 0U,
                                                .mean = score,
                                                .score = score,
                                                .standard_error = std::isinf(score) ? infinity : 0.01});
        }
        algorithm.best = 2;
        algorithm.selection = {.runs = 20, .score = 0.1};
        StageFindings& fresh = algorithm.fresh.emplace();
        fresh.estimate = {.runs = 10, .score = 0.1};
        for (int t = 0; t <= 100; ++t) {
            fresh.curve.mean.push_back(0.1 + 0.9 * std::exp(-0.05 * t));
            fresh.curve.standard_error.push_back(0.01);
        }
        return algorithm;
    }

    Study study_;
    Findings findings_;
};

std::string block(const std::string& script, const std::string& name) {
    const std::string head = "$" + name + " << END\n";
    const std::size_t start = script.find(head);
    if (start == std::string::npos) return "no block " + name;
    return script.substr(start + head.size(), script.find("END", start + head.size()) - start - head.size());
}

std::string script_of(const Findings& findings, const std::string& id) {
    const Directory directory;
    const FigureFiles files = draw_figures(findings, {}, directory.path());
    EXPECT_EQ(files.problem, "");
    return content_of(directory.path() / (id + ".gp"));
}

// GTD's α = 0.4 has 0.1 everywhere, but for η = 1 and λ = 0.9, where it has 0.05.
TEST(Figures, OfSensitivityHaveAPanelForEachAlgorithmAndALineForEachValue) {
    FabricatedFindings fabricated;
    fabricated.algorithm(1).configurations[2 + 5 * 1 + 10 * 1].score = 0.05;
    fabricated.algorithm(1).configurations[2 + 5 * 1 + 10 * 1].mean = 0.05;
    fabricated.study().figures = {{.id = "by-lambda",
                                   .title = "By λ",
                                   .rows = {{.setting = 0, .metric = 0, .algorithms = {1, 0}}},
                                   .kind = FigureKind::sensitivity,
                                   .x = "alpha",
                                   .lines = {"zeta", "lambda"}}};
    const std::string script = script_of(fabricated.get(), "by-lambda");
    // λ = 0, 0.9, 1 in the first panel; TD(0), which has no λ, has its own line in the second.
    EXPECT_NE(block(script, "row1_panel1_line_1").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos) << script;
    EXPECT_NE(block(script, "row1_panel1_line_2").find("0.4 0.05 0.04 0.06 0\n"), std::string::npos);
    EXPECT_NE(block(script, "row1_panel1_line_3").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos);
    EXPECT_NE(block(script, "row1_panel2_td0").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos);
    EXPECT_NE(script.find("ζ, λ = 0.9"), std::string::npos);
}

// The same setting twice stands for two settings.
TEST(Figures, OfSensitivityMayCompareAlgorithmsOrSettings) {
    FabricatedFindings fabricated;
    const auto script = [&](const std::string& lines) {
        fabricated.study().figures = {{.id = "compared",
                                       .title = "Compared",
                                       .rows = {{.setting = 0, .metric = 0, .algorithms = {1, 0}},
                                                {.setting = 0, .metric = 0, .algorithms = {0}}},
                                       .kind = FigureKind::sensitivity,
                                       .x = "alpha",
                                       .lines = {lines}}};
        return script_of(fabricated.get(), "compared");
    };
    const std::string by_algorithm = script("algorithm");
    EXPECT_NE(block(by_algorithm, "row1_panel1_gtd").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos) << by_algorithm;
    EXPECT_NE(block(by_algorithm, "row1_panel1_td0").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos);
    EXPECT_EQ(block(by_algorithm, "row1_panel2_td0"), "no block row1_panel2_td0");
    const std::string by_setting = script("setting");
    EXPECT_NE(block(by_setting, "row1_panel1_line_1").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos) << by_setting;
    EXPECT_NE(block(by_setting, "row1_panel2_line_1").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos);
    EXPECT_NE(block(by_setting, "row1_panel2_line_2").find("0.4 0.1 0.09 0.11 0\n"), std::string::npos);
    EXPECT_EQ(block(by_setting, "row1_panel1_line_2"), "no block row1_panel1_line_2");
}

TEST(Figures, OfCurvesMayCompareSettings) {
    FabricatedFindings fabricated;
    fabricated.study().figures = {{.id = "stated",
                                   .title = "Stated",
                                   .rows = {{.setting = 0, .metric = 0, .algorithms = {}, .of = {{1, 0}}},
                                            {.setting = 0, .metric = 0, .algorithms = {}, .of = {{0, 1}}}},
                                   .kind = FigureKind::curves,
                                   .lines = {"setting"}}};
    Findings findings = fabricated.get();
    const LearningCurve one{.mean = {1, 0.5}, .standard_error = {0, 0.1}};
    const LearningCurve other{.mean = {1, 0.25}, .standard_error = {0, 0.1}};
    findings.stated = {{0, 0, {1, 0}, one}, {0, 0, {0, 1}, other}};
    const std::string script = script_of(findings, "stated");
    EXPECT_NE(block(script, "row1_panel1_line_1_1").find("1 0.5 0.4 0.6 0\n"), std::string::npos) << script;
    EXPECT_NE(block(script, "row1_panel1_line_2_1").find("1 0.25 0.15 0.35 0\n"), std::string::npos);
}

TEST(Figures, OfCurvesHaveThoseThatAreStated) {
    FabricatedFindings fabricated;
    fabricated.study().figures = {
        {.id = "stated",
         .title = "Stated",
         .rows = {{.setting = 0, .metric = 0, .algorithms = {}, .of = {{1, 0}, {1, 7}, {0, 1}}}},
         .kind = FigureKind::curves}};
    Findings findings = fabricated.get();
    const LearningCurve curve{.mean = {1, 0.5, 0.25}, .standard_error = {0, 0.1, 0.1}};
    findings.stated = {{0, 0, {1, 0}, curve}, {0, 0, {1, 7}, curve}};  // TD(0) was not recorded
    const std::string script = script_of(findings, "stated");
    EXPECT_NE(block(script, "row1_panel1_gtd").find("1 0.5 0.4 0.6 0\n"), std::string::npos) << script;
    EXPECT_NE(block(script, "row1_panel1_gtd__2").find("2 0.25 0.15 0.35 0\n"), std::string::npos);
    EXPECT_EQ(block(script, "row1_panel1_td0"), "no block row1_panel1_td0");
    EXPECT_NE(script.find("α = 0.4, η = 1, λ = 0"), std::string::npos);
}

TEST(Figures, OfBarsAreRatiosToTheReference) {
    FabricatedFindings fabricated;
    fabricated.algorithm(1).fresh->estimate.score = 0.25;
    fabricated.study().figures = {{.id = "bars",
                                   .title = "Bars",
                                   .rows = {{.setting = 0, .metric = 0, .algorithms = {1, 0}}},
                                   .kind = FigureKind::bars,
                                   .relative_to = "td0"}};
    const std::string script = script_of(fabricated.get(), "bars");
    EXPECT_EQ(block(script, "row1_panel1_gtd"), "0 2.5 2.5 2.5 0\n");
    EXPECT_EQ(block(script, "row1_panel1_td0"), "1 1 1 1 0\n");
    EXPECT_NE(script.find("with boxes"), std::string::npos);
}

TEST(Figures, AreWrittenWhole) {
    const FabricatedFindings fabricated;
    const Directory directory;
    const FigureFiles files = draw_figures(fabricated.get(), {}, directory.path());
    ASSERT_EQ(files.problem, "");
    const std::vector<std::string> names{"figure.svg",        "figure.pdf",        "figure.gp",
                                         "figure-frozen.svg", "figure-frozen.pdf", "figure-frozen.gp"};
    EXPECT_EQ(files.written, names);
    EXPECT_EQ(directory.names(), std::set<std::string>(names.begin(), names.end()));
    const std::string svg = directory.read("figure.svg"), pdf = directory.read("figure.pdf");
    EXPECT_NE(svg.find("<title>A figure</title>"), std::string::npos);
    EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
    EXPECT_NE(svg.find("2 instances × 5 fresh runs"), std::string::npos);
    EXPECT_NE(svg.rfind("</svg>"), std::string::npos);
    EXPECT_TRUE(pdf.starts_with("%PDF"));
    EXPECT_NE(pdf.rfind("%%EOF"), std::string::npos);
}

TEST(Figures, SameFindingsGiveTheSameBytes) {
    const FabricatedFindings fabricated;
    const Directory one, other;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, one.path()).problem, "");
    ::usleep(1'100'000);  // the PDF would have another time
    ASSERT_EQ(draw_figures(fabricated.get(), {}, other.path()).problem, "");
    for (const char* name : {"figure.svg", "figure.pdf", "figure.gp"})
        EXPECT_EQ(one.read(name), other.read(name)) << name;
}

TEST(Figures, WhatIsOffTheScaleStandsAtTheEdge) {
    const FabricatedFindings fabricated;
    const Directory directory;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path()).problem, "");
    const std::string script = directory.read("figure.gp");
    // The last column says whether it diverged. 1.08 is the upper edge; 108 is far enough above it for a line.
    EXPECT_EQ(block(script, "row1_panel2_gtd"),
              "0.1 0.4 0.39 0.41 0\n0.2 0.3 0.29 0.31 0\n0.4 0.1 0.09 0.11 0\n0.8 108 1.08 1.08 0\n1.6 1.08 1.08 "
              "1.08 1\n");
    // x, lane, diverged, first of its kind, error
    EXPECT_EQ(block(script, "row1_panel2_gtd_beyond"), "0.8 2 0 1 1234.5\n1.6 2 1 1 inf\n");
    EXPECT_EQ(block(script, "row1_panel2_td0_beyond"), "0.8 1 0 1 1234.5\n1.6 1 1 1 inf\n");
    EXPECT_EQ(block(script, "row1_panel2_gtd_chosen"), "0.4 0.1 0.09 0.11 0\n");
    EXPECT_EQ(block(script, "row1_panel3_gtd_beyond"), "");
    EXPECT_EQ(block(script, "row1_panel3_td0"), "no block row1_panel3_td0");  // it has no η
}

TEST(Figures, SelectTheOtherParametersAgainOrFreezeThem) {
    FabricatedFindings fabricated;
    fabricated.algorithm(1).configurations[5].score = 0.35;  // of the second η and the first α: better than the first η
    fabricated.algorithm(1).configurations[5].mean = 0.35;
    const Directory directory;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path()).problem, "");
    const std::string reselected = directory.read("figure.gp"), frozen = directory.read("figure-frozen.gp");
    EXPECT_TRUE(block(reselected, "row1_panel2_gtd").starts_with("0.1 0.35 0.34 0.36 0\n0.2 0.3 "));
    EXPECT_TRUE(block(frozen, "row1_panel1_gtd").starts_with("0.1 0.4 0.39 0.41 0\n0.2 0.3 "));  // no curves before it
}

TEST(Figures, ACurveThatDivergesHasAMarkWhereItLeaves) {
    FabricatedFindings fabricated;
    std::vector<double>& mean = fabricated.algorithm(1).fresh->curve.mean;
    std::fill(mean.begin() + 37, mean.begin() + 40, 50.0);
    std::fill(mean.begin() + 40, mean.end(), infinity);
    const Directory directory;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path()).problem, "");
    const std::string beyond = block(directory.read("figure.gp"), "row1_panel1_gtd_beyond");
    EXPECT_TRUE(beyond.starts_with("37 2 0 1 50\n38 2 0 0 50\n39 2 0 0 50\n40 2 1 1 inf\n41 2 1 0 inf\n")) << beyond;
}

TEST(Figures, ALineComesBackFromWhereItDiverged) {
    FabricatedFindings fabricated;
    for (const std::size_t c : {0, 1}) fabricated.algorithm(0).configurations[c].score = infinity;
    const Directory directory;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path()).problem, "");
    EXPECT_EQ(block(directory.read("figure.gp"), "row1_panel2_td0"),
              "0.1 1.08 1.08 1.08 1\n\n0.2 1.08 1.08 1.08 1\n0.4 0.1 0.09 0.11 0\n0.8 108 1.08 1.08 0\n"
              "1.6 1.08 1.08 1.08 1\n");
}

TEST(Figures, NothingIsLostWhereEverythingDiverged) {
    FabricatedFindings fabricated;
    for (const std::size_t a : {0, 1}) {
        AlgorithmFindings& algorithm = fabricated.algorithm(a);
        for (ConfigurationScore& score : algorithm.configurations) score.score = infinity;
        std::fill(algorithm.fresh->curve.mean.begin(), algorithm.fresh->curve.mean.end(), infinity);
        algorithm.fresh->estimate.score = infinity;
    }
    fabricated.metric().initial_error = 0;
    const Directory directory;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path()).problem, "");
    EXPECT_EQ(block(directory.read("figure.gp"), "row1_panel4_gtd_beyond"), "0 2 1 1 inf\n1 2 1 0 inf\n2 2 1 0 inf\n");
}

TEST(Figures, CurvesThatWereNotRecordedHaveNoPanel) {
    FabricatedFindings fabricated;
    for (const std::size_t a : {0, 1}) fabricated.algorithm(a).fresh.reset();
    const Directory directory;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path()).problem, "");
    const std::string script = directory.read("figure.gp");
    EXPECT_TRUE(block(script, "row1_panel1_gtd").starts_with("0.1 0.4 ")) << "α comes first";
    EXPECT_EQ(block(script, "row1_panel4_gtd"), "no block row1_panel4_gtd");
    EXPECT_NE(directory.read("figure.svg").find("2 instances × 10 selection runs"), std::string::npos);
}

TEST(Figures, SettingsWithoutFindingsHaveNoFigure) {
    FabricatedFindings fabricated;
    Findings none{.study = &fabricated.study()};
    const Directory directory;
    const FigureFiles files = draw_figures(none, {}, directory.path());
    EXPECT_EQ(files.problem, "");
    EXPECT_TRUE(files.written.empty());
    EXPECT_TRUE(directory.names().empty());
}

TEST(Figures, RealTimeHasAPanelForEachDuration) {
    const FabricatedFindings fabricated;
    const MetricFindings& metric = fabricated.get().metrics[0];
    RealTimePanels panels{.costs = "paper",
                          .policy = Policy::off,
                          .unit = "us",
                          .findings = &metric,
                          .competitors = {{&metric.algorithms[0], {1.0}}, {&metric.algorithms[1], {2.0, 0.1}}},
                          .durations = {0.5, 1, 2, 4},
                          .iterations = 100};
    panels.run();
    Findings no_figures{.study = fabricated.get().study};
    const Directory directory;
    RealTimePanels proportional = panels, other_scale = panels;
    proportional.time = TimeReading::proportional;
    other_scale.is_shown = false;
    const FigureFiles files = draw_figures(no_figures, {panels, proportional, other_scale}, directory.path());
    ASSERT_EQ(files.problem, "");
    EXPECT_EQ(files.written.front(), "real-time-off-paper.svg");
    EXPECT_EQ(std::count(files.written.begin(), files.written.end(), "real-time-off-paper-proportional.svg"), 1);
    EXPECT_EQ(files.written.size(), 6U);
    const std::string script = directory.read("real-time-off-paper.gp");
    EXPECT_TRUE(block(script, "row1_panel1_gtd").starts_with("0 1 "));
    EXPECT_TRUE(block(script, "row2_panel1_gtd").starts_with("0 1 "));
    EXPECT_NE(directory.read("real-time-off-paper.svg").find("0.5 µs an iteration"), std::string::npos);
}

TEST(Figures, MissingGnuplotIsReportedAndLeavesNothing) {
    const NamedGnuplot gnuplot("no-such-program-anywhere");
    const FabricatedFindings fabricated;
    const Directory directory;
    const FigureFiles files = draw_figures(fabricated.get(), {}, directory.path() / "below");
    EXPECT_TRUE(files.problem.starts_with("cannot run no-such-program-anywhere: ")) << files.problem;
    EXPECT_TRUE(files.gnuplot_is_missing);
    EXPECT_EQ(files.problem.find('\n'), std::string::npos);
    EXPECT_TRUE(files.written.empty());
    EXPECT_TRUE(directory.names().empty());
}

TEST(Figures, FailingGnuplotIsReportedAndLeavesNothing) {
    const FabricatedFindings fabricated;
    const Directory directory;
    for (const auto& [program, problem] : std::map<std::string, std::string>{
             {"false", "false failed: it has said nothing"}, {"true", "true failed: it has drawn nothing"}}) {
        const NamedGnuplot gnuplot(program);
        const FigureFiles files = draw_figures(fabricated.get(), {}, directory.path());
        EXPECT_EQ(files.problem, problem);
        EXPECT_FALSE(files.gnuplot_is_missing);
        EXPECT_TRUE(directory.names().empty());
    }
}

TEST(Figures, UnwritableDirectoryIsAnError) {
    const FabricatedFindings fabricated;
    const Directory directory;
    std::ofstream(directory.path() / "file") << "in the way";
    EXPECT_THROW(draw_figures(fabricated.get(), {}, directory.path() / "file"), UsageError);
}

TEST(Figures, TitlesAreShownAsTheyAre) {
    FabricatedFindings fabricated;
    const Directory directory;
    const std::filesystem::path made = directory.path() / "made";
    const std::string title =
        "`touch " + made.string() + "` it's \"a_b^c\" {x} @home & ~ \\ # % $x <b> ]]>\nplot 'x'\tend; α";
    fabricated.study().figures[0].title = title;
    fabricated.study().settings[0].title = title;
    ASSERT_EQ(draw_figures(fabricated.get(), {}, directory.path() / "figures").problem, "");
    EXPECT_FALSE(std::filesystem::exists(made));
    std::ifstream file(directory.path() / "figures" / "figure.svg");
    const std::string svg{std::istreambuf_iterator<char>(file), {}};
    const std::string shown = "it's \"a_b^c\" {x} @home &amp; ~ \\ # % $x &lt;b&gt; ]]&gt; plot 'x' end; α";
    EXPECT_NE(svg.find(shown), std::string::npos);
}

TEST(Gnuplot, TextIsQuotedAndWithoutMarkup) {
    EXPECT_EQ(gnuplot_text("plain"), "'plain'");
    EXPECT_EQ(gnuplot_text("it's"), "'it''s'");
    EXPECT_EQ(gnuplot_text("a_b^c{d}@&~\\"), R"('a\_b\^c\{d\}\@\&\~\\')");
    EXPECT_EQ(gnuplot_text("two\nlines"), "'two lines'");
    EXPECT_EQ(gnuplot_text("bold", true), "'{/:Bold bold}'");
}

TEST(Gnuplot, SaysWhatIsWrongInAScript) {
    const Pictures pictures = run_gnuplot("set terminal svg\nplot nothing_defined_here\n");
    EXPECT_NE(pictures.problem.find("nothing_defined_here"), std::string::npos) << pictures.problem;
    EXPECT_EQ(pictures.svg + pictures.pdf, "");
}

std::vector<std::string> labels_of(const Axis& axis) {
    std::vector<std::string> labels;
    for (const AxisTic& tic : axis.tics)
        if (!tic.label.empty()) labels.push_back(tic.label);
    return labels;
}

TEST(FigureAxes, ParametersOfThePaper) {
    std::vector<double> alphas, etas, lambdas;
    for (int k = -8; k <= 6; ++k) alphas.push_back(0.1 * std::exp2(k));
    for (const int k : {-16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16, 32}) etas.push_back(std::exp2(k));
    for (int k = 0; k < 10; ++k) lambdas.push_back(k / 10.0);
    for (int k = 91; k <= 100; ++k) lambdas.push_back(k / 100.0);

    const ParameterAxis alpha("α", alphas), eta("η", etas), lambda("λ", lambdas);
    EXPECT_EQ(alpha.axis().logarithm, 2);
    EXPECT_EQ(labels_of(alpha.axis()), (std::vector<std::string>{"0.0016", "0.025", "0.4", "6.4"}));
    EXPECT_EQ(eta.axis().logarithm, 2);
    EXPECT_EQ(labels_of(eta.axis()), (std::vector<std::string>{"2^{-16}", "2^{0}", "2^{16}", "2^{32}"}));
    EXPECT_EQ(lambda.axis().logarithm, 0);
    EXPECT_EQ(labels_of(lambda.axis()), (std::vector<std::string>{"0", "0.5", "0.9", "0.95", "1"}));
    EXPECT_EQ(lambda.coordinate(0.95), 14);  // one value after the other
    EXPECT_EQ(ParameterAxis("λ", lambdas, true).coordinate(0.95), 0.95);
}

TEST(FigureAxes, LargeAndSmallValuesOfAGrid) {
    const ParameterAxis epsilon("ε", {1e-5, 1e-2, 10, 100}), steps("n", {2.5e-5, 3, 512, 3e6});
    EXPECT_EQ(labels_of(epsilon.axis()), (std::vector<std::string>{"10^{-5}", "0.01", "100"}));
    EXPECT_EQ(labels_of(steps.axis()), (std::vector<std::string>{"2.5·10^{-5}", "3", "512", "3·10^{6}"}));
}

TEST(FigureAxes, ErrorsAreLogarithmicWhereTheySpanMuch) {
    EXPECT_EQ(error_axis("", std::vector<double>{0.1, 1}, 1).logarithm, 0);
    EXPECT_EQ(error_axis("", std::vector<double>{0.03, 1}, 1).logarithm, 10);
    EXPECT_EQ(error_axis("", std::vector<double>{0, infinity}, 1).logarithm, 0);
    EXPECT_EQ(error_axis("", std::vector<double>{0.1, infinity}, 1).low, 0);
    const Axis narrow = error_axis("", std::vector<double>{0.9, 1}, 1);
    EXPECT_GT(narrow.low, 0.8);
    EXPECT_LT(narrow.low, 0.9);
    EXPECT_EQ(narrow.place(infinity), 1);
    EXPECT_EQ(narrow.place(0), 0);
}

TEST(FigureLayout, LabelsKeepTheirOrderAndDistance) {
    EXPECT_EQ(spread_labels(std::vector<double>{50, 10}, 10, 0, 100), (std::vector<double>{50, 10}));
    EXPECT_EQ(spread_labels(std::vector<double>{50, 50, 50}, 10, 0, 100), (std::vector<double>{40, 50, 60}));
    EXPECT_EQ(spread_labels(std::vector<double>{99, 98}, 10, 0, 100), (std::vector<double>{95, 85}));
    EXPECT_EQ(spread_labels(std::vector<double>{1, 2, 16}, 10, 0, 100), (std::vector<double>{5, 15, 25}));
}

TEST(FigureLayout, TextIsBrokenAtSpaces) {
    EXPECT_EQ(wrap_text("one two three", 10, 45), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrap_text("", 10, 45), std::vector<std::string>{});
}

}  // namespace
}  // namespace bellwether::test
