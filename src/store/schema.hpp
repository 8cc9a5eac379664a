// The tables of a results store (docs/store.md), and whether a file is one.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "store/sqlite.hpp"
#include "store/store.hpp"

namespace bellwether {

inline constexpr int schema_version = 2;
// Stores of older ones are read as they are, and brought up to date when they are written to.
inline constexpr int oldest_schema = 1;

// Makes a store of that study, which appears whole or not at all. The caller holds the lock of the directory.
void make_store(const std::filesystem::path& path, const StudyRecord& study);

// UsageError where the file is not a store of a schema that is known.
void check_is_store(Database& database);

// Whether it keeps scores in blocks.
bool has_blocks(Database& database);
// In one transaction.
void bring_up_to_date(Database& database);

// The first line in which two different identities differ, as half a sentence about the stored one.
std::string first_difference(std::string_view stored, std::string_view given, std::string_view name_of_given);

// Whether these versions of the program compute the same results, to the byte: docs/versioning.md.
bool have_same_results(std::string_view one_version, std::string_view other_version);

// UsageError where results of `study` do not belong beside those of `stored`.
void check_same_study(const std::filesystem::path& directory, const StudyRecord& stored, const StudyRecord& study);

StudyRecord read_study_record(const Database& database);
void write_study_record(Database& database, const StudyRecord& study);

// Under "file NAME" in the table meta.
std::map<std::string, std::string> read_files(const Database& database);
void write_files(Database& database, const std::map<std::string, std::string>& files);

// A store that is being written, from construction to destruction: in WAL mode, so that others can read meanwhile. Then
// results.db is one plain file again, which can be read on a read-only disk and copied.
class WriteMode {
public:
    explicit WriteMode(Database& database);
    WriteMode(const WriteMode&) = delete;
    WriteMode& operator=(const WriteMode&) = delete;
    ~WriteMode();

private:
    Database& database_;
};

}  // namespace bellwether
