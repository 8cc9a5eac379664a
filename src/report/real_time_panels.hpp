// The real-time study: errors against iterations of a given duration, where an update takes its time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/findings.hpp"
#include "runtime/real_time.hpp"

namespace bellwether {

// One setting, one table of costs, one reading of time: a panel for each duration of an iteration.
struct RealTimePanels {
    std::string costs;  // where they come from: "paper", "measured", …
    TimeReading time = TimeReading::quantised;
    Policy policy;
    std::string unit;  // of costs and durations
    // The mean cost of the slowest update, where the table allows several; and whether it is the table's own.
    std::optional<double> slowest{};
    bool is_shown = true;
    const MetricFindings* findings;
    struct Competitor {
        const AlgorithmFindings* algorithm;
        UpdateTime update;
    };
    std::vector<Competitor> competitors;
    std::vector<double> durations;  // of an iteration
    std::size_t iterations;

    // Of a competitor in the panel of a duration.
    struct Course {
        double samples;              // processed after the last iteration, in the mean
        std::vector<double> errors;  // after iterations 0, 1, …
    };
    std::vector<std::vector<Course>> courses{};  // by duration, by competitor
    void run();                                  // fills them
};

// For the settings of the paper's real-time study that the findings have: those with the table's own costs, and where
// it allows several scales of them, those with the others too.
std::vector<RealTimePanels> real_time_panels(const Findings& findings, const CostTable& costs,
                                             std::span<const TimeReading> times, const PublishedRealTime& study);

}  // namespace bellwether
