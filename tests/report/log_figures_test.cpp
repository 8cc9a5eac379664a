// The figures of logs: what their scripts hold, and that gnuplot draws them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "files.hpp"
#include "logs/evaluation.hpp"
#include "logs/log_reader.hpp"
#include "logs/shown_estimates.hpp"
#include "logs/tuning.hpp"
#include "report/log_figures.hpp"
#include "support/algorithms.hpp"

namespace bellwether {
namespace {

PolicyEvaluation evaluation_of(const std::string& log) {
    return evaluate(read_log(BELLWETHER_TEST_DATA "/logs/" + log + ".csv", {}), {});
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

void expect_drawn(const std::vector<FigureScript>& scripts) {
    const test::TemporaryFolder folder;
    const FigureFiles files = draw_scripts(scripts, folder.path());
    EXPECT_EQ(files.problem, "");
    EXPECT_EQ(files.written.size(), 3 * scripts.size());
    for (const FigureScript& script : scripts)
        EXPECT_NE(test::content_of(folder.path() / (script.id + ".svg")).find("<title>" + script.title),
                  std::string::npos);
}

TEST(LogFigures, ShowTheAnswerOnce) {
    const PolicyEvaluation supported = evaluation_of("random");
    const auto shown = shown_estimates(supported);
    EXPECT_EQ(shown.size(), supported.estimates.size() - 2);  // both answers are weighted doubly robust ones
    EXPECT_EQ(std::count_if(shown.begin(), shown.end(), [](const ShownEstimate& one) { return one.is_answer; }), 1);
    EXPECT_EQ(shown.front().estimate->name, "wdr-q");
    EXPECT_TRUE(shown.front().is_answer);
    const auto figures = evaluation_figures(supported);
    ASSERT_EQ(figures.size(), 2U);
    EXPECT_EQ(count_of(figures[0].script, "answer: "), 1U);
    expect_drawn(figures);
}

TEST(LogFigures, ShowNoAnswerWhereTheLogCannotTell) {
    const PolicyEvaluation unsure = evaluation_of("routes-small");
    for (const ShownEstimate& one : shown_estimates(unsure)) EXPECT_FALSE(one.is_answer) << one.name;
    const auto figures = evaluation_figures(unsure);
    EXPECT_EQ(count_of(figures[0].script, "answer: "), 0U);
    EXPECT_EQ(figures[0].title, "routes-small.csv: cannot tell: features");
    expect_drawn(figures);
}

TEST(LogFigures, DrawWhatIsNotThere) {
    PolicyEvaluation evaluation = evaluation_of("walk");
    for (PolicyEstimate& estimate : evaluation.estimates)
        estimate.value = estimate.lower = estimate.upper = std::numeric_limits<double>::quiet_NaN();
    evaluation.estimates.front().value = 1;
    for (double& size : evaluation.effective_sample) size = 0;
    evaluation.effective_sample.front() = 20;
    expect_drawn(evaluation_figures(evaluation));
}

TEST(LogFigures, HaveTheBestScoreAtEachStepSize) {
    Tuning tuning{.name = "log.csv", .score_of_zero = 2, .least_squares = 0.5};
    const AlgorithmInfo& gtd = algorithm_named("gtd");
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [alpha, lambda, score] :
         {std::tuple{0.1, 0.5, 0.7}, {0.1, 0.9, 0.8}, {0.2, 0.5, 1.5}, {0.4, 0.5, infinity}}) {
        std::vector<double> parameters;
        for (const ParameterInfo& parameter : gtd.parameters)
            parameters.push_back(parameter.name == "alpha" ? alpha : parameter.name == "lambda" ? lambda : 1);
        tuning.configurations.push_back({&gtd, parameters, score});
    }
    const auto figures = tuning_figures(tuning);
    ASSERT_EQ(figures.size(), 1U);
    EXPECT_NE(figures[0].script.find("$algorithm0 << END\n0.1 0.7\n0.2 1.5\nEND\n"), std::string::npos)
        << figures[0].script;
    expect_drawn(figures);
}

}  // namespace
}  // namespace bellwether
