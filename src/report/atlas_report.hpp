// The atlas as tables and as a page.
#pragma once

#include <string>
#include <vector>

#include "analysis/atlas.hpp"
#include "report/table.hpp"

namespace bellwether {

// A row per problem and algorithm, and per algorithm.
Table atlas_table(const Atlas& atlas);
Table atlas_summary_table(const Atlas& atlas);

// The summary and what it says of recommendations, as people read them on a console.
std::string atlas_text(const Atlas& atlas, const std::vector<Advice>& advice);

// With the data that web/src/atlas-data.ts describes; empty where this program was built without a page.
std::string atlas_page(const Atlas& atlas, const std::vector<Advice>& advice, const std::string& program);

}  // namespace bellwether
