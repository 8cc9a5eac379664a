// Sensitivity to a parameter: by hand, and of a study that was run against a recomputation from its export alone.
#include "analysis/sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analysis/export.hpp"
#include "analysis/findings.hpp"
#include "csv_rows.hpp"
#include "plan/study_text.hpp"
#include "run/run.hpp"
#include "store/store_fixture.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-13;  // of sums of a few numbers

// ---- by hand

// α in two values, η in three, λ in two; α fastest.
const AlgorithmGrid& hand_grid() {
    static const AlgorithmGrid grid = [] {
        AlgorithmGrid made{&algorithm_named("gtd"), {}};
        for (const ParameterInfo& parameter : made.info->parameters)
            made.values.push_back(parameter.name == "alpha" ? std::vector<double>{0.1, 0.2}
                                  : parameter.name == "eta" ? std::vector<double>{1, 2, 4}
                                                            : std::vector<double>{0, 1});
        return made;
    }();
    return grid;
}

std::vector<ConfigurationScore> scores_of(std::initializer_list<double> scores) {
    std::vector<ConfigurationScore> all;
    for (const double score : scores)
        all.push_back({.instances = 1,
                       .runs = 2,
                       .diverged = std::isinf(score) ? 1U : 0U,
                       .mean = std::isinf(score) ? 0.01 : score,  // the runs that did not diverge may look good
                       .score = score});
    return all;
}

std::vector<double> shown(const std::vector<SensitivityPoint>& points) {
    std::vector<double> scores;
    for (const SensitivityPoint& point : points) scores.push_back(point.score.score);
    return scores;
}

std::size_t number_of(std::string_view parameter) {
    return static_cast<std::size_t>(hand_grid().info->find(parameter) - hand_grid().info->parameters.data());
}

TEST(Sensitivity, SelectsTheOthersAgainAtEachValue) {
    const AlgorithmGrid& grid = hand_grid();
    ASSERT_EQ(number_of("alpha"), 0U);
    // The best is number 7: the second α. The stretches of a parameter's own value interleave with those of others.
    const std::vector<ConfigurationScore> scores =
        scores_of({0.9, 0.5, 0.3, infinity, 0.8, 0.7, 0.4, 0.1, 0.6, 0.95, 0.85, infinity});
    const auto curve = [&](std::string_view parameter, SensitivityView view) {
        return sensitivity_curve(grid, scores, 7, number_of(parameter), view);
    };
    for (const SensitivityView view : sensitivity_views)
        for (const ParameterInfo& parameter : grid.info->parameters) {
            const auto points = curve(parameter.name, view);
            const std::size_t place = grid.place(7, number_of(parameter.name));
            EXPECT_EQ(points[place].configuration, 7U) << parameter.name;
            for (std::size_t k = 0; k < points.size(); ++k)
                EXPECT_EQ(points[k].value, grid.values[number_of(parameter.name)][k]);
        }
    EXPECT_EQ(shown(curve("alpha", SensitivityView::reselected)), (std::vector<double>{0.3, 0.1}));
    EXPECT_EQ(shown(curve("alpha", SensitivityView::frozen)), (std::vector<double>{0.4, 0.1}));
    // Of the six that have the second η or third, whatever their other values.
    std::vector<double> least(3, infinity), expected_lambda(2, infinity);
    for (std::size_t c = 0; c < scores.size(); ++c) {
        double& of_eta = least[grid.place(c, number_of("eta"))];
        of_eta = std::min(of_eta, scores[c].score);
        double& of_lambda = expected_lambda[grid.place(c, number_of("lambda"))];
        of_lambda = std::min(of_lambda, scores[c].score);
    }
    EXPECT_EQ(shown(curve("eta", SensitivityView::reselected)), least);
    EXPECT_EQ(shown(curve("lambda", SensitivityView::reselected)), expected_lambda);
}

TEST(Sensitivity, SaysWhereEverythingDiverges) {
    const std::vector<ConfigurationScore> scores = scores_of({infinity, 0.5, infinity, 0.4, infinity, 0.3,  //
                                                              infinity, 0.5, infinity, 0.4, infinity, 0.35});
    const auto points = sensitivity_curve(hand_grid(), scores, 5, number_of("alpha"), SensitivityView::reselected);
    EXPECT_EQ(shown(points), (std::vector<double>{infinity, 0.3}));
    // Half of the way stands for each of two values, and infinity for no more than the clip.
    EXPECT_NEAR(sensitivity_area(points, Spacing::logarithmic, 1), 0.65, rounding);
}

TEST(Sensitivity, WeighsValuesByTheParametersOwnScale) {
    EXPECT_EQ(spacing_of("alpha"), Spacing::logarithmic);
    EXPECT_EQ(spacing_of("eta"), Spacing::logarithmic);
    EXPECT_EQ(spacing_of("lambda"), Spacing::linear);
    EXPECT_EQ(spacing_of("beta-scale"), Spacing::linear);

    const auto expect = [](std::vector<double> values, Spacing spacing, std::vector<double> weights) {
        const std::vector<double> found = spacing_weights(values, spacing);
        ASSERT_EQ(found.size(), weights.size());
        for (std::size_t k = 0; k < weights.size(); ++k) EXPECT_NEAR(found[k], weights[k], rounding);
    };
    expect({3}, Spacing::linear, {1});
    expect({0, 1}, Spacing::linear, {0.5, 0.5});
    expect({0, 0.9, 0.95, 1}, Spacing::linear, {0.45, 0.475, 0.05, 0.025});
    expect({0.95, 0, 1, 0.9}, Spacing::linear, {0.05, 0.45, 0.025, 0.475});
    expect({1, 2, 4, 16}, Spacing::logarithmic, {0.125, 0.25, 0.375, 0.25});
    expect({0, 1, 4}, Spacing::logarithmic, {0.125, 0.5, 0.375});  // 0 has no logarithm
}

// A curve that is 0.2 up to λ = 0.9 and useless from there on is good on nine tenths of the way, although half of the
// values are beyond it.
TEST(Sensitivity, CountsTheWayNotTheValues) {
    const std::vector<double> values{0, 0.45, 0.9, 0.9000001, 0.95, 1};
    const std::vector<double> scores{0.2, 0.2, 0.2, 5, 70, infinity};
    EXPECT_NEAR(sensitivity_area(spacing_weights(values, Spacing::linear), scores, 1), 0.9 * 0.2 + 0.1 * 1, 1e-7);
    EXPECT_EQ(sensitivity_area(spacing_weights(std::vector{0.3}, Spacing::linear), std::vector{0.7}, 1), 0.7);
    EXPECT_EQ(sensitivity_area(spacing_weights(std::vector{0.3}, Spacing::linear), std::vector{infinity}, 1), 1);
}

// ---- from an export

const std::string text =
    "seed = 4\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 6 }\n"
    "features = 'binary'\n"
    "steps = 40\n"
    "instances = 3\n"
    "runs = 3\n"
    "metrics = ['mave']\n"
    "grid = { alpha = [0.05, 0.4, 1.5, 1e120], eta = [4, 0.25, 1], lambda = [0, 0.9, 1] }\n"
    "algorithms = ['td0', 'gtd', 'to-etd']\n";

// The least score with each value of a parameter, by the rows of one algorithm.
std::map<double, double> least_scores(const std::vector<Row>& rows, std::string_view algorithm,
                                      const std::string& parameter) {
    std::map<double, double> least;
    for (const Row& row : rows) {
        if (row.at("algorithm") != algorithm || row.at(parameter).empty()) continue;
        double& score = least.try_emplace(std::stod(row.at(parameter)), infinity).first->second;
        score = std::min(score, std::stod(row.at("score")));
    }
    return least;
}

// By the trapezoids themselves.
long double area_again(const std::map<double, double>& curve, bool logarithmic, double clip) {
    const auto place = [&](double value) -> long double { return logarithmic ? std::log2(value) : value; };
    if (curve.size() == 1) return std::min(curve.begin()->second, clip);
    long double area = 0;
    for (auto left = curve.begin(), right = std::next(left); right != curve.end(); ++left, ++right)
        area += (place(right->first) - place(left->first)) *
                (std::min(left->second, clip) + std::min(right->second, clip)) / 2;
    return area / (place(curve.rbegin()->first) - place(curve.begin()->first));
}

class SensitivityOfAStudy : public StoreTest {};

TEST_F(SensitivityOfAStudy, AgreesWithItsExport) {
    const Study study = study_of(text);
    Store store = Store::create(directory, {"test", text, study.identity(), "0"});
    RunObserver nobody;
    run_study(study, store, {.threads = 1, .backend = &best_instruction_set(), .settings = {0}, .record = false},
              nobody);
    std::string csv;
    export_scores(store, study, false, [&](std::string_view part) { csv += part; });
    const std::vector<Row> rows = rows_of(csv);
    ASSERT_EQ(rows.size(), 4U + 4 * 3 * 3 + 4 * 3);

    const Findings findings = find_all(store, study);
    const MetricFindings& metric = findings.metrics.at(0);
    std::size_t differ = 0;
    for (const AlgorithmFindings& algorithm : metric.algorithms)
        for (const ParameterInfo& parameter : algorithm.grid->info->parameters) {
            SCOPED_TRACE(std::string(algorithm.id()) + " " + std::string(parameter.name));
            const std::map<double, double> expected = least_scores(rows, algorithm.id(), std::string(parameter.name));
            const std::vector<SensitivityPoint> points = algorithm.sensitivity(parameter.name);
            ASSERT_EQ(points.size(), expected.size());
            for (const SensitivityPoint& point : points) EXPECT_EQ(point.score.score, expected.at(point.value));
            const bool logarithmic = parameter.name == "alpha" || parameter.name == "eta";
            const double area = sensitivity_area(points, spacing_of(parameter.name), metric.initial_error);
            EXPECT_NEAR(area, static_cast<double>(area_again(expected, logarithmic, metric.initial_error)), rounding);
            const auto frozen = algorithm.sensitivity(parameter.name, SensitivityView::frozen);
            EXPECT_LE(area, sensitivity_area(frozen, spacing_of(parameter.name), metric.initial_error) + rounding);
            differ += shown(points) != shown(frozen);
        }
    EXPECT_GT(differ, 0U) << "the study tells the two views apart";
}

}  // namespace
}  // namespace bellwether::test
