// One learner over a stream in memory: the same as its steps one by one.
#include "stream/learn_steps.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "stream/learning_trace.hpp"
#include "stream_data.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t steps = 90;
constexpr std::size_t dimension = 6;

class LearnSteps : public testing::TestWithParam<FeatureKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, LearnSteps,
                         testing::Values(FeatureKind::one_hot, FeatureKind::sparse, FeatureKind::dense));

TEST_P(LearnSteps, EqualTheStepsOneByOne) {
    const Case data = random_case(7, steps, {.dimension = dimension, .features = GetParam()});
    const Columns columns(data, GetParam());
    for (const char* id : {"gtd", "tb", "to-etd"})
        for (const bool with_states : {false, true}) {
            const AlgorithmInfo& info = *find_algorithm(id);
            const std::vector<double> parameters =
                check_parameters(info, std::vector<NamedValue>{{"alpha", 0.05}, {"lambda", 0.7}}).value();
            const auto learner = scalar_learner(info, parameters, dimension);
            const auto expected = scalar_learner(info, parameters, dimension);
            std::vector<double> predictions(steps), expected_predictions;
            const StreamView stream = columns.view(with_states);
            learn_steps(*learner, stream, 0, 40, predictions.data());
            learn_steps(*learner, stream, 40, steps, predictions.data());
            for (const Sample& sample : data.stream)
                expected_predictions.push_back(step(*expected, sample, GetParam(), with_states));
            EXPECT_EQ(differences(predictions, expected_predictions), 0U) << id;
            EXPECT_EQ(differences({learner->weights().begin(), learner->weights().end()},
                                  {expected->weights().begin(), expected->weights().end()}),
                      0U)
                << id;
        }
}

TEST_P(LearnSteps, PredictsAndLearnsNothingWhereThereIsNoStep) {
    const Case data = random_case(8, steps, {.dimension = dimension, .features = GetParam()});
    const Columns columns(data, GetParam());
    std::vector<std::uint8_t> marks(steps, 0);
    marks[30] = is_no_step;
    marks[31] = begins_segment;
    StreamView stream = columns.view(false);
    stream.marks = marks.data();
    const AlgorithmInfo& info = *find_algorithm("gtd");
    const auto learner = scalar_learner(info, {0.05, 1, 0.7}, dimension);
    const auto expected = scalar_learner(info, {0.05, 1, 0.7}, dimension);
    std::vector<double> predictions(steps);
    learn_steps(*learner, stream, 0, steps, predictions.data());
    for (std::size_t t = 0; t < steps; ++t) {
        Sample sample = data.stream[t];
        sample.starts_segment = t == 31;
        const double prediction =
            t == 30 ? predict(*expected, GetParam(), sample.x) : step(*expected, sample, GetParam(), false);
        EXPECT_TRUE(same(predictions[t], prediction)) << t;
    }
    EXPECT_EQ(differences({learner->weights().begin(), learner->weights().end()},
                          {expected->weights().begin(), expected->weights().end()}),
              0U);
}

TEST(LearningTrace, KeepsMeansOfSpansThatDouble) {
    LearningTrace trace;
    for (int step = 0; step < 1024; ++step) trace.add(step, step % 2 == 0 ? -1 : 3);
    LearningTrace::Means means = trace.means();  // 512 spans of two steps
    ASSERT_EQ(means.steps.size(), 512U);
    EXPECT_EQ(means.steps[1], 2);
    EXPECT_EQ(means.predictions[1], 2.5);
    EXPECT_EQ(means.td_errors[1], 2);
    trace.add(7, 5);
    means = trace.means();  // 256 of four, and the one that has begun
    ASSERT_EQ(means.steps.size(), 257U);
    EXPECT_EQ(means.predictions[0], 1.5);
    EXPECT_EQ(means.steps[256], 1024);
    EXPECT_EQ(means.predictions[256], 7);
    EXPECT_EQ(means.td_errors[256], 5);
    EXPECT_EQ(trace.steps(), 1025U);
}

}  // namespace
}  // namespace bellwether::test
