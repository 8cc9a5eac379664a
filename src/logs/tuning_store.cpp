#include "logs/tuning_store.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string>

#include "store/sqlite.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

std::span<const std::byte> bytes_of(const auto& numbers) {
    return std::as_bytes(std::span(numbers));
}

template <class Number>
std::vector<Number> numbers_of(std::span<const std::byte> bytes) {
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

// What differs, unless it is a grid of hundreds of numbers.
std::string in_brackets(const std::string& kept, std::string_view now) {
    constexpr std::size_t longest = 100;
    return kept.size() + now.size() > 2 * longest ? "" : fmt::format(" ({}; now {})", kept, now);
}

}  // namespace

struct TuningStore::Connection {
    explicit Connection(const std::filesystem::path& file) : database(file, Database::Mode::create) {
        database.execute(
            "CREATE TABLE IF NOT EXISTS identity (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
            "CREATE TABLE IF NOT EXISTS units (fold INTEGER, algorithm INTEGER, scores BLOB, diverged BLOB, weights "
            "BLOB, PRIMARY KEY (fold, algorithm));");
    }
    Database database;
};

TuningStore::TuningStore(std::filesystem::path file) : file_(std::move(file)) {}
TuningStore::~TuningStore() = default;

void TuningStore::open(const TuningIdentity& identity) {
    std::error_code problem;
    std::filesystem::create_directories(file_.parent_path(), problem);
    if (problem)
        throw UsageError(
            fmt::format("{}: cannot make the directory: {}", file_.parent_path().string(), problem.message()));
    connection_ = std::make_unique<Connection>(file_);
    Database& database = connection_->database;
    Transaction transaction(database);
    Statement find(database, "SELECT value FROM identity WHERE name = ?1");
    Statement add(database, "INSERT INTO identity VALUES (?1, ?2)");
    for (const auto& [name, value] : identity) {
        std::optional<std::string> kept;
        {
            Cursor cursor = find.query(std::string_view(name));
            if (cursor.next()) kept = cursor.text(0);
        }
        if (!kept)
            add.run(std::string_view(name), std::string_view(value));
        else if (*kept != value)
            throw UsageError(
                fmt::format("{}: it keeps the work of another {}{}; give another --out, or remove the file",
                            database.name(), name, in_brackets(*kept, value)));
    }
    transaction.commit();
}

std::optional<StreamScores> TuningStore::find(std::size_t fold, std::size_t algorithm) {
    Statement statement(connection_->database,
                        "SELECT scores, diverged, weights FROM units WHERE fold = ?1 AND algorithm = ?2");
    Cursor cursor = statement.query(fold, algorithm);
    if (!cursor.next()) return std::nullopt;
    return StreamScores{numbers_of<double>(cursor.blob(0)), numbers_of<std::uint8_t>(cursor.blob(1)),
                        numbers_of<double>(cursor.blob(2))};
}

void TuningStore::keep(std::size_t fold, std::size_t algorithm, const StreamScores& scores) {
    Transaction transaction(connection_->database);
    Statement(connection_->database, "INSERT OR REPLACE INTO units VALUES (?1, ?2, ?3, ?4, ?5)")
        .run(fold, algorithm, bytes_of(scores.scores), bytes_of(scores.diverged), bytes_of(scores.weights));
    transaction.commit();
}

}  // namespace bellwether
