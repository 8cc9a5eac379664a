// The real-time study: interaction goes in iterations that last c each, an update costs K, and while an algorithm still
// computes, samples pass unseen (docs/runtimes.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/published.hpp"
#include "runtime/runtime_table.hpp"
#include "runtime/sample_counts.hpp"

namespace bellwether {

struct UpdateCost {
    std::string algorithm;
    double cost;  // K, but for its noise

    bool operator==(const UpdateCost&) const = default;
};

struct PolicyCosts {
    std::vector<UpdateCost> updates{};
    std::vector<double> durations{};  // c of each panel, ascending
    double noise = 0;                 // the mean of what is added to every K, drawn for every sample
    std::vector<double> slowest{};    // what the mean K of the slowest may be, ascending; empty: as it is

    std::optional<UpdateTime> find(std::string_view algorithm) const;
    double slowest_mean() const;  // the largest mean K; 0 where there is none
    // Every K times the same number, such that the slowest one has this mean.
    PolicyCosts scaled_to(double slowest_mean) const;

    bool operator==(const PolicyCosts&) const = default;
};

struct CostTable {
    std::string source;  // "paper", "measured", "measured-dense"
    std::string unit;    // of costs and durations: "ms", "us" or "ns"
    PolicyCosts on{}, off{};

    const PolicyCosts& of(Policy policy) const { return policy == Policy::on ? on : off; }
    PolicyCosts& of(Policy policy) { return policy == Policy::on ? on : off; }

    bool operator==(const CostTable&) const = default;
};

// As the paper's real-time study has them; where the slowest may be one of several, it is the one in their middle.
// UsageError where there is no such study.
CostTable paper_costs(const Published& published);

// K is the time of an update with such features; durations are the same fractions of the slowest K as in the paper.
// None where the paper has no real-time study. Without updates where nothing was measured with such features.
CostTable measured_costs(const RuntimeTable& runtimes, TimedFeatures features, const Published& published);
// "measured", "measured-dense": what such costs are called.
std::string measured_source(TimedFeatures features);

std::string costs_csv(const CostTable& costs);
// UsageError with the file and line of what is wrong; `name` stands for the file.
CostTable parse_costs(const std::string& name, std::string_view text);
CostTable read_costs(const std::string& path);

}  // namespace bellwether
