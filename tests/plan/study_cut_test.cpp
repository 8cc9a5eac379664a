// The fixed cut of a study: read, taken, and none of what results depend on.
#include "plan/study_cut.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "plan/installed_studies.hpp"
#include "plan/readings.hpp"
#include "plan/study.hpp"
#include "problems/refusal.hpp"
#include "study_text.hpp"

namespace bellwether::test {
namespace {

std::string with_cut(const std::string& cut) {
    return toml() + "[cut]\n" + cut;
}

TEST(StudyCut, IsTakenWhereItIsSmaller) {
    Setting setting = study_of(with_cut("instances = 2\nruns = 7\n")).settings[0];
    EXPECT_EQ(setting.instances, 3U);
    EXPECT_EQ(setting.runs, 20U);
    setting.take_cut();
    EXPECT_EQ(setting.instances, 2U);
    EXPECT_EQ(setting.runs, 7U);
    EXPECT_EQ(setting.metrics[0].runs, 7U);
    EXPECT_EQ(setting.fresh_runs, 5U);
    Setting large = study_of(with_cut("instances = 200\nruns = 700\n")).settings[0];
    large.take_cut();
    EXPECT_EQ(large.instances, 3U);
    EXPECT_EQ(large.runs, 20U);
}

TEST(StudyCut, IsTheSettingsOwnWhereItHasOne) {
    Setting setting = study_of(with_cut("instances = 1\nruns = 7\nin = { first = { runs = 9 } }\n")).settings[0];
    setting.take_cut();
    EXPECT_EQ(setting.instances, 1U);
    EXPECT_EQ(setting.runs, 9U);
}

TEST(StudyCut, IsNothingWhereThereIsNone) {
    Setting setting = study_of(toml()).settings[0];
    setting.take_cut();
    EXPECT_EQ(setting.instances, 3U);
    EXPECT_EQ(setting.runs, 20U);
}

TEST(StudyCut, DoesNotTouchTheIdentity) {
    EXPECT_EQ(study_of(with_cut("runs = 1\n")).identity(), study_of(toml()).identity());
}

TEST(StudyCut, IsRefusedWithLineAndColumn) {
    // Without the place, which is one of the last lines.
    const auto refused = [](const std::string& cut) {
        const std::string whole = refusal([&] { study_of(with_cut(cut)); });
        return whole.substr(whole.find(' ') + 1);
    };
    EXPECT_EQ(refused("runs = 0\n"), "cut.runs is 0: it must be a whole number in [1, 2147483648]");
    EXPECT_EQ(refused("steps = 1\n"), "unknown key 'cut.steps' (known: instances, runs, in)");
    EXPECT_EQ(refused("in = { second = { runs = 1 } }\n"), "unknown key 'cut.in.second' (known: first)");
    EXPECT_EQ(refused("in = { first = { score = 1 } }\n"), "unknown key 'cut.in.first.score' (known: instances, runs)");
}

// A reading has a cut of its own.
TEST(StudyCut, IsNotThatOfReadings) {
    const ReadingsFile file("r.toml", "[[readings]]\nid = 'r'\nstatement = 's'\nsettings = ['first']\n");
    const std::string text = with_cut("runs = 7\nin = { first = { runs = 9 } }\n");
    Setting setting = file.apply(file.readings()[0], "s.toml", text).settings[0];
    setting.take_cut();
    EXPECT_EQ(setting.runs, 20U);
}

// 'make reproduce' runs these in minutes: no more agent-steps than two cores do in ten of them, and all that the whole
// study has but for runs.
TEST(StudyCut, OfEveryPaperIsSmall) {
    constexpr double most_agent_steps = 6e10;
    for (const auto& entry : std::filesystem::directory_iterator(BELLWETHER_SOURCE "/studies")) {
        const std::filesystem::path file = entry.path() / study_of_folder;
        if (!std::filesystem::exists(file)) continue;
        Study study = read_study(file.string());
        double total = 0;
        for (Setting& setting : study.settings) {
            setting.take_cut();
            total += static_cast<double>(setting.configurations() * setting.instances * setting.runs) *
                     static_cast<double>(setting.steps);
        }
        EXPECT_LE(total, most_agent_steps) << file;
    }
}

}  // namespace
}  // namespace bellwether::test
