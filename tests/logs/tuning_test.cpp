// Tuning on the logs in tests/data/logs: the default grid against tune.json, which was scored independently.
#include "logs/tuning.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "logs/log_reader.hpp"
#include "logs/ratios.hpp"

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
