#include "engine/device/packing.hpp"

#include <algorithm>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "engine/device/kernel.hpp"
#include "engine/device/packing_parts.hpp"

namespace bellwether {

namespace {

std::size_t adagrad_numbers(const LaneRequest& request) {
    const bool is_adagrad = request.step_sizes.kind == StepSizeRule::Kind::adagrad;
    return is_adagrad ? on_device(request.block.algorithm).adagrad(request.features.dimension) : 0;
}

// The errors of a request, and those after a change.
struct BothErrors {
    const LaneError* parts[2];
    std::size_t count;

    explicit BothErrors(const LaneRequest& request)
        : parts{request.errors, request.changes_after > 0 ? request.later_errors : nullptr},
          count(request.error_count) {}

    template <class Use>
    void for_each(Use use) const {
        for (const LaneError* errors : parts)
            for (std::size_t m = 0; errors && m < count; ++m) use(errors[m]);
    }
};

// The nodes of one error at a time.
std::size_t scratch_of(const LaneRequest& request) {
    std::size_t most = 0;
    BothErrors(request).for_each([&](const LaneError& error) {
        if (error.kind != LaneError::Kind::projected)
            most = std::max(most, scratch_of(error, request.features.dimension));
    });
    return most;
}

std::size_t longest_curve(const LaneRequest& request) {
    std::size_t longest = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r)
        longest = std::max(longest, measurements_of(request.trajectories[r]) + 1);
    return longest;
}

template <class Has>
bool some_trajectory(const LaneRequest& request, Has has) {
    return std::any_of(request.trajectories, request.trajectories + request.trajectory_count, has);
}
// Whether steps are not all alike: errors are measured after some only, or count from different ones on, or nothing is
// learned from some.
bool has_events(const LaneRequest& request) {
    for (std::size_t m = 1; m < request.error_count; ++m)
        if (request.scored_steps_of_error(m) != request.scored_steps_of_error(0)) return true;
    return some_trajectory(request, [](const LaneTrajectory& t) { return t.measured || t.marks; });
}
// Whether what is true changes as runs go on.
bool has_truths(const LaneRequest& request) {
    return some_trajectory(request, [](const LaneTrajectory& t) { return t.offsets; });
}
// How many errors are kept from one look to the next.
std::size_t remembered_by(const LaneRequest& request) {
    return some_trajectory(request, [](const LaneTrajectory& t) { return t.marks; }) ? request.error_count : 0;
}

// The rows that a request uses.
std::size_t rows_of(const LaneRequest& request) {
    std::size_t rows = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r) {
        const LaneTrajectory& t = request.trajectories[r];
        for (std::size_t k = 0; t.rows && k <= t.steps; ++k) rows = std::max<std::size_t>(rows, t.rows[k] + 1);
        for (std::size_t k = 0; t.rows_next && k < t.steps; ++k) rows = std::max<std::size_t>(rows, t.rows_next[k] + 1);
    }
    return rows;
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

void pack_own_parts(const LaneError* errors, const LaneRequest& request, DeviceErrors& packed) {
    DeviceErrors::OwnParts next{.terms = 0, .nodes = 0, .subsets = 0, .has_terms = true};
    for (std::size_t m = 0; m < request.error_count; ++m) {
        const LaneError& error = errors[m];
        packed.own[m] = next;
        packed.own[m].has_terms = error.kind != LaneError::Kind::projected && !has_truths(request) &&
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

// The row that a step leads to.
std::uint32_t row_after(const LaneTrajectory& trajectory, std::size_t t) {
    return trajectory.rows_next ? trajectory.rows_next[t] : trajectory.rows[t + 1];
}

void pack_steps(const LaneRequest& request, const LaneTrajectory& from, DeviceStep* to) {
    const LaneFeatures& features = request.features;
    for (std::size_t t = 0; t <= from.steps; ++t) {
        const std::uint32_t row = from.rows ? from.rows[t] : 0;
        DeviceStep step{};
        if (from.rows) {
            const auto place_of = [&](std::uint32_t of) {
                return features.kind == LaneFeatures::Kind::one_hot ? features.indices[of] : of;
            };
            step.row = place_of(row);
            if (t < from.steps) step.row_next = place_of(row_after(from, t));
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

void pack_events(const LaneRequest& request, const LaneTrajectory& trajectory, std::uint16_t* to) {
    std::size_t counted_from[most_device_errors];
    for (std::size_t m = 0; m < request.error_count; ++m)
        counted_from[m] = first_counted(trajectory, request.scored_steps_of_error(m));
    // Errors of the weights as they are that have been looked at: all those of w_0, for curves.
    unsigned known = request.curves ? adds_every_error : 0;
    for (std::size_t t = 0; t < trajectory.steps; ++t) {
        if (request.changes_after > 0 && t == request.changes_after) known = 0;
        const unsigned marks = trajectory.marks ? trajectory.marks[t] : 0;
        unsigned due = 0;
        if (!trajectory.measured || trajectory.measured[t]) {
            for (std::size_t m = 0; m < request.error_count; ++m)
                if (t >= counted_from[m]) due |= adds_error << m;
            if (request.curves) due |= is_recorded;
        }
        const unsigned errors = request.curves && due ? unsigned{adds_every_error} : due;
        if (marks & is_idle) {
            if (errors && !(errors & ~known) && !trajectory.offsets) due |= repeats_errors;
            known |= errors;
        } else {
            known = errors;
        }
        to[t] = static_cast<std::uint16_t>(due | marks << marks_of_event);
    }
}

void pack_measurements(const LaneTrajectory& trajectory, std::uint32_t* to) {
    std::uint32_t count = 0;
    for (std::size_t t = 0; t <= trajectory.steps; ++t) {
        to[t] = count;
        count += t < trajectory.steps && (!trajectory.measured || trajectory.measured[t]);
    }
}

// By step: of the update that is made there.
void pack_factors(const StepSizeRule& power, const LaneTrajectory& trajectory, double* to) {
    std::uint64_t updates = 0;
    for (std::size_t t = 0; t < trajectory.steps; ++t) {
        const bool learns = !trajectory.marks || !(trajectory.marks[t] & (is_idle | is_no_step));
        updates += learns;
        to[t] = learns ? power_of(updates, power.exponent) : 1;
    }
}

// What all errors have in common, but for the b of their terms.
LaneError::Term* pack_truths(const LaneError& error, const LaneTrajectory& trajectory, LaneError::Term* to) {
    to = std::copy_n(error.terms, error.term_count, to);
    const double* b = trajectory.offsets;
    for (std::size_t measurement = measurements_of(trajectory); measurement > 0; --measurement)
        for (std::size_t k = 0; k < error.term_count; ++k, ++to, ++b) *to = {error.terms[k].node, error.terms[k].a, *b};
    return to;
}

struct Outputs {
    double *scores, *curves;
    std::size_t curve_length;
};
Outputs reserve_outputs(const LaneRequest& request, DeviceArena& output, double** scores, double** curves) {
    const std::size_t numbers = request.trajectory_count * request.error_count * request.block.count;
    const std::size_t curve_length = request.curves ? longest_curve(request) : 0;
    Outputs outputs{output.reserve<double>(numbers, scores), nullptr, curve_length};
    if (request.curves) outputs.curves = output.reserve<double>(numbers * curve_length, curves);
    return outputs;
}

}  // namespace

std::size_t device_numbers(const LaneRequest& request) {
    if (request.error_count > most_device_errors) return 0;
    bool takes_errors = true;
    BothErrors(request).for_each(
        [&](const LaneError& error) { takes_errors = takes_errors && error.of == LaneError::Of::states; });
    const std::size_t learner = on_device(request.block.algorithm).learner_numbers(request.features.dimension);
    if (learner == 0 || !takes_errors) return 0;
    return learner + request.error_count + scratch_of(request) + remembered_by(request) + adagrad_numbers(request);
}

namespace {

void pack_trajectories(const LaneRequest& request, DeviceRequest& packed, DeviceArena& input) {
    DeviceTrajectory* trajectories = nullptr;
    packed.trajectories = input.reserve<DeviceTrajectory>(request.trajectory_count, &trajectories);
    packed.trajectory_count = request.trajectory_count;
    std::vector<LaneTrajectory> cut;
    std::size_t records = 0, truths = 0;
    for (std::size_t r = 0; r < request.trajectory_count; ++r) {
        const LaneTrajectory& one = cut.emplace_back(up_to_last_measured(request.trajectories[r]));
        if (trajectories)
            trajectories[r] = {.first = records,
                               .steps = static_cast<std::uint32_t>(one.steps),
                               .counted_from = static_cast<std::uint32_t>(
                                   one.steps - std::min(one.steps, request.scored_steps_of_error(0))),
                               .first_truth = truths};
        records += one.steps + 1;
        truths += measurements_of(one) + 1;
    }
    DeviceStep* steps = nullptr;
    packed.steps = input.reserve<DeviceStep>(records, &steps);
    std::uint16_t* events = nullptr;
    if (has_events(request)) packed.events = input.reserve<std::uint16_t>(records, &events);
    std::uint32_t* measurements = nullptr;
    if (packed.events && (request.curves || has_truths(request)))
        packed.measurements = input.reserve<std::uint32_t>(records, &measurements);
    double* lambda_next = nullptr;
    if (packed.has_lambda && some_trajectory(request, [](const LaneTrajectory& t) { return t.rows_next; }))
        packed.lambda_next = input.reserve<double>(records, &lambda_next);
    double* factors = nullptr;
    if (request.step_sizes.kind == StepSizeRule::Kind::power && algorithm_table[request.block.algorithm].plain_alpha)
        packed.step_size_factors = input.reserve<double>(records, &factors);
    LaneError::Term* terms = nullptr;
    if (has_truths(request))
        packed.truths = input.reserve<LaneError::Term>(truths * request.errors->term_count, &terms);
    std::size_t first = 0;
    for (const LaneTrajectory& one : cut) {
        if (steps) pack_steps(request, one, steps + first);
        if (events) pack_events(request, one, events + first);
        if (measurements) pack_measurements(one, measurements + first);
        for (std::size_t t = 0; lambda_next && t < one.steps; ++t)
            lambda_next[first + t] = request.states.lambda[row_after(one, t)];
        if (factors) pack_factors(request.step_sizes, one, factors + first);
        if (terms) terms = pack_truths(*request.errors, one, terms);
        first += one.steps + 1;
    }
}

}  // namespace

DeviceRequest pack_request(const LaneRequest& request, DeviceArena& input, DeviceArena& output) {
    DeviceRequest packed{};
    put_block(request.block, packed, input);
    const std::size_t rows = rows_of(request);
    packed.features = packed.features_next = pack_features(request.features, rows, input);
    if (on_device(request.block.algorithm).spreads)
        packed.spread = packed.spread_next = pack_spread(request.features, rows, input);
    if (request.initial_weights)
        packed.initial_weights = input.put(request.initial_weights, request.features.dimension);
    packed.has_lambda = request.states.lambda != nullptr;
    packed.has_interest = request.states.interest != nullptr;
    packed.error_count = request.error_count;
    packed.changes_after = request.changes_after > 0 ? request.changes_after : UINT64_MAX;
    const BothErrors errors(request);
    for (std::size_t part = 0; part < 2 && errors.parts[part]; ++part) {
        for (std::size_t m = 0; m < request.error_count; ++m)
            packed.errors[part].errors[m] = pack_error(errors.parts[part][m], request, input);
        pack_own_parts(errors.parts[part], request, packed.errors[part]);
    }
    for (std::size_t m = 0; m < request.error_count; ++m)
        packed.scored_steps[m] = static_cast<double>(request.scored_steps_of_error(m));
    packed.scratch = scratch_of(request);
    packed.remembered = remembered_by(request);
    packed.kept = adagrad_numbers(request);
    packed.is_adagrad = packed.kept > 0;
    pack_trajectories(request, packed, input);
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
            to = std::copy_n(curves + (r * by_trajectory + k) * outputs.curve_length,
                             measurements_of(request.trajectories[r]) + 1, to);
}

}  // namespace bellwether
