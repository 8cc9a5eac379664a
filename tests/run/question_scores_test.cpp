// Scores of single questions in the store: those of settings with one question each, to the bit, however a study grew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "csv_rows.hpp"
#include "run/merge.hpp"
#include "run/study_run_fixture.hpp"

namespace bellwether::test {
namespace {

// Two questions together, and each in a setting of its own.
std::string rooms_together_and_apart() {
    std::string text = "name = 'apart'\nseed = 7\n";
    for (const auto& [id, questions] :
         std::vector<std::pair<std::string, std::string>>{{"both", "[6, 1]"}, {"six", "[6]"}, {"one", "[1]"}})
        for (const char* aggregate : {"mean", "median"})
            text += fmt::format(R"(
[[settings]]
id = '{0}-{1}'
domain = 'rooms'
questions = {2}
aggregate = '{1}'
steps = 300
runs = 3
score = [1, 0.1]
metrics = ['rmsve']
record = false
algorithms = ['off-policy-td', 'gtd']
grid = {{ alpha = [0.0625, 0.25, 8], eta = 1, lambda = 0.5 }}
)",
                                id, aggregate, questions);
    return text;
}

class QuestionScores : public StudyRunTest {
protected:
    QuestionScores() : StudyRunTest(rooms_together_and_apart()) {}

    RunOptions all_settings() const {
        RunOptions all = options();
        all.settings = {0, 1, 2, 3, 4, 5};
        return all;
    }
    std::string questions_of(const Store& store) const {
        std::string csv;
        export_questions(store, study, true, [&](std::string_view part) { csv += part; });
        return csv;
    }
};

// By everything but the setting and its question, what stands behind: runs, diverged, score, stderr.
std::map<std::string, std::string> scores_of(const std::string& csv, const std::string& setting,
                                             const std::string& question) {
    std::map<std::string, std::string> rows;
    for (const Row& row : rows_of(csv)) {
        if (row.at("setting") != setting || row.at("question") != question) continue;
        rows[row.at("algorithm") + " " + row.at("alpha") + " " + row.at("metric")] =
            row.at("runs") + " " + row.at("diverged") + " " + row.at("score") + " " + row.at("stderr");
    }
    return rows;
}

TEST_F(QuestionScores, AreThoseOfSettingsWithOneQuestion) {
    Store store = make_store("whole");
    run(store, all_settings());
    const std::string csv = questions_of(store);
    for (const std::string aggregate : {"mean", "median"}) {
        const auto mean = scores_of(csv, "both-" + aggregate, ""), six = scores_of(csv, "both-" + aggregate, "0"),
                   one = scores_of(csv, "both-" + aggregate, "1");
        EXPECT_EQ(mean.size(), 12U);  // two algorithms, three step sizes, two scores
        EXPECT_EQ(six, scores_of(csv, "six-" + aggregate, ""));
        EXPECT_EQ(one, scores_of(csv, "one-" + aggregate, ""));
        EXPECT_NE(six, one);
        EXPECT_NE(six, mean);
        EXPECT_TRUE(scores_of(csv, "six-" + aggregate, "0").empty());  // its score is the setting's
    }
    EXPECT_TRUE(settings_without_questions(store, study).empty());
}

TEST_F(QuestionScores, AreTheSameHoweverAStudyGrew) {
    Store whole = make_store("whole");
    run(whole, all_settings());
    Store grown = make_store("grown");
    run_sized(grown, {}, 1, all_settings());
    run(grown, all_settings());
    EXPECT_EQ(questions_of(grown), questions_of(whole));
    Store merged = make_store("merged");
    add_results(study, whole, "whole", merged);
    EXPECT_EQ(questions_of(merged), questions_of(whole));
    EXPECT_EQ(add_results(study, grown, "grown", merged), 0U);
}

// As a program left it that kept the mean alone: it goes on without them, and what it had gets them from another store.
TEST_F(QuestionScores, AreNotMadeOfSomeOfTheRuns) {
    Store whole = make_store("whole");
    run(whole, all_settings());
    Store first = make_store("first"), old = make_store("old");
    run_sized(first, {}, 1, all_settings());
    for (const Unit& unit : plan_units(study)) {
        const std::size_t metrics = study.settings[unit.setting].metrics.size();
        UnitResult result{key_of(unit), unit.count, 1,
                          first.summaries(unit.setting, unit.instance, unit.first_configuration, unit.count,
                                          static_cast<std::uint32_t>(metrics))};
        old.write(result);
    }
    run(old, all_settings());
    EXPECT_EQ(all_of(old), all_of(whole));
    EXPECT_EQ(settings_without_questions(old, study), std::vector<std::string>{"both-mean"});
    EXPECT_TRUE(scores_of(questions_of(old), "both-mean", "0").empty());
    // A median is computed from all runs again.
    EXPECT_EQ(scores_of(questions_of(old), "both-median", "0"), scores_of(questions_of(whole), "both-median", "0"));
    EXPECT_GT(add_results(study, whole, "whole", old), 0U);
    EXPECT_EQ(questions_of(old), questions_of(whole));
}

}  // namespace
}  // namespace bellwether::test
