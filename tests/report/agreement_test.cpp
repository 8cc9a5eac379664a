// What the program reports of a study in its tables, against its database: every number of them is computed again, from
// plain SQL.
#include <algorithm>
#include <sstream>

#include "agreement_fixture.hpp"

namespace bellwether::agreement {
namespace {

TEST_F(Agreement, IsAboutAStudyWithDivergence) {
    ASSERT_EQ(results.size(), 3U * 2 + 3);
    std::size_t some = 0, all = 0;
    for (const Result& result : results) {
        const auto diverged = std::count_if(result.configurations.begin(), result.configurations.end(),
                                            [](const Summary& one) { return one.diverged > 0; });
        some += diverged > 0;
        all += static_cast<std::size_t>(diverged) == result.configurations.size();
    }
    EXPECT_EQ(some, results.size());
    EXPECT_EQ(all, 1U);
}

// The rows of the table go configuration by configuration, and metric by metric within.
TEST_F(Agreement, OfEveryConfiguration) {
    const std::vector<Row> rows = table("configurations");
    std::size_t place = 0;
    for (std::size_t s = 0; s < database->settings.size(); ++s)
        for (const AlgorithmRow& algorithm : database->settings[s].algorithms)
            for (std::size_t c = 0; c < algorithm.configurations; ++c)
                for (const Result& result : results) {
                    if (result.setting != s || result.algorithm != &algorithm) continue;
                    ASSERT_LT(place, rows.size());
                    const Row& row = rows[place++];
                    SCOPED_TRACE(name_of(result) + ", configuration " + std::to_string(c));
                    expect_front(row, result);
                    expect_parameters(row, grid_of(result), c);
                    expect_summary(row, "", result.configurations[c]);
                }
    EXPECT_EQ(place, rows.size());
    EXPECT_EQ(place, 2U * (12 + 24 + 24) + 5 + 4 + 20);
}

TEST_F(Agreement, OfTheBestConfigurations) {
    const std::vector<Row> rows = table("best");
    ASSERT_EQ(rows.size(), results.size());
    std::map<std::string, double> first, best;
    for (const Row& row : table("best-probabilities"))
        best[row.at("setting") + " " + row.at("metric") + " " + row.at("algorithm")] +=
            std::strtod(row.at("best_probability").c_str(), nullptr);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Row& row = rows[k];
        const Result& result = results[k];
        SCOPED_TRACE(name_of(result));
        expect_front(row, result);
        expect_parameters(row, grid_of(result), result.best);
        const Summary fresh = summary_of_runs(recorded(result, Stage::fresh));
        expect_summary(row, "fresh_", fresh);
        expect_cell(row, "fresh_deviation", fresh.deviation, fresh.score);
        expect_summary(row, "selection_", result.configurations[result.best]);
        const Summary selection = summary_of_runs(recorded(result, Stage::selection));
        expect_cell(row, "selection_score", selection.score);
        expect_cell(row, "selection_deviation", selection.deviation, selection.score);
        EXPECT_LE(std::strtod(row.at("fresh_low").c_str(), nullptr), fresh.score);
        EXPECT_GE(std::strtod(row.at("fresh_high").c_str(), nullptr), fresh.score);
        first[row.at("setting") + row.at("metric")] += std::strtod(row.at("first_probability").c_str(), nullptr);
        // Resamples of one instance say nothing about others.
        EXPECT_EQ(row.at("best_probability").empty(), database->settings[result.setting].instances == 1);
    }
    for (const auto& [metric, sum] : first) EXPECT_NEAR(sum, 1, 1e-9) << metric;  // sums of 10,000 shares
    for (const auto& [algorithm, sum] : best) EXPECT_NEAR(sum, 1, 1e-9) << algorithm;
    EXPECT_EQ(first.size(), 3U);
}

// The configurations that are shown at the values of a parameter, in the order of the grid: those that differ from the
// best one in nothing else, or the best of those that have the value.
std::vector<std::size_t> shown_at_values(const Result& result, const std::vector<Parameter>& grid,
                                         const Parameter& parameter, bool frozen) {
    std::vector<std::size_t> shown;
    for (const double value : parameter.values) {
        std::optional<std::size_t> chosen;
        for (std::size_t c = 0; c < result.configurations.size(); ++c) {
            std::map<std::string, double> values = values_of(grid, c), best = values_of(grid, result.best);
            best[parameter.name] = value;
            if (values[parameter.name] != value || (frozen && values != best)) continue;
            const auto rank = [&](std::size_t k) {
                const Summary& one = result.configurations[k];
                return std::pair(one.diverged, one.mean_of_finite);
            };
            if (!chosen || rank(c) < rank(*chosen)) chosen = c;
        }
        shown.push_back(chosen.value());
    }
    return shown;
}

// The trapezoids under the curve, clipped at the error of w_0, over the width.
Real area_of(const Result& result, const Parameter& parameter, const std::vector<std::size_t>& shown, Real clip) {
    const auto place = [&](std::size_t k) -> Real {
        const Real value = parameter.values[k];
        return parameter.name == "lambda" ? value : std::log(value);
    };
    const auto height = [&](std::size_t k) { return std::min(result.configurations[shown[k]].score, clip); };
    Real area = 0;
    for (std::size_t k = 0; k + 1 < shown.size(); ++k)
        area += (place(k + 1) - place(k)) * (height(k) + height(k + 1)) / 2;
    return area / (place(shown.size() - 1) - place(0));
}

TEST_F(Agreement, OfTheSensitivity) {
    const std::vector<Row> rows = table("sensitivity"), areas = table("sensitivity-areas");
    std::size_t place = 0, area = 0;
    for (const Result& result : results) {
        const std::vector<Parameter> grid = grid_of(result);
        for (const Parameter& parameter : grid)
            for (const std::string view : {"reselected", "frozen"}) {
                SCOPED_TRACE(name_of(result) + ", " + parameter.name + ", " + view);
                const std::vector<std::size_t> shown = shown_at_values(result, grid, parameter, view == "frozen");
                const auto expect_curve = [&](const Row& row) {
                    expect_front(row, result);
                    EXPECT_EQ(row.at("parameter"), parameter.name);
                    EXPECT_EQ(row.at("view"), view);
                };
                for (std::size_t k = 0; k < shown.size(); ++k) {
                    ASSERT_LT(place, rows.size());
                    const Row& row = rows[place++];
                    expect_curve(row);
                    expect_cell(row, "value", parameter.values[k]);
                    expect_summary(row, "", result.configurations[shown[k]]);
                }
                ASSERT_LT(area, areas.size());
                const Row& row = areas[area++];
                expect_curve(row);
                const Real clip = initial_error(metric_of(result), 0);
                expect_cell(row, "area", area_of(result, parameter, shown, clip));
                expect_cell(row, "clip", clip);
            }
    }
    EXPECT_EQ(place, rows.size());
    EXPECT_EQ(place, 2 * (2U * (7 + 9 + 9) + 5 + 4 + 9));
    EXPECT_EQ(area, areas.size());
}

// What stands beside the mean, from the runs one by one.
TEST_F(Agreement, OfTheRunsBesideTheirMean) {
    const std::vector<Row> rows = table("robust"), profiles = table("profiles");
    ASSERT_EQ(rows.size(), results.size());
    std::size_t point = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Row& row = rows[k];
        const Result& result = results[k];
        SCOPED_TRACE(name_of(result));
        expect_front(row, result);
        const Real start = initial_error(metric_of(result), values_of(grid_of(result), result.best)["lambda"]);
        std::vector<Real> scores;
        for (const RecordingRow& instance : recorded(result, Stage::fresh))
            for (const double score : instance.scores) scores.push_back(std::isfinite(score) ? Real(score) : infinity);
        std::sort(scores.begin(), scores.end());
        const std::size_t n = scores.size(), cut = n / 4;
        Real middle = 0;
        for (std::size_t r = cut; r < n - cut; ++r) middle += scores[r] / static_cast<Real>(n - 2 * cut);
        expect_cell(row, "iqm", middle);
        expect_cell(row, "median", (scores[(n - 1) / 2] + scores[n / 2]) / 2);
        const auto above = [&](Real bound) {
            return std::count_if(scores.begin(), scores.end(), [&](Real score) { return score > bound; });
        };
        expect_cell(row, "runs", static_cast<Real>(n));
        expect_cell(row, "diverged", static_cast<Real>(std::count(scores.begin(), scores.end(), infinity)));
        expect_cell(row, "failed", static_cast<Real>(above(start)));
        expect_cell(row, "failure_rate", static_cast<Real>(above(start)) / static_cast<Real>(n));
        for (const auto& [low, value, high] :
             {std::tuple("iqm_low", "iqm", "iqm_high"), std::tuple("failure_low", "failure_rate", "failure_high")}) {
            EXPECT_LE(std::strtod(row.at(low).c_str(), nullptr), std::strtod(row.at(value).c_str(), nullptr));
            EXPECT_GE(std::strtod(row.at(high).c_str(), nullptr), std::strtod(row.at(value).c_str(), nullptr));
        }
        std::size_t points = 0;
        for (; point < profiles.size() && profiles[point].at("algorithm") == row.at("algorithm") &&
               profiles[point].at("metric") == row.at("metric");
             ++point, ++points) {
            const Real threshold = std::strtod(profiles[point].at("threshold").c_str(), nullptr);
            expect_cell(profiles[point], "share", 1 - static_cast<Real>(above(threshold)) / static_cast<Real>(n));
        }
        EXPECT_EQ(points, 101U);
    }
    EXPECT_EQ(point, profiles.size());
}

// The chance that configuration i is the lowest of those tried is that none of the lower ones is among them, and it is.
TEST_F(Agreement, OfTheTuning) {
    std::size_t place = 0;
    const std::vector<Row> rows = table("tuning");
    for (const Result& result : results) {
        const Real start = initial_error(metric_of(result), 0);
        std::vector<Real> scores;
        for (const Summary& one : result.configurations) scores.push_back(std::min(one.score, start));
        std::sort(scores.begin(), scores.end());
        for (std::size_t before = 0; before < scores.size(); ++place) {
            ASSERT_LT(place, rows.size());
            SCOPED_TRACE(name_of(result));
            expect_front(rows[place], result);
            const std::size_t tried = std::stoul(rows[place].at("tried"));
            ASSERT_GT(tried, before);
            before = tried;
            // P(the i lowest are all missed) = Π (n − tried − j) / (n − j)
            Real expected = 0, missed = 1;
            for (std::size_t i = 0; i < scores.size(); ++i) {
                const Real rest = static_cast<Real>(scores.size() - i);
                const Real next = missed * std::max<Real>(0, rest - static_cast<Real>(tried)) / rest;
                expected += (missed - next) * scores[i];
                missed = next;
            }
            expect_cell(rows[place], "expected_score", expected);
        }
    }
    EXPECT_EQ(place, rows.size());
}

// Shares, and the scores at the ranks nearest to some levels.
TEST_F(Agreement, OfTheDistributions) {
    const std::vector<Row> rows = table("distribution");
    ASSERT_EQ(rows.size(), results.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Result& result = results[k];
        SCOPED_TRACE(name_of(result));
        expect_front(rows[k], result);
        const Distribution expected = distribution_of(result, grid_of(result), metric_of(result));
        expect_cell(rows[k], "configurations", static_cast<Real>(result.configurations.size()));
        expect_cell(rows[k], "diverged_share", expected.diverged);
        expect_cell(rows[k], "worse_than_start_share", expected.worse);
        expect_cell(rows[k], "within_10_share", expected.within_10);
        expect_cell(rows[k], "within_50_share", expected.within_50);
        const char* columns[] = {"least",       "quantile_5",  "quantile_25", "median",
                                 "quantile_75", "quantile_95", "greatest"};
        for (std::size_t q = 0; q < 7; ++q) expect_cell(rows[k], columns[q], expected.quantiles[q]);
    }
}

TEST_F(Agreement, OfTheDifferences) {
    const std::vector<Row> rows = table("differences");
    std::size_t place = 0;
    for (std::size_t k = 0; k < results.size(); ++k)
        for (std::size_t other = k + 1; other < results.size(); ++other) {
            if (results[other].setting != results[k].setting || results[other].metric != results[k].metric) continue;
            ASSERT_LT(place, rows.size());
            const Row& row = rows[place++];
            SCOPED_TRACE(name_of(results[k]) + " " + results[other].algorithm->id);
            expect_front(row, results[k]);
            EXPECT_EQ(row.at("other"), results[other].algorithm->id);
            const Real one = summary_of_runs(recorded(results[k], Stage::fresh)).score;
            const Real two = summary_of_runs(recorded(results[other], Stage::fresh)).score;
            expect_cell(row, "difference", one - two, std::max(one, two));
            // Closer ones count as equal.
            const Real tie = std::isfinite(one) && std::isfinite(two) ? 1e-9L * std::max(one, two) : 0;
            EXPECT_LE(std::strtod(row.at("low").c_str(), nullptr), one - two + tie);
            EXPECT_GE(std::strtod(row.at("high").c_str(), nullptr), one - two - tie);
        }
    EXPECT_EQ(place, rows.size());
    EXPECT_EQ(place, 3U * 3);
}

// The rows of the table go algorithm by algorithm, and metric by metric within.
TEST_F(Agreement, OfTheLearningCurves) {
    std::map<std::string, std::vector<Row>> rows;
    for (const Row& row : table("curves"))
        rows[row.at("setting") + " " + row.at("metric") + " " + row.at("algorithm") + " " + row.at("stage")].push_back(
            row);
    EXPECT_EQ(rows.size(), 2 * results.size());
    for (const Result& result : results)
        for (const Stage stage : {Stage::selection, Stage::fresh}) {
            const std::vector<RecordingRow>& recordings = recorded(result, stage);
            const std::vector<Row>& found = rows[name_of(result) + (stage == Stage::fresh ? " fresh" : " selection")];
            ASSERT_EQ(found.size(), recordings.front().curve_mean.size());
            EXPECT_EQ(recordings.size(), database->settings[result.setting].instances);
            for (std::size_t t = 0; t < found.size(); ++t) {
                SCOPED_TRACE(name_of(result) + ", step " + std::to_string(t));
                const Summary expected = summary_of_step(recordings, t);
                expect_cell(found[t], "step", static_cast<Real>(t));
                expect_cell(found[t], "runs", static_cast<Real>(expected.runs));
                expect_cell(found[t], "mean", expected.score);
                expect_cell(found[t], "stderr", expected.standard_error);
                expect_parameters(found[t], grid_of(result), result.best);
            }
        }
}

}  // namespace
}  // namespace bellwether::agreement
