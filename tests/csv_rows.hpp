// Tables in CSV, row by row.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace bellwether::test {

using Row = std::map<std::string, std::string>;  // by column

inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

// No cell of the tables that tests read needs quotes.
inline std::vector<Row> rows_of(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> columns = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = cells_of(line);
        EXPECT_EQ(cells.size(), columns.size()) << line;
        Row& row = rows.emplace_back();
        for (std::size_t k = 0; k < std::min(cells.size(), columns.size()); ++k) row[columns[k]] = cells[k];
    }
    return rows;
}

}  // namespace bellwether::test
