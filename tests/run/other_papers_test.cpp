// The papers of studies/ other than White & White (2016): what their sources' numbers say exactly, and cuts of them
// against an account that shares nothing with the kernels (slow_study.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "plan/unit.hpp"
#include "problems/model_file.hpp"
#include "run/unit_work.hpp"
#include "slow_study.hpp"

namespace bellwether::test {
namespace {

const std::string studies = BELLWETHER_SOURCE "/studies/";

// ---- exact values

// ‖ΠV‖², as the sources' own problems have it.
TEST(OtherPapers, HaveTheValuesOfTheirSources) {
    const auto expect = [](const std::string& model, double mean_square) {
        const ExactSolution solution(read_model_file(studies + model), 0);
        const Eigen::VectorXd best = solution.X * solution.projection;
        const double found = solution.d.dot(best.cwiseProduct(best));
        EXPECT_NEAR(found, mean_square, 1e-9 * std::max(1.0, mean_square)) << model;
        // And so the normalised error of w = 0 is 1, and the other is that.
        const Eigen::VectorXd zero = Eigen::VectorXd::Zero(solution.X.cols());
        EXPECT_NEAR(exact_error(Metric::mspve, solution, zero).value(), mean_square, 1e-9 * std::max(1.0, mean_square));
        EXPECT_NEAR(exact_error(Metric::nmspve, solution, zero).value(), 1, 1e-12);
    };
    expect("mahmood2015/models/ten-states.json", 4.444044807720544);
    expect("mahmood2015/models/walk11.toml", 0.9143111432438839);
    expect("vanseijen2016/models/deterministic-tabular.json", 116.522850283);
    expect("vanseijen2016/models/deterministic-binary.json", 111.997740084);
    expect("vanseijen2016/models/deterministic-normal.json", 17.2718834513);
}

TEST(OtherPapers, HaveTheTenStatesOfMahmood) {
    const ExactSolution solution(read_model_file(studies + "mahmood2015/models/ten-states.json"), 0);
    EXPECT_NEAR(solution.rmsve(Eigen::VectorXd::Zero(4)), 2.240700721935, 1e-9);
    EXPECT_NEAR(solution.rmsve(solution.projection), 0.759404317580, 1e-9);
}

TEST(OtherPapers, HaveTheWalkOfMahmood) {
    const ExactSolution solution(read_model_file(studies + "mahmood2015/models/walk11.toml"), 0);
    for (Eigen::Index s = 0; s < 11; ++s)
        EXPECT_NEAR(36 * solution.d(s), static_cast<double>(std::min(s, 10 - s) + 1), 1e-9);
}

TEST(OtherPapers, HaveTheWalkOfSuttonAndBarto) {
    const Study study = read_study(studies + "sutton2018/study.toml");
    const Setting& setting = study.settings[0];
    const ExactSolution solution(setting.problem.make(study.seed, 0, 0), 0);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(19);
    EXPECT_NEAR(exact_error(Metric::rmsve, solution, zero, setting.weighting).value(), 0.5477225575, 1e-9);
    EXPECT_NEAR(exact_error(Metric::rmsve, solution, zero).value(), 0.4062019202, 1e-9);
    EXPECT_EQ(setting.algorithms[0].configurations(), 88U);
    EXPECT_EQ(setting.algorithms[1].configurations(), 88U);
}

// ---- cuts

class OtherPaperCut : public testing::TestWithParam<const char*> {};

// Some configurations of every algorithm and setting, spread over its grid, on two runs.
TEST_P(OtherPaperCut, IsThatOfAnIndependentAccount) {
    Study study = read_study(studies + GetParam() + "/study.toml");
    for (Setting& setting : study.settings) setting.resize(std::nullopt, 2);
    InstanceCache instances(study);
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
        const Setting& setting = study.settings[s];
        SlowInstance slow(study, s, 0);
        Comparison comparison(setting.runs, 10);
        for (std::size_t a = 0; a < setting.algorithms.size(); ++a) {
            const AlgorithmGrid& grid = setting.algorithms[a];
            std::vector<std::size_t> chosen;
            // By steps that are no multiple of the number of step sizes.
            for (std::size_t k = 0; k < 7; ++k) chosen.push_back(k * (2 * grid.configurations() / 13));
            ConfigurationBlock block(instances, &best_instruction_set(), s, a, 0, chosen);
            const std::vector<std::size_t> first_metric{0};
            block.run(0, setting.runs, first_metric);
            for (std::size_t k = 0; k < chosen.size(); ++k) {
                const Configuration configuration = configuration_of(grid, chosen[k]);
                // A⁻¹ begins at 1/ε, and by Sherman and Morrison's formula the rounding of that stays in it.
                if (configuration.id == "lstd" && configuration.parameters.epsilon < 0.01) continue;
                ScoreSummary found;
                for (std::size_t run = 0; run < setting.runs; ++run)
                    found.add(block.score(0, k, run), block.initial_error(0, k));
                comparison.compare(found, slow.scores(configuration)[0],
                                   setting.id + ", " + describe(configuration, setting.metrics[0].id(), 0),
                                   [&] { return slow.sensitivity(configuration, 0); });
            }
        }
        EXPECT_GT(comparison.bands().front().compared, 5U) << setting.id;
    }
}

INSTANTIATE_TEST_SUITE_P(Studies, OtherPaperCut, testing::Values("sutton2018", "mahmood2015", "vanseijen2016"),
                         [](const auto& study) { return std::string(study.param); });

}  // namespace
}  // namespace bellwether::test
