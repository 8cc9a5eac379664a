// The index of reports: one page over all papers that were reproduced, made of their outcomes. A file that opens
// anywhere.
#pragma once

#include <string>
#include <vector>

#include "analysis/outcome.hpp"

namespace bellwether {

struct IndexedReport {
    StudyOutcome outcome;
    std::string report;  // where its page is, as the index links to it; "" where there is none
};

// With the data that web/src/index-data.ts describes; empty where this program was built without a page.
std::string index_page(const std::vector<IndexedReport>& reports, const std::string& program);

// The same as people read it on a console: a line for each.
std::string index_text(const std::vector<IndexedReport>& reports);

}  // namespace bellwether
