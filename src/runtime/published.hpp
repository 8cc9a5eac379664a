// What a paper publishes about time (published.toml of its folder, docs/paper-folder.md): a table of runtimes, and a
// real-time study.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

// Whether data come from the target policy or from another one.
enum class Policy { on, off };
inline constexpr std::array both_policies{Policy::on, Policy::off};
std::string_view id_of(Policy policy);

struct PublishedRuntime {
    std::string algorithm;
    std::optional<double> on, off;  // microseconds; none where the paper has none

    std::optional<double> microseconds(Policy policy) const { return policy == Policy::on ? on : off; }

    bool operator==(const PublishedRuntime&) const = default;
};

// What ratios of runtimes are to where nothing else is said.
inline constexpr std::string_view usual_reference = "td0";

struct PublishedRuntimes {
    std::size_t steps = 0;  // how many updates the microseconds are for
    std::string reference = std::string(usual_reference);
    std::vector<PublishedRuntime> rows{};  // in the order of the paper

    std::optional<double> microseconds(Policy policy, std::string_view algorithm) const;

    bool operator==(const PublishedRuntimes&) const = default;
};

// Of one policy: the setting whose learning curves are taken, and how long an iteration lasts in each panel.
struct PublishedPanels {
    std::string setting;
    std::vector<double> durations;  // milliseconds, ascending
    // Costs are scaled so that the mean of the slowest is one of these, ascending; empty: they are as they are.
    std::vector<double> slowest{};
};

// How many samples an algorithm has processed after the runtimes' number of iterations of that duration.
struct PublishedSamples {
    Policy policy;
    std::string algorithm;
    double duration;
    std::size_t samples;
};

// An update costs K = intercept + slope · (its runtime in ms) + Exp(mean noise), in ms, drawn for every sample.
struct PublishedRealTime {
    std::string metric;
    double intercept = 0, slope = 0, noise = 0;
    std::optional<PublishedPanels> on{}, off{};
    std::vector<PublishedSamples> samples{};

    const std::optional<PublishedPanels>& of(Policy policy) const { return policy == Policy::on ? on : off; }
};

struct Published {
    std::optional<PublishedRuntimes> runtimes{};
    std::optional<PublishedRealTime> real_time{};  // only beside runtimes
};

// What a study has, for those that name it; empty lists where any name will do.
struct StudyNames {
    std::vector<std::string_view> settings{}, metrics{};
};

// UsageError names the file, line and column of what is wrong, and the nearest valid name.
Published parse_published(const std::string& name, const std::string& text, const StudyNames& of_study);

}  // namespace bellwether
