// What the checks of claims have in common: verdicts by intervals, and numbers as text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "analysis/claim_case.hpp"
#include "analysis/names.hpp"
#include "analysis/spread.hpp"
#include "bellwether/registry.hpp"

namespace bellwether {

inline std::string text_of(double value) {
    return fmt::format("{:.4g}", value);
}
inline std::string text_of(const Interval& interval) {
    return fmt::format("[{:.4g}, {:.4g}]", interval.low, interval.high);
}

inline std::string percent(double share) {
    return fmt::format("{:.4g}%", 100 * share);
}

// A quantity that should be below a bound.
inline Verdict below(const Interval& interval, double bound) {
    if (interval.high < bound) return Verdict::held;
    return interval.low > bound ? Verdict::not_held : Verdict::undecided;
}
inline Verdict above(const Interval& interval, double bound) {
    if (interval.low > bound) return Verdict::held;
    return interval.high < bound ? Verdict::not_held : Verdict::undecided;
}
inline Verdict within(const Interval& interval, double low, double high) {
    if (interval.low >= low && interval.high <= high) return Verdict::held;
    return interval.high < low || interval.low > high ? Verdict::not_held : Verdict::undecided;
}
// Two within this part of each other.
inline Verdict similar_ratio(const Interval& ratio, double share) {
    return within(ratio, 1 / (1 + share), 1 + share);
}

inline std::string_view mark_of(Verdict verdict) {
    return verdict == Verdict::held ? "yes" : verdict == Verdict::not_held ? "no" : "open";
}

inline std::string display_name(std::string_view algorithm) {
    const AlgorithmInfo* info = find_algorithm(algorithm);
    return short_name(info ? info->name : algorithm);
}

}  // namespace bellwether
