#include "store/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <system_error>

#include "store/blobs.hpp"
#include "store/lock.hpp"
#include "store/schema.hpp"
#include "store/scores.hpp"
#include "store/sqlite.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

namespace fs = std::filesystem;

fs::path database_path(const fs::path& directory) {
    return directory / "results.db";
}

fs::path lock_path(const fs::path& directory) {
    return directory / "results.lock";
}

void make_directory(const fs::path& directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    std::error_code unknown;
    if (error == std::errc::not_a_directory || (!error && !fs::is_directory(directory, unknown)))
        throw UsageError(fmt::format("{}: cannot make the directory: a file is in its way", directory.string()));
    if (error) throw WorkError(fmt::format("{}: cannot make the directory: {}", directory.string(), error.message()));
}

// Whether there is a file that may be a store; UsageError where there is something that cannot be one.
bool may_be_store(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::none)
        throw WorkError(fmt::format("{}: cannot open: {}", path.string(), error.message()));
    if (!fs::exists(status)) return false;
    if (!fs::is_regular_file(status))
        throw UsageError(fmt::format("{}: not a results store: it is {}", path.string(),
                                     fs::is_directory(status) ? "a directory" : "not a plain file"));
    if (fs::file_size(path, error) == 0 && !error)
        throw UsageError(fmt::format("{}: not a results store: it is empty", path.string()));
    return true;
}

}  // namespace

void ScoreSummary::add(double score, double initial_error) {
    ++runs;
    if (!std::isfinite(score)) {
        ++diverged;
        ++worse;
        return;
    }
    const double delta = score - mean;
    mean += delta / static_cast<double>(runs - diverged);
    m2 += delta * (score - mean);
    if (score > initial_error) ++worse;
}

ScoreSummary ScoreSummary::of_median(std::vector<double> scores, double initial_error) {
    ScoreSummary summary;
    for (double& score : scores) {
        summary.add(score, initial_error);
        if (!std::isfinite(score)) score = std::numeric_limits<double>::infinity();
    }
    std::sort(scores.begin(), scores.end());
    const auto median_of_first = [&](std::size_t count) {
        return std::midpoint(scores[(count - 1) / 2], scores[count / 2]);
    };
    if (const double median = median_of_first(scores.size()); std::isfinite(median)) {
        summary.mean = median;
        summary.diverged = 0;
    } else if (summary.diverged < summary.runs) {
        summary.mean = median_of_first(scores.size() - summary.diverged);  // of those that did not
    }
    return summary;
}

namespace {

Database open_store(const fs::path& path, Database::Mode mode) {
    Database database(path, mode);
    check_is_store(database);
    return database;
}

std::unique_ptr<WriteMode> start_writing(Database& database, const fs::path& directory, const StudyRecord& study) {
    const StudyRecord stored = read_study_record(database);
    check_same_study(directory, stored, study);
    if (database.read_only()) throw WorkError(fmt::format("{}: cannot write: the file is read-only", database.name()));
    auto write_mode = std::make_unique<WriteMode>(database);
    bring_up_to_date(database);
    if (stored != study) {
        Transaction transaction(database);
        write_study_record(database, study);
        transaction.commit();
    }
    return write_mode;
}

}  // namespace

// Members end in the reverse order: the statements, then the write mode (which needs them gone), the file, the lock.
struct Store::Connection {
    std::unique_ptr<LockFile> lock;
    Database database;
    std::unique_ptr<WriteMode> write_mode;

    // For the calls that come by the thousand; the others prepare theirs when they are made.
    Statement replace_unit{database, "INSERT OR REPLACE INTO units VALUES (?1, ?2, ?3, ?4, ?5)"};
    Statement select_recording{database,
                               "SELECT runs, curve_mean, curve_m2, scores FROM recordings WHERE setting = ?1 AND "
                               "metric = ?2 AND configuration = ?3 AND instance = ?4 AND stage = ?5"};
    Statement replace_recording{database,
                                "INSERT OR REPLACE INTO recordings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"};
    // One of the two.
    std::optional<ScoreBlocks> blocks{};
    std::optional<ScoreRows> rows{};

    explicit Connection(const fs::path& directory)
        : database(open_store(database_path(directory), Database::Mode::read)) {
        find_scores();
    }
    Connection(std::unique_ptr<LockFile> held, const fs::path& directory, const StudyRecord& study)
        : lock(std::move(held)),
          database(open_store(database_path(directory), Database::Mode::write)),
          write_mode(start_writing(database, directory, study)) {
        find_scores();
    }

    void find_scores() {
        if (has_blocks(database))
            blocks.emplace(database);
        else
            rows.emplace(database);
    }

    Cursor find(const RecordingKey& key) {
        return select_recording.query(key.setting, key.metric, key.configuration, key.instance,
                                      static_cast<std::uint32_t>(key.stage));
    }
};

Store Store::create(const fs::path& directory, const StudyRecord& study) {
    make_directory(directory);
    const fs::path path = database_path(directory);
    auto lock = std::make_unique<LockFile>(lock_path(directory), path);
    if (!may_be_store(path)) make_store(path, study);
    return Store(std::make_unique<Connection>(std::move(lock), directory, study));
}

Store Store::open(const fs::path& directory) {
    const fs::path path = database_path(directory);
    if (!may_be_store(path)) throw UsageError(fmt::format("{}: no results here", path.string()));
    return Store(std::make_unique<Connection>(directory));
}

Store::Store(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

bool Store::is_locked(const fs::path& directory) {
    return LockFile::is_held(lock_path(directory));
}

StudyRecord Store::study() const {
    return read_study_record(connection_->database);
}

void Store::set_files(const std::map<std::string, std::string>& files) {
    Transaction transaction(connection_->database);
    write_files(connection_->database, files);
    transaction.commit();
}

std::map<std::string, std::string> Store::files() const {
    return read_files(connection_->database);
}

void Store::set_extents(std::span<const Extent> extents) {
    Transaction transaction(connection_->database);
    connection_->database.execute("DELETE FROM settings");
    Statement insert(connection_->database, "INSERT INTO settings VALUES (?1, ?2, ?3, ?4)");
    for (const Extent& e : extents) insert.run(e.setting, e.setting_id, e.instances, e.runs);
    transaction.commit();
}

std::vector<Extent> Store::extents() const {
    std::vector<Extent> result;
    Statement select(connection_->database, "SELECT setting, id, instances, runs FROM settings ORDER BY setting");
    Cursor row = select.query();
    while (row.next()) result.push_back({row.index(0), row.text(1), row.integer(2), row.integer(3)});
    return result;
}

void Store::set_names(std::span<const SettingNames> settings) {
    Transaction transaction(connection_->database);
    connection_->database.execute("DELETE FROM metrics; DELETE FROM algorithms;");
    Statement insert_metric(connection_->database, "INSERT INTO metrics VALUES (?1, ?2, ?3)");
    Statement insert_algorithm(connection_->database, "INSERT INTO algorithms VALUES (?1, ?2, ?3, ?4, ?5)");
    for (std::size_t s = 0; s < settings.size(); ++s) {
        const auto& [metrics, algorithms] = settings[s];
        for (std::size_t m = 0; m < metrics.size(); ++m) insert_metric.run(s, m, metrics[m]);
        for (std::size_t a = 0; a < algorithms.size(); ++a)
            insert_algorithm.run(s, a, algorithms[a].id, algorithms[a].first_configuration,
                                 algorithms[a].configurations);
    }
    transaction.commit();
}

std::vector<Store::UnitProgress> Store::units() const {
    std::vector<UnitProgress> result;
    Statement select(connection_->database,
                     "SELECT setting, instance, first_configuration, runs FROM units ORDER BY 1, 2, 3");
    Cursor row = select.query();
    while (row.next()) result.push_back({{row.index(0), row.index(1), row.index(2)}, row.integer(3)});
    return result;
}

std::vector<ScoreSummary> Store::summaries(std::uint32_t setting, std::uint32_t instance,
                                           std::uint32_t first_configuration, std::uint32_t count,
                                           std::uint32_t metrics) const {
    const ScoreRange range{setting, instance, first_configuration, count, metrics};
    return connection_->blocks ? connection_->blocks->read(range) : connection_->rows->read(range);
}

void Store::write(const UnitResult& unit) {
    write(std::span(&unit, 1));
}

void Store::write(std::span<const UnitResult> units) {
    Transaction transaction(connection_->database);
    for (const UnitResult& unit : units) {
        const auto& [setting, instance, first] = unit.key;
        connection_->replace_unit.run(setting, instance, first, unit.configurations, unit.runs);
        connection_->blocks->write(unit);
    }
    transaction.commit();
}

void Store::in_one_transaction(const std::function<void()>& writes) {
    Transaction transaction(connection_->database);
    writes();
    transaction.commit();
}

std::optional<std::uint64_t> Store::recorded_runs(const RecordingKey& key) const {
    Cursor row = connection_->find(key);
    if (!row.next()) return std::nullopt;
    return row.integer(0);
}

std::optional<Recording> Store::recording(const RecordingKey& key) const {
    Cursor row = connection_->find(key);
    if (!row.next()) return std::nullopt;
    return Recording{row.integer(0), from_blob(row.blob(1)), from_blob(row.blob(2)), from_blob(row.blob(3))};
}

std::vector<RecordingKey> Store::recordings() const {
    std::vector<RecordingKey> result;
    Statement select(connection_->database,
                     "SELECT setting, metric, instance, configuration, stage FROM recordings ORDER BY 1, 2, 3, 4, 5");
    Cursor row = select.query();
    while (row.next())
        result.push_back({row.index(0), row.index(1), row.index(2), row.index(3), static_cast<Stage>(row.index(4))});
    return result;
}

void Store::write(const RecordingKey& key, const Recording& recording) {
    Transaction transaction(connection_->database);
    const auto mean = to_blob(recording.curve_mean), m2 = to_blob(recording.curve_m2),
               scores = to_blob(recording.scores);
    connection_->replace_recording.run(key.setting, key.metric, key.configuration, key.instance,
                                       static_cast<std::uint32_t>(key.stage), recording.runs, std::span(mean),
                                       std::span(m2), std::span(scores));
    transaction.commit();
}

void Store::note(std::string_view name, std::string_view value) {
    Statement(connection_->database, "INSERT OR REPLACE INTO notes VALUES (?1, ?2)").run(name, value);
}

std::vector<std::pair<std::string, std::string>> Store::notes() const {
    std::vector<std::pair<std::string, std::string>> result;
    Statement select(connection_->database, "SELECT name, value FROM notes ORDER BY name");
    Cursor row = select.query();
    while (row.next()) result.emplace_back(row.text(0), row.text(1));
    return result;
}

}  // namespace bellwether
