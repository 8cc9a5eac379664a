// The part of SQLite that the store needs, with errors as exceptions that name the file. docs/store.md is about what is
// in the file; nothing here knows it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace bellwether {

class Database {
public:
    enum class Mode { create, write, read };

    // create: the file may be missing, write and read: it must be there. Only create and write change anything on disk.
    // Errors call the file `name`, where that is not its path.
    Database(const std::filesystem::path& path, Mode mode, std::string name = {});

    // One or more statements without results.
    void execute(const std::string& sql);
    std::int64_t pragma(const std::string& name);
    bool read_only() const;
    bool in_transaction() const;
    // WorkError where the file is no longer in its place: what is written then is lost with the last that has it open.
    void check_in_place() const;
    // How long to wait for a lock of another process.
    void set_patience(int milliseconds);

    const std::string& name() const { return name_; }
    // Throws what the SQLite result code stands for.
    [[noreturn]] void fail(int code) const;

private:
    friend class Statement;
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    std::string name_;
    std::unique_ptr<sqlite3, Close> handle_;
};

// The rows of a query, one at a time. The statement is free again, and its locks are gone, when the cursor is.
class Cursor {
public:
    Cursor(const Database& database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;
    ~Cursor();

    bool next();  // false after the last row

    // Columns from 0. Text and blobs live until next().
    std::uint64_t integer(int column) const;
    std::uint32_t index(int column) const { return static_cast<std::uint32_t>(integer(column)); }
    double real(int column) const;  // NaN where it is NULL
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const;

private:
    const Database& database_;
    sqlite3_stmt* statement_;
};

// Prepared once, run many times. Values are bound to ?1, ?2, ... and must outlive the cursor.
class Statement {
public:
    Statement(const Database& database, std::string_view sql);

    template <class... Values>
    [[nodiscard]] Cursor query(const Values&... values) {
        int position = 0;
        (bind(++position, values), ...);
        return Cursor(database_, handle_.get());
    }
    template <class... Values>
    void run(const Values&... values) {
        Cursor cursor = query(values...);
        while (cursor.next()) continue;
    }

private:
    void bind(int position, std::integral auto value) { bind_integer(position, static_cast<std::int64_t>(value)); }
    void bind(int position, double value);  // NaN is bound as NULL: SQLite has no NaN
    void bind(int position, std::string_view value);
    void bind(int position, std::span<const std::byte> value);
    void bind_integer(int position, std::int64_t value);
    void check(int code) const;

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    const Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// All or nothing: without commit() nothing has happened. Within another one it is a part of that.
class Transaction {
public:
    explicit Transaction(Database& database);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

private:
    Database& database_;
    bool open_;
};

}  // namespace bellwether
