#include "agreement_database.hpp"

#include <sqlite3.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace bellwether::agreement {

namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();

// Row by row: while (query.next()) query.integer(0) …
class Query {
public:
    Query(sqlite3* connection, const char* text) {
        if (sqlite3_prepare_v2(connection, text, -1, &statement_, nullptr) != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(connection));
    }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query() { sqlite3_finalize(statement_); }

    bool next() { return sqlite3_step(statement_) == SQLITE_ROW; }
    std::size_t integer(int column) const { return static_cast<std::size_t>(sqlite3_column_int64(statement_, column)); }
    double real(int column) const { return sqlite3_column_double(statement_, column); }
    std::string text(int column) const {
        return reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    }
    std::vector<double> doubles(int column) const {
        const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
        std::vector<double> values(bytes / sizeof(double));
        if (bytes > 0) std::memcpy(values.data(), sqlite3_column_blob(statement_, column), bytes);
        return values;
    }

private:
    sqlite3_stmt* statement_ = nullptr;
};

class Connection {
public:
    explicit Connection(const std::filesystem::path& file) {
        if (sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(handle));
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { sqlite3_close(handle); }

    sqlite3* handle = nullptr;
};

// The runs that did not diverge, of one instance.
struct Moments {
    Real runs = 0, diverged = 0, mean = 0, m2 = 0;
};

Moments moments_of(const std::vector<double>& scores) {
    Moments moments;
    for (const double score : scores) {
        moments.runs += 1;
        if (std::isfinite(score))
            moments.mean += score;
        else
            moments.diverged += 1;
    }
    const Real n = moments.runs - moments.diverged;
    moments.mean = n > 0 ? moments.mean / n : 0;
    for (const double score : scores)
        if (std::isfinite(score)) moments.m2 += (score - moments.mean) * (score - moments.mean);
    return moments;
}

Summary combine(const std::vector<Moments>& instances) {
    Summary summary;
    const auto count = static_cast<Real>(instances.size());
    Real sum = 0, of_means = 0, of_runs = 0;
    bool has_variance = true;
    for (const Moments& one : instances) {
        summary.runs += static_cast<std::uint64_t>(one.runs);
        summary.diverged += static_cast<std::uint64_t>(one.diverged);
        sum += one.mean;
        const Real n = one.runs - one.diverged;
        has_variance &= n > 1;
        if (n <= 1) continue;
        of_means += one.m2 / (n - 1) / n;
        of_runs += one.m2 / (n - 1);
    }
    summary.mean_of_finite = sum / count;
    summary.score = summary.mean_of_finite;
    if (has_variance) {
        summary.standard_error = std::sqrt(of_means) / count;
        summary.deviation = std::sqrt(of_runs / count);
    }
    if (summary.diverged > 0) summary.score = *(summary.standard_error = summary.deviation = infinity);
    return summary;
}

bool is_better(const Summary& one, const Summary& other) {
    return one.diverged != other.diverged ? one.diverged < other.diverged : one.mean_of_finite < other.mean_of_finite;
}

}  // namespace

Database::Database(const std::filesystem::path& file) {
    const Connection connection(file);
    for (Query q(connection.handle, "SELECT id, instances FROM settings ORDER BY setting"); q.next();)
        settings.push_back({q.text(0), q.integer(1)});
    for (Query q(connection.handle, "SELECT setting, id FROM metrics ORDER BY setting, metric"); q.next();)
        settings.at(q.integer(0)).metrics.push_back(q.text(1));
    for (Query q(connection.handle,
                 "SELECT setting, id, first_configuration, configurations FROM algorithms ORDER BY setting, algorithm");
         q.next();)
        settings.at(q.integer(0)).algorithms.push_back({q.text(1), q.integer(2), q.integer(3)});
    for (Query q(connection.handle,
                 "SELECT setting, metric, configuration, runs, diverged, mean, m2 FROM scores ORDER BY instance");
         q.next();)
        scores[{q.integer(0), q.integer(1), q.integer(2)}].push_back(
            {q.integer(3), q.integer(4), q.real(5), q.real(6)});
    for (Query q(connection.handle,
                 "SELECT setting, metric, configuration, stage, runs, curve_mean, curve_m2, scores FROM recordings "
                 "ORDER BY instance");
         q.next();)
        recordings[{q.integer(0), q.integer(1), q.integer(2), q.integer(3) == 0 ? Stage::selection : Stage::fresh}]
            .push_back({q.integer(4), q.doubles(5), q.doubles(6), q.doubles(7)});
}

Summary summary_of(const std::vector<ScoreRow>& instances) {
    std::vector<Moments> moments;
    for (const ScoreRow& row : instances)
        moments.push_back({static_cast<Real>(row.runs), static_cast<Real>(row.diverged), row.mean, row.m2});
    return combine(moments);
}

Summary summary_of_runs(const std::vector<RecordingRow>& instances) {
    std::vector<Moments> moments;
    for (const RecordingRow& row : instances) moments.push_back(moments_of(row.scores));
    return combine(moments);
}

Summary summary_of_step(const std::vector<RecordingRow>& instances, std::size_t step) {
    std::vector<Moments> moments;
    for (const RecordingRow& row : instances)
        moments.push_back({static_cast<Real>(row.runs), std::isfinite(row.curve_mean[step]) ? 0.0L : 1.0L,
                           row.curve_mean[step], row.curve_m2[step]});
    return combine(moments);
}

std::vector<Result> results_of(const Database& database) {
    std::vector<Result> results;
    for (std::size_t s = 0; s < database.settings.size(); ++s)
        for (std::size_t m = 0; m < database.settings[s].metrics.size(); ++m)
            for (const AlgorithmRow& algorithm : database.settings[s].algorithms) {
                Result& result = results.emplace_back(Result{s, m, &algorithm, {}, 0});
                for (std::size_t c = 0; c < algorithm.configurations; ++c) {
                    result.configurations.push_back(
                        summary_of(database.scores.at({s, m, algorithm.first_configuration + c})));
                    if (is_better(result.configurations[c], result.configurations[result.best])) result.best = c;
                }
            }
    return results;
}

}  // namespace bellwether::agreement
