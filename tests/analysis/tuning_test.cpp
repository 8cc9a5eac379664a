// What tuning costs, against enumerations.
#include "analysis/tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "plan/study_text.hpp"
#include "support/infinity.hpp"

namespace bellwether::test {
namespace {

TEST(Tuning, Budgets) {
    EXPECT_EQ(tuning_budgets(1), (std::vector<std::size_t>{1}));
    EXPECT_EQ(tuning_budgets(15), (std::vector<std::size_t>{1, 2, 5, 10, 15}));
    EXPECT_EQ(tuning_budgets(20), (std::vector<std::size_t>{1, 2, 5, 10, 20}));
    EXPECT_EQ(tuning_budgets(2100).back(), 2100U);
}

// Over every subset there is.
TEST(Tuning, ExpectedBestIsTheMeanOverSubsets) {
    const std::vector<double> scores{0.1, 0.1, 0.25, 0.4, 0.8, 0.9, 1, 1};
    for (int tried = 1; tried <= 8; ++tried) {
        double sum = 0, count = 0;
        for (unsigned subset = 1; subset < 256; ++subset) {
            if (std::popcount(subset) != tried) continue;
            sum += scores[static_cast<std::size_t>(std::countr_zero(subset))];  // the lowest is the first
            ++count;
        }
        EXPECT_NEAR(expected_best(scores, static_cast<std::size_t>(tried)), sum / count, 1e-13) << tried;
    }
    // Of a grid as large as GTD's: one try is the mean, all are the best.
    std::vector<double> many(2100);
    for (std::size_t k = 0; k < many.size(); ++k) many[k] = 0.1 + 0.0004 * static_cast<double>(k);
    EXPECT_NEAR(expected_best(many, 1), 0.1 + 0.0002 * 2099, 1e-11);
    EXPECT_EQ(expected_best(many, 2100), 0.1);
    // The lowest of k of the ranks 0 … n−1 is (n−k)/(k+1) in the mean.
    for (const std::size_t k : {5U, 100U, 2000U})
        EXPECT_NEAR(expected_best(many, k),
                    0.1 + 0.0004 * (2100.0 - static_cast<double>(k)) / (static_cast<double>(k) + 1), 1e-11);
    EXPECT_EQ(expected_best(std::vector{1.0, infinity}, 1), infinity);
    EXPECT_EQ(expected_best(std::vector{1.0, infinity}, 2), 1);
}

// ---- of findings that are made up

const std::string text =
    "seed = 1\n"
    "[[settings]]\nid = 'a'\ndomain = 'random-mdp'\nsteps = 10\nruns = 2\ninstances = 2\nmetrics = ['mave']\n"
    "grid = { alpha = [0.2, 0.1, 0.4], eta = 1, lambda = [0, 0.5, 1] }\nalgorithms = ['td0', 'gtd']\n"
    "[[settings]]\nid = 'b'\ndomain = 'random-mdp'\nsteps = 10\nruns = 2\ninstances = 2\nmetrics = ['mave']\n"
    "grid = { alpha = [0.2, 0.1, 0.4], eta = 1, lambda = [0, 0.5, 1] }\nalgorithms = ['gtd', 'td0']\n"
    "[settings.for.gtd]\nlambda = [0, 0.5]\n";

AlgorithmFindings made_up(const AlgorithmGrid& grid, const std::vector<double>& scores) {
    AlgorithmFindings algorithm;
    algorithm.grid = &grid;
    for (const double score : scores)
        algorithm.configurations.push_back({.instances = 2, .runs = 4, .mean = score, .score = score});
    algorithm.best = static_cast<std::size_t>(std::min_element(scores.begin(), scores.end()) - scores.begin());
    return algorithm;
}

TEST(Tuning, OneConfigurationServesSettingsWithTheSameGrid) {
    const Study study = study_of(text);
    const Setting &a = study.settings[0], &b = study.settings[1];
    Findings findings{.study = &study};
    findings.metrics.push_back({.setting = &a, .instances = 2});
    findings.metrics.push_back({.setting = &b, .instances = 2});
    const std::vector<double> gtd_a{0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.1, 0.9}, gtd_b{0.8, 0.8, 0.8, 0.8, 0.8, 0.8};
    findings.metrics[0].algorithms = {made_up(a.algorithms[0], {0.2, 0.4, 0.3}), made_up(a.algorithms[1], gtd_a)};
    findings.metrics[1].algorithms = {made_up(b.algorithms[0], gtd_b), made_up(b.algorithms[1], {infinity, 0.5, 0.6})};
    const std::vector<CommonConfiguration> all = common_configurations(findings);
    ASSERT_EQ(all.size(), 1U) << "GTD has another grid in each";
    const CommonConfiguration& common = all.front();
    EXPECT_EQ(common.findings[0]->id(), "td0");
    EXPECT_EQ(common.findings[1], &findings.metrics[1].algorithms[1]);
    // The first diverges in b; the second has 4 · 1, the third 3 · 1.2.
    EXPECT_EQ(common.configuration, 2U);
    EXPECT_NEAR(common.common, std::sqrt(3 * 1.2), 1e-13);
    EXPECT_NEAR(common.ratios[0], 3, 1e-13);
    EXPECT_NEAR(common.ratios[1], 1.2, 1e-13);
    EXPECT_NEAR(common.tuned, std::sqrt(2 * 1), 1e-13);
}

TEST(Tuning, ClipsAtTheErrorOfTheStart) {
    const Study study = study_of(text);
    const TuningCurve curve = tuning_curve(made_up(study.settings[0].algorithms[0], {infinity, 0.3, 1e200}), 1);
    EXPECT_EQ(curve.tried, (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_NEAR(curve.score[0], (0.3 + 1 + 1) / 3, 1e-13);
    EXPECT_NEAR(curve.score[1], (2 * 0.3 + 1) / 3, 1e-13);
    EXPECT_EQ(curve.score[2], 0.3);
}

TEST(Tuning, KnowsTheEdgesOfTheGrid) {
    const Study study = study_of(text);
    const AlgorithmGrid& gtd = study.settings[0].algorithms[1];  // α fastest: 0.2, 0.1, 0.4; η fixed; λ
    EXPECT_EQ(edges_text(gtd, 0), "lambda bound");
    EXPECT_EQ(edges_text(gtd, 1), "alpha least; lambda bound");
    EXPECT_EQ(edges_text(gtd, 3), "");
    EXPECT_EQ(edges_text(gtd, 5), "alpha greatest");
    EXPECT_EQ(edges_text(gtd, 8), "alpha greatest; lambda bound");
    EXPECT_FALSE(is_on_open_edge(gtd, 0)) << "λ cannot be less than 0";
    EXPECT_TRUE(is_on_open_edge(gtd, 5));
    // Where λ ends at 0.5, larger ones are there to be tried.
    EXPECT_EQ(edges_text(study.settings[1].algorithms[0], 3), "lambda greatest");
    EXPECT_EQ(mark_of(grid_edge(gtd, 1, 0)), "⇤");
    EXPECT_EQ(mark_of(grid_edge(gtd, 2, 0)), "⇥");
    EXPECT_EQ(mark_of(grid_edge(gtd, 0, 0)), "");
}

}  // namespace
}  // namespace bellwether::test
