#include "store/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr int patience_milliseconds = 5000;

// A file in WAL mode whose log is gone: closed cleanly, then copied or left on a read-only disk. SQLite would make a
// new log to read it.
bool needs_no_log(const std::filesystem::path& path) {
    std::array<char, 20> header{};
    std::ifstream file(path, std::ios::binary);
    const bool wal = file.read(header.data(), header.size()) && header[18] == 2;
    return wal && !std::filesystem::exists(path.string() + "-wal");
}

// The path as a URI: everything but the plainest characters as %hh.
std::string uri_of(const std::filesystem::path& path, std::string_view query) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).string()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                           c == '.' || c == '-' || c == '_';
        uri += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
    return uri.append(query);
}

std::string reason(sqlite3* handle, int code) {
    const int error = handle ? sqlite3_system_errno(handle) : 0;
    return error != 0 ? std::strerror(error) : sqlite3_errstr(code);
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
    sqlite3_close(handle);
}

Database::Database(const std::filesystem::path& path, Mode mode, std::string name)
    : name_(name.empty() ? path.string() : std::move(name)) {
    const bool reads = mode == Mode::read;
    // The journal of a killed process has to be played back, which SQLite does for those who may write only.
    const bool repairs = reads && std::filesystem::exists(path.string() + "-journal");
    const bool immutable = reads && !repairs && needs_no_log(path);
    int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    flags |= reads && !repairs ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (mode == Mode::create) flags |= SQLITE_OPEN_CREATE;
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri_of(path, immutable ? "?immutable=1" : "").c_str(), &handle, flags, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(handle, 1);
    set_patience(patience_milliseconds);
    if (repairs) execute("PRAGMA query_only = 1");
}

void Database::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::pragma(const std::string& name) {
    Statement statement(*this, "PRAGMA " + name);
    Cursor row = statement.query();
    return row.next() ? static_cast<std::int64_t>(row.integer(0)) : 0;
}

bool Database::read_only() const {
    return sqlite3_db_readonly(handle_.get(), "main") == 1;
}

bool Database::in_transaction() const {
    return sqlite3_get_autocommit(handle_.get()) == 0;
}

void Database::check_in_place() const {
    int has_moved = 0;
    if (sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) == SQLITE_OK && has_moved)
        throw WorkError(fmt::format(
            "{}: it was removed or moved while it was written to; put it back, or run the study again", name_));
}

void Database::set_patience(int milliseconds) {
    sqlite3_busy_timeout(handle_.get(), milliseconds);
}

void Database::fail(int code) const {
    constexpr const char* resume = "nothing stored before is lost, and the same command resumes";
    switch (code & 0xff) {
        case SQLITE_NOTADB:
            throw UsageError(fmt::format("{}: not a results store", name_));
        case SQLITE_CORRUPT:
            throw WorkError(
                fmt::format("{}: the file is damaged; put a copy in its place, or remove it and run the "
                            "study again",
                            name_));
        case SQLITE_FULL:
            throw WorkError(fmt::format("{}: cannot write: the disk is full; {}", name_, resume));
        case SQLITE_IOERR:  // SQLite does not say which: a quota is one of the reasons
            throw WorkError(fmt::format("{}: disk I/O error; the disk or a quota may be full; {}", name_, resume));
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            throw WorkError(fmt::format("{}: another program keeps it locked; {}", name_, resume));
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            throw WorkError(fmt::format("{}: cannot open: {}", name_, reason(handle_.get(), code)));
        case SQLITE_READONLY:
            throw WorkError(fmt::format("{}: cannot write: it is read-only", name_));
        default:
            throw WorkError(fmt::format("{}: {}", name_, handle_ ? sqlite3_errmsg(handle_.get()) : "no memory"));
    }
}

Cursor::~Cursor() {
    sqlite3_reset(statement_);
}

bool Cursor::next() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
    return code == SQLITE_ROW;
}

std::uint64_t Cursor::integer(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
}

double Cursor::real(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(statement_, column);
}

std::string Cursor::text(int column) const {
    const std::span<const std::byte> bytes = blob(column);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Cursor::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
    sqlite3_stmt* handle = nullptr;
    check(sqlite3_prepare_v3(database.handle_.get(), sql.data(), static_cast<int>(sql.size()),
                             SQLITE_PREPARE_PERSISTENT, &handle, nullptr));
    handle_.reset(handle);
}

void Statement::bind_integer(int position, std::int64_t value) {
    check(sqlite3_bind_int64(handle_.get(), position, value));
}

void Statement::bind(int position, double value) {
    check(sqlite3_bind_double(handle_.get(), position, value));
}

void Statement::bind(int position, std::string_view value) {
    check(sqlite3_bind_text64(handle_.get(), position, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int position, std::span<const std::byte> value) {
    // A null pointer would bind NULL.
    static constexpr std::byte nothing{};
    check(sqlite3_bind_blob64(handle_.get(), position, value.empty() ? &nothing : value.data(), value.size(),
                              SQLITE_STATIC));
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) database_.fail(code);
}

Transaction::Transaction(Database& database) : database_(database), open_(!database.in_transaction()) {
    if (open_) database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.execute("ROLLBACK");
    } catch (const std::exception&) {
        // SQLite has rolled back by itself, as it does when the disk is full, or will when the file is closed.
    }
}

void Transaction::commit() {
    if (open_) {
        database_.check_in_place();
        database_.execute("COMMIT");
    }
    open_ = false;
}

}  // namespace bellwether
