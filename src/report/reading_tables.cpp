#include "report/reading_tables.hpp"

#include <fmt/format.h>

namespace bellwether {

namespace {

Table matrix_table(const JudgedReadings& readings) {
    std::vector<std::string> columns{"claim", "statement"};
    for (const JudgedReading& reading : readings.columns) columns.push_back(reading.id);
    Table table(std::move(columns));
    const std::vector<ClaimPart>& parts = readings.columns.front().parts;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        std::vector<Table::Cell> row{parts[k].id, parts[k].statement};
        for (const JudgedReading& reading : readings.columns) row.emplace_back(name_of(reading.parts[k].verdict));
        table.add(std::move(row));
    }
    return table;
}

Table list_table(const JudgedReadings& readings) {
    Table table({"reading", "statement", "settings", "instances_and_runs"});
    for (const JudgedReading& reading : readings.columns)
        table.add({reading.id, reading.statement, fmt::format("{}", fmt::join(reading.settings, " ")), reading.size});
    return table;
}

Table numbers_table(const JudgedReadings& readings) {
    Table table({"reading", "claim", "verdict", "untouched", "numbers"});
    for (std::size_t r = 0; r < readings.columns.size(); ++r)
        for (std::size_t k = 0; k < readings.columns[r].parts.size(); ++k) {
            const ClaimPart& part = readings.columns[r].parts[k];
            table.add({readings.columns[r].id, part.id, name_of(part.verdict),
                       r > 0 && readings.is_untouched(r, k) ? "yes" : "no",
                       fmt::format("{}", fmt::join(numbers_of(part.evidence), "\n"))});
        }
    return table;
}

}  // namespace

std::vector<NamedTable> reading_tables(const JudgedReadings& readings) {
    if (readings.columns.empty()) return {};
    std::vector<NamedTable> tables;
    tables.push_back({"readings", "The paper's claims under every reading", true, matrix_table(readings)});
    tables.push_back({"reading-list", "The readings", true, list_table(readings)});
    tables.push_back({"reading-numbers", "The numbers under every reading", false, numbers_table(readings)});
    return tables;
}

}  // namespace bellwether
