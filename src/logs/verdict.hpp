// Can the log answer? The first verdict that applies.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bellwether {

enum class LogVerdict {
    unsupported,  // cannot tell: support
    ratios,       // cannot tell: ratios
    too_few,      // cannot tell: too few
    too_wide,     // cannot tell: too wide
    supported,
    features,  // cannot tell: features
    depends    // depends on the features
};
std::string_view name_of(LogVerdict verdict);
// Whether it gives an answer.
bool answers(LogVerdict verdict);

// What the verdict is made from.
struct LogEvidence {
    bool support_known;                      // μ of all actions is: `unsupported` says what there is to say
    double unsupported;                      // share of the target's actions
    double ratio_deficit, ratio_deficit_se;  // 1 − mean ρ
    std::size_t segments;
    double effective_after_one;  // ESS_1
    double half_width, spread;
    double rest;
    bool values_contradicted;  // values-against-weights or lambda is flagged
};

inline constexpr double least_effective = 30;        // segments, for weighting returns at all
inline constexpr double least_effective_check = 10;  // for comparing values with weighted returns
inline constexpr double most_rest = 0.05;            // that a supported answer may rest on learned values

LogVerdict verdict_of(const LogEvidence& evidence);

}  // namespace bellwether
