// Outcomes: what is written is read again, and those that papers' folders keep belong to their claims.
#include "analysis/outcome.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <map>
#include <string>

#include "analysis/paper.hpp"
#include "plan/installed_studies.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

constexpr double infinity = std::numeric_limits<double>::infinity();

StudyOutcome example() {
    StudyOutcome outcome{.study = "doe2020",
                         .description = "A \"paper\"",
                         .program = "bellwether 1",
                         .is_whole = true,
                         .agent_steps = 3.5e10};
    outcome.claims = {{"1", "A says \\ b.", Verdict::held, {}},
                      {"2", "Both.", Verdict::mixed, {{"2a", Verdict::held}, {"2b", Verdict::not_held}}},
                      {"3", "Else.", Verdict::held, {}}};
    outcome.numbers = {{"Table 1", "walk", "TD(λ)", 0.5, 0.05, 0.57, {0.54, 0.6}},
                       {"Table 1", "walk", "GTD(λ)", 0.5, 0.05, 0.57, {0.56, 0.6}},
                       {"Table 1", "walk", "HTD(λ)", 0.5, 0.05, infinity, {0.4, infinity}}};
    return outcome;
}

TEST(Outcome, IsReadAsItWasWritten) {
    const StudyOutcome read = parse_outcome("o.toml", text_of(example()));
    EXPECT_EQ(text_of(read), text_of(example()));
    EXPECT_EQ(read.description, "A \"paper\"");
    EXPECT_EQ(read.claims[1].parts[1], (std::pair<std::string, Verdict>{"2b", Verdict::not_held}));
    EXPECT_EQ(read.numbers[2].ours, infinity);
}

TEST(Outcome, CountsVerdictsAndAgreements) {
    EXPECT_EQ(verdicts_text(example()), "2 held, 1 mixed");
    EXPECT_EQ(example().agreements(), 2U);  // 0.54 is within 0.5 ± 0.05, and 0.56 is not
}

TEST(Outcome, IsRefusedWithLineAndColumn) {
    EXPECT_EQ(refusal([] {
                  parse_outcome("o.toml",
                                "study = 's'\ndescription = ''\nprogram = ''\nwhole = true\nagent-steps = 1\n"
                                "[[claims]]\nid = '1'\nstatement = ''\nverdict = 'hold'\n");
              }),
              "o.toml:9:11: claims[0].verdict is 'hold', an unknown verdict; did you mean 'held'?");
    EXPECT_EQ(refusal([] { parse_outcome("o.toml", "study = 's'\n"); }),
              "o.toml:1:1: the outcome has no 'description'");
}

// What the folders of papers keep is of the whole study and has the claims that claims.toml has, in their words.
TEST(Outcome, OfAFolderBelongsToItsClaims) {
    std::size_t kept = 0;
    for (const auto& entry : fs::directory_iterator(BELLWETHER_SOURCE "/studies")) {
        const auto outcome = read_outcome(entry.path());
        if (!outcome) continue;
        ++kept;
        SCOPED_TRACE(entry.path().string());
        EXPECT_EQ(outcome->study, entry.path().filename());
        EXPECT_TRUE(outcome->is_whole);
        const Paper paper = read_paper(entry.path());
        ASSERT_EQ(outcome->claims.size(), paper.claims.size());
        for (std::size_t c = 0; c < paper.claims.size(); ++c) {
            EXPECT_EQ(outcome->claims[c].id, paper.claims[c].id);
            EXPECT_EQ(outcome->claims[c].statement, paper.claims[c].statement);
            const bool in_parts = paper.claims[c].parts.size() > 1;
            ASSERT_EQ(outcome->claims[c].parts.size(), in_parts ? paper.claims[c].parts.size() : 0);
            std::vector<Verdict> verdicts;
            for (std::size_t p = 0; p < outcome->claims[c].parts.size(); ++p) {
                EXPECT_EQ(outcome->claims[c].parts[p].first, paper.claims[c].parts[p].id);
                verdicts.push_back(outcome->claims[c].parts[p].second);
            }
            if (in_parts) {
                EXPECT_EQ(outcome->claims[c].verdict, verdict_of_parts(verdicts));
            }
        }
        ASSERT_EQ(outcome->numbers.size(), paper.numbers.size());
        for (std::size_t n = 0; n < paper.numbers.size(); ++n) {
            EXPECT_EQ(outcome->numbers[n].title, paper.numbers[n].title);
            EXPECT_DOUBLE_EQ(outcome->numbers[n].theirs, paper.numbers[n].value);
        }
    }
    EXPECT_GE(kept, 2U);
}

}  // namespace
}  // namespace bellwether::test
