// The matrix of claims and readings, on stores that were made by hand: the verdicts are known.
#include "analysis/readings.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/stored_study.hpp"
#include "files.hpp"
#include "plan/readings.hpp"
#include "plan/study_text.hpp"
#include "store/store.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

const std::string study_text =
    "name = 'paper'\nseed = 1\n"
    "[[settings]]\nid = 'one'\ndomain = 'baird'\nsteps = 10\nruns = 4\nmetrics = ['rmsve']\ngrid = { alpha = [0.1, "
    "0.2] }\n"
    "algorithms = ['ptd', 'gtd']\n"
    "[[settings]]\nid = 'two'\ndomain = 'baird'\nsteps = 10\nruns = 4\nmetrics = ['rmsve']\ngrid = { alpha = [0.1, "
    "0.2] }\n"
    "algorithms = ['ptd', 'gtd']\n";

const std::string readings_text =
    "[[readings]]\nid = 'longer'\nstatement = 'Runs are longer.'\nsettings = ['two']\nchange = { steps = 20 }\n"
    "[[readings]]\nid = 'printed'\nstatement = 'PTD as printed.'\nalgorithms = { ptd = 'ptd-as-printed' }\n"
    "[[readings]]\nid = 'seeded'\nstatement = 'Another seed.'\nseed = 2\n";

const std::string claims_text =
    "[[claims]]\nid = '1'\nstatement = 'PTD is better in one.'\nrule = 'Lower.'\nsettings = 'one'\nmetric = 'rmsve'\n"
    "checks = [{ check = 'lower', algorithms = 'ptd', others = 'rest' }]\n"
    "[[claims]]\nid = '2'\nstatement = 'PTD is better in two.'\nrule = 'Lower.'\nsettings = 'two'\nmetric = 'rmsve'\n"
    "checks = [{ check = 'lower', algorithms = 'ptd', others = 'rest' }]\n";

const std::string published_text =
    "[[numbers]]\ntitle = 'Of the study'\nsetting = 'one'\nvalues = [{ algorithm = 'gtd', value = 2 }]\n"
    "[[numbers]]\ntitle = 'Of the longer runs'\nsetting = 'two'\nreading = 'longer'\n"
    "values = [{ algorithm = 'gtd', value = 2 }]\n";

class JudgedReadingsTest : public testing::Test {
protected:
    // The scores of PTD's and GTD's best configurations in every run of a setting.
    struct Scores {
        double ptd, gtd;
    };

    static Store make_store(const fs::path& directory, const Study& study) {
        Store store = Store::create(directory, record_of(study, "1"));
        store.note(study_file_note, "s.toml");
        store.set_extents(extents_of(study));
        return store;
    }

    // Each algorithm has two configurations; the second is the better one.
    static void fill(Store& store, const Study& study, const std::map<std::string, Scores>& by_setting) {
        for (std::uint32_t s = 0; s < study.settings.size(); ++s) {
            const Scores& scores = by_setting.at(study.settings[s].id);
            for (std::uint32_t a = 0; a < 2; ++a) {
                const double score = a == 0 ? scores.ptd : scores.gtd;
                const ScoreSummary worse{4, 0, 0, score + 1, 0}, better{4, 0, 0, score, 0};
                store.write({{s, 0, 2 * a}, 2, 4, {worse, better}});
                const std::vector<double> curve(study.settings[s].steps + 1, score), none(curve.size(), 0.0);
                // Runs differ a little, all algorithms alike: differences between them are exact.
                const std::vector<double> runs{score, score + 0.01, score + 0.02, score + 0.03};
                for (const Stage stage : {Stage::selection, Stage::fresh})
                    store.write({s, 0, 0, 2 * a + 1, stage}, Recording{4, curve, none, runs});
            }
        }
    }

    void add_reading(const std::string& id, const std::map<std::string, Scores>& scores,
                     const std::string& text = readings_text) const {
        const ReadingsFile file("readings.toml", text);
        const Study study = file.apply(file.require(id), "s.toml", study_text);
        Store store = make_store(reading_directory(directory(), id), study);
        fill(store, study, scores);
    }

    JudgedReadings judge(const std::string& text = readings_text) const {
        Study study = parse_study("s.toml", study_text);
        Store store = make_store(directory(), study);
        fill(store, study, {{"one", {1, 2}}, {"two", {1, 2}}});
        const Paper paper = parse_paper(
            "", {{"claims.toml", claims_text}, {"readings.toml", readings_text}, {"published.toml", published_text}},
            &study);
        const Findings findings = find_all(store, study);
        return judge_readings({.directory = directory(), .study_file = "s.toml", .text = text}, paper, findings,
                              judge_claims(paper, findings, nullptr), nullptr);
    }

    static std::vector<std::string> verdicts(const JudgedReading& column) {
        std::vector<std::string> all;
        for (const ClaimPart& part : column.parts) all.emplace_back(name_of(part.verdict));
        return all;
    }

    fs::path directory() const { return folder_.path() / "paper"; }

private:
    TemporaryFolder folder_;
};

using Verdicts = std::vector<std::string>;

TEST_F(JudgedReadingsTest, AreNoneWithoutResults) {
    EXPECT_TRUE(judge().columns.empty());
    EXPECT_TRUE(judge("").columns.empty());
}

TEST_F(JudgedReadingsTest, HaveTheirOwnVerdictsWhereTheyHaveResults) {
    add_reading("longer", {{"two", {3, 2}}});
    add_reading("seeded", {{"one", {3, 2}}, {"two", {1, 2}}});
    const JudgedReadings judged = judge();
    ASSERT_EQ(judged.columns.size(), 3U);
    EXPECT_EQ(judged.columns[0].id, "study");
    EXPECT_EQ(verdicts(judged.columns[0]), (Verdicts{"held", "held"}));
    EXPECT_EQ(judged.columns[1].id, "longer");
    EXPECT_EQ(verdicts(judged.columns[1]), (Verdicts{"held", "not held"}));
    EXPECT_EQ(verdicts(judged.columns[2]), (Verdicts{"not held", "held"}));
    // What a reading has no setting for is the study's.
    EXPECT_EQ(judged.columns[1].settings, Verdicts{"two"});
    EXPECT_EQ(judged.columns[1].size, "1 × 4");
    EXPECT_TRUE(judged.is_untouched(1, 0));
    EXPECT_FALSE(judged.is_untouched(1, 1));
    EXPECT_EQ(judged.left_out, Verdicts{"readings that were not run: printed"});
}

TEST_F(JudgedReadingsTest, HaveThePublishedNumbersThatAreOfThem) {
    EXPECT_TRUE(judge().numbers_with({}).empty());
    add_reading("longer", {{"two", {3, 2}}});
    const JudgedReadings judged = judge();
    ComparedNumber of_study;
    of_study.title = "Of the study";
    const std::vector<ComparedNumber> all = judged.numbers_with({of_study});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].title, "Of the study");
    EXPECT_EQ(all[1].title, "Of the longer runs");
    EXPECT_EQ(all[1].place, 1U);
    EXPECT_EQ(all[1].ours, 2);
    EXPECT_TRUE(all[1].agrees());
}

TEST_F(JudgedReadingsTest, JudgeTheAlgorithmThatTakesThePlaceOfAnother) {
    add_reading("printed", {{"one", {3, 2}}, {"two", {1, 2}}});
    const JudgedReadings judged = judge();
    ASSERT_EQ(judged.columns.size(), 2U);
    EXPECT_EQ(verdicts(judged.columns[1]), (Verdicts{"not held", "held"}));
    // Against GTD alone: it is not among the rest, though its id is another.
    EXPECT_EQ(judged.columns[1].parts[0].evidence.size(), 1U);
}

TEST_F(JudgedReadingsTest, LeaveOutWhatIsNotTheReadingAnyMore) {
    add_reading("longer", {{"two", {3, 2}}});
    add_reading("seeded", {{"one", {3, 2}}, {"two", {1, 2}}});
    const JudgedReadings judged = judge(replaced(readings_text, "steps = 20", "steps = 30"));
    ASSERT_EQ(judged.columns.size(), 2U);
    ASSERT_EQ(judged.left_out.size(), 2U);
    const std::string where = reading_directory(directory(), "longer").string();
    EXPECT_EQ(judged.left_out[0],
              "reading longer: " + where +
                  " holds another reading: it has 'setting two: steps = 20', the reading has 'setting "
                  "two: steps = 30'; run it again into another folder, or remove this one");
}

TEST_F(JudgedReadingsTest, LeaveOutWhatIsNotComplete) {
    const ReadingsFile file("readings.toml", readings_text);
    make_store(reading_directory(directory(), "longer"), file.apply(file.require("longer"), "s.toml", study_text));
    const JudgedReadings judged = judge();
    EXPECT_TRUE(judged.columns.empty());
    ASSERT_EQ(judged.left_out.size(), 1U);
    EXPECT_NE(judged.left_out[0].find("setting two has no results of some configurations yet"), std::string::npos);
}

TEST(ReadingDirectory, IsBesideThatOfTheStudy) {
    EXPECT_EQ(reading_directory("/results/paper", "l1"), "/results/paper-l1");
    EXPECT_EQ(reading_directory("/results/paper/", "l1"), "/results/paper-l1");
}

}  // namespace
}  // namespace bellwether::test
