// The real-time study: interaction goes in iterations that last c each, an update costs K, and while an algorithm still
// computes, samples pass unseen (docs/runtimes.md).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/published.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

struct UpdateCost {
    std::string algorithm;
    double cost;  // K

    bool operator==(const UpdateCost&) const = default;
};

struct PolicyCosts {
    std::vector<UpdateCost> updates{};
    std::vector<double> durations{};  // c of each panel, ascending

    std::optional<double> find(std::string_view algorithm) const;

    bool operator==(const PolicyCosts&) const = default;
};

struct CostTable {
    std::string source;  // "paper", "measured"
    std::string unit;    // of costs and durations: "ms", "us" or "ns"
    PolicyCosts on{}, off{};

    const PolicyCosts& of(Policy policy) const { return policy == Policy::on ? on : off; }
    PolicyCosts& of(Policy policy) { return policy == Policy::on ? on : off; }

    bool operator==(const CostTable&) const = default;
};

// As the paper's real-time study has them. UsageError where it has none.
CostTable paper_costs(const Published& published);

// K is the time of an update in the table; durations are the same fractions of the slowest K as in the paper. None
// where the paper has no real-time study.
CostTable measured_costs(const RuntimeTable& runtimes, const Published& published);

std::string costs_csv(const CostTable& costs);
// UsageError with the file and line of what is wrong; `name` stands for the file.
CostTable parse_costs(const std::string& name, std::string_view text);
CostTable read_costs(const std::string& path);

// floor(t · min(1, c/K)): how many samples an algorithm has learned from after iteration t.
std::size_t samples_processed(std::size_t iteration, double duration, double cost);

// The errors after iterations 0, 1, …, `iterations`. The learning curve has the error of w_0, and after each sample.
std::vector<double> real_time_curve(std::span<const double> learning_curve, std::size_t iterations, double duration,
                                    double cost);

}  // namespace bellwether
