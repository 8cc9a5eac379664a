// What the program reports of a study, in its tables and on its page, against its database: every number of them is
// computed again, from plain SQL.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "agreement_database.hpp"
#include "agreement_study.hpp"
#include "files.hpp"
#include "process.hpp"

namespace bellwether::agreement {
namespace {

namespace fs = std::filesystem;
using namespace test;
using Json = nlohmann::json;

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real table_tolerance =
    1e-12L;                             // tables have every digit of a double; sums of some hundred of them lose a few
constexpr Real page_tolerance = 1e-6L;  // the page has seven digits

// ---- tables

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

// No cell of these tables needs quotes.
std::vector<Row> read_table(const fs::path& path) {
    std::istringstream lines(content_of(path));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> columns = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = cells_of(line);
        EXPECT_EQ(cells.size(), columns.size()) << path << ": " << line;
        Row& row = rows.emplace_back();
        for (std::size_t k = 0; k < std::min(cells.size(), columns.size()); ++k) row[columns[k]] = cells[k];
    }
    return rows;
}

bool is_near(Real found, Real expected, Real tolerance) {
    return found == expected || std::fabs(found - expected) <= tolerance;
}

// The digits that scores have in common are lost in their spread: `scale` is the size of the numbers that enter.
void expect_cell(const Row& row, const std::string& column, std::optional<Real> expected,
                 std::optional<Real> scale = {}) {
    const auto cell = row.find(column);
    ASSERT_NE(cell, row.end()) << "no column " << column;
    if (!expected) {
        EXPECT_EQ(cell->second, "") << column;
        return;
    }
    ASSERT_NE(cell->second, "") << column;
    const double found = std::strtod(cell->second.c_str(), nullptr);
    EXPECT_TRUE(is_near(found, *expected, table_tolerance * std::fabs(scale.value_or(*expected))))
        << column << ": " << cell->second << ", by the database " << static_cast<double>(*expected);
}

void expect_parameters(const Row& row, const std::vector<Parameter>& parameters, std::size_t configuration) {
    const std::map<std::string, double> values = values_of(parameters, configuration);
    for (const std::string name : {"alpha", "eta", "lambda"}) {
        const auto value = values.find(name);
        expect_cell(row, name, value == values.end() ? std::optional<Real>() : value->second);
    }
}

// ---- the page

void expect_number(const Json& found, std::optional<Real> expected, std::optional<Real> scale,
                   const std::string& what) {
    if (!expected || !std::isfinite(*expected)) {
        EXPECT_TRUE(found.is_null()) << what << ": " << found;
        return;
    }
    ASSERT_TRUE(found.is_number()) << what << ": " << found;
    const Real tolerance = page_tolerance * std::fabs(*expected) + table_tolerance * std::fabs(scale.value_or(0));
    EXPECT_TRUE(is_near(found.get<double>(), *expected, tolerance))
        << what << ": " << found << ", by the database " << static_cast<double>(*expected);
}
void expect_number(const Json& found, std::optional<Real> expected, const std::string& what) {
    expect_number(found, expected, expected, what);
}

Json page_data(const std::string& page) {
    const std::string opening = "<script type=\"application/json\" id=\"report-data\">";
    const std::size_t begin = page.find(opening) + opening.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// ---- one run for all tests

void run_program(const fs::path& base, std::vector<std::string> words) {
    words.insert(words.begin(), BELLWETHER_PROGRAM);
    ASSERT_EQ(Process(words, base / "out", base / "err").wait(), 0) << words[1] << ": " << content_of(base / "err");
}

class Agreement : public testing::Test {
protected:
    static void SetUpTestSuite() {
        std::string name = (fs::temp_directory_path() / "bellwether-agreement.XXXXXX").string();
        base = ::mkdtemp(name.data());
        std::ofstream(base / "study.toml") << study_text;
        run_program(base, {"run", (base / "study.toml").string(), "--out", (base / "results").string(), "--quiet"});
        run_program(base, {"report", (base / "results").string(), "--no-figures", "--quiet"});
        database = std::make_unique<Database>(base / "results" / "results.db");
        results = results_of(*database);
    }
    static void TearDownTestSuite() {
        database.reset();
        std::error_code ignored;
        fs::remove_all(base, ignored);
    }

    static std::vector<Row> table(const std::string& name) {
        return read_table(base / "results" / "tables" / (name + ".csv"));
    }
    static const std::string& setting_of(const Result& result) { return database->settings[result.setting].id; }
    static const std::string& metric_of(const Result& result) {
        return database->settings[result.setting].metrics[result.metric];
    }
    static std::vector<Parameter> grid_of(const Result& result) {
        return parameters_of(setting_of(result), result.algorithm->id);
    }
    static const std::vector<RecordingRow>& recorded(const Result& result, Stage stage) {
        return database->recordings.at(
            {result.setting, result.metric, result.algorithm->first_configuration + result.best, stage});
    }
    static std::map<std::string, Row> rows_by_name(const std::string& name) {
        std::map<std::string, Row> rows;
        for (const Row& row : table(name))
            rows[row.at("setting") + " " + row.at("metric") + " " + row.at("algorithm")] = row;
        return rows;
    }
    // "baird rmsve gtd", and that the row is about it.
    static std::string name_of(const Result& result) {
        return setting_of(result) + " " + metric_of(result) + " " + result.algorithm->id;
    }
    static void expect_front(const Row& row, const Result& result) {
        EXPECT_EQ(row.at("setting") + " " + row.at("metric") + " " + row.at("algorithm"), name_of(result));
    }
    static void expect_summary(const Row& row, const std::string& prefix, const Summary& expected) {
        expect_cell(row, prefix + "runs", static_cast<Real>(expected.runs));
        expect_cell(row, prefix + "diverged", static_cast<Real>(expected.diverged));
        expect_cell(row, prefix + "score", expected.score);
        expect_cell(row, prefix + "stderr", expected.standard_error, expected.score);
    }

    static inline fs::path base;
    static inline std::unique_ptr<Database> database;
    static inline std::vector<Result> results;
};

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
struct Distribution {
    Real diverged = 0, worse = 0, within_10 = 0, within_50 = 0;
    std::vector<Real> quantiles{};
};

Distribution distribution_of(const Result& result, const std::vector<Parameter>& grid, const std::string& metric) {
    Distribution shares;
    std::vector<Real> scores;
    const auto count = static_cast<Real>(result.configurations.size());
    const Real best = result.configurations[result.best].score;
    for (std::size_t c = 0; c < result.configurations.size(); ++c) {
        const Real score = result.configurations[c].score;
        scores.push_back(score);
        shares.diverged += (score == infinity) / count;
        shares.worse += (score > initial_error(metric, values_of(grid, c)["lambda"])) / count;
        shares.within_10 += (score < infinity && score <= 1.1L * best) / count;
        shares.within_50 += (score < infinity && score <= 1.5L * best) / count;
    }
    std::sort(scores.begin(), scores.end());
    for (const Real level : {0.0L, 0.05L, 0.25L, 0.5L, 0.75L, 0.95L, 1.0L})
        shares.quantiles.push_back(scores[static_cast<std::size_t>(std::floor(level * (count - 1) + 0.5L))]);
    return shares;
}

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

// ---- the page

class AgreementOfPage : public Agreement {
protected:
    static void expect_estimate(const Json& found, const Summary& expected, const std::string& what) {
        EXPECT_EQ(found["runs"], expected.runs) << what;
        EXPECT_EQ(found["diverged"], expected.diverged) << what;
        expect_number(found["score"], expected.score, what);
        expect_number(found["standardError"], expected.standard_error, expected.score, what);
    }
    static void expect_curve(const Json& found, const std::vector<RecordingRow>& recordings, const std::string& what) {
        ASSERT_EQ(found["mean"].size(), recordings.front().curve_mean.size()) << what;
        for (std::size_t t = 0; t < found["mean"].size(); ++t) {
            const Summary expected = summary_of_step(recordings, t);
            expect_number(found["mean"][t], expected.score, what);
            expect_number(found["standardError"][t], expected.standard_error, what);
        }
    }
    static void expect_grid(const Json& found, const Json& names, const std::vector<Parameter>& grid) {
        ASSERT_EQ(found.size(), grid.size());
        for (std::size_t p = 0; p < grid.size(); ++p) {
            EXPECT_EQ(names[found[p]["parameter"].get<std::size_t>()]["name"], grid[p].name);
            EXPECT_EQ(found[p]["values"], grid[p].values);
        }
    }
    static void expect_result(const Json& data, const Json& found, const Result& result, const Row& best) {
        const std::string what = name_of(result);
        EXPECT_EQ(data["algorithms"][found["algorithm"].get<std::size_t>()]["id"], result.algorithm->id);
        expect_grid(found["grid"], data["parameters"], grid_of(result));
        ASSERT_EQ(found["scores"].size(), result.configurations.size());
        for (std::size_t c = 0; c < result.configurations.size(); ++c) {
            const Summary& expected = result.configurations[c];
            expect_number(found["scores"][c], expected.score, what);
            expect_number(found["standardErrors"][c], expected.standard_error, what);
            EXPECT_EQ(found["diverged"][c], expected.diverged) << what;
        }
        EXPECT_EQ(found["best"], result.best) << what;
        EXPECT_EQ(found["robust"]["stage"], "fresh") << what;
        const Row robust = rows_by_name("robust").at(what);
        expect_number(found["robust"]["iqm"][0], std::strtod(robust.at("iqm").c_str(), nullptr), what);
        EXPECT_EQ(found["robust"]["failed"], std::stoul(robust.at("failed"))) << what;
        expect_estimate(found["selection"], result.configurations[result.best], what);
        expect_estimate(found["fresh"], summary_of_runs(recorded(result, Stage::fresh)), what);
        expect_curve(found["selectionCurve"], recorded(result, Stage::selection), what);
        expect_curve(found["freshCurve"], recorded(result, Stage::fresh), what);
        const Distribution shares = distribution_of(result, grid_of(result), metric_of(result));
        expect_number(found["shares"]["diverged"], shares.diverged, what);
        expect_number(found["shares"]["worseThanStart"], shares.worse, what);
        expect_number(found["shares"]["within10"], shares.within_10, what);
        expect_number(found["shares"]["within50"], shares.within_50, what);
        for (std::size_t q = 0; q < 7; ++q) expect_number(found["quantiles"][q], shares.quantiles[q], what);
        // What is drawn by chance is the same in the tables.
        const auto cell = [&](const char* column) -> std::optional<Real> {
            const std::string& text = best.at(column);
            return text.empty() ? std::optional<Real>() : std::strtod(text.c_str(), nullptr);
        };
        expect_number(found["fresh"]["interval"][0], cell("fresh_low"), what);
        expect_number(found["fresh"]["interval"][1], cell("fresh_high"), what);
        expect_number(found["fresh"]["deviation"], cell("fresh_deviation"), what);
        expect_number(found["selection"]["deviation"], cell("selection_deviation"), what);
        expect_number(found["fresh"]["firstProbability"], cell("first_probability"), what);
        expect_number(found["bestProbability"], cell("best_probability"), what);
    }
};

TEST_F(AgreementOfPage, OfEverything) {
    const fs::path file = base / "results" / "report.html";
    if (!fs::exists(file)) {
        std::cout << "this program was built without the report's page: nothing to compare\n";
        return;
    }
    const Json data = page_data(content_of(file));
    EXPECT_EQ(data["study"]["text"], study_text);
    const std::vector<Row> best = table("best");
    std::size_t place = 0;
    ASSERT_EQ(data["settings"].size(), database->settings.size());
    for (const Json& setting : data["settings"])
        for (const Json& metric : setting["metrics"]) {
            expect_number(metric["initialError"], initial_error(metric["id"], 0), "initial error");
            for (const Json& algorithm : metric["algorithms"]) {
                ASSERT_LT(place, results.size());
                EXPECT_EQ(setting["id"].get<std::string>() + " " + metric["id"].get<std::string>() + " " +
                              results[place].algorithm->id,
                          name_of(results[place]));
                expect_result(data, algorithm, results[place], best[place]);
                ++place;
            }
        }
    EXPECT_EQ(place, results.size());
}

}  // namespace
}  // namespace bellwether::agreement
