// Outlines of studies: what a study takes is seen from them, and nothing is solved.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "plan/study.hpp"
#include "run/estimate.hpp"

namespace bellwether::test {
namespace {

std::string file_of(const std::string& paper) {
    return std::string(BELLWETHER_SOURCE "/studies/") + paper + "/study.toml";
}

class Outline : public testing::TestWithParam<const char*> {};

TEST_P(Outline, HasTheCountsAndTheFeaturesOfItsStudy) {
    const Study outline = read_outline(file_of(GetParam())), study = read_study(file_of(GetParam()));
    EXPECT_TRUE(outline.is_outline);
    EXPECT_FALSE(study.is_outline);
    ASSERT_EQ(outline.settings.size(), study.settings.size());
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
        const Setting &of_outline = outline.settings[s], &of_study = study.settings[s];
        EXPECT_EQ(of_outline.id, of_study.id);
        EXPECT_EQ(of_outline.configurations(), of_study.configurations());
        EXPECT_EQ(of_outline.steps, of_study.steps);
        EXPECT_EQ(of_outline.measurements(), of_study.measurements());
        const FiniteMdp drawn = of_outline.problem.make(outline.seed, 0, 0);
        const FiniteMdp first = of_study.problem.make(study.seed, 0, 0);
        ASSERT_EQ(drawn.states(), first.states());
        for (std::size_t state = 0; state < first.states(); ++state)
            EXPECT_TRUE(std::ranges::equal(drawn.features(state), first.features(state))) << of_study.id;
    }
}

TEST_P(Outline, IsEnoughToMeasureCosts) {
    const Study outline = read_outline(file_of(GetParam()));
    std::vector<std::size_t> settings(outline.settings.size());
    std::iota(settings.begin(), settings.end(), std::size_t{0});
    const auto costs = measure_costs(outline, &best_instruction_set(), settings, 0.001);
    for (const std::size_t s : settings) {
        ASSERT_EQ(costs[s].size(), outline.settings[s].algorithms.size());
        for (const double cost : costs[s]) EXPECT_GT(cost, 0) << outline.settings[s].id;
    }
}

// Between them: random MDPs that end, projected errors, models, episodes, several questions, features for every run,
// variances.
INSTANTIATE_TEST_SUITE_P(Studies, Outline,
                         testing::Values("white2016", "mahmood2015", "ghiassian2021-rooms", "ghiassian2021-collision",
                                         "sherstan2018", "dann2014"),
                         [](const auto& study) {
                             std::string name = study.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(OutlineOfMdp, DrawsFewOfTheTransitionsOfALargeMdp) {
    const Study outline = read_outline(file_of("dann2014-random-mdps"));
    const FiniteMdp mdp = outline.settings.front().problem.make(outline.seed, 0, 0);
    EXPECT_EQ(mdp.states(), 400U);
    EXPECT_EQ(mdp.dimension(), 200U);
    EXPECT_EQ(mdp.outcomes(0, 0).size(), 4U);
}

}  // namespace
}  // namespace bellwether::test
