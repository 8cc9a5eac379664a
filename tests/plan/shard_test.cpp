// Shards cover a study and do not overlap, however large it grows.
#include "plan/shard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "plan/text_to_share.hpp"

namespace bellwether::test {
namespace {

TEST(Shard, IsReadFromText) {
    EXPECT_EQ(parse_shard("3/16"), (Shard{3, 16}));
    EXPECT_EQ(parse_shard("1/1"), (Shard{1, 1}));
    EXPECT_EQ(parse_shard("3/16")->text(), "3/16");
    for (const char* wrong : {"", "3", "/", "3/", "/16", "0/16", "17/16", "-1/16", "3/16/2", "a/b", "3 of 16", "1.5/3",
                              "1/100001", "99999999999999999999/99999999999999999999"})
        EXPECT_FALSE(parse_shard(wrong)) << wrong;
}

class ShardsOfStudy : public testing::Test {
protected:
    const Study study = parse_study("s.toml", text_to_share);
};

TEST_F(ShardsOfStudy, HaveEveryUnitOnce) {
    const std::vector<Unit> units = plan_units(study);
    EXPECT_GE(units.size(), 18U);
    for (const std::size_t count : {1U, 2U, 3U, 5U, 16U, 1000U}) {
        const Sharding sharding(study, count);
        std::vector<std::size_t> sizes(count);
        for (const Unit& unit : units) ++sizes.at(sharding.number(unit) - 1);
        // Settings with fewer instances leave gaps, so that shards may differ by more than one here.
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        EXPECT_LE(*most - *least, 3U) << count;
    }
}

TEST_F(ShardsOfStudy, DoNotDependOnSizes) {
    Study larger = study;
    for (Setting& setting : larger.settings) setting.resize(9, 50);
    const Sharding before(study, 7), after(larger, 7);
    const std::vector<Unit> units = plan_units(larger);
    const auto place = [](const Unit& unit) {
        return std::tuple(unit.setting, unit.instance, unit.first_configuration);
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> known;
    for (const Unit& unit : units) {
        EXPECT_EQ(before.number(unit), after.number(unit));
        known.insert(place(unit));
    }
    for (const Unit& unit : plan_units(study)) EXPECT_TRUE(known.contains(place(unit)));
}

}  // namespace
}  // namespace bellwether::test
