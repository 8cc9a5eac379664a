// Readings: a study with some things changed, and what is wrong in a readings file.
#include "plan/readings.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "files.hpp"
#include "plan/study_text.hpp"
#include "problems/refusal.hpp"
#include "support/document.hpp"

namespace bellwether::test {
namespace {

// Two settings, of which the second has a metric with fewer runs, and a figure of both.
const std::string study_text =
    "name = 'paper'\nseed = 7\n"
    "[grids.small]\nalpha = [0.1, 0.2]\neta = [0.25, 0.5, 1]\n"
    "[[settings]]\nid = 'random'\ndomain = 'random-mdp'\nfeatures = 'binary'\nparameters = { states = 10, gamma = 0.9 "
    "}\n"
    "steps = 100\ninstances = 4\nruns = 20\nmetrics = ['mave']\ngrid = 'small'\nalgorithms = ['ptd', 'gtd']\n"
    "for = { ptd = { lambda = [0, 0.5] } }\n"
    "[[settings]]\nid = 'baird'\ndomain = 'baird'\nsteps = 50\nruns = 20\nmetrics = { rmsve = 20, rmspbe = 8 }\n"
    "fresh-runs = 3\ngrid = 'small'\nalgorithms = ['ptd', 'gtd']\n"
    "[[figures]]\nid = 'both'\nsettings = ['random', 'baird']\n";

Study read_as(const std::string& changes) {
    const ReadingsFile file("r.toml", "[[readings]]\nid = 'other'\nstatement = 'Another way.'\n" + changes);
    return file.apply(file.readings()[0], "s.toml", study_text);
}

std::string refused_changes(const std::string& changes) {
    return refusal([&] { read_as(changes); });
}

// What differs from the study, in the words of its identity.
std::string changed(const std::string& from, const std::string& to, const std::string& identity) {
    return replaced(identity, from, to);
}

TEST(Readings, WithoutChangesAreTheStudy) {
    const Study study = parse_study("s.toml", study_text), reading = read_as("");
    EXPECT_EQ(reading.identity(), study.identity());
    EXPECT_EQ(reading.name, "paper-other");
    ASSERT_TRUE(reading.reading);
    EXPECT_EQ(reading.reading->id, "other");
    EXPECT_EQ(reading.reading->statement, "Another way.");
    EXPECT_EQ(reading.settings[0].runs, 20U);
    EXPECT_FALSE(study.reading);
}

// The text is what a store keeps.
TEST(Readings, HaveATextThatReadsBack) {
    const Study reading =
        read_as("seed = 9\nchange = { steps = 30 }\nalgorithms = { ptd = 'ptd-as-printed' }\ncut = { runs = 5 }\n");
    const Study again = parse_study("s.toml", reading.text);
    EXPECT_EQ(again.identity(), reading.identity());
    EXPECT_EQ(again.name, reading.name);
    EXPECT_EQ(again.settings[0].runs, 5U);
    EXPECT_EQ(again.reading->stand_ins, reading.reading->stand_ins);
    EXPECT_EQ(again.figures.size(), 1U);
}

TEST(Readings, ChangeWhatTheySay) {
    const std::string before = parse_study("s.toml", study_text).identity();
    const Study seeded = read_as("seed = 8\n");
    EXPECT_EQ(seeded.seed, 8U);
    const std::string longer = read_as("in = { random = { steps = 200 } }\n").identity();
    EXPECT_EQ(longer, changed("setting random: steps = 100\nsetting random: scored steps = 50",
                              "setting random: steps = 200\nsetting random: scored steps = 100", before));
    EXPECT_EQ(read_as("change = { score = 1 }\n").settings[0].metrics[0].scored, 100U);
    EXPECT_EQ(read_as("change = { score = 'end' }\n").settings[0].metrics[0].scored, 1U);
    EXPECT_EQ(read_as("change = { aggregate = 'median' }\n").settings[1].aggregate, Aggregate::median);
    const std::string finer = read_as("grids = { small = { eta = [0.5, 1] } }\n").identity();
    EXPECT_EQ(finer,
              changed("setting baird: gtd eta = 0.25, 0.5, 1", "setting baird: gtd eta = 0.5, 1",
                      changed("setting random: gtd eta = 0.25, 0.5, 1", "setting random: gtd eta = 0.5, 1", before)));
}

TEST(Readings, ChangeEntriesOfTablesOneByOne) {
    const Setting setting = read_as("settings = ['random']\nchange = { parameters = { teleport = 1 } }\n").settings[0];
    EXPECT_EQ(setting.problem.request()->value("states"), 10);
    EXPECT_EQ(setting.problem.request()->value("teleport"), 1);
    const Setting own = read_as("in = { random = { for = { gtd = { eta = 2 } } } }\n").settings[0];
    EXPECT_EQ(own.algorithms[0].configurations(), 4U);  // PTD has its own λ still
    EXPECT_EQ(own.algorithms[1].configurations(), 2U);
}

TEST(Readings, HaveTheSettingsTheyAreAbout) {
    const Study reading = read_as("settings = ['baird']\nchange = { steps = 20 }\n");
    ASSERT_EQ(reading.settings.size(), 1U);
    EXPECT_EQ(reading.settings[0].id, "baird");
    EXPECT_EQ(reading.figures.size(), 2U);  // one for each metric: the study's needs the other setting
}

TEST(Readings, PutAnAlgorithmInThePlaceOfAnother) {
    const Study reading = read_as("algorithms = { ptd = 'ptd-as-printed' }\n");
    EXPECT_EQ(reading.settings[0].algorithms[0].info->id, "ptd-as-printed");
    EXPECT_EQ(reading.settings[0].algorithms[0].configurations(), 4U);  // with the values that PTD had
    EXPECT_EQ(reading.reading->stand_ins.at("ptd"), "ptd-as-printed");
}

TEST(Readings, AreCut) {
    const Study all = read_as("cut = { instances = 2, runs = 10 }\n");
    EXPECT_EQ(all.settings[0].instances, 2U);
    EXPECT_EQ(all.settings[1].instances, 1U);  // there is one Baird's counterexample
    EXPECT_EQ(all.settings[0].runs, 10U);
    EXPECT_EQ(all.settings[0].fresh_runs, 10U);
    EXPECT_EQ(all.settings[1].metrics[0].runs, 10U);
    EXPECT_EQ(all.settings[1].metrics[1].runs, 8U);
    EXPECT_EQ(all.settings[1].fresh_runs, 3U);
    const ReadingsFile file("r.toml",
                            "[cut]\nruns = 5\nin = { baird = { runs = 6 } }\n[[readings]]\nid = 'a'\nstatement = 'A.'\n"
                            "[[readings]]\nid = 'b'\nstatement = 'B.'\ncut = { runs = 2 }\n");
    const Study a = file.apply(file.require("a"), "s.toml", study_text);
    const Study b = file.apply(file.require("b"), "s.toml", study_text);
    EXPECT_EQ(a.settings[0].runs, 5U);
    EXPECT_EQ(a.settings[0].instances, 4U);
    EXPECT_EQ(a.settings[1].runs, 6U);
    EXPECT_EQ(a.settings[1].metrics[1].runs, 6U);
    EXPECT_EQ(b.settings[0].runs, 2U);
    EXPECT_EQ(b.settings[1].runs, 2U);
}

// ---- What is wrong.

TEST(Readings, AreRefusedWithLineAndColumn) {
    const struct {
        const char *changes, *message;
    } cases[]{
        {"sede = 1\n",
         "r.toml:4:1: unknown key 'readings[0].sede'; did you mean 'seed'? (known: id, statement, settings, cut, "
         "seed, grids, change, in, algorithms)"},
        {"settings = ['radom']\n",
         "r.toml:4:13: readings[0].settings[0] is 'radom', an unknown setting; did you mean 'random'?"},
        {"settings = []\n", "r.toml:4:12: readings[0].settings is empty: there must be at least one setting"},
        {"in = { brd = { steps = 1 } }\n",
         "r.toml:4:8: unknown key 'readings[0].in.brd'; did you mean 'baird'? (known: random, baird)"},
        {"grids = { smal = { eta = 1 } }\n",
         "r.toml:4:11: unknown key 'readings[0].grids.smal'; did you mean 'small'? (known: small)"},
        {"change = { id = 'x' }\n",
         "r.toml:4:17: readings[0].change.id would rename a setting, whose claims could not find it"},
        {"change = 3\n", "r.toml:4:10: readings[0].change is not a table of keys of settings"},
        {"algorithms = { td = 'gtd' }\n",
         "r.toml:4:21: readings[0].algorithms.td stands for td, which none of its settings has"},
        {"cut = { steps = 3 }\n", "r.toml:4:9: unknown key 'readings[0].cut.steps' (known: instances, runs, in)"},
        // In words of the study file, where the change is part of the study.
        {"seed = -1\n", "r.toml:4:8: seed is -1: it must be a whole number in [0, 9223372036854775807]"},
        {"change = { steps = 0 }\n",
         "r.toml:4:20: settings[0].steps is 0: it must be a whole number in [1, 1000000000]"},
        {"settings = ['random']\nchange = { normalise = 'l3' }\n",
         "r.toml:5:24: settings[0].normalise is 'l3', an unknown normalisation; did you mean 'l1'?"},
        {"algorithms = { ptd = 'pdt' }\n",
         "r.toml:4:22: reading.algorithms.ptd is 'pdt', an unknown algorithm; did you mean 'ptd'?"},
        {"cut = { runs = 0 }\n", "r.toml:4:16: settings[0].runs is 0: it must be a whole number in [1, 2147483648]"},
        {"grids = { small = { eta = [1, 1] } }\n", "r.toml:4:31: grids.small.eta[1] repeats the value 1"},
    };
    for (const auto& c : cases) EXPECT_EQ(refused_changes(c.changes), c.message);
    EXPECT_EQ(refused_changes("in = { random = { stepz = 1 } }\n").substr(0, 72),
              "r.toml:4:19: unknown key 'settings[0].stepz'; did you mean 'steps'? (kno");
}

TEST(Readings, OfOneIdAreRefused) {
    const auto file = [](const std::string& text) { return refusal([&] { ReadingsFile("r.toml", text); }); };
    EXPECT_EQ(file("[[readings]]\nid = 'a'\nstatement = 'A.'\n[[readings]]\nid = 'a'\nstatement = 'B.'\n"),
              "r.toml:5:6: readings[1].id is 'a', as that of another reading");
    EXPECT_EQ(file("[[readings]]\nid = 'a b'\n"),
              "r.toml:2:6: readings[0].id is 'a b': it must be of letters, digits, - and _");
    EXPECT_EQ(file("[[readings]]\nid = 'a'\n"), "r.toml:1:1: readings[0] has no 'statement'");
    EXPECT_EQ(file("[cut]\nin = { a = { step = 1 } }\n"),
              "r.toml:2:14: unknown key 'cut.in.a.step' (known: instances, runs)");
}

TEST(Readings, AreFoundBesideTheStudyOfAPaper) {
    const TemporaryFolder folder;
    const std::string study = (folder.path() / "study.toml").string();
    std::ofstream(study) << study_text;
    EXPECT_EQ(refusal([&] { read_reading(study, "a"); }),
              study + " has no readings: there is no readings.toml beside it");
    const std::string readings = (folder.path() / "readings.toml").string();
    std::ofstream(readings) << "[[readings]]\nid = 'short'\nstatement = 'S.'\nchange = { steps = 5 }\n";
    EXPECT_EQ(read_reading(study, "short").settings[0].steps, 5U);
    EXPECT_EQ(refusal([&] { read_reading(study, "shrot"); }),
              readings + " has no reading 'shrot'; did you mean 'short'?");
}

// ---- Those that come with the program.

TEST(Readings, OfWhiteAndWhiteAreStudies) {
    const std::string study = BELLWETHER_SOURCE "/studies/white2016/study.toml";
    const ReadingsFile file(BELLWETHER_SOURCE "/studies/white2016/readings.toml",
                            read_text_file(BELLWETHER_SOURCE "/studies/white2016/readings.toml"));
    const std::string identity = read_study(study).identity();
    double agent_steps = 0;
    for (const Reading& reading : file.readings()) {
        const Study made = read_reading(study, reading.id);
        EXPECT_EQ(parse_study("study.toml", made.text).identity(), made.identity()) << reading.id;
        EXPECT_EQ(made.name, "white2016-" + reading.id);
        EXPECT_EQ(made.identity() == identity, reading.id == "cut") << reading.id;
        for (const Setting& setting : made.settings) {
            EXPECT_EQ(setting.instances, setting.id == "baird" ? 1U : 30U) << reading.id;
            agent_steps += static_cast<double>(setting.configurations() * setting.instances * setting.runs) *
                           static_cast<double>(setting.steps);
        }
    }
    EXPECT_EQ(file.readings().size(), 16U);
    EXPECT_NEAR(agent_steps, 1.92e11, 0.01e11);  // as docs/readings.md has it
}

}  // namespace
}  // namespace bellwether::test
