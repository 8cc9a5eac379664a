// What is found in a store, against the same computed again from its rows.
#include "analysis/findings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plan/study_text.hpp"
#include "problems/exact.hpp"
#include "run/run.hpp"
#include "store/store_fixture.hpp"
#include "support/infinity.hpp"

namespace bellwether::test {
namespace {

// Sums of at most some hundred numbers, in another order or with more digits.
constexpr double rounding = 1e-13;

void expect_near(double found, double expected, const std::string& what) {
    if (std::isfinite(expected))
        EXPECT_NEAR(found, expected, rounding * std::fabs(expected)) << what;
    else
        EXPECT_EQ(found, expected) << what;
}

const std::string text =
    "seed = 4\n"
    "[[settings]]\n"
    "id = 'baird'\n"
    "domain = 'baird'\n"
    "steps = 60\n"
    "runs = 4\n"
    "fresh-runs = 3\n"
    "metrics = { rmsve = 4, rmspbe = 3 }\n"
    "grid = { alpha = [0.001, 0.02, 1e120], eta = [0.25, 1], lambda = [0, 0.5] }\n"
    "algorithms = ['off-policy-td', 'gtd']\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 6 }\n"
    "features = 'binary'\n"
    "steps = 40\n"
    "instances = 3\n"
    "runs = 3\n"
    "fresh-runs = 2\n"
    "metrics = ['mave']\n"
    "grid = { alpha = [0.05, 0.4, 1.5, 1e120], eta = [0.25, 1], lambda = [0, 0.9] }\n"
    "algorithms = ['td0', 'gtd']\n";

// ---- the same, computed again

// A configuration from the rows of its instances.
struct Again {
    std::uint64_t runs = 0, diverged = 0;
    double score = 0, standard_error = 0;
    std::vector<double> of_instances{};
};

Again again(const Store& store, const MetricFindings& metric, std::uint32_t setting, std::uint32_t number) {
    const auto metrics = static_cast<std::uint32_t>(metric.setting->metrics.size());
    Again result;
    long double sum = 0, variance = 0;
    for (std::uint32_t i = 0; i < metric.instances; ++i) {
        const ScoreSummary row = store.summaries(setting, i, number, 1, metrics).at(metric.metric);
        result.runs += row.runs;
        result.diverged += row.diverged;
        sum += row.mean;
        const auto n = static_cast<long double>(row.runs);
        variance += row.m2 / (n - 1) / n;
        result.of_instances.push_back(row.diverged > 0 ? infinity : row.mean);
    }
    const auto instances = static_cast<long double>(metric.instances);
    result.score = result.diverged > 0 ? infinity : static_cast<double>(sum / instances);
    result.standard_error = result.diverged > 0 ? infinity : static_cast<double>(std::sqrt(variance) / instances);
    return result;
}

// Calls use(metric, algorithm, number of the setting, its first configuration).
template <class Use>
void for_each_algorithm(const Study& study, const Findings& findings, Use use) {
    for (const MetricFindings& metric : findings.metrics) {
        const auto setting = static_cast<std::uint32_t>(metric.setting - study.settings.data());
        const std::vector<std::uint32_t> firsts = metric.setting->first_configurations();
        for (std::size_t a = 0; a < metric.algorithms.size(); ++a)
            use(metric, metric.algorithms[a], setting, firsts[a]);
    }
}

double lambda_of(const AlgorithmGrid& grid, std::size_t configuration) {
    std::vector<double> values(grid.values.size());
    grid.parameters(configuration, values);
    for (std::size_t p = 0; p < values.size(); ++p)
        if (grid.info->parameters[p].name == "lambda") return values[p];
    return 0;
}

// The error of w_0, term by term, meant over instances.
double initial_error(const Study& study, const MetricFindings& metric, double lambda) {
    double sum = 0;
    for (std::uint32_t i = 0; i < metric.instances; ++i) {
        const FiniteMdp mdp = metric.setting->problem.make(study.seed, i, 0);
        const ExactSolution solution(mdp, lambda);
        Eigen::VectorXd w(solution.X.cols());
        for (Eigen::Index k = 0; k < w.size(); ++k) w(k) = mdp.initial_weights()[static_cast<std::size_t>(k)];
        if (metric.metric_id() == "rmspbe") {
            const Eigen::VectorXd residual = solution.b - solution.A * w;
            sum += std::sqrt(residual.dot(solution.C_pseudo_inverse * residual));
            continue;
        }
        double error = 0;
        for (Eigen::Index s = 0; s < solution.d.size(); ++s) {
            const double difference = solution.X.row(s).dot(w) - solution.v(s);
            error += solution.d(s) *
                     (metric.metric_id() == "mave" ? std::fabs(difference / solution.v(s)) : difference * difference);
        }
        sum += metric.metric_id() == "mave" ? error : std::sqrt(error);
    }
    return sum / static_cast<double>(metric.instances);
}

class FindingsTest : public StoreTest {
protected:
    FindingsTest() : study_(study_of(text)) {}

    Store run(std::vector<std::size_t> settings = {0, 1}, bool record = true) const {
        Store store = Store::create(directory, {"test", text, study_.identity(), "0"});
        RunObserver nobody;
        run_study(study_, store,
                  {.threads = 1, .backend = &best_instruction_set(), .settings = std::move(settings), .record = record},
                  nobody);
        return store;
    }

    Study study_;
};

// ---- a study that was run

TEST_F(FindingsTest, HasEveryMetricOfEverySetting) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    ASSERT_EQ(findings.metrics.size(), 3U);
    EXPECT_TRUE(findings.left_out.empty());
    EXPECT_EQ(findings.find("baird", "rmsve")->runs, 4U);
    EXPECT_EQ(findings.find("baird", "rmspbe")->runs, 3U);
    EXPECT_EQ(findings.find("baird", "rmspbe")->fresh_runs, 3U);
    EXPECT_EQ(findings.find("random", "mave")->fresh_runs, 2U);
    EXPECT_EQ(findings.find("random", "mave")->instances, 3U);
    EXPECT_EQ(findings.find("random", "rmsve"), nullptr);
    EXPECT_EQ(findings.find("nobody", "mave"), nullptr);
    EXPECT_EQ(findings.metrics[0].find("gtd"), 1U);
    EXPECT_EQ(findings.metrics[0].find("td0"), std::nullopt);
}

TEST_F(FindingsTest, ScoresEveryConfiguration) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    std::size_t diverged = 0, compared = 0;
    for_each_algorithm(study_, findings, [&](const auto& metric, const auto& algorithm, auto setting, auto first) {
        ASSERT_EQ(algorithm.configurations.size(), algorithm.grid->configurations());
        ASSERT_EQ(algorithm.instance_means.size(), algorithm.configurations.size() * metric.instances);
        for (std::uint32_t c = 0; c < algorithm.configurations.size(); ++c, ++compared) {
            const Again expected = again(store, metric, setting, first + c);
            const ConfigurationScore& found = algorithm.configurations[c];
            const std::string what =
                fmt::format("{} {} {} {}", metric.setting->id, metric.metric_id(), algorithm.id(), c);
            EXPECT_EQ(found.runs, metric.runs * metric.instances) << what;
            EXPECT_EQ(found.runs, expected.runs) << what;
            EXPECT_EQ(found.diverged, expected.diverged) << what;
            expect_near(found.score, expected.score, what);
            expect_near(found.standard_error.value(), expected.standard_error, what);
            for (std::size_t i = 0; i < metric.instances; ++i)
                EXPECT_EQ(algorithm.instance_means[c * metric.instances + i], expected.of_instances[i]) << what;
            diverged += std::isinf(found.score);
        }
    });
    EXPECT_EQ(compared, 2U * (6 + 12) + 4 + 16);
    EXPECT_GT(diverged, 5U);  // none is left out
}

TEST_F(FindingsTest, ChoosesTheLowestThatNeverDiverged) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    for_each_algorithm(study_, findings, [&](const auto& metric, const auto& algorithm, auto setting, auto first) {
        std::size_t best = 0;
        double least = infinity;
        for (std::uint32_t c = 0; c < algorithm.configurations.size(); ++c) {
            const double score = again(store, metric, setting, first + c).score;
            if (score < least) best = c;
            least = std::min(least, score);
        }
        EXPECT_EQ(algorithm.best, best);
        expect_near(algorithm.selection.score, least, std::string(algorithm.id()));
        EXPECT_EQ(algorithm.selection.runs, metric.runs * metric.instances);
        EXPECT_EQ(algorithm.probabilities_best.size(), metric.instances > 1 ? algorithm.configurations.size() : 0U);
    });
}

TEST_F(FindingsTest, SharesOutTheConfigurations) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    for_each_algorithm(study_, findings, [&](const auto& metric, const auto& algorithm, auto setting, auto first) {
        const std::string what = fmt::format("{} {} {}", metric.setting->id, metric.metric_id(), algorithm.id());
        std::vector<double> scores;
        double diverged = 0, worse = 0, within_10 = 0, within_50 = 0;
        const double best = again(store, metric, setting, first + static_cast<std::uint32_t>(algorithm.best)).score;
        for (std::uint32_t c = 0; c < algorithm.configurations.size(); ++c) {
            scores.push_back(again(store, metric, setting, first + c).score);
            diverged += scores.back() == infinity;
            worse += scores.back() > initial_error(study_, metric, lambda_of(*algorithm.grid, c));
            within_10 += scores.back() <= best * 1.1;
            within_50 += scores.back() <= best * 1.5;
        }
        const auto count = static_cast<double>(scores.size());
        EXPECT_DOUBLE_EQ(algorithm.distribution.diverged, diverged / count) << what;
        EXPECT_DOUBLE_EQ(algorithm.distribution.worse_than_start, worse / count) << what;
        EXPECT_DOUBLE_EQ(algorithm.distribution.within_10, within_10 / count) << what;
        EXPECT_DOUBLE_EQ(algorithm.distribution.within_50, within_50 / count) << what;
        EXPECT_GE(worse, diverged) << what;
        std::sort(scores.begin(), scores.end());
        const std::vector<double>& quantiles = algorithm.distribution.quantiles;
        ASSERT_EQ(quantiles.size(), 7U);
        expect_near(quantiles.front(), scores.front(), what);
        expect_near(quantiles.back(), scores.back(), what);
        EXPECT_TRUE(std::is_sorted(quantiles.begin(), quantiles.end())) << what;
        // The value whose rank is nearest to the level.
        for (const auto& [place, level] : {std::pair{1, 0.05}, {2, 0.25}, {3, 0.5}, {4, 0.75}, {5, 0.95}})
            expect_near(quantiles[static_cast<std::size_t>(place)],
                        scores[static_cast<std::size_t>(std::floor(level * (count - 1) + 0.5))], what);
    });
}

TEST_F(FindingsTest, KnowsTheErrorOfTheFirstWeights) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    // Ten digits of them are known from elsewhere.
    EXPECT_NEAR(findings.find("baird", "rmsve")->initial_error, 5.318431563, 1e-9);
    EXPECT_NEAR(findings.find("baird", "rmspbe")->initial_error, 8.221407596, 1e-9);
    EXPECT_NEAR(findings.find("random", "mave")->initial_error, 1, rounding);
}

TEST_F(FindingsTest, VariesOneParameterAtATime) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    for_each_algorithm(study_, findings, [&](const auto& metric, const auto& algorithm, auto setting, auto first) {
        const AlgorithmGrid& grid = *algorithm.grid;
        std::vector<double> best(grid.values.size()), values(grid.values.size());
        grid.parameters(algorithm.best, best);
        for (std::size_t p = 0; p < grid.values.size(); ++p) {
            const std::string_view name = grid.info->parameters[p].name;
            EXPECT_EQ(algorithm.best_value(name), best[p]);
            // The configurations that differ from the best one in nothing else.
            std::vector<std::uint32_t> expected;
            for (std::uint32_t c = 0; c < grid.configurations(); ++c) {
                grid.parameters(c, values);
                values[p] = best[p];
                if (values == best) expected.push_back(c);
            }
            const std::vector<SensitivityPoint> points = algorithm.sensitivity(name, SensitivityView::frozen);
            ASSERT_EQ(points.size(), expected.size());
            for (std::size_t k = 0; k < points.size(); ++k) {
                EXPECT_EQ(points[k].value, grid.values[p][k]);
                EXPECT_EQ(points[k].configuration, expected[k]);
                expect_near(points[k].score.score, again(store, metric, setting, first + expected[k]).score,
                            std::string(name));
            }
        }
        EXPECT_TRUE(algorithm.sensitivity("psi0").empty());
        EXPECT_EQ(algorithm.best_value("psi0"), std::nullopt);
    });
}

// ---- recordings

// The mean over instances of the mean over runs, and sqrt(Σ s²/R)/I, from the runs' scores.
void expect_estimate(const StageFindings& stage, const std::vector<Recording>& recordings, const std::string& what) {
    long double sum = 0, variance = 0, mean_variance = 0;
    const auto instances = static_cast<long double>(recordings.size());
    std::uint64_t runs = 0;
    for (const Recording& recording : recordings) {
        const auto n = static_cast<long double>(recording.scores.size());
        long double mean = 0, squares = 0;
        for (const double score : recording.scores) mean += score / n;
        for (const double score : recording.scores) squares += (score - mean) * (score - mean);
        sum += mean;
        variance += squares / (n - 1) / n;
        mean_variance += squares / (n - 1) / instances;
        runs += recording.runs;
    }
    EXPECT_EQ(stage.estimate.runs, runs) << what;
    EXPECT_EQ(stage.estimate.diverged, 0U) << what;
    expect_near(stage.estimate.score, static_cast<double>(sum / instances), what);
    // Squares of differences of scores: the digits that scores have in common are lost.
    EXPECT_NEAR(stage.estimate.standard_error.value(), static_cast<double>(std::sqrt(variance) / instances), 1e-12)
        << what;
    EXPECT_NEAR(stage.estimate.deviation.value(), static_cast<double>(std::sqrt(mean_variance)), 1e-12) << what;
}

void expect_curve(const LearningCurve& curve, const std::vector<Recording>& recordings, const std::string& what) {
    const auto instances = static_cast<long double>(recordings.size());
    ASSERT_EQ(curve.mean.size(), recordings.front().curve_mean.size()) << what;
    for (std::size_t t = 0; t < curve.mean.size(); ++t) {
        long double sum = 0, variance = 0;
        for (const Recording& recording : recordings) {
            const auto n = static_cast<long double>(recording.runs);
            sum += recording.curve_mean[t];
            variance += recording.curve_m2[t] / (n - 1) / n;
        }
        expect_near(curve.mean[t], static_cast<double>(sum / instances), what);
        expect_near(curve.standard_error[t], static_cast<double>(std::sqrt(variance) / instances), what);
    }
    for (std::size_t i = 0; i < recordings.size(); ++i) EXPECT_EQ(curve.instances[i], recordings[i].curve_mean) << what;
}

TEST_F(FindingsTest, ReadsWhatWasRecorded) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    for_each_algorithm(study_, findings, [&](const auto& metric, const auto& algorithm, auto setting, auto first) {
        const std::string what = fmt::format("{} {} {}", metric.setting->id, metric.metric_id(), algorithm.id());
        for (const Stage stage : {Stage::selection, Stage::fresh}) {
            const std::optional<StageFindings>& found =
                stage == Stage::fresh ? algorithm.fresh : algorithm.recorded_selection;
            ASSERT_TRUE(found.has_value()) << what;
            std::vector<Recording> recordings;
            for (std::uint32_t i = 0; i < metric.instances; ++i)
                recordings.push_back(store
                                         .recording({setting, static_cast<std::uint32_t>(metric.metric), i,
                                                     first + static_cast<std::uint32_t>(algorithm.best), stage})
                                         .value());
            expect_estimate(*found, recordings, what);
            expect_curve(found->curve, recordings, what);
        }
        // Chosen on the selection, estimated on fresh runs.
        EXPECT_EQ(&algorithm.estimate(), &algorithm.fresh->estimate) << what;
        EXPECT_EQ(algorithm.curve(), &algorithm.fresh->curve) << what;
        EXPECT_NE(algorithm.fresh->estimate.score, algorithm.selection.score) << what;
        expect_near(algorithm.recorded_selection->estimate.score, algorithm.selection.score, what);
        EXPECT_EQ(algorithm.selection.deviation, algorithm.recorded_selection->estimate.deviation) << what;
    });
}

TEST_F(FindingsTest, HasTheSpreadOfFreshRuns) {
    const Store store = run();
    const Findings findings = find_all(store, study_);
    for (const MetricFindings& metric : findings.metrics) {
        ASSERT_TRUE(metric.is_fresh());
        ASSERT_TRUE(metric.spread.has_value());
        std::vector<RunScores> competitors;
        double first = 0;
        for (const AlgorithmFindings& algorithm : metric.algorithms) {
            competitors.push_back(algorithm.fresh->scores);
            const Estimate& estimate = algorithm.fresh->estimate;
            EXPECT_LE(estimate.interval->low, estimate.score);
            EXPECT_GE(estimate.interval->high, estimate.score);
            EXPECT_EQ(algorithm.selection.interval.has_value(), false);
            first += estimate.first.value();
        }
        EXPECT_NEAR(first, 1, 1e-9);  // sums of 10,000 shares
        const Bootstrap expected(competitors, study_.seed, metric.address);
        EXPECT_EQ(metric.spread->difference(0, 1).low, expected.difference(0, 1).low);
        EXPECT_EQ(metric.spread->difference(0, 1).high, expected.difference(0, 1).high);
    }
    // The metrics of a setting share their draws, and settings of other domains have their own.
    EXPECT_EQ(findings.metrics[0].address, findings.metrics[1].address);
    EXPECT_NE(findings.metrics[1].address, findings.metrics[2].address);
}

TEST_F(FindingsTest, HasNoSpreadWithoutRecordings) {
    const Store store = run({0, 1}, false);
    const Findings findings = find_all(store, study_);
    ASSERT_EQ(findings.metrics.size(), 3U);
    for (const MetricFindings& metric : findings.metrics) {
        EXPECT_FALSE(metric.spread.has_value());
        EXPECT_FALSE(metric.is_fresh());
        for (const AlgorithmFindings& algorithm : metric.algorithms) {
            EXPECT_EQ(&algorithm.estimate(), &algorithm.selection);
            EXPECT_EQ(algorithm.curve(), nullptr);
            EXPECT_FALSE(algorithm.selection.interval.has_value());
            EXPECT_FALSE(algorithm.selection.deviation.has_value());
        }
    }
}

// Of 10,000 configurations, and of 10⁹ instances by the number of one.
TEST_F(FindingsTest, RefusesWhatDoesNotFitIntoTheMachine) {
    const std::string large =
        "seed = 1\n[[settings]]\nid = 'large'\ndomain = 'random-mdp'\nfeatures = 'binary'\nsteps = 1\ninstances = "
        "1000000\n"
        "runs = 1\nmetrics = ['mave']\nalgorithms = ['gtd']\n"
        "grid = { alpha = { base = 1, factor = 1.01, from = -1000, to = -1 }, eta = { factor = 1.01, exponents = "
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, lambda = 1 }\n";
    const Study study = study_of(large);
    Store store = Store::create(directory, {"large", large, study.identity(), "0"});
    store.write(unit({0, 999'999'999, 0}, 1, 64, 1));
    const std::string message = refusal([&] { find_all(store, study); });
    EXPECT_TRUE(message.starts_with(
        "a report on so many configurations and instances needs 1.6e+05 GB of memory; this machine has "))
        << message;
}

TEST_F(FindingsTest, NamesSettingsWithoutResults) {
    const Store store = run({1});
    const Findings findings = find_all(store, study_);
    ASSERT_EQ(findings.metrics.size(), 1U);
    EXPECT_EQ(findings.metrics[0].setting->id, "random");
    EXPECT_EQ(findings.left_out, std::vector<std::string>{"baird"});
}

}  // namespace
}  // namespace bellwether::test
