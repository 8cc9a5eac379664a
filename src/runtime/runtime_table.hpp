// How long the algorithms take on a machine, as a table that is written and read back to the bit (docs/runtimes.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/published.hpp"

namespace bellwether {

struct Runtime {
    Policy policy;
    std::string algorithm;
    double microseconds;                         // of one learner for the table's number of steps: the median
    double low, high;                            // 5% and 95% of the rounds lie below
    std::optional<double> sweep_nanoseconds{};   // per agent-step of the sweep's kernels, as a study runs them
    std::optional<double> paper_microseconds{};  // of the paper that stands beside it

    bool operator==(const Runtime&) const = default;
};

struct RuntimeTable {
    std::string machine;
    std::string instruction_set;
    std::size_t steps = 0;
    std::vector<Runtime> rows{};
    // What the file does not have: what ratios are to, and the whole of the paper's table.
    std::string reference = std::string(usual_reference);
    std::optional<PublishedRuntimes> paper{};

    // With the runtimes of that paper beside them, and its reference.
    void set_paper(const PublishedRuntimes& published);
    // Of an algorithm of the paper, whether it was measured here or not.
    std::optional<double> paper_microseconds(Policy policy, std::string_view algorithm) const;
    // Null where there is none.
    const Runtime* find(Policy policy, std::string_view algorithm) const;

    bool operator==(const RuntimeTable&) const = default;
};

std::string runtimes_csv(const RuntimeTable& table);
// UsageError with the file and line of what is wrong; `name` stands for the file.
RuntimeTable parse_runtimes(const std::string& name, std::string_view text);
RuntimeTable read_runtimes(const std::string& path);

}  // namespace bellwether
