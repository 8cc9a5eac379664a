// The tables of runtimes: published, and as files.
#include "runtime/runtime_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "bellwether/registry.hpp"
#include "problems/refusal.hpp"
#include "runtime/costs.hpp"

namespace bellwether::test {
namespace {

TEST(Published, HasTheTwelveAlgorithmsInTheOrderOfTheRegistry) {
    const PublishedRuntimes& runtimes = *the_paper().runtimes;
    EXPECT_EQ(runtimes.steps, 500U);
    ASSERT_EQ(runtimes.rows.size(), 12U);
    for (std::size_t k = 0; k < runtimes.rows.size(); ++k) {
        const PublishedRuntime& published = runtimes.rows[k];
        EXPECT_EQ(published.algorithm, algorithm_table[k].id);
        EXPECT_EQ(published.off.has_value(), !algorithm_table[k].on_policy_only) << published.algorithm;
    }
    EXPECT_EQ(runtimes.microseconds(Policy::on, "gtd"), 204.6);
    EXPECT_EQ(runtimes.microseconds(Policy::off, "gtd"), 175.2);
    EXPECT_EQ(runtimes.microseconds(Policy::off, "to-td"), std::nullopt);
    EXPECT_EQ(runtimes.microseconds(Policy::on, "vtrace"), std::nullopt);
}

TEST(RuntimesCsv, ReadsBackToTheBit) {
    const RuntimeTable table = some_runtimes();
    EXPECT_EQ(parse_runtimes("runtimes.csv", runtimes_csv(table)), table);
}

TEST(RuntimesCsv, IsTidyAndHasThePaperBesideIt) {
    const std::string text = runtimes_csv(some_runtimes());
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "policy,algorithm,features,steps,microseconds,low,high,sweep_nanoseconds,paper_microseconds,"
              "instruction_set,machine");
    EXPECT_NE(text.find("\noff,vtrace,one-hot,500,7,6.1,8.3,4.7,,avx2,\"a \"\"machine\"\", 3.7 GHz\"\n"),
              std::string::npos);
    EXPECT_NE(text.find(",466,avx2,"), std::string::npos);
}

TEST(RuntimesCsv, IsReadFromAFile) {
    const std::string path = testing::TempDir() + "bellwether-runtimes.csv";
    std::ofstream(path) << runtimes_csv(some_runtimes());
    EXPECT_EQ(read_runtimes(path), some_runtimes());
    std::filesystem::remove(path);
    EXPECT_EQ(refusal([&] { read_runtimes(path); }), path + ": cannot read: No such file or directory");
}

TEST(RuntimeTable, TakesThePapersNumbersAndReference) {
    RuntimeTable table = some_runtimes();
    EXPECT_EQ(table.paper_microseconds(Policy::on, "to-htd"), 466);
    EXPECT_EQ(table.paper_microseconds(Policy::on, "gtd"), std::nullopt);
    PublishedRuntimes paper{.steps = 10, .reference = "gtd", .rows = {{"gtd", 4.5, std::nullopt}, {"td0", 3, 2}}};
    table.set_paper(paper);
    EXPECT_EQ(table.reference, "gtd");
    EXPECT_EQ(table.find(Policy::on, "td0")->paper_microseconds, 3);
    EXPECT_EQ(table.find(Policy::off, "td0")->paper_microseconds, 2);
    EXPECT_EQ(table.find(Policy::on, "to-htd")->paper_microseconds, std::nullopt);
    EXPECT_EQ(table.paper_microseconds(Policy::on, "gtd"), 4.5);  // not measured here
}

// ---- the published file

struct BadPublished {
    const char* text;
    const char* complaint;
};

TEST(Published, SaysWhatIsWrongAndWhere) {
    constexpr BadPublished cases[] = {
        {"runtime = 1\n",
         ":1:1: unknown key 'runtime'; did you mean 'runtimes'? (known: runtimes, real-time, numbers)"},
        {"[runtimes]\nalgorithms = []\n", ":1:1: runtimes has no 'steps'"},
        {"[runtimes]\nsteps = 0\n", ":2:9: runtimes.steps is 0: it must be a whole number in [1, 4294967295]"},
        {"[runtimes]\nsteps = 5\nalgorithms = []\n",
         ":3:14: runtimes.algorithms is empty: there must be at least one algorithm"},
        {"[runtimes]\nsteps = 5\nalgorithms = [{ id = 'gdt', on = 1 }]\n",
         ":3:22: runtimes.algorithms[0].id is 'gdt', an unknown algorithm; did you mean 'gtd'?"},
        {"[runtimes]\nsteps = 5\nalgorithms = [{ id = 'gtd' }]\n",
         ":3:15: runtimes.algorithms[0] has neither 'on' nor 'off'"},
        {"[runtimes]\nsteps = 5\nalgorithms = [{ id = 'gtd', on = -1 }]\n",
         ":3:34: runtimes.algorithms[0].on is -1: it must be above 0"},
        {"[runtimes]\nsteps = 5\nalgorithms = [{ id = 'gtd', on = 1 }, { id = 'tdc', on = 1 }]\n",
         ":3:46: runtimes.algorithms[1].id repeats the algorithm gtd"},
        {"[real-time]\nmetric = 'mave'\n", ":1:1: real-time is there without 'runtimes', which its costs are made of"},
    };
    for (const BadPublished& bad : cases)
        EXPECT_EQ(refusal([&] { parse_published("p.toml", bad.text, {}); }), std::string("p.toml") + bad.complaint);
}

TEST(Published, HoldsRealTimeAgainstTheStudy) {
    const auto text = [](const char* rest) {
        return std::string("[runtimes]\nsteps = 5\nalgorithms = [{ id = 'gtd', on = 1 }]\n[real-time]\n") + rest;
    };
    const StudyNames names{{"walk", "random"}, {"rmsve"}};
    const auto refused = [&](const char* rest) {
        return refusal([&] { parse_published("p.toml", text(rest), names); });
    };
    EXPECT_EQ(refused("metric = 'rmsev'\n"),
              "p.toml:5:10: real-time.metric is 'rmsev', an unknown metric; did you mean 'rmsve'?");
    EXPECT_EQ(refused("metric = 'rmsve'\nintercept = 0\nslope = 1\n[real-time.on]\nsetting = 'wlak'\n"),
              "p.toml:9:11: real-time.on.setting is 'wlak', an unknown setting; did you mean 'walk'?");
    EXPECT_EQ(refused("metric = 'rmsve'\nintercept = 0\nslope = 1\n[real-time.on]\nsetting = 'walk'\n"
                      "durations = [1, 1]\n"),
              "p.toml:10:17: real-time.on.durations[1] is 1: it must be above the one before it, 1");
    EXPECT_EQ(refused("metric = 'rmsve'\nintercept = -1\nslope = 1\n"),
              "p.toml:4:1: real-time makes the cost of gtd on-policy no number above 0");
    EXPECT_EQ(refused("metric = 'rmsve'\nslope = 1\nnoise = 0\n"),
              "p.toml:7:9: real-time.noise is 0: it must be above 0");
    EXPECT_EQ(
        refused("metric = 'rmsve'\nslope = 1\n[real-time.on]\nsetting = 'walk'\ndurations = [1]\nslowest = [2, 1]\n"),
        "p.toml:10:15: real-time.on.slowest[1] is 1: it must be above the one before it, 2");
}

struct MalformedTable {
    const char* rows;
    const char* complaint;
};

// As it was written before there were dense features.
TEST(RuntimesCsv, OfEarlierIsOneHot) {
    const RuntimeTable table = parse_runtimes(
        "runtimes.csv",
        "policy,algorithm,steps,microseconds,low,high,sweep_nanoseconds,paper_microseconds,instruction_set,machine\n"
        "on,td0,500,3,2.9,3.1,,120,avx2,m\n");
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0].features, TimedFeatures::one_hot);
    EXPECT_EQ(table.rows[0].paper_microseconds, 120);
    EXPECT_TRUE(table.has(TimedFeatures::one_hot));
    EXPECT_FALSE(table.has(TimedFeatures::dense));
    EXPECT_EQ(table.find(Policy::on, "td0", TimedFeatures::dense), nullptr);
}

TEST(RuntimesCsv, SaysWhatIsWrongAndWhere) {
    constexpr MalformedTable cases[] = {
        {"", ":2: there must be a row below the header"},
        {"on,td0,one-hot,500,3,2,4,1,120,avx2\n", ":2: 10 cells where the header has 11"},
        {"on,td0,sparse,500,3,2,4,1,120,avx2,m\n", ":2: features: 'sparse' is neither one-hot nor dense"},
        {"on,td0,one-hot,0,3,2,4,1,120,avx2,m\n", ":2: steps: '0' is not a whole number from 1"},
        {"on,td0,one-hot,1e3,3,2,4,1,120,avx2,m\n", ":2: steps: '1e3' is not a whole number from 1"},
        {"both,td0,one-hot,500,3,2,4,1,120,avx2,m\n", ":2: policy: 'both' is neither on nor off"},
        {"on,tdo,one-hot,500,3,2,4,1,120,avx2,m\n", ":2: unknown algorithm 'tdo'; did you mean 'td0'?"},
        {"on,td0,one-hot,500,nan,2,4,1,120,avx2,m\n", ":2: microseconds: 'nan' is not a finite number above 0"},
        {"on,td0,one-hot,500,3,,4,1,120,avx2,m\n", ":2: low: '' is not a finite number above 0"},
        {"on,td0,one-hot,500,3,2,4,-1,120,avx2,m\n", ":2: sweep_nanoseconds: '-1' is not a finite number above 0"},
        {"on,td0,one-hot,500,5,2,4,1,120,avx2,m\n", ":2: microseconds must lie between low and high, and 5 does not"},
        {"on,td0,one-hot,500,3,2,4,1,fast,avx2,m\n", ":2: paper_microseconds: 'fast' is not a finite number above 0"},
        {"on,tb,one-hot,500,3,2,4,1,-121,avx2,m\n", ":2: paper_microseconds: '-121' is not a finite number above 0"},
        {"on,td0,one-hot,500,3,2,4,1,120,avx2,m\non,td0,one-hot,500,3,2,4,1,120,avx2,m\n",
         ":3: td0 on-policy with one-hot features is there twice"},
        {"on,td0,one-hot,500,3,2,4,1,120,avx2,m\non,td,one-hot,500,3,2,4,1,132.7,avx2,n\n",
         ":3: machine: 'n' where the first row has 'm'; a table is of one machine and one number of steps"},
    };
    for (const MalformedTable& malformed : cases) {
        const std::string header = runtimes_csv({});
        EXPECT_EQ(refusal([&] { parse_runtimes("runtimes.csv", header + malformed.rows); }),
                  std::string("runtimes.csv") + malformed.complaint);
    }
    EXPECT_EQ(refusal([] { parse_runtimes("runtimes.csv", "policy;algorithm\n"); }),
              "runtimes.csv:1: the first line must be 'policy,algorithm,features,steps,microseconds,low,high,"
              "sweep_nanoseconds,paper_microseconds,instruction_set,machine'");
}

}  // namespace
}  // namespace bellwether::test
