// The tables of a report.
#pragma once

#include <string>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "analysis/published_numbers.hpp"
#include "report/real_time_panels.hpp"
#include "report/table.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

struct NamedTable {
    std::string name;   // of its files
    std::string title;  // for people
    bool for_people;    // short enough to be read: also written as Markdown
    Table table;
};

// Everything but the scores of every configuration and the learning curves, which `export` writes.
std::vector<NamedTable> make_tables(const Findings& findings, const std::vector<Claim>& claims,
                                    const RuntimeTable* runtimes, const std::vector<RealTimePanels>& real_time);

// The numbers that the paper publishes beside ours.
NamedTable published_table(const std::vector<ComparedNumber>& numbers);

// The claims as people read them at the end of a run.
std::string claims_text(const std::vector<Claim>& claims);

}  // namespace bellwether
