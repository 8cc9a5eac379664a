// The two ways in which stores keep scores: a block for each unit (docs/store.md), and before that a row for each
// score.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "store/sqlite.hpp"
#include "store/store.hpp"

namespace bellwether {

// Configurations first … first + count − 1 of one instance, metric by metric.
struct ScoreRange {
    std::uint32_t setting, instance, first, count, metrics;
    std::uint64_t end() const { return std::uint64_t{first} + count; }
};

class ScoreBlocks {
public:
    explicit ScoreBlocks(const Database& database);
    static void make_table(Database& database);

    void write(const UnitResult& unit);
    // Empty summaries where nothing is stored.
    std::vector<ScoreSummary> read(const ScoreRange& range);

private:
    Statement replace_, select_;
};

// Schema 1's. They are read, and written no more.
class ScoreRows {
public:
    explicit ScoreRows(const Database& database, std::string_view table = "scores");
    std::vector<ScoreSummary> read(const ScoreRange& range);

private:
    Statement select_;
};

}  // namespace bellwether
