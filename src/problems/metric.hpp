// The errors of a weight vector that are known exactly, one row each. The study file, the sweep's kernels, the
// findings, the figures, `list metrics` and `solve` all read this table: nothing else says what a metric means.
#pragma once

#include <span>
#include <string_view>

namespace bellwether {

enum class Metric { mave, rmsve, msve, rmspbe, mspbe, mspve, rmspve, nmspve, msbe };

struct MetricInfo {
    enum class Kind {
        relative,   // Σ d(s)|(x(s)·w − V*(s))/V*(s)|: there is none where a V*(s) is 0
        squared,    // Σ d(s)(x(s)·w − V*(s))²
        projected,  // (b − Aw)ᵀC⁺(b − Aw), with A, b of the algorithm's λ
        distance,   // Σ d(s)(x(s)·w − (ΠV*)(s))²: ΠV* are the best values that the features can represent
        bellman     // Σ d(s)((r_π + P_{π,γ}Xw − Xw)(s))²
    };

    Metric metric;
    std::string_view id;
    std::string_view help;
    Kind kind;
    bool root = false;        // of that
    bool normalised = false;  // divided by that of w = 0: there is none where ΠV* is 0
    bool scored = true;       // by a sweep; else `solve` alone shows it

    constexpr bool depends_on_lambda() const { return kind == Kind::projected; }
    // The fixed point of a projected error, and so the error, is that of d.
    constexpr bool takes_weighting() const { return kind != Kind::projected; }
    // Whether there is none where values are 0.
    constexpr bool divides() const { return kind == Kind::relative || normalised; }
};

// Every metric, in the order of the enumeration; those that a sweep scores come first.
std::span<const MetricInfo> metric_table();
std::span<const MetricInfo> scored_metrics();
const MetricInfo& metric_info(Metric metric);
inline std::string_view id_of(Metric metric) {
    return metric_info(metric).id;
}

}  // namespace bellwether
