#include "problems/metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "problems/exact.hpp"

namespace bellwether {

namespace {

using Kind = MetricInfo::Kind;

constexpr std::array metrics{
    MetricInfo{.metric = Metric::mave,
               .id = "mave",
               .help = "mean absolute value error, relative to the value: 1 at w = 0",
               .kind = Kind::relative},
    MetricInfo{.metric = Metric::rmsve,
               .id = "rmsve",
               .help = "root of the mean squared value error",
               .kind = Kind::squared,
               .root = true},
    MetricInfo{.metric = Metric::msve, .id = "msve", .help = "mean squared value error", .kind = Kind::squared},
    MetricInfo{.metric = Metric::rmspbe,
               .id = "rmspbe",
               .help = "root of the mean squared projected Bellman error, at the algorithm's lambda",
               .kind = Kind::projected,
               .root = true},
    MetricInfo{.metric = Metric::mspbe,
               .id = "mspbe",
               .help = "mean squared projected Bellman error, at the algorithm's lambda",
               .kind = Kind::projected},
    MetricInfo{.metric = Metric::msbe,
               .id = "msbe",
               .help = "mean squared Bellman error",
               .kind = Kind::bellman,
               .scored = false},
};

constexpr bool is_scored(const MetricInfo& info) {
    return info.scored;
}
static_assert(std::is_partitioned(metrics.begin(), metrics.end(), is_scored), "the scored metrics come first");
static_assert(
    [] {
        for (std::size_t i = 0; i < metrics.size(); ++i)
            if (static_cast<std::size_t>(metrics[i].metric) != i) return false;
        return true;
    }(),
    "the rows are in the order of the enumeration");

// Before a root is taken.
std::optional<double> sum_of(Kind kind, const ExactSolution& solution, const Eigen::VectorXd& w) {
    switch (kind) {
        case Kind::relative:
            return solution.mave(w);
        case Kind::squared:
            return solution.msve(w);
        case Kind::projected:
            return solution.mspbe(w);
        case Kind::bellman:
            return solution.msbe(w);
    }
    return std::nullopt;
}

}  // namespace

std::span<const MetricInfo> metric_table() {
    return metrics;
}

std::span<const MetricInfo> scored_metrics() {
    constexpr auto count = static_cast<std::size_t>(std::count_if(metrics.begin(), metrics.end(), is_scored));
    return std::span(metrics).first(count);
}

const MetricInfo& metric_info(Metric metric) {
    return metrics[static_cast<std::size_t>(metric)];
}

std::optional<double> exact_error(Metric metric, const ExactSolution& solution, const Eigen::VectorXd& w) {
    const MetricInfo& info = metric_info(metric);
    const std::optional<double> sum = sum_of(info.kind, solution, w);
    return sum && info.root ? std::sqrt(*sum) : sum;
}

}  // namespace bellwether
