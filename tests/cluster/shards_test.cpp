// Shards that are run apart and merged make up the same results.
#include "run/merge.hpp"

#include <vector>

#include "plan/shard.hpp"
#include "study_to_share.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

using ShardsTest = SharedStudyTest;

TEST_F(ShardsTest, MergeToTheWholeToTheByte) {
    const std::string whole = expected();
    for (const std::size_t count : {1U, 3U, 40U}) {
        Store merged = make_store("merged-" + std::to_string(count));
        for (std::size_t number = count; number > 0; --number) {
            Store shard = make_store("shard-" + std::to_string(number) + "-" + std::to_string(count));
            RunOptions how = options(2);
            how.shard = Shard{number, count};
            const RunReport report = run(shard, how);
            EXPECT_EQ(report.tasks_done, report.tasks);
            EXPECT_TRUE(shard.recordings().empty());
            EXPECT_EQ(add_results(study, shard, "a shard", merged), report.tasks);
            EXPECT_EQ(add_results(study, shard, "a shard", merged), 0U) << "a second time";
        }
        const MissingShards missing = missing_shards(study, merged, count);
        EXPECT_TRUE(missing.whole.empty() && missing.in_part.empty());
        run(merged, options());
        EXPECT_TRUE(all_of(merged) == whole) << count;
    }
}

TEST_F(ShardsTest, AreMissed) {
    Store merged = make_store("merged"), second = make_store("second"), third = make_store("third");
    RunOptions how = options();
    how.shard = Shard{2, 4};
    run(second, how);
    add_results(study, second, "second", merged);
    how.shard = Shard{3, 4};
    Study smaller = study;
    for (Setting& setting : smaller.settings) setting.resize({}, 2);
    RunObserver nobody;
    run_study(smaller, third, how, nobody);
    add_results(study, third, "third", merged);
    const MissingShards missing = missing_shards(study, merged, 4);
    EXPECT_EQ(missing.whole, (std::vector<std::size_t>{1, 4}));
    EXPECT_EQ(missing.in_part, (std::vector<std::size_t>{3}));
    // A repeated shard that has grown brings what is new.
    run(third, how);
    EXPECT_GT(add_results(study, third, "third", merged), 0U);
    EXPECT_TRUE(missing_shards(study, merged, 4).in_part.empty());
}

TEST_F(ShardsTest, AreRefusedWhereTheyDisagree) {
    Store one = make_store("one"), other = make_store("other");
    RunOptions how = options();
    how.shard = Shard{1, 3};
    run(one, how);
    run(other, how);
    const auto units = other.units();
    UnitResult unit{units.front().key, 1, units.front().runs, {}};
    unit.summaries = other.summaries(unit.key.setting, unit.key.instance, unit.key.first_configuration, 1, 2);
    unit.summaries[0].mean += 1e-9;
    other.write(unit);
    Store merged = make_store("merged");
    add_results(study, one, "one", merged);
    EXPECT_THROW(add_results(study, other, "other", merged), WorkError);
}

}  // namespace
}  // namespace bellwether::test
