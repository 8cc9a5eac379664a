#include "store/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "store/scores.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::int64_t application = 0x42776c72;  // "Bwlr"

// The recordings have a rowid: their rows are large, and the keys alone then make a small index. All others are small
// rows, which are kept in the order of their keys.
constexpr const char* tables = R"(
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (
    setting INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    instances INTEGER NOT NULL,
    runs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE metrics (
    setting INTEGER NOT NULL,
    metric INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (setting, metric)
) STRICT, WITHOUT ROWID;
CREATE TABLE algorithms (
    setting INTEGER NOT NULL,
    algorithm INTEGER NOT NULL,
    id TEXT NOT NULL,
    first_configuration INTEGER NOT NULL,
    configurations INTEGER NOT NULL,
    PRIMARY KEY (setting, algorithm)
) STRICT, WITHOUT ROWID;
CREATE TABLE units (
    setting INTEGER NOT NULL,
    instance INTEGER NOT NULL,
    first_configuration INTEGER NOT NULL,
    configurations INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (setting, instance, first_configuration)
) STRICT, WITHOUT ROWID;
CREATE TABLE recordings (
    setting INTEGER NOT NULL,
    metric INTEGER NOT NULL,
    configuration INTEGER NOT NULL,
    instance INTEGER NOT NULL,
    stage INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    curve_mean BLOB NOT NULL,
    curve_m2 BLOB NOT NULL,
    scores BLOB NOT NULL,
    PRIMARY KEY (setting, metric, configuration, instance, stage)
) STRICT;
CREATE TABLE notes (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)";

// The fields of a StudyRecord by their keys in the table meta.
constexpr std::array<std::pair<std::string_view, std::string StudyRecord::*>, 4> study_fields{{
    {"name", &StudyRecord::name},
    {"text", &StudyRecord::text},
    {"identity", &StudyRecord::identity},
    {"version", &StudyRecord::version},
}};

// A model's key in the table meta is this and its name. Stores that are older than this have none.
constexpr std::string_view model_key = "model ";

std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

}  // namespace

void make_store(const std::filesystem::path& path, const StudyRecord& study) {
    const std::filesystem::path temporary = path.string() + ".new";
    std::error_code ignored;                     // what cannot be removed cannot be written either, and SQLite says so
    for (const char* suffix : {"", "-journal"})  // of a killed process
        std::filesystem::remove(temporary.string() + suffix, ignored);
    {
        Database database(temporary, Database::Mode::create, path.string());
        Transaction transaction(database);
        database.execute(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application, schema_version));
        database.execute(tables);
        ScoreBlocks::make_table(database);
        write_study_record(database, study);
        transaction.commit();
    }
    if (std::rename(temporary.c_str(), path.c_str()) != 0)
        throw WorkError(fmt::format("{}: cannot move the new file here: {}", path.string(), std::strerror(errno)));
}

void check_is_store(Database& database) {
    if (database.pragma("application_id") != application)
        throw UsageError(fmt::format("{}: a database of another program, not a results store", database.name()));
    const std::int64_t version = database.pragma("user_version");
    if (version < oldest_schema || version > schema_version)
        throw UsageError(fmt::format("{}: a store of schema {}, and this program knows schemas {} to {}; {}",
                                     database.name(), version, oldest_schema, schema_version,
                                     version > schema_version ? "use a newer one" : "use the one that made it"));
    // Views of the user's are none of ours. One in the place of a table is somebody's doing, and may never end.
    Statement select_view(database,
                          "SELECT name FROM sqlite_master WHERE type = 'view' AND (name IN ('meta', 'settings', "
                          "'metrics', 'algorithms', 'units', 'recordings', 'notes', 'blocks') OR (name = 'scores' AND "
                          "?1 = 1)) ORDER BY name");
    Cursor view = select_view.query(version);
    if (view.next())
        throw UsageError(
            fmt::format("{}: not as bellwether makes them: '{}' is a view, and should be a table; put a "
                        "copy in its place, or remove it and run the study again",
                        database.name(), view.text(0)));
}

bool has_blocks(Database& database) {
    return database.pragma("user_version") >= 2;
}

void bring_up_to_date(Database& database) {
    if (has_blocks(database)) return;
    Transaction transaction(database);
    database.execute("ALTER TABLE scores RENAME TO rows_of_schema_1");
    ScoreBlocks::make_table(database);
    {
        ScoreRows rows(database, "rows_of_schema_1");
        ScoreBlocks blocks(database);
        Statement select_units(
            database,
            "SELECT setting, instance, first_configuration, configurations, runs, metrics FROM units JOIN (SELECT "
            "setting, max(metric) + 1 AS metrics FROM rows_of_schema_1 GROUP BY setting) USING (setting)");
        Cursor unit = select_units.query();
        while (unit.next()) {
            const UnitKey key{unit.index(0), unit.index(1), unit.index(2)};
            const std::uint32_t count = unit.index(3);
            const ScoreRange range{key.setting, key.instance, key.first_configuration, count, unit.index(5)};
            blocks.write({key, count, unit.integer(4), rows.read(range)});
        }
    }
    database.execute(fmt::format("DROP TABLE rows_of_schema_1; PRAGMA user_version = {};", schema_version));
    transaction.commit();
}

std::string first_difference(std::string_view stored, std::string_view given, std::string_view name_of_given) {
    std::string_view ours, theirs;
    while (ours == theirs && !(stored.empty() && given.empty())) {
        if (stored.empty()) return fmt::format("it lacks '{}', which {} has", take_line(given), name_of_given);
        if (given.empty()) return fmt::format("it has '{}', which {} lacks", take_line(stored), name_of_given);
        ours = take_line(stored);
        theirs = take_line(given);
    }
    return fmt::format("it has '{}', {} has '{}'", ours, name_of_given, theirs);
}

bool have_same_results(std::string_view one_version, std::string_view other_version) {
    // A release that changes a bit of some result begins this list anew.
    constexpr std::string_view same[] = {"0.1.0", "0.2.0"};
    const auto is_listed = [&](std::string_view version) {
        return std::find(std::begin(same), std::end(same), version) != std::end(same);
    };
    return one_version == other_version || (is_listed(one_version) && is_listed(other_version));
}

void check_same_study(const std::filesystem::path& directory, const StudyRecord& stored, const StudyRecord& study) {
    if (stored.identity != study.identity)
        throw UsageError(fmt::format("{} holds another study: {}; choose another --out", directory.string(),
                                     first_difference(stored.identity, study.identity, "the file")));
    if (!have_same_results(stored.version, study.version))
        throw UsageError(
            fmt::format("{} was made by version {}, and this is version {}, whose results may differ; use "
                        "the other one, or choose another --out",
                        directory.string(), stored.version, study.version));
}

StudyRecord read_study_record(const Database& database) {
    StudyRecord study;
    Statement select(database, "SELECT value FROM meta WHERE key = ?1");
    for (const auto& [key, field] : study_fields) {
        Cursor row = select.query(key);
        if (row.next()) study.*field = row.text(0);
    }
    Statement select_models(database, "SELECT key, value FROM meta WHERE key GLOB ?1 || '*'");
    Cursor row = select_models.query(model_key);
    while (row.next()) study.models[row.text(0).substr(model_key.size())] = row.text(1);
    return study;
}

void write_study_record(Database& database, const StudyRecord& study) {
    Statement replace(database, "INSERT OR REPLACE INTO meta VALUES (?1, ?2)");
    for (const auto& [key, field] : study_fields) replace.run(key, study.*field);
    Statement(database, "DELETE FROM meta WHERE key GLOB ?1 || '*'").run(model_key);
    for (const auto& [name, text] : study.models) replace.run(std::string(model_key) + name, text);
}

std::map<std::string, std::string> read_files(const Database& database) {
    std::map<std::string, std::string> files;
    Statement select(database, "SELECT substr(key, 6), value FROM meta WHERE key LIKE 'file %'");
    Cursor row = select.query();
    while (row.next()) files.emplace(row.text(0), row.text(1));
    return files;
}

void write_files(Database& database, const std::map<std::string, std::string>& files) {
    database.execute("DELETE FROM meta WHERE key LIKE 'file %'");
    Statement insert(database, "INSERT INTO meta VALUES ('file ' || ?1, ?2)");
    for (const auto& [name, text] : files) insert.run(name, text);
}

WriteMode::WriteMode(Database& database) : database_(database) {
    // NORMAL: a program that is killed loses nothing; a machine that loses power may lose the last seconds, whole
    // transactions of them.
    database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000;");
}

WriteMode::~WriteMode() {
    try {
        database_.set_patience(0);
        database_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        database_.execute("PRAGMA journal_mode = DELETE");
    } catch (const std::exception&) {
        // Somebody reads, the disk is full or memory is: the log stays beside the file, and the next one to write
        // tidies up.
    }
}

}  // namespace bellwether
