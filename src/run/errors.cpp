#include "run/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "problems/exact.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// Partial sums of the states' values, as a trie over their sorted features: states whose first features agree share
// the sum over these.
class PartialSums {
public:
    explicit PartialSums(std::size_t dimension) : dimension_(dimension) {}

    struct Value {
        std::uint32_t node;
        double scale;  // the value is scale times the node
    };

    Value add(std::span<const double> x) {
        const double scale = common_scale(x);
        std::uint32_t node = LaneError::none;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (x[i] != 0) node = extend(node, static_cast<std::uint32_t>(i), x[i] / scale);
        if (node == LaneError::none) return {0, 0};  // no features: 0 whatever the weights
        return {node, scale};
    }

    std::vector<LaneError::Node> nodes{};

private:
    // The first entry that is not 0, where every other is that times a factor without rounding; else 1.
    static double common_scale(std::span<const double> x) {
        const auto first = std::find_if(x.begin(), x.end(), [](double entry) { return entry != 0; });
        if (first == x.end()) return 1;
        const auto is_multiple = [&](double entry) { return entry / *first * *first == entry; };
        return std::all_of(first, x.end(), is_multiple) ? *first : 1;
    }

    std::uint32_t extend(std::uint32_t parent, std::uint32_t feature, double coefficient) {
        if (parent == LaneError::none && coefficient == 1) return feature;  // the weight itself
        const auto next = static_cast<std::uint32_t>(dimension_ + nodes.size());
        const auto [place, is_new] = known_.try_emplace({parent, feature, coefficient}, next);
        if (is_new) nodes.push_back({parent, feature, coefficient});
        return place->second;
    }

    std::size_t dimension_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, double>, std::uint32_t> known_;
};

// The terms by the set of weights that they sum up (LaneError::subsets), where they are most of the possible sets.
std::vector<LaneError::Affine> terms_by_subset(const ErrorData& error, std::size_t dimension) {
    if (dimension > LaneError::most_subset_features || error.nodes.empty()) return {};
    const std::size_t sets = std::size_t{1} << dimension;
    if (2 * error.terms.size() < sets) return {};
    std::vector<std::size_t> set_of;  // by node
    for (std::size_t i = 0; i < dimension; ++i) set_of.push_back(std::size_t{1} << i);
    for (const LaneError::Node& node : error.nodes) {
        if (node.coefficient != 1) return {};
        set_of.push_back(set_of[node.parent] | std::size_t{1} << node.feature);
    }
    std::vector<LaneError::Affine> by_set(sets, {0, 0});
    for (const LaneError::Term& term : error.terms) {
        LaneError::Affine& place = by_set[set_of[term.node]];
        if (term.a == 0 || place.a != 0) return {};
        place = {term.a, term.b};
    }
    return by_set;
}

void refuse_zero_values(const MetricInfo& metric, const Evaluation& evaluation) {
    double largest = 0;
    for (const double value : evaluation.truth) largest = std::max(largest, std::abs(value));
    for (std::size_t s = 0; s < evaluation.rows; ++s)
        if (evaluation.weight[s] > 0 && std::abs(evaluation.truth[s]) <= zero_value * largest)
            throw UsageError(
                fmt::format("{} divides by the true value, and that is 0 in some state: take rmsve", metric.id));
}

// What a normalised error is divided by.
double mean_square_of_representable(const MetricInfo& metric, const Evaluation& evaluation) {
    double sum = 0, largest = 0;
    for (std::size_t s = 0; s < evaluation.rows; ++s) {
        sum += evaluation.weight[s] * evaluation.representable[s] * evaluation.representable[s];
        largest = std::max(largest, std::abs(evaluation.truth[s]));
    }
    if (is_zero_projection(sum, largest))
        throw UsageError(
            fmt::format("{} divides by the best values that the features can represent, and these are 0: "
                        "take mspve",
                        metric.id));
    return sum;
}

// d (y − v)² = (√d y − √d v)²: what is added to √d y.
double offset_of(double d, double v) {
    return -std::sqrt(d) * v;
}

}  // namespace

LaneError ErrorData::view() const {
    return {.kind = kind,
            .root = root,
            .nodes = nodes.data(),
            .node_count = nodes.size(),
            .terms = terms.data(),
            .term_count = terms.size(),
            .subsets = subsets.empty() ? nullptr : subsets.data(),
            .rank = rank,
            .systems = systems.data(),
            .system_of = system_of.data()};
}

ErrorData value_error(Metric metric, const Evaluation& evaluation) {
    const MetricInfo& info = metric_info(metric);
    const bool relative = info.kind == MetricInfo::Kind::relative;
    if (relative) refuse_zero_values(info, evaluation);
    const std::vector<double>& truth =
        info.kind == MetricInfo::Kind::distance ? evaluation.representable : evaluation.truth;
    const double scale_of_all = info.normalised ? 1 / mean_square_of_representable(info, evaluation) : 1;
    ErrorData error{.kind = relative ? LaneError::Kind::absolute : LaneError::Kind::squared, .root = info.root};
    PartialSums sums(evaluation.dimension);
    const std::span features(evaluation.features);
    for (std::size_t s = 0; s < evaluation.rows; ++s) {
        const double d = evaluation.weight[s] * scale_of_all, v = truth[s];
        if (d == 0) continue;
        const auto [node, scale] = sums.add(features.subspan(s * evaluation.dimension, evaluation.dimension));
        // d |(y − v)/v| = |(d/v) y − d|
        if (relative)
            error.terms.push_back({node, d / v * scale, -d});
        else
            error.terms.push_back({node, std::sqrt(d) * scale, offset_of(d, v)});
    }
    error.nodes = std::move(sums.nodes);
    error.subsets = terms_by_subset(error, evaluation.dimension);
    return error;
}

void add_offsets(const Evaluation& evaluation, std::span<const double> above_truth, std::vector<double>& to) {
    for (std::size_t s = 0; s < evaluation.rows; ++s)
        if (evaluation.weight[s] != 0)
            to.push_back(offset_of(evaluation.weight[s], evaluation.truth[s] + above_truth[s]));
}

const ProjectedSystems::System& ProjectedSystems::system(double lambda) {
    const auto known = systems_.find(lambda);
    if (known != systems_.end()) return known->second;
    if (const std::size_t n = mdp_->dimension(); is_outline_)
        return systems_.emplace(lambda, System{n, std::vector<double>(n * (n + 1), 1.0)}).first->second;
    const ExactSolution solution(*mdp_, lambda);
    const Eigen::MatrixXd M = solution.whitening * solution.A;
    const Eigen::VectorXd c = solution.whitening * solution.b;
    System system{static_cast<std::size_t>(M.rows()), {}};
    for (Eigen::Index row = 0; row < M.rows(); ++row) {
        for (Eigen::Index i = 0; i < M.cols(); ++i) system.numbers.push_back(M(row, i));
        system.numbers.push_back(c(row));
    }
    return systems_.emplace(lambda, std::move(system)).first->second;
}

ErrorData ProjectedSystems::error(Metric metric, std::span<const double> lambda_of_configuration) {
    ErrorData error{.kind = LaneError::Kind::projected, .root = metric_info(metric).root};
    std::map<double, std::uint32_t> places;
    for (const double own : lambda_of_configuration) {
        const double lambda = mdp_->has_lambda() ? 0 : own;
        const auto [place, is_new] = places.try_emplace(lambda, static_cast<std::uint32_t>(places.size()));
        if (is_new) {
            const System& found = system(lambda);
            error.rank = found.rank;
            error.systems.insert(error.systems.end(), found.numbers.begin(), found.numbers.end());
        }
        error.system_of.push_back(place->second);
    }
    return error;
}

ErrorData error_of(Metric metric, const Evaluation& evaluation, ProjectedSystems& systems,
                   std::span<const double> lambda_of_configuration) {
    const MetricInfo& info = metric_info(metric);
    switch (info.kind) {
        case MetricInfo::Kind::relative:
        case MetricInfo::Kind::squared:
        case MetricInfo::Kind::distance:
            return value_error(metric, evaluation);
        case MetricInfo::Kind::projected:
            return systems.error(metric, lambda_of_configuration);
        case MetricInfo::Kind::bellman:
            break;
    }
    throw std::logic_error(fmt::format("no kernel computes {}", info.id));
}

}  // namespace bellwether
