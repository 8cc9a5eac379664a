// A study's database, read with plain SQL, and its numbers computed again with more digits than a double has. Nothing
// of the library is used here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace bellwether::agreement {

using Real = long double;

// ---- as stored (docs/store.md)

struct ScoreRow {
    std::uint64_t runs, diverged;
    double mean, m2;
};
struct RecordingRow {
    std::uint64_t runs;
    std::vector<double> curve_mean, curve_m2, scores;
};
struct AlgorithmRow {
    std::string id;
    std::size_t first_configuration, configurations;
};
struct SettingRow {
    std::string id;
    std::size_t instances;
    std::vector<std::string> metrics{};
    std::vector<AlgorithmRow> algorithms{};
};
enum class Stage { selection, fresh };

struct Database {
    explicit Database(const std::filesystem::path& file);

    std::vector<SettingRow> settings;
    // By setting, metric and configuration, all counted from 0: its instances.
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::vector<ScoreRow>> scores;
    std::map<std::tuple<std::size_t, std::size_t, std::size_t, Stage>, std::vector<RecordingRow>> recordings;
};

// ---- computed again

// The mean over instances of the mean over runs; infinite where a run diverged.
struct Summary {
    std::uint64_t runs = 0, diverged = 0;
    Real score = 0;
    std::optional<Real> standard_error{};  // sqrt(Σ s²/R)/I
    std::optional<Real> deviation{};       // sqrt(Σ s²/I); from runs only
    Real mean_of_finite = 0;
};
Summary summary_of(const std::vector<ScoreRow>& instances);
Summary summary_of_runs(const std::vector<RecordingRow>& instances);
Summary summary_of_step(const std::vector<RecordingRow>& instances, std::size_t step);

// One algorithm and metric of a setting: its configurations, and the best of them.
struct Result {
    std::size_t setting, metric;
    const AlgorithmRow* algorithm;
    std::vector<Summary> configurations;
    std::size_t best;
};
std::vector<Result> results_of(const Database& database);

}  // namespace bellwether::agreement
