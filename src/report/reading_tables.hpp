// The matrix of claims and readings as tables.
#pragma once

#include <vector>

#include "analysis/readings.hpp"
#include "report/tables.hpp"

namespace bellwether {

// The verdicts, a row per claim and a column per reading; the readings; and the numbers behind every verdict. None
// where there are no readings.
std::vector<NamedTable> reading_tables(const JudgedReadings& readings);

}  // namespace bellwether
