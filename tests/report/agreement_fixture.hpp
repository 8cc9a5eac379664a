// A study that the program has run and reported on, for tests that compute its report again from its database.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agreement_database.hpp"
#include "agreement_study.hpp"
#include "csv_rows.hpp"
#include "files.hpp"
#include "process.hpp"

namespace bellwether::agreement {

namespace fs = std::filesystem;
using test::Row;

inline constexpr Real infinity = std::numeric_limits<Real>::infinity();
// Tables have every digit of a double; sums of some hundred of them lose a few.
inline constexpr Real table_tolerance = 1e-12L;

inline bool is_near(Real found, Real expected, Real tolerance) {
    return found == expected || std::fabs(found - expected) <= tolerance;
}

// The digits that scores have in common are lost in their spread: `scale` is the size of the numbers that enter.
inline void expect_cell(const Row& row, const std::string& column, std::optional<Real> expected,
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

inline void expect_parameters(const Row& row, const std::vector<Parameter>& parameters, std::size_t configuration) {
    const std::map<std::string, double> values = values_of(parameters, configuration);
    for (const std::string name : {"alpha", "eta", "lambda"}) {
        const auto value = values.find(name);
        expect_cell(row, name, value == values.end() ? std::optional<Real>() : value->second);
    }
}

// ---- one run for all tests

inline void run_program(const fs::path& base, std::vector<std::string> words) {
    words.insert(words.begin(), BELLWETHER_PROGRAM);
    ASSERT_EQ(test::Process(words, base / "out", base / "err").wait(), 0)
        << words[1] << ": " << test::content_of(base / "err");
}

class Agreement : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder = std::make_unique<test::TemporaryFolder>();
        base = folder->path();
        std::ofstream(base / "study.toml") << study_text;
        run_program(base, {"run", (base / "study.toml").string(), "--out", (base / "results").string(), "--quiet"});
        run_program(base, {"report", (base / "results").string(), "--no-figures", "--quiet"});
        database = std::make_unique<Database>(base / "results" / "results.db");
        results = results_of(*database);
    }
    static void TearDownTestSuite() {
        database.reset();
        folder.reset();
    }

    static std::vector<Row> table(const std::string& name) {
        return test::rows_of(test::content_of(base / "results" / "tables" / (name + ".csv")));
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

    static inline std::unique_ptr<test::TemporaryFolder> folder;
    static inline fs::path base;
    static inline std::unique_ptr<Database> database;
    static inline std::vector<Result> results;
};

// ---- how the scores of all configurations lie

struct Distribution {
    Real diverged = 0, worse = 0, within_10 = 0, within_50 = 0;
    std::vector<Real> quantiles{};
};

inline Distribution distribution_of(const Result& result, const std::vector<Parameter>& grid,
                                    const std::string& metric) {
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

}  // namespace bellwether::agreement
