// What the store keeps, to the bit; its size; the SQL of its documentation.
#include "store/store.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "store_fixture.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double huge = std::numeric_limits<double>::max();

// ---- summaries

TEST(ScoreSummary, IsWelfordInTheOrderOfRuns) {
    ScoreSummary summary;
    for (const double score : {1.0, 4.0, 2.5}) summary.add(score, 2.5);
    EXPECT_EQ(summary, (ScoreSummary{3, 0, 1, 2.5, 4.5}));  // equal to w_0's error is not worse
}

TEST(ScoreSummary, CountsDivergedRunsAsWorseAndLeavesThemOut) {
    ScoreSummary with, without;
    for (const double score : {0.1, infinity, 0.7, std::nan(""), 0.3}) with.add(score, 0.5);
    for (const double score : {0.1, 0.7, 0.3}) without.add(score, 0.5);
    EXPECT_EQ(with, (ScoreSummary{5, 2, 3, without.mean, without.m2}));
    EXPECT_EQ(without.worse, 1u);
}

TEST(ScoreSummary, HasNoNanWhateverTheScores) {
    ScoreSummary summary;
    for (const double score : {0.0, huge, 0.0, huge, huge}) summary.add(score, 1);
    EXPECT_TRUE(std::isfinite(summary.mean));
    EXPECT_EQ(summary.m2, infinity);
}

TEST(ScoreSummary, AgreesWithTheDefinition) {
    std::mt19937 random(1);
    ScoreSummary summary;
    double sum = 0, squares = 0;
    std::vector<double> scores;
    for (int i = 0; i < 1000; ++i) {
        scores.push_back(static_cast<double>(random()) * 0x1p-32);
        summary.add(scores.back(), 2);
        sum += scores.back();
    }
    for (const double score : scores) squares += (score - sum / 1000) * (score - sum / 1000);
    EXPECT_NEAR(summary.mean, sum / 1000, 1e-13);  // a thousand roundings of numbers below one
    EXPECT_NEAR(summary.m2, squares, 1e-10);       // likewise of sums below a hundred
    EXPECT_EQ(summary.worse, 0u);
}

TEST(ScoreSummary, MayHaveTheMedianInThePlaceOfTheMean) {
    // Half way between the two in the middle; m2 is around the mean, 2.5.
    EXPECT_EQ(ScoreSummary::of_median({4, 1, 3, 2}, 2), (ScoreSummary{4, 0, 2, 2.5, 5}));
    EXPECT_EQ(ScoreSummary::of_median({9, 1, 2}, 2).mean, 2);
    // Fewer than half: the score is finite, and nothing has diverged that counts.
    const ScoreSummary some = ScoreSummary::of_median({infinity, 1, std::nan(""), 3, 2}, 10);
    EXPECT_EQ(some, (ScoreSummary{5, 0, 2, 3, 2}));
    // Half: it is infinite, and what is left has a median for the choice among those that diverge.
    const ScoreSummary half = ScoreSummary::of_median({infinity, 1, infinity, 5}, 10);
    EXPECT_EQ(half.diverged, 2U);
    EXPECT_EQ(half.mean, 3);
    EXPECT_EQ(ScoreSummary::of_median({infinity, infinity}, 1), (ScoreSummary{2, 2, 2, 0, 0}));
    EXPECT_EQ(ScoreSummary::of_median({huge, huge}, 1).mean, huge);
}

// ---- what comes back

TEST_F(StoreTest, KeepsUnitsToTheBit) {
    UnitResult odd = unit({1, 2, 100}, 3, 3, 2);
    odd.summaries[0] = {3, 0, 1, 0.1 + 0.2, infinity};
    odd.summaries[1] = {3, 3, 3, 0, 0};
    odd.summaries[2] = {1ull << 40, 1, 2, std::numeric_limits<double>::denorm_min(), huge};
    {
        Store store = Store::create(directory, study());
        store.write(odd);
        store.write(unit({0, 5, 0}, 7));
        store.write(unit({0, 0, 64}, 2));
        EXPECT_EQ(store.summaries(1, 2, 100, 3, 2), odd.summaries);
    }
    const Store store = Store::open(directory);
    EXPECT_EQ(store.summaries(1, 2, 100, 3, 2), odd.summaries);
    EXPECT_EQ(store.summaries(0, 5, 0, 64, 2), unit({0, 5, 0}, 7).summaries);
    using Units = std::vector<Store::UnitProgress>;
    EXPECT_EQ(store.units(), (Units{{{0, 0, 64}, 2}, {{0, 5, 0}, 7}, {{1, 2, 100}, 3}}));
}

TEST_F(StoreTest, AnswersForWhatIsNotThereWithEmptySummaries) {
    Store store = Store::create(directory, study());
    store.write(unit({0, 0, 10}, 1, 2, 1));
    const auto expected = unit({0, 0, 10}, 1, 2, 1).summaries;
    const ScoreSummary none;
    EXPECT_EQ(store.summaries(0, 0, 9, 4, 2),
              (std::vector<ScoreSummary>{none, expected[0], expected[1], none, none, none, none, none}));
    EXPECT_EQ(store.summaries(7, 0, 0, 1, 1), std::vector<ScoreSummary>{none});
    EXPECT_TRUE(store.summaries(0, 0, 0, 0, 1).empty());
}

TEST_F(StoreTest, ReplacesAUnitThatHasGrown) {
    Store store = Store::create(directory, study());
    store.write(unit({0, 0, 0}, 1));
    store.write(unit({0, 0, 0}, 9));
    EXPECT_EQ(store.summaries(0, 0, 0, 64, 2), unit({0, 0, 0}, 9).summaries);
    ASSERT_EQ(store.units().size(), 1u);
    EXPECT_EQ(store.units()[0].runs, 9u);
}

TEST_F(StoreTest, GivesNanBackAsNan) {
    Store store = Store::create(directory, study());
    store.write({{0, 0, 0}, 1, 1, {{1, 0, 0, std::nan(""), -infinity}}});
    const ScoreSummary summary = store.summaries(0, 0, 0, 1, 1)[0];
    EXPECT_TRUE(std::isnan(summary.mean));
    EXPECT_EQ(summary.m2, -infinity);
}

TEST_F(StoreTest, KeepsRecordingsToTheBit) {
    const RecordingKey first{0, 1, 0, 20, Stage::fresh}, second{0, 1, 1, 10, Stage::selection};
    const Recording recording{2, {1, 0.5, infinity}, {0, -0.0, infinity}, {0.25, infinity}};
    Store store = Store::create(directory, study());
    EXPECT_EQ(store.recording(first), std::nullopt);
    EXPECT_EQ(store.recorded_runs(first), std::nullopt);
    store.write(second, {});
    store.write(first, {});
    store.write(first, recording);
    EXPECT_EQ(store.recording(first), recording);
    EXPECT_TRUE(std::signbit(store.recording(first)->curve_m2[1]));
    EXPECT_EQ(store.recording(second), Recording{});
    EXPECT_EQ(store.recorded_runs(first), 2u);
    EXPECT_EQ(store.recordings(), (std::vector{first, second}));
}

TEST_F(StoreTest, KeepsDoublesLittleEndian) {
    {
        Store store = Store::create(directory, study());
        store.write({0, 0, 0, 0, Stage::fresh}, {1, {1.0, -2.0}, {}, {}});
    }
    Database database(file, Database::Mode::read);
    Statement select(database, "SELECT hex(curve_mean) FROM recordings");
    Cursor row = select.query();
    ASSERT_TRUE(row.next());
    EXPECT_EQ(row.text(0), "000000000000F03F00000000000000C0");
}

TEST_F(StoreTest, KeepsExtentsAndNotes) {
    const std::vector<Extent> small{{0, "a", 5, 10}, {1, "b", 1, 2}}, large{{0, "a", 50, 100}};
    Store store = Store::create(directory, study());
    store.set_extents(small);
    EXPECT_EQ(store.extents(), small);
    store.set_extents(large);
    EXPECT_EQ(store.extents(), large);
    store.note("seconds", "12");
    store.note("machine", "");
    store.note("seconds", "13");
    using Notes = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(store.notes(), (Notes{{"machine", ""}, {"seconds", "13"}}));
}

TEST_F(StoreTest, CanBeMoved) {
    Store first = Store::create(directory, study());
    Store second = std::move(first);
    second.write(unit({0, 0, 0}, 1));
    EXPECT_EQ(second.units().size(), 1u);
}

// ---- the file

TEST_F(StoreTest, IsOneFileBesideTheLockWhenItIsClosed) {
    {
        Store store = Store::create(directory / "deeper" / "still", study());
        store.write(unit({0, 0, 0}, 1));
    }
    directory = directory / "deeper" / "still";
    EXPECT_EQ(files(), (std::set<std::string>{"results.db", "results.lock"}));
}

TEST_F(StoreTest, WorksInADirectoryOfAnyName) {
    directory = base / "50% of #1?mode=ro&x é";
    Store::create(directory, study()).write(unit({0, 0, 0}, 1));
    EXPECT_EQ(Store::open(directory).units().size(), 1u);
    EXPECT_EQ(files(), (std::set<std::string>{"results.db", "results.lock"}));
}

TEST_F(StoreTest, TakesLessThanThirtyBytesAScore) {
    // 2.5 million scores then fit into 75 MB. Instances arrive in no order, as they do from many threads.
    constexpr std::uint32_t instances = 60, blocks = 4, configurations = 512, metrics = 2;
    std::vector<std::uint32_t> order(instances * blocks);
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::mt19937 random(1);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    {
        Store store = Store::create(directory, study());
        for (const std::uint32_t i : order)
            store.write(unit({0, i / blocks, i % blocks * configurations}, 300, configurations, metrics));
    }
    EXPECT_LT(static_cast<double>(fs::file_size(file)) / (instances * blocks * configurations * metrics), 30);
}

TEST_F(StoreTest, HasRecordsOfTheSizeThatTheyNeed) {
    std::vector<std::pair<std::uint64_t, std::string>> expected{
        {255, "FF00FE"}, {256, "00010000FF00"}, {1ull << 32, "00000000010000000000000000000000FFFFFFFF00000000"}};
    {
        Store store = Store::create(directory, study());
        for (std::uint32_t i = 0; i < expected.size(); ++i)
            store.write({{0, i, 0}, 1, 1, {{expected[i].first, 0, expected[i].first - 1, 1.0, -2.0}}});
    }
    const Database database(file, Database::Mode::read);
    Statement select(database, "SELECT hex(records) FROM blocks ORDER BY instance");
    Cursor row = select.query();
    for (const auto& [runs, integers] : expected) {
        ASSERT_TRUE(row.next());
        EXPECT_EQ(row.text(0), "000000000000F03F00000000000000C0" + integers);
    }
}

// SQL puts numbers together from their digits; whatever they are, they are these to the bit.
TEST_F(StoreTest, ShowsEveryNumberInSql) {
    std::mt19937_64 random(3);
    std::vector<ScoreSummary> summaries;
    for (const double value : {0.0, -0.0, 1.0, -1.0, infinity, -infinity, huge, std::numeric_limits<double>::min(),
                               std::numeric_limits<double>::denorm_min(), -std::nextafter(0x1p-1022, 0.0), 0.1})
        summaries.push_back({3, 2, 1, value, -value});
    while (summaries.size() < 400) {
        const auto real = [&] { return std::bit_cast<double>(random()); };
        const ScoreSummary s{random() >> 1, random() >> 40, random() >> 63, real(), real()};
        if (!std::isnan(s.mean) && !std::isnan(s.m2)) summaries.push_back(s);
    }
    std::vector<UnitResult> units;
    for (std::uint32_t k = 0; k < 4; ++k) {  // runs are of 1, 2, 4 and 8 bytes
        units.push_back({{1, k, 10}, 200, 1, summaries});
        for (ScoreSummary& s : units.back().summaries) s.runs >>= std::vector{55, 47, 31, 0}[k];
        if (k == 0)
            for (ScoreSummary& s : units.back().summaries) s.diverged &= 255;
        if (k == 1)
            for (ScoreSummary& s : units.back().summaries) s.diverged &= 65535;
    }
    { Store::create(directory, study()).write(units); }
    const Database database(file, Database::Mode::read);
    Statement select(database,
                     "SELECT metric, configuration, runs, diverged, worse, mean, m2 FROM scores WHERE setting = 1 AND "
                     "instance = ?1 ORDER BY metric, configuration");
    for (std::uint32_t k = 0; k < 4; ++k) {
        Cursor row = select.query(k);
        for (std::size_t i = 0; i < summaries.size(); ++i) {
            const ScoreSummary& s = units[k].summaries[i];
            ASSERT_TRUE(row.next());
            EXPECT_EQ(row.integer(0), i / 200);
            EXPECT_EQ(row.integer(1), 10 + i % 200);
            EXPECT_EQ((ScoreSummary{row.integer(2), row.integer(3), row.integer(4), row.real(5), row.real(6)}), s);
            EXPECT_EQ(std::signbit(row.real(5)), std::signbit(s.mean));
        }
        EXPECT_FALSE(row.next());
    }
}

// ---- stores of schema 1

// What the program made before there were blocks: a row for each score.
class OldStore : public StoreTest {
protected:
    OldStore() {
        {
            Store store = Store::create(directory, study());
            store.set_extents(std::vector<Extent>{{0, "a", 2, 3}});
            for (const UnitResult& u : units) store.write(u);
        }
        Database database(file, Database::Mode::write);
        database.execute(
            "CREATE TABLE rows (setting INTEGER NOT NULL, metric INTEGER NOT NULL, instance INTEGER NOT NULL, "
            "configuration INTEGER NOT NULL, runs INTEGER NOT NULL, mean REAL, m2 REAL, diverged INTEGER NOT NULL, "
            "worse INTEGER NOT NULL, PRIMARY KEY (setting, metric, instance, configuration)) STRICT, WITHOUT ROWID;");
        Statement insert(database, "INSERT INTO rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
        for (const UnitResult& u : units)
            for (std::size_t i = 0; i < u.summaries.size(); ++i) {
                const ScoreSummary& s = u.summaries[i];
                insert.run(u.key.setting, i / u.configurations, u.key.instance,
                           u.key.first_configuration + i % u.configurations, s.runs, s.mean, s.m2, s.diverged, s.worse);
            }
        database.execute(
            "DROP VIEW scores; DROP TABLE blocks; ALTER TABLE rows RENAME TO scores; PRAGMA user_version = 1;");
    }
    void expect_units(const Store& store) {
        for (const UnitResult& u : units)
            EXPECT_EQ(store.summaries(u.key.setting, u.key.instance, u.key.first_configuration, u.configurations, 2),
                      u.summaries);
        EXPECT_EQ(store.units().size(), units.size());
        EXPECT_EQ(store.summaries(0, 1, 40, 48, 2)[1], units[1].summaries[41]);
    }
    std::int64_t version() { return Database(file, Database::Mode::read).pragma("user_version"); }

    const std::vector<UnitResult> units{unit({0, 0, 0}, 3), unit({0, 1, 0}, 300), unit({0, 1, 64}, 3, 24),
                                        unit({2, 0, 0}, 70'000)};
};

TEST_F(OldStore, IsReadAsItIs) {
    const std::string before = content_of(file);
    expect_units(Store::open(directory));
    EXPECT_EQ(content_of(file), before);
    EXPECT_EQ(version(), 1);
}

TEST_F(OldStore, IsBroughtUpToDateWhenItIsWrittenTo) {
    const Store reader = Store::open(directory);
    {
        Store store = Store::create(directory, study());
        expect_units(store);
        expect_units(reader);  // which sees what has become of the table
        store.write(unit({0, 1, 0}, 301));
        EXPECT_EQ(store.summaries(0, 1, 0, 64, 2), unit({0, 1, 0}, 301).summaries);
        store.write(units[1]);
    }
    EXPECT_EQ(version(), 2);
    expect_units(Store::open(directory));
    EXPECT_EQ(Store::open(directory).extents(), (std::vector<Extent>{{0, "a", 2, 3}}));
}

// ---- the documentation

std::vector<std::string> documented_queries() {
    const std::string text = content_of(BELLWETHER_SOURCE "/docs/store.md");
    const std::string opening = "```sql\n";
    std::vector<std::string> queries;
    for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
        const std::size_t start = at + opening.size();
        queries.push_back(text.substr(start, text.find("```", start) - start));
    }
    return queries;
}

TEST_F(StoreTest, AnswersTheQueriesOfItsDocumentation) {
    Store store = Store::create(directory, study());
    store.set_extents(std::vector<Extent>{{0, "a", 2, 3}});
    const std::vector<SettingNames> names{{{"mave", "rmspbe"}, {{"td", 0, 40}, {"gtd", 40, 24}}}};
    store.set_names(names);
    store.set_names(names);
    store.write(unit({0, 0, 0}, 3));
    store.write(unit({0, 1, 0}, 3));
    store.write({0, 0, 0, 5, Stage::fresh}, {1, {1}, {0}, {1}});

    const auto queries = documented_queries();
    const std::vector<std::size_t> rows{1, 4, 1};  // one setting; two algorithms in two metrics; one recording
    ASSERT_EQ(queries.size(), rows.size());
    const Database database(file, Database::Mode::read);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Statement statement(database, queries[i]);
        Cursor row = statement.query();
        std::size_t count = 0;
        while (row.next()) ++count;
        EXPECT_EQ(count, rows[i]) << queries[i];
    }
}

}  // namespace
}  // namespace bellwether::test
