// Everything that is made of a study's results: tables, figures, and one page to look at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/paper.hpp"
#include "analysis/readings.hpp"
#include "plan/study.hpp"
#include "runtime/real_time.hpp"
#include "runtime/runtime_table.hpp"
#include "store/store.hpp"

namespace bellwether {

struct ReportOptions {
    std::string program;                     // "bellwether 0.1.0"
    Paper paper{};                           // that the study reproduces
    std::optional<RuntimeTable> runtimes{};  // of this machine
    std::vector<CostTable> costs{};          // a real-time study for each,
    std::vector<TimeReading> times{both_time_readings.begin(), both_time_readings.end()};  // in each of these readings
    ReadingsRequest readings{};  // of the study; none where its text is empty
    bool figures = true;
    std::function<void(std::string_view)> progress = [](std::string_view) {};  // told what comes next
};

struct ReportFiles {
    std::vector<Claim> claims;
    JudgedReadings readings;
    std::vector<std::string> written;   // relative to the directory
    std::vector<std::string> left_out;  // what is missing, and why, a line each
    bool has_page = false;
    std::size_t best = 0, best_on_edge = 0;  // best configurations, and those on an edge of their grid that is open
};

// Writes tables/, figures/ and report.html into the directory; each file appears whole or not at all.
ReportFiles write_report(const Store& store, const Study& study, const std::filesystem::path& directory,
                         const ReportOptions& options);

}  // namespace bellwether
