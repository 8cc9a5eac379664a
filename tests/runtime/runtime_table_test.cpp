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
    ASSERT_EQ(published_runtimes().size(), 12U);
    for (std::size_t k = 0; k < published_runtimes().size(); ++k) {
        const PublishedRuntime& published = published_runtimes()[k];
        EXPECT_EQ(published.algorithm, algorithm_table[k].id);
        EXPECT_EQ(published.off.has_value(), !algorithm_table[k].on_policy_only) << published.algorithm;
    }
    EXPECT_EQ(published_microseconds(Policy::on, "gtd"), 204.6);
    EXPECT_EQ(published_microseconds(Policy::off, "gtd"), 175.2);
    EXPECT_EQ(published_microseconds(Policy::off, "to-td"), std::nullopt);
    EXPECT_EQ(published_microseconds(Policy::on, "vtrace"), std::nullopt);
}

TEST(RuntimesCsv, ReadsBackToTheBit) {
    const RuntimeTable table = some_runtimes();
    EXPECT_EQ(parse_runtimes("runtimes.csv", runtimes_csv(table)), table);
}

TEST(RuntimesCsv, IsTidyAndHasThePaperBesideIt) {
    const std::string text = runtimes_csv(some_runtimes());
    EXPECT_EQ(
        text.substr(0, text.find('\n')),
        "policy,algorithm,steps,microseconds,low,high,sweep_nanoseconds,paper_microseconds,instruction_set,machine");
    EXPECT_NE(text.find("\noff,vtrace,500,7,6.1,8.3,4.7,,avx2,\"a \"\"machine\"\", 3.7 GHz\"\n"), std::string::npos);
    EXPECT_NE(text.find(",466,avx2,"), std::string::npos);
}

TEST(RuntimesCsv, IsReadFromAFile) {
    const std::string path = testing::TempDir() + "bellwether-runtimes.csv";
    std::ofstream(path) << runtimes_csv(some_runtimes());
    EXPECT_EQ(read_runtimes(path), some_runtimes());
    std::filesystem::remove(path);
    EXPECT_EQ(refusal([&] { read_runtimes(path); }), path + ": cannot read: No such file or directory");
}

struct Malformed {
    const char* rows;
    const char* complaint;
};

TEST(RuntimesCsv, SaysWhatIsWrongAndWhere) {
    constexpr Malformed cases[] = {
        {"", ":2: there must be a row below the header"},
        {"on,td0,500,3,2,4,1,120,avx2\n", ":2: 9 cells where the header has 10"},
        {"on,td0,0,3,2,4,1,120,avx2,m\n", ":2: steps: '0' is not a whole number from 1"},
        {"on,td0,1e3,3,2,4,1,120,avx2,m\n", ":2: steps: '1e3' is not a whole number from 1"},
        {"both,td0,500,3,2,4,1,120,avx2,m\n", ":2: policy: 'both' is neither on nor off"},
        {"on,tdo,500,3,2,4,1,120,avx2,m\n", ":2: unknown algorithm 'tdo'; did you mean 'td0'?"},
        {"on,td0,500,nan,2,4,1,120,avx2,m\n", ":2: microseconds: 'nan' is not a finite number above 0"},
        {"on,td0,500,3,,4,1,120,avx2,m\n", ":2: low: '' is not a finite number above 0"},
        {"on,td0,500,3,2,4,-1,120,avx2,m\n", ":2: sweep_nanoseconds: '-1' is not a finite number above 0"},
        {"on,td0,500,5,2,4,1,120,avx2,m\n", ":2: microseconds must lie between low and high, and 5 does not"},
        {"on,td0,500,3,2,4,1,121,avx2,m\n", ":2: paper_microseconds: '121' where the paper has '120'"},
        {"on,tb,500,3,2,4,1,121,avx2,m\n", ":2: paper_microseconds: '121' where the paper has ''"},
        {"on,td0,500,3,2,4,1,120,avx2,m\non,td0,500,3,2,4,1,120,avx2,m\n", ":3: td0 on-policy is there twice"},
        {"on,td0,500,3,2,4,1,120,avx2,m\non,td,500,3,2,4,1,132.7,avx2,n\n",
         ":3: machine: 'n' where the first row has 'm'; a table is of one machine and one number of steps"},
    };
    for (const Malformed& malformed : cases) {
        const std::string header = runtimes_csv({});
        EXPECT_EQ(refusal([&] { parse_runtimes("runtimes.csv", header + malformed.rows); }),
                  std::string("runtimes.csv") + malformed.complaint);
    }
    EXPECT_EQ(refusal([] { parse_runtimes("runtimes.csv", "policy;algorithm\n"); }),
              "runtimes.csv:1: the first line must be 'policy,algorithm,steps,microseconds,low,high,"
              "sweep_nanoseconds,paper_microseconds,instruction_set,machine'");
}

}  // namespace
}  // namespace bellwether::test
