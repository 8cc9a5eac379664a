// A horde equals as many learners to the bit, over any number of calls and threads.
#include "stream/horde.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "conformance_rows.hpp"
#include "engine/backend.hpp"
#include "stream_data.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t steps = 120;
constexpr std::size_t dimension = 9;
constexpr std::size_t predictions = 71;  // several groups with a rest, on every instruction set

std::vector<double> parameters_of(const ConformanceRow& row, const AlgorithmInfo& info) {
    const std::vector<double> one = check_parameters(info, row.parameters).value();
    std::vector<double> all;
    for (std::size_t p = 0; p < one.size(); ++p)
        for (std::size_t k = 0; k < predictions; ++k)
            all.push_back(info.parameters[p].name == "alpha" ? one[p] / static_cast<double>(1 + k % 5) : one[p]);
    return all;
}
// The same where traces do not depend on it.
std::vector<double> parameters_that_share(const ConformanceRow& row, const AlgorithmInfo& info) {
    std::vector<double> all = parameters_of(row, info);
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
        if (trace_reads(info, info.parameters[p]))
            std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(p * predictions), predictions, all[p * predictions]);
    return all;
}
std::vector<double> own(const Horde& horde, std::size_t k) {
    std::vector<double> parameters;
    for (std::size_t p = 0; p < horde.info().parameters.size(); ++p) parameters.push_back(horde.parameter(p, k));
    return parameters;
}

// Steps `begin` … `end` − 1 of a stream.
StreamView part(StreamView stream, std::size_t begin, std::size_t end) {
    stream.steps = end - begin;
    stream.x = rows_from(stream.x, begin);
    stream.x_next = rows_from(stream.x_next, begin);
    for (LaneSignal* signal : {&stream.reward, &stream.gamma, &stream.rho, &stream.pi, &stream.mu})
        signal->numbers += begin * signal->by_step;
    stream.marks += begin;
    return stream;
}

struct World {
    World(const AlgorithmInfo& info, FeatureKind kind)
        : data(random_case(11, steps, {.dimension = dimension, .features = kind, .on_policy = info.on_policy_only})),
          columns(data, kind, predictions),
          stream(columns.view(false)) {}

    Case data;
    Columns columns;
    StreamView stream;
};

TEST(Horde, EqualsLearnersOverSeveralCalls) {
    for (const ConformanceRow& row : conformance_rows())
        for (const FeatureKind kind : {FeatureKind::dense, FeatureKind::sparse, FeatureKind::one_hot}) {
            const AlgorithmInfo& info = *find_algorithm(row.id);
            const World world(info, kind);
            Horde horde(info, dimension, predictions, parameters_of(row, info));
            std::vector<double> before(steps * predictions);
            horde.learn(part(world.stream, 0, 50), before.data(), 1, {});
            horde.learn(part(world.stream, 50, 51), before.data() + 50 * predictions, 3, {});
            horde.start();
            horde.learn(part(world.stream, 51, steps), before.data() + 51 * predictions, 3, {});
            std::vector<double> expected(steps * predictions), weights;
            for (std::size_t k = 0; k < predictions; ++k) {
                const auto learner = scalar_learner(info, own(horde, k), dimension);
                for (std::size_t t = 0; t < steps; ++t) {
                    if (t == 51) learner->start();
                    expected[t * predictions + k] = step(*learner, world.data.stream[t], kind, false, k);
                }
                weights.insert(weights.end(), learner->weights().begin(), learner->weights().end());
            }
            EXPECT_EQ(differences(horde.weights(), weights), 0U) << row.id;
            EXPECT_EQ(differences(before, expected), 0U) << row.id;
        }
}

TEST(Horde, IsSavedPredictionByPredictionAsLearnersAre) {
    for (const ConformanceRow& row : conformance_rows()) {
        const AlgorithmInfo& info = *find_algorithm(row.id);
        const World world(info, FeatureKind::sparse);
        Horde horde(info, dimension, predictions, parameters_of(row, info));
        horde.learn(part(world.stream, 0, 80), nullptr, 1, {});
        horde.start();
        Horde other(info, dimension, predictions, parameters_of(row, info));
        for (std::size_t k = 0; k < predictions; ++k) EXPECT_EQ(other.restore(k, horde.save(k)), "");
        const auto learner = scalar_learner(info, own(horde, 40), dimension);
        EXPECT_EQ(learner->restore(horde.save(40)), "") << row.id;
        horde.learn(part(world.stream, 80, steps), nullptr, 1, {});
        other.learn(part(world.stream, 80, steps), nullptr, 1, {});
        for (std::size_t t = 80; t < steps; ++t) step(*learner, world.data.stream[t], FeatureKind::sparse, false, 40);
        const std::vector<double> weights = horde.weights();
        EXPECT_EQ(differences(weights, other.weights()), 0U) << row.id;
        const std::span of_40 = std::span(weights).subspan(40 * dimension, dimension);
        EXPECT_EQ(differences({of_40.begin(), of_40.end()}, {learner->weights().begin(), learner->weights().end()}), 0U)
            << row.id;
    }
}

// ---- predictions that share traces

// Predictions differ in their cumulants, and those of the second half in their discounts.
struct SharedWorld : World {
    SharedWorld(const AlgorithmInfo& info, FeatureKind kind) : World(info, kind), alone(data, kind, 1) {
        for (std::size_t t = 0; t < steps; ++t)
            for (std::size_t k = 0; k < predictions; ++k) gamma.push_back(own_gamma(data.stream[t], k));
        stream.gamma = {gamma.data(), predictions, true};
        stream.rho = {alone.rho.data(), 1, false};
        stream.pi = {alone.pi.data(), 1, false};
    }
    static double own_gamma(const Sample& s, std::size_t k) { return k % 2 == 0 ? s.gamma : 0.5 * s.gamma; }

    // One step of a learner of its own: the prediction before it, that of the next state, and the TD error.
    std::array<double, 3> step_alone(Learner& learner, FeatureKind kind, std::size_t t, std::size_t k) const {
        Sample s = data.stream[t];
        if (s.starts_segment) learner.start();
        const double now = predict(learner, kind, s.x), next = predict(learner, kind, s.x_next);
        s.reward = Columns::own_reward(s, k);
        s.gamma = own_gamma(s, k);
        s.starts_segment = false;
        step(learner, s, kind, false, 0);
        return {now, next, std::fma(s.gamma, next, s.reward) - now};
    }

    Columns alone;
    std::vector<double> gamma;
};

TEST(Horde, SharesTracesWherePredictionsAgreeAndEqualsLearners) {
    std::size_t sharing = 0;
    for (const ConformanceRow& row : conformance_rows())
        for (const FeatureKind kind : {FeatureKind::sparse, FeatureKind::one_hot})
            for (const InstructionSet* instruction_set : instruction_sets()) {
                const AlgorithmInfo& info = *find_algorithm(row.id);
                const SharedWorld world(info, kind);
                Horde horde(info, dimension, predictions, parameters_that_share(row, info), instruction_set);
                std::vector<double> before(steps * predictions), next(before), errors(before);
                const auto outputs = [&](std::size_t t) {
                    const std::size_t at = t * predictions;
                    return HordeOutputs{before.data() + at, next.data() + at, errors.data() + at};
                };
                horde.learn(part(world.stream, 0, 50), outputs(0), 1, {});
                if (!horde.shares_traces()) continue;
                ++sharing;
                horde.learn(part(world.stream, 50, 51), outputs(50), 3, {});
                horde.start();
                horde.learn(part(world.stream, 51, steps), outputs(51), 3, {});
                std::vector<double> expected(before.size()), expected_next(expected), expected_errors(expected),
                    weights;
                for (std::size_t k = 0; k < predictions; ++k) {
                    const auto learner = scalar_learner(info, own(horde, k), dimension);
                    for (std::size_t t = 0; t < steps; ++t) {
                        if (t == 51) learner->start();
                        const std::size_t at = t * predictions + k;
                        const auto [now, then, error] = world.step_alone(*learner, kind, t, k);
                        expected[at] = now;
                        expected_next[at] = then;
                        expected_errors[at] = error;
                    }
                    weights.insert(weights.end(), learner->weights().begin(), learner->weights().end());
                }
                EXPECT_EQ(differences(horde.weights(), weights), 0U) << row.id;
                EXPECT_EQ(differences(before, expected), 0U) << row.id;
                EXPECT_EQ(differences(next, expected_next), 0U) << row.id;
                EXPECT_EQ(differences(errors, expected_errors), 0U) << row.id;
            }
    EXPECT_GE(sharing, instruction_sets().size() * 2 * 15);
}

// What predictions agree in may change, and features too: they move, and go on as if nothing had been.
TEST(Horde, PredictionsMoveWhenTheyNoLongerAgree) {
    for (const char* id : {"off-policy-td", "gtd", "htd", "to-gtd"}) {
        const AlgorithmInfo& info = *find_algorithm(id);
        const SharedWorld shared(info, FeatureKind::sparse);
        const World apart(info, FeatureKind::sparse), dense(info, FeatureKind::dense);
        std::vector<double> parameters(info.parameters.size() * predictions, 0.05);
        Horde horde(info, dimension, predictions, parameters);
        horde.learn(part(shared.stream, 0, 40), nullptr, 1, {});
        EXPECT_TRUE(horde.shares_traces());
        horde.learn(part(apart.stream, 40, 80), nullptr, 1, {});
        // With narrow registers a group of one takes less than a trace and weights in lanes of their own.
        EXPECT_EQ(horde.shares_traces(), best_instruction_set().shared_learners() <= 3);
        horde.learn(part(dense.stream, 80, steps), nullptr, 1, {});
        const std::vector<double> weights = horde.weights();
        for (std::size_t k = 0; k < predictions; ++k) {
            const auto learner = scalar_learner(info, own(horde, k), dimension);
            for (std::size_t t = 0; t < 40; ++t) shared.step_alone(*learner, FeatureKind::sparse, t, k);
            for (std::size_t t = 40; t < 80; ++t) step(*learner, apart.data.stream[t], FeatureKind::sparse, false, k);
            for (std::size_t t = 80; t < steps; ++t) step(*learner, dense.data.stream[t], FeatureKind::dense, false, k);
            const std::span expected = learner->weights();
            const auto first = weights.begin() + static_cast<std::ptrdiff_t>(k * dimension);
            EXPECT_EQ(differences({first, first + dimension}, {expected.begin(), expected.end()}), 0U) << id;
        }
    }
}

TEST(Horde, GrowsWhileItRunsAndIsSavedWithSharedTraces) {
    for (const char* id : {"off-policy-td", "gtd"}) {
        const AlgorithmInfo& info = *find_algorithm(id);
        const SharedWorld world(info, FeatureKind::sparse);
        constexpr std::size_t first = 40;
        const auto given = [&](std::size_t count) { return std::vector<double>(info.parameters.size() * count, 0.05); };
        Horde horde(info, dimension, first, given(first));
        const StreamView begin = part(world.stream, 0, 60);  // its rows have a column for each that is to come
        horde.learn(begin, nullptr, 1, {});
        horde.grow(predictions - first, given(predictions - first));
        horde.learn(part(world.stream, 60, 80), nullptr, 1, {});
        Horde other(info, dimension, predictions, given(predictions));
        for (std::size_t k = 0; k < predictions; ++k) ASSERT_EQ(other.restore(k, horde.save(k)), "");
        horde.learn(part(world.stream, 80, steps), nullptr, 1, {});
        other.learn(part(world.stream, 80, steps), nullptr, 2, {});
        EXPECT_TRUE(horde.shares_traces() && other.shares_traces());
        const std::vector<double> weights = horde.weights();
        EXPECT_EQ(differences(weights, other.weights()), 0U) << id;
        for (std::size_t k = 0; k < predictions; ++k) {
            const auto learner = scalar_learner(info, own(horde, k), dimension);
            for (std::size_t t = k < first ? 0 : 60; t < steps; ++t)
                world.step_alone(*learner, FeatureKind::sparse, t, k);
            const std::span expected = learner->weights();
            const auto from = weights.begin() + static_cast<std::ptrdiff_t>(k * dimension);
            EXPECT_EQ(differences({from, from + dimension}, {expected.begin(), expected.end()}), 0U) << id << k;
        }
    }
}

TEST(Horde, RefusesAStateThatIsNotIts) {
    const AlgorithmInfo& info = *find_algorithm("gtd");
    const Horde small(info, 3, 1, {0.1, 1, 0});
    Horde other(info, 4, 1, {0.1, 1, 0});
    EXPECT_EQ(other.restore(0, small.save(0)),
              "it is not a state of this prediction: algorithm, dimension or parameters differ");
    EXPECT_EQ(other.restore(0, std::vector<std::byte>(5)), "it is not a saved state of bellwether");
}

TEST(Horde, StopsBetweenStepsWhenItsWatchThrows) {
    struct Enough {};
    const AlgorithmInfo& info = *find_algorithm("off-policy-td");
    const World world(info, FeatureKind::dense);
    const std::vector<double> parameters(2 * predictions, 0.01);
    Horde horde(info, dimension, predictions, parameters);
    EXPECT_THROW(horde.learn(world.stream, nullptr, 2, [] { throw Enough{}; }), Enough);
}

TEST(Horde, RefusesWhatCannotBe) {
    const AlgorithmInfo& info = *find_algorithm("gtd");
    EXPECT_THROW(Horde(info, 0, 1, {0.1, 1, 0}), UsageError);
    EXPECT_THROW(Horde(info, 3, 0, {}), UsageError);
    EXPECT_THROW(Horde(info, 3, 1, {-0.1, 1, 0}), UsageError);
    const World world(info, FeatureKind::dense);
    Horde horde(info, dimension + 1, predictions, std::vector<double>(3 * predictions, 0.5));
    EXPECT_THROW(horde.learn(world.stream, nullptr, 1, {}), UsageError);
}

}  // namespace
}  // namespace bellwether::test
