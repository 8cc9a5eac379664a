// Sweeps over a user's stream: scores are those of learners one by one, whatever the threads and the instruction set.
#include "stream/stream_sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stream_data.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t steps = 300;
constexpr std::size_t dimension = 7;

std::vector<const AlgorithmInfo*> algorithms(std::initializer_list<const char*> ids) {
    std::vector<const AlgorithmInfo*> infos;
    for (const char* id : ids) infos.push_back(find_algorithm(id));
    return infos;
}

const std::vector<ParameterValues> grid{
    {"alpha", {0.01, 0.05, 0.1, 1e9}}, {"eta", {0.5, 1}}, {"lambda", {0, 0.4, 0.9}}};

struct World {
    explicit World(FeatureKind feature_kind = FeatureKind::dense, bool on_policy = false)
        : kind(feature_kind),
          data(random_case(5, steps, {.dimension = dimension, .features = kind, .on_policy = on_policy})),
          columns(data, kind),
          stream(columns.view(false)) {}

    FeatureKind kind;
    Case data;
    Columns columns;
    StreamView stream;
};

// What a message of a UsageError says.
std::string refusal(const std::function<void()>& work) {
    try {
        work();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(Grids, AreAllCombinationsWithTheFirstParameterChangingFirst) {
    const auto infos = algorithms({"gtd", "td0"});
    const auto all = grids_of(infos, grid);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].configurations(), 4U * 2 * 3);
    EXPECT_EQ(all[1].configurations(), 4U);
    EXPECT_EQ(all[0].value(0, 0), 0.01);
    EXPECT_EQ(all[0].value(1, 0), 0.05);
    EXPECT_EQ(all[0].value(4, 1), 1);
    EXPECT_EQ(all[0].value(8, 2), 0.4);
    std::vector<double> parameters(3);
    all[0].parameters(13, parameters);
    EXPECT_EQ(parameters, (std::vector<double>{0.05, 1, 0.4}));
}

TEST(Grids, AreReadWithTheLastParameterChangingFirst) {
    const auto all = grids_of(algorithms({"gtd"}), grid);
    const std::vector<std::size_t> order = all[0].reading_order();
    ASSERT_EQ(order.size(), 4U * 2 * 3);
    std::size_t row = 0;
    for (const double alpha : grid[0].values)
        for (const double eta : grid[1].values)
            for (const double lambda : grid[2].values) {
                std::vector<double> parameters(3);
                all[0].parameters(order[row++], parameters);
                EXPECT_EQ(parameters, (std::vector<double>{alpha, eta, lambda}));
            }
}

TEST(Grids, RefuseWhatNoAlgorithmHas) {
    const auto infos = algorithms({"td"});
    const auto with = [&](std::vector<ParameterValues> values) { return refusal([&] { grids_of(infos, values); }); };
    EXPECT_EQ(with({{"alpha", {0.1}}, {"eta", {1}}}), "none of the algorithms has a parameter 'eta'");
    EXPECT_EQ(with({{"alpha", {}}}), "alpha has no values");
    EXPECT_EQ(with({{"lambda", {0.5}}}), "td needs alpha: step size of the weights w, at least 0");
    EXPECT_EQ(with({{"alpha", {0.1}}, {"lambda", {1.5}}}),
              "lambda = 1.5 is out of range: it must be finite and in [0, 1]");
    EXPECT_EQ(refusal([] { grids_of({}, {}); }), "no algorithm is given");
}

TEST(Returns, AreDiscountedSumsWithinSegments) {
    const std::vector<double> reward{1, 2, 4, 8, 16}, gamma{0.5, 0, 0.5, 1, 0.5}, rho{1, 2, 1, 1, 3};
    const std::vector<std::uint8_t> marks{0, 0, 0, begins_segment, 0};
    StreamView stream{.steps = 5, .x = {}, .x_next = {}, .reward = {reward.data()}, .gamma = {gamma.data()}};
    stream.rho = {rho.data()};
    stream.marks = marks.data();
    const Targets targets = returns_of(stream);
    EXPECT_EQ(targets.values, (std::vector<double>{1 + 0.5 * 4, 4, 4, 8 + 48, 48}));
    EXPECT_EQ(targets.known, (std::vector<std::uint8_t>{1, 1, 0, 0, 0}));
}

TEST(Returns, EndBeforeWhatIsNoStep) {
    const std::vector<double> reward{1, 2, NAN, 8}, gamma{0.5, 1e-7, NAN, 0};
    const std::vector<std::uint8_t> marks{0, 0, is_no_step, begins_segment};
    StreamView stream{.steps = 4, .x = {}, .x_next = {}, .reward = {reward.data()}, .gamma = {gamma.data()}};
    stream.marks = marks.data();
    const Targets targets = returns_of(stream);
    EXPECT_EQ(targets.values, (std::vector<double>{2, 2, 0, 8}));
    EXPECT_EQ(targets.known, (std::vector<std::uint8_t>{1, 1, 0, 1}));
}

TEST(Returns, AreKnownWhereWhatIsMissingIsDiscountedAway) {
    const double reward = 1, gamma = 0.5;
    const StreamView stream{.steps = 30, .x = {}, .x_next = {}, .reward = {&reward, 0}, .gamma = {&gamma, 0}};
    const Targets targets = returns_of(stream);
    EXPECT_EQ(targets.known[10], 1);  // 0.5^20
    EXPECT_EQ(targets.known[11], 0);  // 0.5^19 > 1e-6
    EXPECT_NEAR(targets.values[0], 2, 1e-8);
}

// The same by one learner: the mean over the measured steps of error(t, prediction before step t, learner after it).
using ErrorOfStep = std::function<std::optional<double>(std::size_t, double, const Learner&)>;
double mean_error(const World& world, const AlgorithmGrid& all, std::size_t c, const ErrorOfStep& error) {
    std::vector<double> parameters;
    for (std::size_t p = 0; p < all.values.size(); ++p) parameters.push_back(all.value(c, p));
    const auto learner = scalar_learner(*all.info, parameters, dimension);
    double sum = 0, count = 0;
    for (std::size_t t = 0; t < steps; ++t) {
        const double prediction = step(*learner, world.data.stream[t], world.kind, false);
        if (const auto value = error(t, prediction, *learner)) sum += *value, ++count;
    }
    return learner->diverged() ? infinity : sum / count;
}

class StreamSweepScores : public testing::TestWithParam<FeatureKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, StreamSweepScores,
                         testing::Values(FeatureKind::one_hot, FeatureKind::sparse, FeatureKind::dense));

TEST_P(StreamSweepScores, OfPredictionsAreThoseOfLearners) {
    const World world(GetParam());
    const auto all = grids_of(algorithms({"gtd", "off-policy-td", "to-htd"}), grid);
    const Targets targets = returns_of(world.stream);
    const StreamTruth truth{.by_step = targets.values.data(), .known = targets.known.data()};
    for (const StreamMetric metric : {StreamMetric::rmse, StreamMetric::mse, StreamMetric::mae}) {
        const StreamScores results = sweep_stream(world.stream, all, truth, {.metric = metric, .score_share = 0.25});
        const StreamScores same =
            sweep_stream(world.stream, all, {.returns = true}, {.metric = metric, .score_share = 0.25});
        EXPECT_EQ(differences(results.scores, same.scores), 0U);
        std::size_t at = 0, finite = 0;
        for (const AlgorithmGrid& algorithm : all)
            for (std::size_t c = 0; c < algorithm.configurations(); ++c, ++at) {
                double expected =
                    mean_error(world, algorithm, c, [&](std::size_t t, double prediction, const Learner&) {
                        const double difference = prediction - targets.values[t];
                        const double value =
                            metric == StreamMetric::mae ? std::abs(difference) : difference * difference;
                        return t >= steps - steps / 4 && targets.known[t] ? std::optional(value) : std::nullopt;
                    });
                if (metric == StreamMetric::rmse) expected = std::sqrt(expected);
                if (!std::isfinite(expected)) expected = infinity;
                EXPECT_EQ(results.scores[at], expected) << algorithm.info->id << " " << c;
                EXPECT_EQ(results.diverged[at], !std::isfinite(expected));
                finite += std::isfinite(expected);
            }
        EXPECT_GT(finite, results.scores.size() / 2);
        EXPECT_LT(finite, results.scores.size());
    }
}

TEST_P(StreamSweepScores, OfAnEvaluationSetAreThoseOfLearners) {
    const World world(GetParam());
    const auto all = grids_of(algorithms({"gtd", "to-etd"}), grid);
    Random random(3);
    const StreamOptions options{.dimension = dimension, .features = GetParam()};
    Rows rows(GetParam(), dimension);
    std::vector<Vec> set;
    for (std::size_t k = 0; k < 9; ++k) rows.add(set.emplace_back(random_features(random, options)));
    const Vec values = random.vector(9, -1, 1);
    const Vec weights{1, 0, 2, 1, 1, 1, 0, 1, 1};  // 8 in all
    const StreamTruth truth{
        .rows = rows.view(), .row_count = 9, .values = values.data(), .weights = weights.data(), .every = 7};
    const StreamScores results = sweep_stream(world.stream, all, truth, {.score_share = 0.5});
    std::size_t at = 0;
    for (const AlgorithmGrid& algorithm : all)
        for (std::size_t c = 0; c < algorithm.configurations(); ++c, ++at) {
            double expected = mean_error(world, algorithm, c, [&](std::size_t t, double, const Learner& learner) {
                double sum = 0;
                for (std::size_t k = 0; k < set.size(); ++k) {
                    const double difference = predict(learner, GetParam(), set[k]) - values[k];
                    sum = std::fma(weights[k] / 8, difference * difference, sum);
                }
                return t >= steps / 2 && (steps - 1 - t) % 7 == 0 ? std::optional(std::sqrt(sum)) : std::nullopt;
            });
            if (!std::isfinite(expected)) expected = infinity;
            EXPECT_EQ(results.scores[at], expected) << algorithm.info->id << " " << c;
        }
}

TEST(StreamSweep, IsTheSameForAnyThreadsAndInstructionSet) {
    const World world;
    const auto all = grids_of(algorithms({"gtd", "htd", "to-gtd", "lstd"}),
                              std::vector<ParameterValues>{{"alpha", {0.001, 0.01, 0.02, 0.03, 0.05, 1e9}},
                                                           {"eta", {0.1, 1, 2}},
                                                           {"lambda", {0, 0.2, 0.4, 0.6, 0.8, 1}}});
    const Targets targets = returns_of(world.stream);
    const StreamTruth truth{.by_step = targets.values.data(), .known = targets.known.data()};
    const StreamScores first = sweep_stream(world.stream, all, truth, {.keeps_weights = true});
    EXPECT_EQ(first.weights.size(), first.scores.size() * dimension);
    for (const InstructionSet* set : instruction_sets())
        for (const std::size_t threads : {1, 3, 64}) {
            const StreamScores other =
                sweep_stream(world.stream, all, truth, {.threads = threads, .instruction_set = set});
            EXPECT_EQ(differences(first.scores, other.scores), 0U) << set->name() << ", " << threads << " threads";
            EXPECT_EQ(first.diverged, other.diverged);
            EXPECT_TRUE(other.weights.empty());
        }
}

TEST(StreamSweep, StartsFromInitialWeights) {
    const World world;
    const auto all = grids_of(algorithms({"gtd"}), std::vector<ParameterValues>{{"alpha", {0}}});
    const std::vector<double> truth_values(steps, 0);
    const StreamScores results = sweep_stream(world.stream, all, {.by_step = truth_values.data()},
                                              {.initial_weights = world.data.w_0.data(), .keeps_weights = true});
    EXPECT_EQ(results.weights, world.data.w_0);
    EXPECT_GT(results.scores[0], 0);
}

TEST(StreamSweep, StopsWhenItsWatchThrows) {
    struct Enough {};
    const World world;
    const auto all = grids_of(algorithms({"gtd"}), grid);
    const std::vector<double> values(steps, 0);
    const StreamSweepOptions options{.watch = [](double) { throw Enough{}; }};
    EXPECT_THROW(sweep_stream(world.stream, all, {.by_step = values.data()}, options), Enough);
}

TEST(StreamSweep, RefusesWhatCannotBe) {
    World world;
    const auto gtd = grids_of(algorithms({"gtd"}), grid);
    const std::vector<double> zero(steps, 0);
    const auto with = [&](StreamView stream, const std::vector<AlgorithmGrid>& all, StreamSweepOptions options) {
        return refusal([&] { sweep_stream(stream, all, {.by_step = zero.data()}, options); });
    };
    EXPECT_EQ(with(world.stream, gtd, {.score_share = 0}), "score = 0 is out of range: it must be in (0, 1]");
    EXPECT_EQ(with(world.stream, gtd, {.threads = 0}), "threads must be at least 1");
    EXPECT_EQ(with(world.stream, grids_of(algorithms({"td"}), std::vector<ParameterValues>{{"alpha", {0.1}}}), {}),
              "rhos[0] is " + number_text(world.columns.rho[0]) + ": td learns on-policy only, where rho is 1");
    StreamView stream = world.stream;
    stream.has_policies = false;
    EXPECT_EQ(with(stream, grids_of(algorithms({"tb"}), std::vector<ParameterValues>{{"alpha", {0.1}}}), {}),
              "tb needs pis and mus, the probabilities of the actions taken");
    std::vector<double> gamma = world.columns.gamma;
    gamma[4] = 1.5;
    stream = world.stream;
    stream.gamma.numbers = gamma.data();
    EXPECT_EQ(with(stream, gtd, {}), "gammas[4] is 1.5: it must be in [0, 1]");
    std::vector<double> reward = world.columns.reward;
    reward[0] = std::nan("");
    stream = world.stream;
    stream.reward.numbers = reward.data();
    EXPECT_EQ(with(stream, gtd, {}), "rewards[0] is nan: it must be finite");
    stream = world.stream;
    stream.steps = 0;
    EXPECT_EQ(with(stream, gtd, {}), "the stream has no steps");
}

TEST(StreamSweep, RefusesReturnsThatNobodyKnows) {
    const World world;
    const auto gtd = grids_of(algorithms({"gtd"}), grid);
    const std::vector<double> zero(steps, 0);
    const std::vector<std::uint8_t> unknown(steps, 0);
    EXPECT_NE(refusal([&] {
                  sweep_stream(world.stream, gtd, {.by_step = zero.data(), .known = unknown.data()}, {});
              }).find("no step that would be scored has a known truth"),
              std::string::npos);
}

}  // namespace
}  // namespace bellwether::test
