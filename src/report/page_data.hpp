// The report's page: a file that opens anywhere, with all of the findings in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "analysis/published_numbers.hpp"
#include "analysis/readings.hpp"
#include "report/real_time_panels.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

struct PageContent {
    const Findings& findings;
    std::string program;                                     // "bellwether 0.1.0"
    std::vector<std::pair<std::string, std::string>> facts;  // what was run, and on what machine
    const std::vector<Claim>& claims;
    const std::vector<Advice>& advice;
    const RuntimeTable* runtimes;
    const std::vector<RealTimePanels>& real_time;
    const JudgedReadings& readings;
    const std::vector<ComparedNumber>& published;  // the paper's numbers beside ours
};

// The whole page, with the data that web/src/report-data.ts describes; empty where this program was built without one.
std::string make_page(const PageContent& content);

}  // namespace bellwether
