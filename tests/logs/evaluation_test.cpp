// Evaluations of the logs in tests/data/logs against expected.json, from an independent implementation.
#include "logs/evaluation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "logs/evaluation_json.hpp"
#include "logs/log_reader.hpp"
#include "support/algorithms.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

using Json = nlohmann::json;

const std::string folder = BELLWETHER_TEST_DATA "/logs/";

Json json_file(const std::string& name) {
    return Json::parse(std::ifstream(folder + name));
}

PolicyEvaluation evaluation_of(const std::string& name, EvaluationOptions options = {}) {
    if (name == "walk-unknown" || name == "walk-unsupported") options.behaviour.model = "counts";
    return evaluate(read_log(folder + name + ".csv", {}), options);
}

// Relative to the number, or to `scale` where it is smaller: what is 0 but for rounding has the rounding of the rest.
void expect_close(const Json& expected, const Json& found, double tolerance, double scale, const std::string& path) {
    if (expected.is_object()) {
        for (const auto& [key, value] : expected.items()) {
            ASSERT_TRUE(found.contains(key)) << path << "." << key;
            expect_close(value, found[key], tolerance, scale, path + "." + key);
        }
    } else if (expected.is_array()) {
        ASSERT_EQ(expected.size(), found.size()) << path;
        for (std::size_t k = 0; k < expected.size(); ++k)
            expect_close(expected[k], found[k], tolerance, scale, path + "[" + std::to_string(k) + "]");
    } else if (expected.is_number()) {
        const double number = expected.get<double>();
        EXPECT_NEAR(number, found.get<double>(), tolerance * std::max(std::abs(number), scale)) << path;
    } else {
        EXPECT_EQ(expected, found) << path;
    }
}

// Every number agrees to 1e-9 of itself (the worst, in `random`, to 1.2e-11; in `chain`, whose values are learned from
// traces of up to 412 steps, to 2.4e-11), but for those that are 0 up to rounding. What is the least that rounding is
// measured by:
double scale_of(const std::string& key, double spread) {
    // Weights that the log determines exactly have a variance of 0, and a standard error that is the root of what
    // rounding leaves of it: 1e-20 in the square, 1.9e-10 of the spread in `walk-unsupported`.
    if (key == "weights_se") return spread;
    // 1 − the mean of a thousand ratios that average 1: 5.3e-15 in `walk-unknown`.
    if (key == "ratio-deficit") return 1e-5;
    // Standard errors of estimates that the walks determine exactly are 2e-10 to 6e-10, wrong by up to 5e-17.
    return 1e-6 * spread;
}

class GoldenLog : public testing::TestWithParam<const char*> {};

TEST_P(GoldenLog, HasTheExpectedNumbers) {
    const std::string name = GetParam();
    const Json expected = json_file("expected.json")[name];
    const Json found = Json::parse(evaluation_json(evaluation_of(name)));
    const double spread = expected["spread"].get<double>();
    for (const auto& [key, value] : expected.items()) {
        if (key == "note" || key == "truth" || key == "features_of_states" || key == "values_of_states" ||
            key == "tune")
            continue;
        ASSERT_TRUE(found.contains(key)) << key;
        expect_close(value, found[key], 1e-9, scale_of(key, spread), key);
    }
}

INSTANTIATE_TEST_SUITE_P(Logs, GoldenLog,
                         testing::Values("walk", "walk-unknown", "walk-unsupported", "layers", "bandit", "routes",
                                         "routes-small", "chain", "random", "continuing"),
                         [](const auto& log) {
                             std::string name = log.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// ---- what others compute ----

TEST(Peers, AgreeOnWhatTheyHave) {
    const Json peers = json_file("peers.json");
    for (const auto& [log, peer] : {std::pair("layers", "scope-rl 0.2.1"), std::pair("bandit", "obp 0.4.1")}) {
        const PolicyEvaluation found = evaluation_of(log);
        for (const auto& [name, value] : peers[log][peer].items()) {
            const PolicyEstimate* estimate = found.find(name);  // the peers' intervals are not ours
            if (!estimate) continue;
            EXPECT_NEAR(estimate->value, value.get<double>(), 1e-9 * std::abs(estimate->value)) << log << " " << name;
        }
    }
}

// ---- what must hold for any log ----

double value_of(const PolicyEvaluation& evaluation, std::string_view name) {
    return evaluation.find(name)->value;
}

Log log_named(const std::string& name) {
    return read_log(folder + name + ".csv", {});
}

TEST(Invariants, OnPolicyEveryEstimateOfReturnsIsTheirMean) {
    Log log = log_named("random");
    const EvaluationOptions on_policy{.target = target_named("behaviour")};
    const PolicyEvaluation found = evaluate(log, on_policy);
    double mean = 0;
    for (const Segment& segment : log.segments) {
        double discount = 1;
        for (std::size_t h = 0; h < segment.steps; ++h) {
            mean += discount * log.reward[segment.first + h] / static_cast<double>(log.segments.size());
            discount *= log.gamma[segment.first + h];
        }
    }
    for (const char* name : {"is", "wis", "pdis", "wpdis"}) EXPECT_NEAR(value_of(found, name), mean, 1e-12) << name;
    EXPECT_EQ(found.effective_sample.back(), static_cast<double>(log.segments.size()));
}

TEST(Invariants, OneStepAnEpisodeLeavesNothingPerDecision) {
    const PolicyEvaluation found = evaluation_of("bandit");
    EXPECT_NEAR(value_of(found, "pdis"), value_of(found, "is"), 1e-13);
    EXPECT_NEAR(value_of(found, "wpdis"), value_of(found, "wis"), 1e-13);
}

TEST(Invariants, WithoutFeaturesDoublyRobustIsPerDecision) {
    Log log = log_named("layers");
    std::fill(log.features.begin(), log.features.end(), 0.0);
    const PolicyEvaluation found = evaluate(log, {});
    for (const char* q : {"", "-q"}) {
        EXPECT_NEAR(value_of(found, std::string("dr") + q), value_of(found, "pdis"), 1e-13);
        EXPECT_NEAR(value_of(found, std::string("wdr") + q), value_of(found, "wpdis"), 1e-13);
    }
    EXPECT_EQ(found.rank.rank, 0u);
    EXPECT_EQ(found.empty_features.size(), log.dimension);
}

TEST(Invariants, RewardsTimesANumberScaleEverything) {
    Log log = log_named("random");
    const PolicyEvaluation before = evaluate(log, {});
    for (double& reward : log.reward) reward *= 8;
    const PolicyEvaluation after = evaluate(log, {});
    for (const PolicyEstimate& estimate : before.estimates) {
        EXPECT_NEAR(value_of(after, estimate.name), 8 * estimate.value, 1e-11) << estimate.name;
        EXPECT_NEAR(after.find(estimate.name)->se, 8 * estimate.se, 1e-11) << estimate.name;
    }
    EXPECT_NEAR(after.spread, 8 * before.spread, 1e-11);
    EXPECT_EQ(after.verdict, before.verdict);
}

TEST(Invariants, FeaturesTimesARegularMatrixChangeNothing) {
    Log log = log_named("random");
    const PolicyEvaluation before = evaluate(log, {});
    const Log old = log;
    for (std::size_t row = 0; row < log.rows(); ++row)  // x_j + x_{j−1}/2: triangular
        for (std::size_t j = 1; j < log.dimension; ++j)
            log.features[row * log.dimension + j] = 2 * old.x(row)[j] + old.x(row)[j - 1] / 2;
    const PolicyEvaluation after = evaluate(log, {});
    for (const PolicyEstimate& estimate : before.estimates)
        EXPECT_NEAR(value_of(after, estimate.name), estimate.value, 1e-6 * std::abs(estimate.value)) << estimate.name;
}

TEST(Invariants, FeaturesThatAddUpToAnotherOneHaveTheErrorsOfTheirLeastWeights) {
    // x' = T x with a row of ones below: what is learned is T(TᵀT)⁻¹w, of one-hot rows w − Σw/(d + 1), and Σw/(d + 1).
    const Log log = log_named("random");
    const PolicyEvaluation before = evaluate(log, {});
    const std::size_t d = log.dimension;
    Log more = log;
    more.dimension = d + 1;
    more.features.clear();
    for (std::size_t row = 0; row < log.rows(); ++row) {
        more.features.append(log.x(row));
        more.features.push_back(1);
    }
    const PolicyEvaluation after = evaluate(more, {});
    EXPECT_EQ(after.rank.rank, d);
    double variance = 0;
    for (const double entry : before.covariance.entries) variance += entry;
    const double of_sum = std::sqrt(variance) / static_cast<double>(d + 1);
    EXPECT_NEAR(after.weights_se[d], of_sum, 1e-6 * of_sum);
    for (std::size_t j = 0; j < d; ++j) {
        double with_others = 0;
        for (std::size_t k = 0; k < d; ++k) with_others += before.covariance.column(j)[k];
        const double share = 1 / static_cast<double>(d + 1);
        const double own = before.covariance.column(j)[j] - 2 * share * with_others + share * share * variance;
        EXPECT_NEAR(after.weights_se[j], std::sqrt(own), 1e-6 * std::sqrt(own)) << j;
        EXPECT_NEAR(after.values[j].se, before.values[j].se, 1e-6 * before.values[j].se) << j;
    }
}

TEST(Invariants, TheOrderWithinAFoldDoesNotMatter) {
    Log log = log_named("random");
    const PolicyEvaluation before = evaluate(log, {});
    for (std::size_t i = 0; i + 5 < log.segments.size(); i += 10) std::swap(log.segments[i], log.segments[i + 5]);
    const PolicyEvaluation after = evaluate(log, {});
    for (const PolicyEstimate& estimate : before.estimates)
        EXPECT_NEAR(value_of(after, estimate.name), estimate.value, 1e-9 * std::abs(estimate.value)) << estimate.name;
}

TEST(Invariants, OverTheWholeHorizonTheAnswerIsWeightedDoublyRobust) {
    const PolicyEvaluation found = evaluation_of("random");
    EXPECT_EQ(value_of(found, "answer-v"), value_of(found, "wdr"));
    EXPECT_EQ(value_of(found, "answer-q"), value_of(found, "wdr-q"));
}

TEST(Invariants, FrequenciesBalanceWhatTheySupport) {
    for (const char* name : {"walk-unknown", "walk-unsupported"}) {
        const PolicyEvaluation found = evaluation_of(name);
        EXPECT_NEAR(found.ratios.mean, 1 - found.unsupported, 1e-12) << name;
    }
}

TEST(Invariants, TheBehaviourAsTargetIsOnPolicyForEveryEstimate) {
    // One action value less to know: every doubly robust estimate has ratios of 1 and lies near the mean return.
    const PolicyEvaluation found = evaluate(log_named("random"), {.target = target_named("behaviour")});
    for (const char* name : {"dr", "wdr"})
        EXPECT_NEAR(value_of(found, name), value_of(found, "is"), 2 * found.find("is")->se) << name;
    EXPECT_EQ(found.verdict, LogVerdict::supported);
}

// ---- a learner along the log ----

TEST(Online, IsTheValueOfTheStartsByTheLearnersWeights) {
    const Log log = log_named("random");
    const AlgorithmInfo& algorithm = algorithm_named("off-policy-td");
    EvaluationOptions options{.online = OnlineLearner{&algorithm, {0.1, 0.5}}};
    const PolicyEvaluation found = evaluate(log, options);
    // TD(λ): z ← ρ (γ λ z + x), w ← w + α δ z.
    std::vector<double> w(log.dimension);
    for (const Segment& segment : log.segments) {
        std::vector<double> z(log.dimension);
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) {
            const double decay = row == segment.first ? 0 : 0.5 * log.gamma[row - 1];
            const bool last = row + 1 == segment.first + segment.steps;
            double error = log.reward[row];
            for (std::size_t j = 0; j < w.size(); ++j)
                error += ((last ? 0 : log.gamma[row] * log.x(row + 1)[j]) - log.x(row)[j]) * w[j];
            for (std::size_t j = 0; j < w.size(); ++j) {
                z[j] = log.rho[row] * (decay * z[j] + log.x(row)[j]);
                w[j] += 0.1 * error * z[j];
            }
        }
    }
    double mean = 0;
    for (const Segment& segment : log.segments)
        for (std::size_t j = 0; j < w.size(); ++j)
            mean += log.x(segment.first)[j] * w[j] / static_cast<double>(log.segments.size());
    const PolicyEstimate& online = *found.find("online");
    EXPECT_NEAR(online.value, mean, 1e-12);
    // About what the deviation of the weights is worth: it changes from log to log as least squares do, and more.
    EXPECT_GT(online.se, 0.3 * found.find("lstd")->se);
    EXPECT_LT(online.se, 5 * found.find("lstd")->se);
    options.threads = 3;
    EXPECT_EQ(evaluate(log, options).find("online")->se, online.se);
    options.online->parameters = {100, 0.9};
    EXPECT_THROW(evaluate(log, options), WorkError);
}

// One step each, with more features than least squares take: two that tell, and zeros.
Log log_of_many_features() {
    Log log;
    log.name = "many";
    log.dimension = 2'001;
    for (std::size_t i = 0; i < 40; ++i) {
        log.features.resize((i + 1) * log.dimension);
        log.features[i * log.dimension + i % 2] = 1;
        log.reward.push_back(static_cast<double>(i % 7));
        log.gamma.push_back(0);
        log.rho.push_back(i % 3 == 0 ? 1.6 : 0.7);
        log.segments.push_back({i, 1, true});
    }
    return log;
}

TEST(Online, StandsInForLeastSquaresOfTooManyFeatures) {
    const Log log = log_of_many_features();
    EXPECT_THROW(evaluate(log, {}), UsageError);
    EvaluationOptions options{.online = OnlineLearner{&algorithm_named("off-policy-td"), {0.1, 0}}};
    const PolicyEvaluation found = evaluate(log, options);
    EXPECT_EQ(found.find("lstd"), nullptr);
    EXPECT_EQ(found.empty_features.size(), 1'999U);
    // Doubly robust with the values that are learned without the step's fold, w_j ← w_j + α ρ (R − w_j):
    double sum = 0;
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        double w[2] = {};
        for (std::size_t k = 0; k < log.segments.size(); ++k)
            if (k % folds != i % folds) w[k % 2] += 0.1 * log.rho[k] * (log.reward[k] - w[k % 2]);
        sum += w[i % 2] + log.rho[i] * (log.reward[i] - w[i % 2]);
    }
    EXPECT_NEAR(found.find("dr")->value, sum / 40, 1e-12);
    EXPECT_NEAR(found.value_of(log.x(0)).value, found.weights[0], 1e-15);
    EXPECT_NEAR(found.value_of(log.x(0)).se, found.weights_se[0], 1e-15);
    EXPECT_GT(found.weights_se[0], 0);
    EXPECT_EQ(found.weights_se[2], 0);
    options.threads = 3;
    EXPECT_EQ(evaluate(log, options).find("wdr")->se, found.find("wdr")->se);
}

TEST(Online, WithoutValuesLeavesWeightedReturns) {
    const PolicyEvaluation found =
        evaluate(log_of_many_features(), {.online = OnlineLearner{&algorithm_named("off-policy-td"), {0, 0}}});
    for (const auto& [robust, weighted] : {std::pair("dr", "pdis"), std::pair("wdr", "wpdis")}) {
        EXPECT_NEAR(found.find(robust)->value, found.find(weighted)->value, 1e-12);
        EXPECT_NEAR(found.find(robust)->se, found.find(weighted)->se, 1e-12);
    }
    EXPECT_EQ(found.find("online")->value, 0);
}

// ---- numbers that are too large ----

Log log_of_single_steps(std::size_t segments) {
    Log log;
    log.name = "log";
    log.dimension = 1;
    for (std::size_t i = 0; i < segments; ++i) {
        log.features.push_back(1);
        log.reward.push_back(1);
        log.gamma.push_back(0);
        log.rho.push_back(1);
        log.segments.push_back({i, 1, true});
    }
    return log;
}

TEST(Evaluation, WhereAllReturnsAreTheSameEstimatesAgree) {
    const PolicyEvaluation found = evaluate(log_of_single_steps(40), {});
    EXPECT_NEAR(found.answer_estimate().value, 1, 1e-8);
    for (const Agreement& test : found.tests) EXPECT_FALSE(test.flagged) << test.name;
}

TEST(Evaluation, RefusesNumbersWhoseSquaresAreNone) {
    Log log = log_of_single_steps(30);
    log.reward[0] = 2;
    const auto problem = [&](LongVector<double> Log::*numbers) {
        Log large = log;
        (large.*numbers)[3] = 1e200;
        try {
            evaluate(large, {});
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string rest = " are too large: their squares are not finite numbers; scale them";
    EXPECT_EQ(problem(&Log::features), "log: the features" + rest);
    EXPECT_EQ(problem(&Log::reward), "log: the rewards" + rest);
    EXPECT_EQ(problem(&Log::rho), "log: the ratios" + rest);
}

// ---- parts ----

TEST(Student, HasTheQuantilesOfTables) {
    EXPECT_NEAR(student_quantile(0.95, 1), 12.706204736174707, 1e-12);
    EXPECT_NEAR(student_quantile(0.95, 2), 4.302652729749464, 1e-12);
    EXPECT_NEAR(student_quantile(0.99, 30), 2.7499956535672, 1e-11);
    EXPECT_NEAR(student_quantile(0.95, 1e7), 1.959964221, 1e-8);
}

TEST(Behaviour, LogisticFindsThePolicyThatActed) {
    // Two features and three actions with known logits; the sample is large enough for two digits.
    BehaviourData data{.dimension = 2, .actions = 3};
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto policy = [](double a, double b) {
        std::array<double, 3> p{1, std::exp(0.5 + a), std::exp(-0.3 + 0.8 * b)};
        const double sum = p[0] + p[1] + p[2];
        for (double& entry : p) entry /= sum;
        return p;
    };
    for (std::size_t t = 0; t < 20'000; ++t) {
        const double a = uniform(random), b = uniform(random);
        const auto p = policy(a, b);
        data.features.insert(data.features.end(), {a, b});
        data.action.push_back(static_cast<std::uint32_t>(std::discrete_distribution<int>(p.begin(), p.end())(random)));
        data.segment.push_back(t / 10);
    }
    const FittedBehaviour fitted = fit_behaviour(data, "auto");
    EXPECT_EQ(fitted.report.model, "logistic");
    std::vector<double> found(3);
    for (const auto& [a, b] : {std::pair(0.0, 0.0), std::pair(0.9, -0.5), std::pair(-0.7, 0.8)}) {
        fitted.model->probabilities(std::vector{a, b}, found);
        const auto expected = policy(a, b);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 0.02);
    }
    EXPECT_LT(fitted.report.held_out_log_loss, fitted.report.marginal_log_loss);
    EXPECT_LT(fitted.report.calibration_error, 0.02);
    const std::vector<double> rewards(data.steps());
    EXPECT_LT(*memory_test(data, rewards, fitted.report.ridge), memory_limit);
}

TEST(Behaviour, MemoryIsFoundWhereTheActionRepeatsTheOneBefore) {
    BehaviourData data{.dimension = 1, .actions = 2};
    std::mt19937_64 random(7);
    for (std::size_t t = 0; t < 4'000; ++t) {
        const bool repeats = t > 0 && std::bernoulli_distribution(0.8)(random);
        data.features.push_back(1);
        data.action.push_back(repeats ? data.action.back() : static_cast<std::uint32_t>(random() % 2));
        data.segment.push_back(t / 20);
    }
    EXPECT_GT(*memory_test(data, std::vector<double>(data.steps()), 1), memory_limit);
}

TEST(Drift, FindsAChangeAndNoneWhereThereIsNone) {
    std::vector<double> numbers;
    std::mt19937_64 random(3);
    for (int i = 0; i < 200; ++i) numbers.push_back(std::normal_distribution<double>()(random));
    EXPECT_LT(drift_of(numbers).statistic, drift_limit);
    for (std::size_t i = 120; i < 200; ++i) numbers[i] += 1;
    EXPECT_GT(drift_of(numbers).statistic, drift_limit);
    EXPECT_NEAR(static_cast<double>(drift_of(numbers).segment), 120, 15);
    for (const std::size_t n : {10, 50'000, 1'000'000}) EXPECT_EQ(drift_of(std::vector<double>(n, 0.1)).statistic, 0);
}

TEST(Pieces, TakeTheRestIntoTheLast) {
    Log log;
    log.dimension = 1;
    log.reward.assign(32, 0);
    log.gamma.assign(32, 0.9);
    log.segments = {{0, 31, false}};
    EXPECT_EQ(piece_length(log), 29u);
    cut_into_pieces(log, 10);
    ASSERT_EQ(log.segments.size(), 3u);
    EXPECT_EQ(log.segments[2].first, 20u);
    EXPECT_EQ(log.segments[2].steps, 11u);
    std::fill(log.gamma.begin(), log.gamma.end(), 1.0);
    EXPECT_EQ(piece_length(log), 100u);
}

}  // namespace
}  // namespace bellwether::test
