// The plan of a study: which units there are, and which of their runs are missing.
#include "plan/unit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "plan/study_text.hpp"

namespace bellwether::test {
namespace {

TEST(Plan, HasEveryConfigurationOfEveryInstanceOnce) {
    const Study study = read_study(BELLWETHER_SOURCE "/studies/quick.toml");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> seen;
    for (const Unit& unit : plan_units(study)) {
        const Setting& setting = study.settings.at(unit.setting);
        EXPECT_LE(unit.count, 512U);
        EXPECT_LE(unit.first + unit.count, setting.algorithms.at(unit.algorithm).configurations());
        EXPECT_EQ(unit.first_configuration, setting.first_configurations().at(unit.algorithm) + unit.first);
        for (std::uint32_t c = 0; c < unit.count; ++c) {
            const bool is_new = seen[{unit.setting, unit.instance}].insert(unit.first_configuration + c).second;
            EXPECT_TRUE(is_new);
        }
    }
    std::size_t instances = 0;
    for (const Setting& setting : study.settings) instances += setting.instances;
    EXPECT_EQ(seen.size(), instances);
    for (const auto& [key, configurations] : seen)
        EXPECT_EQ(configurations.size(), study.settings[key.first].configurations());
}

TEST(Unit, MissesTheRunsThatSomeMetricMisses) {
    Setting setting = study_of(small_study("domain = 'baird'", "['rmsve', 'mspbe']")).settings[0];
    setting.metrics[0].runs = 10;
    setting.metrics[1].runs = 4;
    EXPECT_EQ(missing_runs(setting, {0, 0}), 10U);
    EXPECT_EQ(missing_runs(setting, {10, 4}), 0U);
    EXPECT_EQ(missing_runs(setting, {10, 1}), 3U);
    EXPECT_EQ(missing_runs(setting, {6, 2}), 6U);
    EXPECT_EQ(missing_runs(setting, {3, 2}), 8U);
}

}  // namespace
}  // namespace bellwether::test
