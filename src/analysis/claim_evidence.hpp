// What the checks of claims have in common: verdicts by intervals, and numbers as text.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "analysis/claims.hpp"
#include "analysis/names.hpp"
#include "analysis/spread.hpp"
#include "bellwether/registry.hpp"

namespace bellwether {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

inline std::string text_of(double value) {
    return fmt::format("{:.4g}", value);
}
inline std::string text_of(const Interval& interval) {
    return fmt::format("[{:.4g}, {:.4g}]", interval.low, interval.high);
}

inline std::string percent(double share) {
    return fmt::format("{:.4g}%", 100 * share);
}

// Where a quantity should lie.
inline Interval below(double bound) {
    return {-unbounded, bound};
}
inline Interval above(double bound) {
    return {bound, unbounded};
}
// Of a ratio, as a logarithm: within this part of each other.
inline Interval near_one(double share) {
    return {-std::log1p(share), std::log1p(share)};
}

// Inside the target, outside, or neither.
inline Verdict verdict_of(const Interval& interval, const Interval& target) {
    // An end that is open is inside, whatever reaches it.
    const bool low = interval.low > target.low || target.low == -unbounded;
    const bool high = interval.high < target.high || target.high == unbounded;
    if (low && high) return Verdict::held;
    return interval.high < target.low || interval.low > target.high ? Verdict::not_held : Verdict::undecided;
}

inline std::string_view mark_of(Verdict verdict) {
    return verdict == Verdict::held ? "yes" : verdict == Verdict::not_held ? "no" : "open";
}

inline std::string display_name(std::string_view algorithm) {
    const AlgorithmInfo* info = find_algorithm(algorithm);
    return short_name(info ? info->name : algorithm);
}

// "below 1", "above 0.5", "from 0.9 to 1.1"
inline std::string text_of_target(const Interval& target) {
    if (std::isinf(target.low) || (target.low == 0 && std::isfinite(target.high)))
        return fmt::format("below {:.4g}", target.high);
    if (std::isinf(target.high)) return fmt::format("above {:.4g}", target.low);
    return fmt::format("from {:.4g} to {:.4g}", target.low, target.high);
}

}  // namespace bellwether
