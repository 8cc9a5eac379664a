#include "store/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "store/blobs.hpp"

namespace bellwether {

// It has a rowid, since its rows are large: the keys alone then make a small index.
void ScoreBlocks::make_table(Database& database) {
    database.execute(R"(
CREATE TABLE blocks (
    setting INTEGER NOT NULL,
    instance INTEGER NOT NULL,
    first_configuration INTEGER NOT NULL,
    configurations INTEGER NOT NULL,
    integer_bytes INTEGER NOT NULL,
    records BLOB NOT NULL,
    PRIMARY KEY (setting, instance, first_configuration)
) STRICT;
)" + view_of_scores());
}

// Blocks do not overlap, so that the last one that begins at ?3 or before is the first that may have a part of the
// range.
ScoreBlocks::ScoreBlocks(const Database& database)
    : replace_(database, "INSERT OR REPLACE INTO blocks VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      select_(database,
              "SELECT first_configuration, configurations, integer_bytes, records FROM blocks WHERE setting = ?1 AND "
              "instance = ?2 AND first_configuration < ?4 AND first_configuration >= ifnull((SELECT "
              "max(first_configuration) FROM blocks WHERE setting = ?1 AND instance = ?2 AND first_configuration <= "
              "?3), ?3)") {}

void ScoreBlocks::write(const UnitResult& unit) {
    const auto& [setting, instance, first] = unit.key;
    const ScoreRecords records = to_records(unit.summaries);
    replace_.run(setting, instance, first, unit.configurations, records.integer_bytes, std::span(records.bytes));
}

std::vector<ScoreSummary> ScoreBlocks::read(const ScoreRange& range) {
    std::vector<ScoreSummary> summaries(std::size_t{range.metrics} * range.count);
    Cursor row = select_.query(range.setting, range.instance, range.first, range.end());
    while (row.next()) {
        const std::uint64_t first = row.integer(0), count = row.integer(1);
        const StoredRecords records(row.index(2), row.blob(3));
        const std::uint64_t from = std::max<std::uint64_t>(first, range.first),
                            to = std::min(first + count, range.end());
        for (std::size_t m = 0; m < range.metrics && (m + 1) * count <= records.size(); ++m)
            for (std::uint64_t c = from; c < to; ++c)
                summaries[m * range.count + (c - range.first)] = records[m * count + (c - first)];
    }
    return summaries;
}

ScoreRows::ScoreRows(const Database& database, std::string_view table)
    : select_(database, fmt::format("SELECT configuration, runs, diverged, worse, mean, m2 FROM {} WHERE setting = ?1 "
                                    "AND metric = ?2 AND instance = ?3 AND configuration >= ?4 AND configuration < ?5",
                                    table)) {}

std::vector<ScoreSummary> ScoreRows::read(const ScoreRange& range) {
    std::vector<ScoreSummary> summaries(std::size_t{range.metrics} * range.count);
    for (std::uint32_t metric = 0; metric < range.metrics; ++metric) {
        Cursor row = select_.query(range.setting, metric, range.instance, range.first, range.end());
        while (row.next())
            summaries[std::size_t{metric} * range.count + (row.index(0) - range.first)] = {
                row.integer(1), row.integer(2), row.integer(3), row.real(4), row.real(5)};
    }
    return summaries;
}

}  // namespace bellwether
