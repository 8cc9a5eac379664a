#include "engine/device/packing.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bellwether/registry.hpp"
#include "engine/device/kernel.hpp"

namespace bellwether {

namespace {

using CountNumbers = std::size_t(std::size_t dimension);

template <template <class, class> class Algorithm>
std::size_t count_numbers(std::size_t dimension) {
    if constexpr (runs_on_device<Algorithm>) return numbers_of_learner<Algorithm>(dimension);
    return 0;
}
template <template <class, class> class... Algorithm>
std::size_t numbers_by_number(AlgorithmList<Algorithm...>, std::size_t algorithm, std::size_t dimension) {
    static constexpr CountNumbers* all[] = {count_numbers<Algorithm>...};
    return all[algorithm](dimension);
}

// The nodes of one error at a time.
std::size_t scratch_of(const LaneRequest& request) {
    std::size_t most = 0;
    for (std::size_t m = 0; m < request.error_count; ++m)
        if (request.errors[m].kind != LaneError::Kind::projected)
            most = std::max(most, scratch_of(request.errors[m], request.features.dimension));
    return most;
}

std::size_t longest_trajectory(const LaneRequest& request) {
    std::size_t longest = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        longest = std::max(longest, request.trajectories[r].steps);
    return longest;
}

// Configurations with the same λ settle at the same steps, and threads that work together should: by λ, then as they
// are.
std::vector<std::uint32_t> order_of(const LaneBlock& block) {
    std::vector<std::uint32_t> order(block.count);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const auto parameters = algorithm_table[block.algorithm].parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].name != "lambda") continue;
        const double* lambda = block.parameters + p * block.count;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return lambda[a] < lambda[b]; });
    }
    return order;
}

LaneFeatures pack_features(const LaneRequest& request, DeviceArena& input) {
    LaneFeatures features = request.features;
    std::size_t rows = 0;  // that are used
    for (std::size_t r = 0; r < request.trajectory_count; ++r) {
        const LaneTrajectory& t = request.trajectories[r];
        for (std::size_t k = 0; t.rows && k <= t.steps; ++k) rows = std::max<std::size_t>(rows, t.rows[k] + 1);
    }
    switch (features.kind) {
        case LaneFeatures::Kind::one_hot:  // in the steps
            features.indices = nullptr;
            break;
        case LaneFeatures::Kind::sparse: {
            const std::size_t entries = rows == 0 ? 0 : features.first[rows];
            features.first = input.put(features.first, rows == 0 ? 0 : rows + 1);
            features.indices = input.put(features.indices, entries);
            features.values = input.put(features.values, entries);
            break;
        }
        case LaneFeatures::Kind::dense:
            features.values = input.put(features.values, rows * features.dimension);
            break;
    }
    return features;
}

LaneError pack_error(const LaneError& error, const LaneRequest& request, DeviceArena& input) {
    const std::size_t dimension = request.features.dimension;
    LaneError packed = error;
    packed.nodes = input.put(error.nodes, error.node_count);
    packed.terms = input.put(error.terms, error.term_count);
    if (error.kind == LaneError::Kind::projected) {
        const std::size_t systems = 1 + *std::max_element(error.system_of, error.system_of + request.block.count);
        packed.systems = input.put(error.systems, systems * error.rank * (dimension + 1));
        packed.system_of = input.put(error.system_of, request.block.count);
    }
    return packed;
}

void pack_own_parts(const LaneRequest& request, DeviceRequest& packed) {
    DeviceRequest::OwnParts next{.terms = 0, .nodes = 0, .subsets = 0, .has_terms = true};
    for (std::size_t m = 0; m < request.error_count; ++m) {
        const LaneError& error = request.errors[m];
        packed.own[m] = next;
        packed.own[m].has_terms = error.kind != LaneError::Kind::projected &&
                                  next.terms + error.term_count <= most_own_parts &&
                                  next.nodes + error.node_count <= most_own_parts;
        if (packed.own[m].has_terms) {
            std::copy_n(error.terms, error.term_count, packed.own_terms + next.terms);
            std::copy_n(error.nodes, error.node_count, packed.own_nodes + next.nodes);
            next.terms += static_cast<std::uint32_t>(error.term_count);
            next.nodes += static_cast<std::uint32_t>(error.node_count);
        }
        if (error.subsets) {
            const std::size_t subsets = std::size_t{1} << request.features.dimension;
            std::copy_n(error.subsets, subsets, packed.own_subsets + next.subsets);
            next.subsets += static_cast<std::uint32_t>(subsets);
        }
    }
}

void pack_steps(const LaneRequest& request, const LaneTrajectory& from, DeviceStep* to) {
    const LaneFeatures& features = request.features;
    for (std::size_t t = 0; t <= from.steps; ++t) {
        const std::uint32_t row = from.rows ? from.rows[t] : 0;
        DeviceStep step{};
        if (from.rows) {
            step.row = features.kind == LaneFeatures::Kind::one_hot ? features.indices[row] : row;
            if (request.states.lambda) step.lambda = request.states.lambda[row];
            step.interest = request.states.interest ? request.states.interest[row] : 1;
        }
        if (t < from.steps) {
            step.reward = from.reward[t];
            step.gamma = from.gamma[t];
            step.rho = from.rho[t];
            step.pi = from.pi[t];
            step.mu = from.mu[t];
        }
        to[t] = step;
    }
}

struct Outputs {
    double *scores, *curves;
    std::size_t curve_length;
};
Outputs reserve_outputs(const LaneRequest& request, DeviceArena& output, double** scores, double** curves) {
    const std::size_t numbers = request.trajectory_count * request.error_count * request.block.count;
    const std::size_t curve_length = request.curves ? longest_trajectory(request) + 1 : 0;
    Outputs outputs{output.reserve<double>(numbers, scores), nullptr, curve_length};
    if (request.curves) outputs.curves = output.reserve<double>(numbers * curve_length, curves);
    return outputs;
}

}  // namespace

std::string_view why_not_on_device(const LaneRequest& request) {
    if (request.changes_after > 0) return "the problem changes in mid-run";
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        if (request.trajectories[r].measured) return "its errors are measured after some updates only";
    for (std::size_t m = 1; m < request.error_count; ++m)
        if (request.scored_steps_of_error(m) != request.scored_steps_of_error(0)) return "it has several scores";
    return "";
}

std::size_t device_numbers(const LaneRequest& request) {
    if (request.error_count > most_device_errors || !why_not_on_device(request).empty()) return 0;
    for (std::size_t m = 0; m < request.error_count; ++m)
        if (request.errors[m].of != LaneError::Of::states) return 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        if (request.trajectories[r].marks || request.trajectories[r].rows_next) return 0;
    const std::size_t learner = numbers_by_number(Algorithms{}, request.block.algorithm, request.features.dimension);
    return learner == 0 ? 0 : learner + request.error_count + scratch_of(request);
}

DeviceRequest pack_request(const LaneRequest& request, DeviceArena& input, DeviceArena& output) {
    const std::size_t count = request.block.count;
    const std::vector<std::uint32_t> order = order_of(request.block);
    DeviceRequest packed{
        .count = count,
        .parameters =
            input.put(request.block.parameters, count * algorithm_table[request.block.algorithm].parameters.size()),
        .order = input.put(order.data(), count),
        .features = pack_features(request, input),
        .initial_weights =
            request.initial_weights ? input.put(request.initial_weights, request.features.dimension) : nullptr,
        .has_lambda = request.states.lambda != nullptr,
        .has_interest = request.states.interest != nullptr,
        .steps = nullptr,
        .trajectories = nullptr,
        .trajectory_count = request.trajectory_count,
        .error_count = request.error_count,
        .errors = {},
        .own = {},
        .own_terms = {},
        .own_nodes = {},
        .own_subsets = {},
        .scored_steps = static_cast<double>(request.scored_steps_of_error(0)),
        .scores = nullptr,
        .curves = nullptr,
        .curve_length = 0,
        .scratch = scratch_of(request)};
    for (std::size_t m = 0; m < request.error_count; ++m)
        packed.errors[m] = pack_error(request.errors[m], request, input);
    pack_own_parts(request, packed);

    DeviceTrajectory* trajectories = nullptr;
    packed.trajectories = input.reserve<DeviceTrajectory>(request.trajectory_count, &trajectories);
    std::size_t all_steps = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r) {
        const std::size_t steps = request.trajectories[r].steps;
        if (trajectories)
            trajectories[r] = {
                .first = all_steps,
                .steps = static_cast<std::uint32_t>(steps),
                .counted_from = static_cast<std::uint32_t>(steps - std::min(steps, request.scored_steps_of_error(0)))};
        all_steps += steps + 1;
    }
    DeviceStep* steps = nullptr;
    packed.steps = input.reserve<DeviceStep>(all_steps, &steps);
    for (std::size_t r = 0; steps && r < request.trajectory_count; ++r) {
        pack_steps(request, request.trajectories[r], steps);
        steps += request.trajectories[r].steps + 1;
    }
    const Outputs outputs = reserve_outputs(request, output, nullptr, nullptr);
    packed.scores = outputs.scores;
    packed.curves = outputs.curves;
    packed.curve_length = outputs.curve_length;
    return packed;
}

void unpack_results(const LaneRequest& request, DeviceArena& output) {
    double *scores = nullptr, *curves = nullptr;
    const Outputs outputs = reserve_outputs(request, output, &scores, &curves);
    const std::size_t by_trajectory = request.error_count * request.block.count;
    std::copy_n(scores, request.trajectory_count * by_trajectory, request.scores);
    if (!request.curves) return;
    double* to = request.curves;
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        for (std::size_t k = 0; k < by_trajectory; ++k)
            to = std::copy_n(curves + (r * by_trajectory + k) * outputs.curve_length, request.trajectories[r].steps + 1,
                             to);
}

}  // namespace bellwether
