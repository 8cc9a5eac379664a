// Numbers as the store's blobs have them: little-endian, whatever machine this is. docs/store.md has the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace bellwether {

// Doubles, 8 bytes each.
std::vector<std::byte> to_blob(std::span<const double> values);
std::vector<double> from_blob(std::span<const std::byte> bytes);

// Summaries as records of one size: mean, m2, runs, diverged, worse. The last three are integers of as many bytes as
// the largest of all needs, 1, 2, 4 or 8.
struct ScoreRecords {
    std::uint32_t integer_bytes = 1;
    std::vector<std::byte> bytes{};
};
ScoreRecords to_records(std::span<const ScoreSummary> summaries);

// The records of a blob that is in the store.
class StoredRecords {
public:
    StoredRecords(std::uint32_t integer_bytes, std::span<const std::byte> bytes)
        : integer_bytes_(integer_bytes), bytes_(bytes) {}
    std::size_t size() const;
    ScoreSummary operator[](std::size_t i) const;

private:
    std::uint32_t integer_bytes_;
    std::span<const std::byte> bytes_;
};

// The view `scores`, a row for each record of the table `blocks`, for those who read the store with SQL: SQLite has no
// function that reads a number from a blob, so it is put together from hexadecimal digits.
std::string view_of_scores();

}  // namespace bellwether
