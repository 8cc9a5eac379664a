// Learners in lanes equal learners one by one to the bit, in their weights and in every prediction, whether they
// converge or not: for every algorithm, kind of features and instruction set, on trajectories of a problem, and on
// streams with segments, with signals of their own, in stretches of any length, and saved and restored between two of
// them.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "bellwether/state.hpp"
#include "conformance_rows.hpp"
#include "engine/backend.hpp"
#include "stream_data.hpp"
#include "support/algorithms.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t steps = 150;
constexpr std::size_t dimension = 19;
constexpr std::array<std::size_t, 5> cuts{0, 1, 37, 90, steps};
constexpr std::size_t saved_at = 90;

// Step sizes from 2^-4 of the row's to where everything diverges: late, or, already among few learners, soon.
double varied(const NamedValue& parameter, std::size_t learner) {
    const int k = static_cast<int>(learner);
    if (parameter.name == "alpha")
        return k % 4 == 3 ? std::ldexp(1, 2 * k + (k % 8 == 3 ? 128 : 4)) : std::ldexp(parameter.value, k % 9 - 4);
    if (parameter.name == "eta") return std::ldexp(parameter.value, k % 7 - 3);
    if (parameter.name == "lambda") return (k % 5) / 4.0;
    if (parameter.name == "epsilon") return parameter.value * (1 + k);
    return parameter.value;
}
std::vector<double> parameters_of(const ConformanceRow& row, const AlgorithmInfo& info, std::size_t learner) {
    std::vector<NamedValue> parameters = row.parameters;
    for (NamedValue& parameter : parameters) parameter.value = varied(parameter, learner);
    return check_parameters(info, parameters).value();
}

std::vector<std::vector<double>> configurations_of(const ConformanceRow& row, const AlgorithmInfo& info,
                                                   std::size_t count) {
    std::vector<std::vector<double>> configurations;
    for (std::size_t k = 0; k < count; ++k) configurations.push_back(parameters_of(row, info, k));
    return configurations;
}
// As a block has them: parameter by parameter.
std::vector<double> by_parameter(const std::vector<std::vector<double>>& configurations) {
    std::vector<double> numbers;
    for (std::size_t p = 0; p < configurations[0].size(); ++p)
        for (const std::vector<double>& own : configurations) numbers.push_back(own[p]);
    return numbers;
}

struct Outcome {
    std::vector<double> weights, predictions;
};

Outcome in_lanes(const InstructionSet& set, const AlgorithmInfo& info, const Case& c, const StreamView& stream,
                 const std::vector<std::vector<double>>& configurations) {
    const std::size_t count = configurations.size();
    const std::vector<double> parameters = by_parameter(configurations);
    const LaneBlock block{registry_index(info), count, parameters.data()};
    const auto make = [&](const double* w_0) {
        return set.make_lane_learners(
            {.block = block, .first = 0, .dimension = dimension, .initial_weights = w_0, .error_count = 0});
    };
    auto learners = make(c.w_0.data());
    Outcome outcome{std::vector<double>(count * dimension), std::vector<double>(steps * count)};
    for (std::size_t cut = 0; cut + 1 < cuts.size(); ++cut) {
        learners->learn(source_of(stream, cuts[cut], cuts[cut + 1] - cuts[cut]),
                        {.predictions = outcome.predictions.data() + cuts[cut] * count, .predictions_by_step = count});
        if (cuts[cut + 1] != saved_at) continue;
        auto restored = make(nullptr);
        std::vector<std::byte> body(learners->body_size());
        for (std::size_t k = 0; k < count; ++k) {
            learners->save_body(k, body.data());
            restored->restore_body(k, body.data());
        }
        learners = std::move(restored);
    }
    learners->weights(outcome.weights.data());
    return outcome;
}

// λ and interest of the states are brought along, or they are the learner's own. Weights and predictions are read
// before every step, which changes nothing.
Outcome one_by_one(const AlgorithmInfo& info, const Case& c, const Columns& columns, bool with_states,
                   const std::vector<std::vector<double>>& configurations) {
    const std::size_t count = configurations.size();
    Outcome outcome{{}, std::vector<double>(steps * count)};
    for (std::size_t k = 0; k < count; ++k) {
        const auto learner = scalar_learner(info, configurations[k], dimension);
        learner->set_weights(c.w_0);
        const std::size_t whose = columns.learners > 1 ? k : 0;
        for (std::size_t t = 0; t < steps; ++t)
            outcome.predictions[t * count + k] = step(*learner, c.stream[t], columns.kind, with_states, whose);
        const auto weights = learner->weights();
        outcome.weights.insert(outcome.weights.end(), weights.begin(), weights.end());
    }
    return outcome;
}

// What the test would not be worth without: learners that diverge, and ones that do not.
struct Tally {
    std::size_t compared = 0, finite = 0;

    void add(const std::vector<double>& weights) {
        compared += weights.size();
        for (const double weight : weights) finite += std::isfinite(weight);
    }
    void expect_both() const {
        EXPECT_GT(finite, compared / 3);
        EXPECT_LT(finite, compared - compared / 20);
    }
};

struct Signals {
    bool own;  // of each learner; else shared
    bool with_states;
};

void expect_equal(const ConformanceRow& row, FeatureKind kind, Signals signals, Tally& tally) {
    const AlgorithmInfo& info = *find_algorithm(row.id);
    const Case c = random_case(23, steps, {.dimension = dimension, .features = kind, .on_policy = info.on_policy_only});
    for (const InstructionSet* set : instruction_sets())
        for (const std::size_t count : {std::size_t{1}, set->lanes() + 1, set->most_learners()}) {
            const Columns columns(c, kind, signals.own ? std::max<std::size_t>(count, 2) : 1);
            const auto configurations = configurations_of(row, info, count);
            const Outcome lanes = in_lanes(*set, info, c, columns.view(signals.with_states), configurations);
            const Outcome expected = one_by_one(info, c, columns, signals.with_states, configurations);
            const std::string what = std::string(row.id) + " on " + std::string(set->name()) + ", " +
                                     std::to_string(count) + " learners" +
                                     (signals.own ? ", signals of their own" : "") +
                                     (signals.with_states ? ", lambda and interest of the states" : "");
            EXPECT_EQ(differences(lanes.weights, expected.weights), 0U) << what;
            EXPECT_EQ(differences(lanes.predictions, expected.predictions), 0U) << what;
            tally.add(lanes.weights);
        }
}

// ---- trajectories: one table of rows, in another order than the steps

struct Trajectory {
    Trajectory(const Case& c, FeatureKind kind) : features(kind, c.dimension), columns(c, kind) {
        const std::size_t states = steps + 1;  // a prime
        std::vector<std::size_t> state_of(states);
        for (std::size_t t = 0; t < states; ++t) {
            rows.push_back(static_cast<std::uint32_t>(t * 7 % states));
            state_of[rows[t]] = t;
        }
        for (const std::size_t t : state_of) {
            const Sample& s = c.stream[std::min(t, steps - 1)];
            features.add(t < steps ? s.x : s.x_next);
            lambda.push_back(t < steps ? s.lambda : s.lambda_next);
            interest.push_back(s.interest);
        }
    }
    LaneTrajectory view() const {
        return {steps,
                rows.data(),
                columns.reward.data(),
                columns.gamma.data(),
                columns.rho.data(),
                columns.pi.data(),
                columns.mu.data()};
    }

    Rows features;
    Columns columns;
    std::vector<std::uint32_t> rows;
    std::vector<double> lambda, interest;
};

std::vector<double> on_trajectory(const InstructionSet& set, const AlgorithmInfo& info, const Case& c,
                                  const Trajectory& trajectory, bool with_states,
                                  const std::vector<std::vector<double>>& configurations) {
    const std::vector<double> parameters = by_parameter(configurations);
    LaneRequest request{};
    request.block = {registry_index(info), configurations.size(), parameters.data()};
    request.features = trajectory.features.view();
    if (with_states) request.states = {trajectory.lambda.data(), trajectory.interest.data()};
    std::vector<double> weights(configurations.size() * dimension);
    for (std::size_t first = 0; first < configurations.size(); first += set.most_learners()) {
        const auto learners = set.make_lane_learners({.block = request.block,
                                                      .first = first,
                                                      .dimension = dimension,
                                                      .initial_weights = c.w_0.data(),
                                                      .error_count = 0});
        learners->learn(source_of(request, trajectory.view()), {});
        learners->weights(weights.data() + first * dimension);
    }
    return weights;
}

void expect_equal_on_trajectories(const ConformanceRow& row, FeatureKind kind, bool with_states, Tally& tally) {
    const AlgorithmInfo& info = *find_algorithm(row.id);
    const Case c = random_case(
        17, steps, {.dimension = dimension, .features = kind, .on_policy = info.on_policy_only, .segments = false});
    const Trajectory trajectory(c, kind);
    const std::vector<double> expected =
        one_by_one(info, c, trajectory.columns, with_states, configurations_of(row, info, 33)).weights;
    for (const InstructionSet* set : instruction_sets())
        // From less than a pack to several with a rest, whose last lanes have no configuration of their own.
        for (const std::size_t count : {1, 5, 16, 33}) {
            const std::vector<double> weights =
                on_trajectory(*set, info, c, trajectory, with_states, configurations_of(row, info, count));
            EXPECT_EQ(differences(weights, {expected.begin(), expected.begin() + std::ssize(weights)}), 0U)
                << row.id << " on " << set->name() << ", " << count << " configurations"
                << (with_states ? ", lambda and interest of the states" : "");
            tally.add(weights);
        }
}

// ---- everything they remember

// Counts the numbers in which two bodies of the learner that is walked differ. A NaN's sign and payload carry nothing.
struct BodyComparison {
    const std::byte* one;
    const std::byte* other;
    std::size_t differences = 0;

    void numbers(const Vector<double>& v) { compare(v.size); }
    void numbers(const Matrix<double>& m) { compare(m.size * m.size); }
    void number(double, int) { compare(1); }
    void flag(std::uint32_t) {
        one += sizeof(std::uint32_t);
        other += sizeof(std::uint32_t);
    }

private:
    void compare(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            double a = 0, b = 0;
            std::memcpy(&a, one, sizeof a);
            std::memcpy(&b, other, sizeof b);
            differences += !same(a, b);
            one += sizeof a;
            other += sizeof b;
        }
    }
};

std::size_t body_differences(const AlgorithmInfo& info, std::span<const std::byte> one,
                             std::span<const std::byte> other) {
    if (one.size() != other.size()) return SIZE_MAX;
    std::size_t differences = SIZE_MAX;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (info.id != info_of<Algorithm>.id) return;
        Online<Algorithm<double, DenseTraces>> shape(dimension, {});
        BodyComparison comparison{one.data(), other.data()};
        shape.every_part(comparison);
        EXPECT_EQ(comparison.one, one.data() + one.size());
        differences = comparison.differences;
    });
    return differences;
}

void expect_equal_memories(const ConformanceRow& row, FeatureKind kind, const InstructionSet& set) {
    const AlgorithmInfo& info = *find_algorithm(row.id);
    const Case c = random_case(29, 60, {.dimension = dimension, .features = kind, .on_policy = info.on_policy_only});
    const Columns columns(c, kind, 1);
    const StreamView stream = columns.view(true);
    const std::size_t count = set.lanes();
    const auto configurations = configurations_of(row, info, count);
    const std::vector<double> parameters = by_parameter(configurations);
    std::vector<std::unique_ptr<Learner>> scalars;
    for (const std::vector<double>& own : configurations) {
        scalars.push_back(scalar_learner(info, own, dimension));
        scalars.back()->set_weights(c.w_0);
    }
    const auto lanes = set.make_lane_learners({.block = {registry_index(info), count, parameters.data()},
                                               .first = 0,
                                               .dimension = dimension,
                                               .initial_weights = c.w_0.data(),
                                               .error_count = 0});
    std::vector<std::byte> body(lanes->body_size());
    for (std::size_t t = 0; t < c.stream.size(); ++t) {
        lanes->learn(source_of(stream, t, 1), {});
        for (std::size_t k = 0; k < count; ++k) {
            step(*scalars[k], c.stream[t], kind, true, 0);
            lanes->save_body(k, body.data());
            const std::vector<std::byte> saved = scalars[k]->save();
            SavedState state;
            ASSERT_EQ(read_state(saved, state), "");
            ASSERT_EQ(body_differences(info, body, state.body), 0U)
                << row.id << " on " << set.name() << ", lane " << k << ", step " << t;
        }
    }
}

class LaneLearnersEqual : public testing::TestWithParam<FeatureKind> {};

INSTANTIATE_TEST_SUITE_P(Lanes, LaneLearnersEqual,
                         testing::Values(FeatureKind::one_hot, FeatureKind::sparse, FeatureKind::dense),
                         [](const auto& kind) {
                             return std::string(kind.param == FeatureKind::dense    ? "dense"
                                                : kind.param == FeatureKind::sparse ? "sparse"
                                                                                    : "one_hot");
                         });

TEST_P(LaneLearnersEqual, LearnersInEverythingTheyRemember) {
    for (const ConformanceRow& row : conformance_rows())
        for (const InstructionSet* set : instruction_sets()) expect_equal_memories(row, GetParam(), *set);
}

TEST_P(LaneLearnersEqual, LearnersOnStreams) {
    ASSERT_EQ(conformance_rows().size(), algorithm_table.size());
    Tally tally;
    for (const ConformanceRow& row : conformance_rows())
        for (const Signals signals : {Signals{.own = false, .with_states = false}, {false, true}, {true, false}})
            expect_equal(row, GetParam(), signals, tally);
    tally.expect_both();
}

TEST_P(LaneLearnersEqual, LearnersOnTrajectories) {
    Tally tally;
    for (const ConformanceRow& row : conformance_rows())
        for (const bool with_states : {false, true}) expect_equal_on_trajectories(row, GetParam(), with_states, tally);
    tally.expect_both();
}

}  // namespace
}  // namespace bellwether::test
