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
    MetricInfo{.metric = Metric::mspve,
               .id = "mspve",
               .help = "mean squared difference from the best values that the features can represent",
               .kind = Kind::distance},
    MetricInfo{.metric = Metric::rmspve, .id = "rmspve", .help = "root of that", .kind = Kind::distance, .root = true},
    MetricInfo{.metric = Metric::nmspve,
               .id = "nmspve",
               .help = "mspve relative to the mean square of these values: 1 at w = 0",
               .kind = Kind::distance,
               .normalised = true},
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

std::optional<double> distance(bool normalised, const ExactSolution& solution, const Eigen::VectorXd& w,
                               const Eigen::VectorXd& weight) {
    const Eigen::VectorXd best = solution.best_weights(weight);
    const double sum = weight.dot((solution.X * (w - best)).cwiseAbs2());
    if (!normalised) return sum;
    const double of_zero = weight.dot((solution.X * best).cwiseAbs2());
    if (is_zero_projection(of_zero, solution.v.cwiseAbs().maxCoeff())) return std::nullopt;
    return sum / of_zero;
}

// Before a root is taken.
std::optional<double> sum_of(const MetricInfo& info, const ExactSolution& solution, const Eigen::VectorXd& w,
                             const Eigen::VectorXd& weight) {
    switch (info.kind) {
        case Kind::relative:
            return solution.weighted_mave(w, weight);
        case Kind::squared:
            return solution.weighted_msve(w, weight);
        case Kind::projected:
            return solution.mspbe(w);
        case Kind::distance:
            return distance(info.normalised, solution, w, weight);
        case Kind::bellman:
            return solution.weighted_msbe(w, weight);
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

std::optional<double> exact_error(Metric metric, const ExactSolution& solution, const Eigen::VectorXd& w,
                                  const Weighting& weighting) {
    const MetricInfo& info = metric_info(metric);
    const std::optional<double> sum = sum_of(info, solution, w, solution.weights(weighting));
    return sum && info.root ? std::sqrt(*sum) : sum;
}

}  // namespace bellwether
