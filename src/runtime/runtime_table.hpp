// How long the algorithms take on a machine, as a table that is written and read back to the bit (docs/runtimes.md).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/published.hpp"

namespace bellwether {

// What the learner is given of the same 30 tabular features: the place of the one that is 1, so that it skips the
// others, or all of them, as the paper's program did.
enum class TimedFeatures { one_hot, dense };
inline constexpr std::array both_timed_features{TimedFeatures::one_hot, TimedFeatures::dense};
inline constexpr std::array<std::string_view, 2> timed_features_ids{"one-hot", "dense"};  // in their order
inline std::string_view id_of(TimedFeatures features) {
    return timed_features_ids[static_cast<std::size_t>(features)];
}

struct Runtime {
    Policy policy;
    std::string algorithm;
    double microseconds;                         // of one learner for the table's number of steps: the median
    double low, high;                            // 5% and 95% of the rounds lie below
    std::optional<double> sweep_nanoseconds{};   // per agent-step of the sweep's kernels, as a study runs them
    std::optional<double> paper_microseconds{};  // of the paper that stands beside it
    TimedFeatures features = TimedFeatures::one_hot;
    std::optional<double> device_nanoseconds{};  // as sweep_nanoseconds, on a device; not in the file

    bool operator==(const Runtime&) const = default;
};

struct RuntimeTable {
    std::string machine;
    std::string instruction_set;
    std::size_t steps = 0;
    std::vector<Runtime> rows{};
    // What the file does not have: the device, what ratios are to, and the whole of the paper's table.
    std::string device{};
    std::string reference = std::string(usual_reference);
    std::optional<PublishedRuntimes> paper{};

    // With the runtimes of that paper beside them, and its reference.
    void set_paper(const PublishedRuntimes& published);
    // Of an algorithm of the paper, whether it was measured here or not.
    std::optional<double> paper_microseconds(Policy policy, std::string_view algorithm) const;
    // Null where there is none.
    const Runtime* find(Policy policy, std::string_view algorithm,
                        TimedFeatures features = TimedFeatures::one_hot) const;
    bool has(TimedFeatures features) const;

    bool operator==(const RuntimeTable&) const = default;
};

std::string runtimes_csv(const RuntimeTable& table);
// UsageError with the file and line of what is wrong; `name` stands for the file. Files from before there were dense
// features have no column for them and are one-hot.
RuntimeTable parse_runtimes(const std::string& name, std::string_view text);
RuntimeTable read_runtimes(const std::string& path);

}  // namespace bellwether
