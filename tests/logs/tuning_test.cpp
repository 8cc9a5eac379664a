// Tuning on the logs in tests/data/logs: the default grid against tune.json, which was scored independently.
#include "logs/tuning.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "bellwether/learner.hpp"
#include "engine/backend.hpp"
#include "logs/least_squares.hpp"
#include "logs/log_reader.hpp"
#include "logs/ratios.hpp"
#include "logs/tuning_store.hpp"
#include "logs/tuning_text.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

using Json = nlohmann::json;

const std::string folder = BELLWETHER_TEST_DATA "/logs/";

Log log_named(const std::string& name) {
    Log log = read_log(folder + name + ".csv", {});
    set_ratios(log, {}, {});
    return log;
}

double parameter_of(const TunedConfiguration& configuration, std::string_view name) {
    const ParameterInfo* parameter = configuration.algorithm->find(name);
    if (!parameter) return std::nan("");
    return configuration.parameters[static_cast<std::size_t>(parameter - configuration.algorithm->parameters.data())];
}

class TunedLog : public testing::TestWithParam<const char*> {};

TEST_P(TunedLog, HasTheExpectedRanking) {
    const std::string name = GetParam();
    const Json expected = Json::parse(std::ifstream(folder + "tune.json"))[name];
    const Tuning found = tune(log_named(name), {.fresh = 0});
    const auto near = [&](const char* key, double value, double tolerance) {
        const double number = expected[key].get<double>();
        EXPECT_NEAR(value, number, tolerance * std::abs(number)) << key;
    };
    EXPECT_EQ(found.configurations.size(), expected["configurations"].get<std::size_t>());
    EXPECT_EQ(found.diverged, expected["diverged"].get<std::size_t>());
    EXPECT_EQ(found.indistinguishable, expected["indistinguishable"].get<std::size_t>());
    near("score_of_zero_final", found.score_of_zero, 1e-9);
    near("score_of_best_final", found.score_of_best, 1e-9);
    near("z_against_zero", found.z, 1e-9);
    near("alpha_scale", found.alpha_scale, 1e-12);
    for (std::size_t place = 0; place < expected["best"].size(); ++place) {
        const Json& best = expected["best"][place];
        // Ten digits are given, and some configurations are tied in them: the one that is meant has its score wherever
        // it stands.
        EXPECT_NEAR(found.configurations[place].score, best["score"].get<double>(), 6e-11) << place;
        const auto meant = std::find_if(found.configurations.begin(), found.configurations.end(), [&](const auto& one) {
            return one.algorithm->id == best["algorithm"].get<std::string>() &&
                   std::ranges::all_of(std::array{"alpha", "eta", "lambda"}, [&](const char* parameter) {
                       return best[parameter].is_null() ||
                              parameter_of(one, parameter) == best[parameter].get<double>();
                   });
        });
        ASSERT_NE(meant, found.configurations.end()) << best;
        EXPECT_NEAR(meant->score, best["score"].get<double>(), 6e-11) << best;
    }
    EXPECT_EQ(found.can_tell(), name != "routes-small");
}

INSTANTIATE_TEST_SUITE_P(Logs, TunedLog, testing::Values("walk", "random", "chain", "routes-small"),
                         [](const auto& log) {
                             std::string name = log.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// A few configurations of expected.json, which learners that share no code with this project have learned.
TEST(Tuning, AgreesWithIndependentLearners) {
    const Json all = Json::parse(std::ifstream(folder + "expected.json"));
    for (const char* name : {"walk", "random"}) {
        const Log log = log_named(name);
        for (const Json& expected : all[name]["tune"]) {
            TuningOptions options{.algorithms = {expected["algorithm"].get<std::string>()}, .fresh = 0};
            options.values = {{"alpha", {expected["alpha"].get<double>()}},
                              {"lambda", {expected["lambda"].get<double>()}}};
            if (expected["eta"].get<double>() > 0) options.values.push_back({"eta", {expected["eta"].get<double>()}});
            const Tuning found = tune(log, options);
            EXPECT_NEAR(found.best().score, expected["projected"].get<double>(), 1e-9) << name << expected["algorithm"];
        }
    }
}

// ---- the other scores, slowly ----

// A learner of the program, step by step.
class SlowLearner {
public:
    SlowLearner(const Log& log, const TunedConfiguration& one)
        : log_(log),
          learner_(best_instruction_set().make_learner(*one.algorithm, log.dimension, one.parameters, std::nullopt)) {}

    void start() { learner_->start(); }
    void learn(const Segment& segment, std::size_t row) {
        const bool last = row + 1 == segment.first + segment.steps && segment.ended;
        learner_->step(Transition<Dense<double>>{.x = {log_.x(row)},
                                                 .reward = log_.reward[row],
                                                 .gamma = log_.gamma[row],
                                                 .x_next = {log_.x(last ? row : row + 1)},
                                                 .rho = log_.rho[row]});
    }
    double predict(std::size_t row) const {
        double sum = 0;
        for (std::size_t j = 0; j < log_.dimension; ++j) sum += log_.x(row)[j] * learner_->weights()[j];
        return sum;
    }

private:
    const Log& log_;
    std::unique_ptr<Learner> learner_;
};

// G by row, with values of LSTD on the other folds.
std::vector<double> slow_returns(const Log& log) {
    const ValueModel model(log, ValueModel::Of::states);
    const LogMoments moments = moments_of(model, 0.9, 1);
    const LeastSquares learned(model, moments, 0.9, ridge_of(moments.features));
    std::vector<double> returns(log.rows());
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        const Segment& segment = log.segments[i];
        const auto value = [&](std::size_t row) {
            double sum = 0;
            for (std::size_t j = 0; j < log.dimension; ++j) sum += log.x(row)[j] * learned.fold_weights()[i % 5][j];
            return sum;
        };
        for (std::size_t h = 0; h < segment.steps; ++h) {  // Σ over what comes later, from every step anew
            double product = 1, sum = value(segment.first + h);
            for (std::size_t row = segment.first + h; row < segment.first + segment.steps; ++row) {
                const bool last = row + 1 == segment.first + segment.steps;
                const double next = last && segment.ended ? 0 : value(row + 1);
                product *= log.rho[row];
                sum += product * (log.reward[row] + log.gamma[row] * next - value(row));
                product *= log.gamma[row];
            }
            returns[segment.first + h] = sum;
        }
    }
    return returns;
}

const TuningOptions one_configuration{.algorithms = {"off-policy-td"}, .values = {{"alpha", {0.1}}, {"lambda", {0.5}}}};

Tuning tuned_by(TuningScore score, const Log& log) {
    TuningOptions options = one_configuration;
    options.score = score;
    options.fresh = 0;
    return tune(log, options);
}

void expect_score_by_returns(const Log& log) {
    const Tuning found = tuned_by(TuningScore::returns, log);
    const std::vector<double> returns = slow_returns(log);
    double sum = 0;
    for (std::size_t k = 0; k < 5; ++k) {
        std::vector<std::pair<const Segment*, std::size_t>> steps;
        for (std::size_t i = 0; i < log.segments.size(); ++i)
            for (std::size_t h = 0; i % 5 != k && h < log.segments[i].steps; ++h)
                steps.emplace_back(&log.segments[i], log.segments[i].first + h);
        SlowLearner learner(log, found.best());
        double of_fold = 0;
        std::size_t looks = 0;
        for (std::size_t t = 0; t < steps.size(); ++t) {
            if (steps[t].second == steps[t].first->first) learner.start();
            learner.learn(*steps[t].first, steps[t].second);
            const std::size_t after = steps.size() - 1 - t;
            if (after % (steps.size() / 20) != 0 ||
                static_cast<double>(after) >= std::round(0.5 * static_cast<double>(steps.size())))
                continue;
            double squares = 0, count = 0;
            for (std::size_t i = k; i < log.segments.size(); i += 5)
                for (std::size_t h = 0; h < log.segments[i].steps; ++h, ++count)
                    squares +=
                        std::pow(learner.predict(log.segments[i].first + h) - returns[log.segments[i].first + h], 2);
            of_fold += squares / count;
            ++looks;
        }
        sum += of_fold / static_cast<double>(looks) / 5;
    }
    EXPECT_NEAR(found.best().score, std::sqrt(sum), 1e-10);
}

// The last steps of some segments, the very last one among them, become the rows that close these.
Log with_cut_segments(Log log) {
    for (std::size_t i = 39; i < log.segments.size(); i += 40)
        if (log.segments[i].steps > 1) log.segments[i] = {log.segments[i].first, log.segments[i].steps - 1, false};
    return log;
}

TEST(Tuning, TheScoreByReturnsIsTheErrorOnHeldOutSteps) {
    expect_score_by_returns(log_named("random"));
}

TEST(Tuning, RowsThatCloseASegmentAreNoSteps) {
    const Log log = with_cut_segments(log_named("random"));
    ASSERT_FALSE(log.segments.back().ended);
    expect_score_by_returns(log);
    const Tuning found = tune(log, one_configuration);
    ASSERT_TRUE(found.best().fresh);
    EXPECT_LT(found.best().fresh->score, found.fresh_zero.score);
}

TEST(Tuning, NothingToLearnIsNotBetterThanPredictingZero) {
    Log log = log_named("walk");
    std::fill(log.reward.begin(), log.reward.end(), 0.0);
    const Tuning found = tune(log, one_configuration);
    EXPECT_EQ(found.z, 0);
    EXPECT_FALSE(found.can_tell());
}

// The same log with features that are always 0 after its own: 2,001 in all, one more than least squares take.
Log with_too_many_features(const Log& log) {
    Log wide;
    wide.name = log.name;
    wide.dimension = most_features + 1;
    wide.features.resize(log.rows() * wide.dimension);
    for (std::size_t row = 0; row < log.rows(); ++row)
        std::copy(log.x(row).begin(), log.x(row).end(), &wide.features[row * wide.dimension]);
    wide.reward = log.reward;
    wide.gamma = log.gamma;
    wide.rho = log.rho;
    wide.segments = log.segments;
    return wide;
}

TEST(Tuning, TooManyFeaturesForMatricesAreScoredByReturns) {
    Log log = log_named("walk");
    log.segments.resize(60);
    TuningOptions options = one_configuration;
    options.fresh = 0;
    const Tuning found = tune(with_too_many_features(log), options);
    EXPECT_EQ(found.score, TuningScore::returns);
    EXPECT_FALSE(found.least_squares);
    // Final weights, and G with the values of the learner that steadies them, fold by fold.
    const AlgorithmInfo& tdrc = algorithm_named("tdrc");
    const std::vector<NamedValue> steadying{{"alpha", 0.125 / found.alpha_scale}, {"eta", 1}, {"lambda", 0.9}};
    const TunedConfiguration values{&tdrc, check_parameters(tdrc, steadying).value(), 0};
    std::vector<double> differences;  // φ_0 − φ_ĉ by segment
    double S_best = 0, S_zero = 0;
    for (std::size_t k = 0; k < folds; ++k) {
        SlowLearner learner(log, found.best()), steady(log, values);
        double fold_steps = 0, best = 0, zero = 0;
        std::vector<std::array<double, 2>> own;  // s_0 − s_ĉ, and steps
        for (std::size_t i = 0; i < log.segments.size(); ++i) {
            if (i % folds == k) continue;
            learner.start();
            steady.start();
            for (std::size_t h = 0; h < log.segments[i].steps; ++h) {
                learner.learn(log.segments[i], log.segments[i].first + h);
                steady.learn(log.segments[i], log.segments[i].first + h);
            }
        }
        for (std::size_t i = k; i < log.segments.size(); i += folds) {
            const Segment& segment = log.segments[i];
            double G = segment.ended ? 0 : steady.predict(segment.first + segment.steps);
            double of_best = 0, of_zero = 0;
            for (std::size_t row = segment.first + segment.steps; row-- > segment.first;) {
                const double v = steady.predict(row);
                G = v + log.rho[row] * (log.reward[row] + log.gamma[row] * G - v);
                of_best += std::pow(learner.predict(row) - G, 2);
                of_zero += G * G;
            }
            best += of_best;
            zero += of_zero;
            fold_steps += static_cast<double>(segment.steps);
            own.push_back({of_zero - of_best, static_cast<double>(segment.steps)});
        }
        S_best += best / fold_steps / folds;
        S_zero += zero / fold_steps / folds;
        for (const auto& [difference, steps] : own)
            differences.push_back((difference - (zero - best) / fold_steps * steps) * static_cast<double>(own.size()) /
                                  fold_steps);
    }
    double squares = 0;
    for (const double difference : differences) squares += difference * difference;
    const auto n = static_cast<double>(differences.size());
    EXPECT_NEAR(found.score_of_best, std::sqrt(S_best), 1e-10);
    EXPECT_NEAR(found.score_of_zero, std::sqrt(S_zero), 1e-10);
    EXPECT_NEAR(found.z, (S_zero - S_best) / std::sqrt(squares / (n - 1) / n), 1e-8);
    options.score = TuningScore::projected;
    EXPECT_THROW(tune(with_too_many_features(log), options), UsageError);
}

TEST(Tuning, FreshSegmentsOfTooManyFeaturesAreScoredByReturns) {
    TuningOptions options = one_configuration;
    const Tuning found = tune(with_too_many_features(log_named("walk")), options);
    ASSERT_GT(found.fresh_segments, 0u);
    ASSERT_TRUE(found.best().fresh);
    EXPECT_FALSE(found.fresh_least_squares);
    EXPECT_LT(found.best().fresh->score, found.fresh_zero.score);
    EXPECT_LE(found.best().fresh->lower, found.best().fresh->score);
    EXPECT_GE(found.best().fresh->upper, found.best().fresh->score);
    EXPECT_NE(tuning_json(found).find("\"score_of_least_squares\": null"), std::string::npos);
    EXPECT_EQ(tuning_text(found).find("LSTD"), std::string::npos);
}

TEST(Tuning, TheProgressiveScoreIsThatOfPredictionsBeforeUpdates) {
    const Log log = log_named("random");
    const Tuning found = tuned_by(TuningScore::progressive, log);
    const std::vector<double> returns = slow_returns(log);
    SlowLearner learner(log, found.best());
    double squares = 0, count = 0;
    std::size_t step = 0;
    for (const Segment& segment : log.segments) {
        learner.start();
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row, ++step) {
            if (log.steps() - step <= static_cast<std::size_t>(std::round(0.5 * static_cast<double>(log.steps())))) {
                squares += std::pow(learner.predict(row) - returns[row], 2);
                ++count;
            }
            learner.learn(segment, row);
        }
    }
    EXPECT_NEAR(found.best().score, std::sqrt(squares / count), 1e-10);
    EXPECT_TRUE(found.can_tell());
}

TEST(Tuning, ReturnsThatRestOnValuesAreRefused) {
    for (const TuningScore score : {TuningScore::returns, TuningScore::progressive}) {
        try {
            tune(log_named("chain"), {.score = score, .fresh = 0});
            FAIL() << "81% rests on values";
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find("81% of it would rest on values"), std::string::npos)
                << error.what();
        }
    }
}

TEST(Tuning, FreshSegmentsAreNotSeenAndTheirErrorIsThatOfFinalWeights) {
    const Log log = log_named("random");
    const Tuning found = tune(log, one_configuration);
    Log rest = log, fresh = log;
    rest.segments.clear();
    fresh.segments.clear();
    for (std::size_t i = 0; i < log.segments.size(); ++i)
        (i % 6 == 5 ? fresh : rest).segments.push_back(log.segments[i]);
    EXPECT_EQ(found.fresh_segments, fresh.segments.size());
    TuningOptions without = one_configuration;
    without.fresh = 0;
    const Tuning alone = tune(rest, without);
    EXPECT_EQ(found.best().score, alone.best().score);
    EXPECT_EQ(found.z, alone.z);

    // r = b − A w of the fresh segments, traces step by step; C̄ of the rest.
    SlowLearner learner(rest, found.best());
    for (const Segment& segment : rest.segments) {
        learner.start();
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) learner.learn(segment, row);
    }
    const std::size_t d = log.dimension;
    std::vector<double> r(d), C(d);
    for (const Segment& segment : fresh.segments) {
        std::vector<double> z(d);
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) {
            const double decay = row == segment.first ? 0 : log.gamma[row - 1] * 0.9 * std::min(1.0, log.rho[row - 1]);
            const bool last = row + 1 == segment.first + segment.steps && segment.ended;
            const double error =
                log.rho[row] *
                (log.reward[row] + (last ? 0 : log.gamma[row] * learner.predict(row + 1)) - learner.predict(row));
            for (std::size_t j = 0; j < d; ++j) {
                z[j] = decay * z[j] + log.x(row)[j];
                r[j] += z[j] * error / static_cast<double>(fresh.steps());
            }
        }
    }
    // The features are one-hot: C̄ is a diagonal of frequencies.
    for (const Segment& segment : rest.segments)
        for (std::size_t h = 0; h < segment.steps; ++h)
            for (std::size_t j = 0; j < d; ++j)
                C[j] += std::pow(log.x(segment.first + h)[j], 2) / static_cast<double>(rest.steps());
    double trace = 0, S = 0;
    for (const double entry : C) trace += entry;
    for (std::size_t j = 0; j < d; ++j) S += r[j] * r[j] / (C[j] + 1e-9 * trace / static_cast<double>(d));
    ASSERT_TRUE(found.best().fresh);
    EXPECT_NEAR(found.best().fresh->score, std::sqrt(S), 1e-10);
    EXPECT_LT(found.best().fresh->lower, std::sqrt(S));
    EXPECT_GT(found.best().fresh->upper, std::sqrt(S));
    EXPECT_GT(found.fresh_zero.score, found.fresh_least_squares.value().score);
}

TEST(Tuning, WorkThatIsKeptIsNotDoneAgain) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "tuning" / "tuning.db";
    std::filesystem::remove_all(file.parent_path());
    TuningOptions options{.algorithms = {"off-policy-td", "vtrace"}};
    const std::string whole = tuning_json(tune(log_named("walk"), options));
    struct Stop {};
    {  // interrupted after some units
        TuningStore store(file);
        TuningOptions broken = options;
        broken.keeper = &store;
        broken.watch = [](double done) {
            if (done > 0.5) throw Stop();
        };
        EXPECT_THROW(tune(log_named("walk"), broken), Stop);
    }
    TuningStore store(file);
    options.keeper = &store;
    double first_seen = 1;
    options.watch = [&](double done) { first_seen = std::min(first_seen, done); };
    EXPECT_EQ(tuning_json(tune(log_named("walk"), options)), whole);
    EXPECT_GT(first_seen, 0.3);
    EXPECT_TRUE(store.find(4, 1).has_value());
    // Another log, another grid: refused by name.
    for (const auto& [log, algorithm, what] :
         {std::tuple("random", "vtrace", "another log"), std::tuple("walk", "gtd", "another grid")}) {
        TuningOptions other{.algorithms = {"off-policy-td", algorithm}, .keeper = &store};
        try {
            tune(log_named(log), other);
            FAIL() << what;
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
        }
    }
}

TEST(Tuning, TheMonitorIsAColumnThatChoosesNothing) {
    TuningOptions options{.algorithms = {"off-policy-td"}};
    const Tuning plain = tune(log_named("walk"), options);
    options.monitor = true;
    const Tuning monitored = tune(log_named("walk"), options);
    EXPECT_FALSE(plain.best().rupee);
    for (std::size_t c = 0; c < plain.configurations.size(); ++c) {
        EXPECT_EQ(plain.configurations[c].score, monitored.configurations[c].score);
        EXPECT_EQ(monitored.configurations[c].rupee.has_value(), c < 20);
    }
    EXPECT_GT(*monitored.best().rupee, 0);
    EXPECT_LT(*monitored.best().rupee, 1);
}

TEST(Tuning, IsTheSameForAnyNumberOfThreads) {
    const Log log = log_named("walk");
    TuningOptions options{.algorithms = {"gtd", "vtrace"}};
    const Tuning one = tune(log, options);
    options.threads = 3;
    const Tuning three = tune(log, options);
    ASSERT_EQ(one.configurations.size(), three.configurations.size());
    for (std::size_t c = 0; c < one.configurations.size(); ++c)
        EXPECT_EQ(one.configurations[c].score, three.configurations[c].score);
}

}  // namespace
}  // namespace bellwether::test
