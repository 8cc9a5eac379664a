// A horde equals as many learners to the bit, over any number of calls and threads.
#include "stream/horde.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance_rows.hpp"
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
