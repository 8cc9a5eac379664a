// What White & White (2016) publish about time: the table of runtimes, and how long an iteration lasts in each panel of
// the real-time study.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace bellwether {

// Whether data come from the target policy or from another one.
enum class Policy { on, off };
inline constexpr std::array both_policies{Policy::on, Policy::off};
std::string_view id_of(Policy policy);

struct PublishedRuntime {
    std::string_view algorithm;
    double on;                  // microseconds for published_steps updates, d = 30 tabular features
    std::optional<double> off;  // none for algorithms that are defined on-policy only

    std::optional<double> microseconds(Policy policy) const { return policy == Policy::on ? on : off; }
};
inline constexpr std::size_t published_steps = 500;

// The twelve algorithms, in the order of the paper.
std::span<const PublishedRuntime> published_runtimes();
// None where the paper has none.
std::optional<double> published_microseconds(Policy policy, std::string_view algorithm);

// Milliseconds of an iteration, one per panel.
inline constexpr std::size_t published_panels = 9;
std::span<const double, published_panels> published_durations(Policy policy);

// How many samples an algorithm has processed on-policy after published_steps iterations of 0.1 ms.
struct PublishedSamples {
    std::string_view algorithm;
    std::size_t samples;
};
inline constexpr double published_samples_duration = 0.1;
std::span<const PublishedSamples> published_samples();

}  // namespace bellwether
