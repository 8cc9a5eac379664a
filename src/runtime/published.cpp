#include "runtime/published.hpp"

namespace bellwether {

namespace {

constexpr PublishedRuntime runtimes[] = {
    {"td0", 120.0, 108.3},    {"td", 132.7, std::nullopt}, {"to-td", 150.1, std::nullopt}, {"ptd", 172.4, 158.7},
    {"gtd", 204.6, 175.2},    {"to-etd", 287.8, 249.65},   {"to-etd-beta", 286.0, 254.7},  {"htd", 311.8, 267.5},
    {"to-gtd", 366.2, 316.2}, {"gtd2-mp", 467.4, 407.8},   {"tdc-mp", 466.2, 395.7},       {"to-htd", 466.0, 403.3},
};

constexpr double durations_on[published_panels] = {0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75};
constexpr double durations_off[published_panels] = {0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2};

constexpr PublishedSamples samples[] = {{"td0", 101}, {"td", 97}, {"to-td", 85}, {"to-htd", 31}};

}  // namespace

std::string_view id_of(Policy policy) {
    return policy == Policy::on ? "on" : "off";
}

std::span<const PublishedRuntime> published_runtimes() {
    return runtimes;
}

std::optional<double> published_microseconds(Policy policy, std::string_view algorithm) {
    for (const PublishedRuntime& runtime : runtimes)
        if (runtime.algorithm == algorithm) return runtime.microseconds(policy);
    return std::nullopt;
}

std::span<const double, published_panels> published_durations(Policy policy) {
    return policy == Policy::on ? durations_on : durations_off;
}

std::span<const PublishedSamples> published_samples() {
    return samples;
}

}  // namespace bellwether
