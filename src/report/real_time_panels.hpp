// The real-time study: errors against iterations of a given duration, where an update takes its time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/findings.hpp"
#include "runtime/real_time.hpp"

namespace bellwether {

// One setting and one table of costs: a panel for each duration of an iteration.
struct RealTimePanels {
    std::string costs;  // where they come from: "paper", "measured"
    Policy policy;
    std::string unit;  // of costs and durations
    const MetricFindings* findings;
    struct Competitor {
        const AlgorithmFindings* algorithm;
        double cost;  // of an update
    };
    std::vector<Competitor> competitors;
    std::vector<double> durations;  // of an iteration
    std::size_t iterations;

    // The error after iterations 0, 1, … of a competitor in the panel of that duration.
    std::vector<double> errors(std::size_t competitor, std::size_t duration) const;
};

// For the settings of the paper's real-time study that the findings have.
std::vector<RealTimePanels> real_time_panels(const Findings& findings, const CostTable& costs,
                                             const PublishedRealTime& study);

}  // namespace bellwether
