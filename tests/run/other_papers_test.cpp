// The papers of studies/ other than White & White (2016): what their sources' numbers say exactly, and cuts of them
// against an account that shares nothing with the kernels (slow_study.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend.hpp"
#include "plan/readings.hpp"
#include "plan/unit.hpp"
#include "problems/model_file.hpp"
#include "run/unit_work.hpp"
#include "slow_study.hpp"
#include "support/document.hpp"

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
    expect("mahmood2015/models/hundred-states.json", 65.2675091605968);
    expect("mahmood2015/models/walk11.toml", 0.9143111432438839);
    expect("vanseijen2016/models/small-tabular.json", 1143.12026130849);
    expect("vanseijen2016/models/small-binary.json", 1100.01428848090);
    expect("vanseijen2016/models/small-normal.json", 759.455603510437);
    expect("vanseijen2016/models/large-tabular.json", 19.0043219427);
    expect("vanseijen2016/models/large-binary.json", 18.1867803315);
    expect("vanseijen2016/models/large-normal.json", 0.932666961882);
    expect("vanseijen2016/models/deterministic-tabular.json", 116.522850283);
    expect("vanseijen2016/models/deterministic-binary.json", 111.997740084);
    expect("vanseijen2016/models/deterministic-normal.json", 17.2718834513);
}

TEST(OtherPapers, HaveTheTenStatesOfMahmood) {
    const ExactSolution solution(read_model_file(studies + "mahmood2015/models/ten-states.json"), 0);
    EXPECT_NEAR(solution.rmsve(Eigen::VectorXd::Zero(4)), 2.240700721935, 1e-9);
    EXPECT_NEAR(solution.rmsve(solution.projection), 0.759404317580, 1e-9);
}

// As far as importance ratios reach, in whole numbers.
TEST(OtherPapers, HaveTheRatiosOfMahmood) {
    for (const auto& [model, largest] :
         {std::pair{"ten-states.json", 155.0}, {"hundred-states.json", 172.0}, {"walk11.toml", 2.0}}) {
        const FiniteMdp mdp = read_model_file(studies + "mahmood2015/models/" + model);
        double most = 0;
        for (std::size_t s = 0; s < mdp.states(); ++s)
            for (std::size_t a = 0; a < mdp.actions(); ++a) most = std::max(most, mdp.ratio(s, a));
        EXPECT_EQ(std::round(most), largest) << model << ": " << most;
    }
}

TEST(OtherPapers, HaveTheStatesThatVanSeijenNeverVisitsAgain) {
    const ExactSolution solution(read_model_file(studies + "vanseijen2016/models/deterministic-tabular.json"), 0);
    EXPECT_EQ((solution.d.array() < 1e-12).count(), 10);
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
    for (const AlgorithmGrid& grid : setting.algorithms) EXPECT_EQ(grid.configurations(), 88U);
}

TEST(OtherPapers, HaveTheChainAndTheStarOfDann) {
    const ExactSolution chain(read_model_file(studies + "dann2014/models/boyan-14.toml"), 0);
    const double values[] = {-21.479410069406, -20.143261642921, -18.760759555829, -17.330317587162};
    for (Eigen::Index s = 0; s < 4; ++s) EXPECT_NEAR(chain.v(s), values[s], 1e-9);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(4);
    EXPECT_NEAR(chain.rmsve(zero), 14.0212281941, 1e-9);
    EXPECT_NEAR(exact_error(Metric::rmspbe, chain, zero).value(), 2.9323760163, 1e-9);
    const FiniteMdp star = read_model_file(studies + "dann2014/models/baird-star.toml");
    const ExactSolution solution(star, 0);
    const Eigen::VectorXd start = Eigen::Map<const Eigen::VectorXd>(star.initial_weights().data(), 9);
    EXPECT_NEAR(solution.rmsve(start), 5.0867474873, 1e-9);
    EXPECT_NEAR(exact_error(Metric::rmspbe, solution, start).value(), 8.3065877471, 1e-9);
}

// ---- cuts

struct PaperCutOf {
    const char* paper;
    // Those that are left out, by the ends of their ids: the same problems as others on a part of the grid, or so many
    // states that solving them takes longer than all the rest.
    std::vector<std::string> without{};
    std::vector<std::string> with_few_steps{};  // of which the first steps are enough
    double highest_stable_score = 10;
    // Parts of the study's text, wherever they stand, and what stands there in the cut: smaller problems of the kind.
    std::vector<std::pair<std::string, std::string>> in_place_of{};
    const char* reading = nullptr;  // of the study, where it is not the study itself
};

Study study_of(const PaperCutOf& cut) {
    const std::string file = studies + cut.paper + "/study.toml";
    if (cut.reading) return read_reading(file, cut.reading);
    std::string text = read_text_file(file);
    for (const auto& [from, to] : cut.in_place_of) {
        EXPECT_NE(text.find(from), std::string::npos) << from;
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    }
    return parse_study(file, text);
}

class OtherPaperCut : public testing::TestWithParam<PaperCutOf> {};

bool is_among(const std::string& id, const std::vector<std::string>& endings) {
    return std::any_of(endings.begin(), endings.end(), [&](const std::string& end) { return id.ends_with(end); });
}

// Some configurations of every algorithm and setting, spread over its grid, on two runs.
TEST_P(OtherPaperCut, IsThatOfAnIndependentAccount) {
    constexpr std::size_t few_steps = 400;
    Study study = study_of(GetParam());
    std::erase_if(study.settings, [](const Setting& one) { return is_among(one.id, GetParam().without); });
    for (Setting& setting : study.settings) {
        setting.resize(std::nullopt, 2);
        if (!is_among(setting.id, GetParam().with_few_steps)) continue;
        setting.steps = few_steps;
        setting.every = std::min(setting.every, few_steps / 40);
        for (ScoredMetric& scored : setting.metrics) scored.scored = setting.measurements();
    }
    InstanceCache instances(study);
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
        const Setting& setting = study.settings[s];
        SlowInstance slow(study, s, 0);
        Comparison comparison(setting.runs, GetParam().highest_stable_score);
        for (std::size_t a = 0; a < setting.algorithms.size(); ++a) {
            const AlgorithmGrid& grid = setting.algorithms[a];
            std::vector<std::size_t> chosen;
            // By steps that are no multiple of the number of step sizes.
            for (std::size_t k = 0; k < 7; ++k) chosen.push_back(k * (2 * grid.configurations() / 13));
            ConfigurationBlock block(instances, &best_instruction_set(), s, a, 0, chosen);
            const std::vector<std::size_t> first_metric{0};
            std::vector<ScoreSummary> found(chosen.size());
            for (std::uint32_t run = 0; run < setting.runs; ++run) {
                block.run(run, first_metric);
                for (std::size_t k = 0; k < chosen.size(); ++k)
                    found[k].add(block.score(0, k), block.initial_error(0, k));
            }
            for (std::size_t k = 0; k < chosen.size(); ++k) {
                const Configuration configuration = configuration_of(grid, chosen[k]);
                // A⁻¹ begins at 1/ε, and by Sherman and Morrison's formula the rounding of that stays in it, in
                // proportion to 1/ε: against long doubles, on 20 streams of Baird's star, 1e-14 of the values for ε = 1
                // and 1.5e-12 for 0.01 in the median.
                if (configuration.id == "lstd" && configuration.parameters.epsilon <= 0.01) continue;
                comparison.compare(found[k], slow.scores(configuration)[0],
                                   setting.id + ", " + describe(configuration, setting.metrics[0].id(), 0),
                                   [&] { return slow.sensitivity(configuration, 0); });
            }
        }
        EXPECT_GT(comparison.bands().front().compared, 5U) << setting.id;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Studies, OtherPaperCut,
    testing::Values(PaperCutOf{"sutton2018"},
                    // The walk of 19 states is there already; of the thousand states each kind of learner and features.
                    PaperCutOf{
                        "sutton2018-chapter-9",
                        {"-n-1", "-n-2", "-n-8", "-n-16", "-n-32", "-n-64", "-n-128", "-n-256", "-n-512", "walk19-n-4"},
                        {"monte-carlo", "td", "one-tiling", "fifty-tilings"}},
                    PaperCutOf{"mahmood2015", {"-lambda-1"}, {"hundred-states"}},
                    PaperCutOf{"vanseijen2016", {"-short", "-long"}, {"large-tabular", "large-binary", "tabular"}},
                    PaperCutOf{"dann2014", {"-lambda-0"}, {"star"}},
                    PaperCutOf{"dann2014-random-mdps",
                               {},
                               {""},
                               10,
                               {{"states = 400", "states = 40"},
                                {"successors = 400", "successors = 40"},
                                {"dimension = 200", "dimension = 20"}}},
                    PaperCutOf{"dann2014", {}, {""}, 10, {}, "power-half"}, PaperCutOf{"ghiassian2020", {}, {""}},
                    PaperCutOf{"ghiassian2020", {}, {""}, 10, {}, "adagrad"},
                    PaperCutOf{"ghiassian2021-collision", {"-final", "-eta", "-8000", "-20000"}, {""}},
                    // Variances, of some hundreds.
                    PaperCutOf{"sherstan2018", {}, {""}, 1000}),
    [](const auto& study) {
        std::string name = study.param.paper;
        if (study.param.reading) name += std::string("_") + study.param.reading;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

}  // namespace
}  // namespace bellwether::test
