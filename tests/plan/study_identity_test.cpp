// What results depend on: the same for another way of writing a study, and its difference names what was changed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "plan/study.hpp"
#include "plan/study_text.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {
namespace {

// The lines of two texts that differ, joined: "-this\n+that\n".
std::string difference(const std::string& before, const std::string& after) {
    std::istringstream a(before), b(after);
    std::string result, line_of_a, line_of_b;
    while (std::getline(a, line_of_a) && std::getline(b, line_of_b))
        if (line_of_a != line_of_b) result += "-" + line_of_a + "\n+" + line_of_b + "\n";
    return result;
}

class StudyOfModel : public testing::Test {
protected:
    void SetUp() override {
        directory_ = std::filesystem::path(testing::TempDir()) /
                     ("bellwether-study-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(directory_);
        write_model("");
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    void write_model(const std::string& before, const std::string& reward = "1") const {
        std::ofstream(directory_ / "m.toml") << before +
                                                    "states = 1\ndiscount = 0.5\n[[transitions]]\nstate = 0\n"
                                                    "next = 0\nprobability = 1\nreward = " +
                                                    reward + "\n";
    }
    Study study(const std::string& model = "m.toml") const {
        return parse_study((directory_ / "s.toml").string(), small_study("model = '" + model + "'", "['mave']"));
    }

    std::filesystem::path directory_;
};

TEST_F(StudyOfModel, IsReadBesideTheStudy) {
    EXPECT_EQ(study().settings[0].problem.make(0, 0, 0).outcomes(0, 0)[0].reward, 1);
    EXPECT_FALSE(study().settings[0].problem.has_instances());
    EXPECT_EQ(study((directory_ / "m.toml").string()).identity(), study().identity());
}

TEST_F(StudyOfModel, ErrorsNameBothPlaces) {
    const std::string here = directory_.string();
    EXPECT_EQ(refusal([&] { study("n.toml"); }), here + "/s.toml:3:9: settings[0].model is refused: " + here +
                                                     "/n.toml: cannot read: No such file or directory");
    write_model("stats = 1\n");
    EXPECT_EQ(refusal([&] {
                  study();
              }).find(here + "/s.toml:3:9: settings[0].model is refused: " + here + "/m.toml:1:1: unknown key 'stats'"),
              0u);
}

TEST_F(StudyOfModel, ContentIsPartOfTheIdentity) {
    const std::string before = study().identity();
    write_model("# the same\nname = 'other'\n", "1.0");
    EXPECT_EQ(study().identity(), before);
    write_model("", "2");
    EXPECT_EQ(difference(before, study().identity()),
              "-setting a: state 0 action 0 next 0: probability 1, reward 1, discount 0.5\n"
              "+setting a: state 0 action 0 next 0: probability 1, reward 2, discount 0.5\n");
}

TEST(StudyIdentity, IsTheSameForAnotherWayOfWriting) {
    const std::string identity = study_of(good).identity();
    const struct {
        const char *from, *to;
    } cases[]{
        {"seed = 7", "seed = 0x7 # lucky\nname = 'other'\ndescription = 'of another name'"},
        {"alpha = [0.1, 0.2]", "alpha = { base = 0.2, factor = 0.5, exponents = [1, 0] }"},
        {"{ factor = 2, from = -2, to = 0 }", "[0.25, 0.5, 1.0]"},
        {"alpha = [0.1, 0.2]", "alpha = [0.1, 0.2]\nzeta = 0.5"},
        {"{ states = 10 }", "{ gamma = 0.9, states = 10 }"},
        {"features = 'tabular'\n", ""},
        {"policy = 'off'\n", ""},
        {"'gtd']", "'tdc']"},
        {"alpha = 0.3", "alpha = [0.3]\neta = 1"},
        {"['mave']", "{ mave = 10 }"},
        {"score = 0.5\n", ""},
        {"score = 0.5\n", "aggregate = 'mean'\n"},
        {"score = 0.5\n", "step-size = 'constant'\n"},
        {"states = 10", "states = 10, teleport = 0"},
        {"states = 10", "states = 10, redraw-after = 0"},
        // What may grow.
        {"instances = 3", "instances = 30"},
        {"runs = 20", "runs = 200"},
        {"fresh-runs = 5", "fresh-runs = 50"},
        {"fresh-runs = 5", "fresh-instances = true"},
        {"record = true", "record = false"},
    };
    for (const auto& c : cases) EXPECT_EQ(difference(identity, study_of(toml(c.from, c.to)).identity()), "") << c.to;
}

TEST(StudyIdentity, TellsWhatIsDifferent) {
    const std::string identity = study_of(good).identity();
    const struct {
        const char *from, *to, *before, *after;
    } cases[]{
        {"seed = 7", "seed = 8", "seed = 7", "seed = 8"},
        {"'first'", "'second'", "setting 1 = first", "setting 1 = second"},
        {"'random-mdp'\nparameters = { states = 10 }\nfeatures = 'tabular'", "'collision'",
         "setting first: domain = random-mdp", "setting first: domain = collision"},
        {"states = 10", "states = 11", "setting first: parameter states = 10", "setting first: parameter states = 11"},
        {"'tabular'", "'aliased'", "setting first: features = tabular", "setting first: features = aliased"},
        {"'off'", "'on'", "setting first: policy = off", "setting first: policy = on"},
        {"steps = 100", "steps = 200", "setting first: steps = 100", "setting first: steps = 200"},
        {"score = 0.5", "score = 0.25", "setting first: scored steps = 50", "setting first: scored steps = 25"},
        {"score = 0.5", "score = 'end'", "setting first: scored steps = 50", "setting first: scored steps = 1"},
        {"score = 0.5", "aggregate = 'median'", "setting first: metric 1 = mave", "setting first: aggregate = median"},
        {"score = 0.5", "step-size = 'adagrad'", "setting first: metric 1 = mave",
         "setting first: step sizes = adagrad"},
        {"score = 0.5", "step-size = { rule = 'power', exponent = 0.5 }", "setting first: metric 1 = mave",
         "setting first: step sizes = power, exponent 0.5"},
        {"states = 10", "states = 10, teleport = 1", "setting first: features = tabular",
         "setting first: parameter teleport = 1"},
        {"states = 10", "states = 10, redraw-after = 50", "setting first: features = tabular",
         "setting first: parameter redraw-after = 50"},
        {"features = 'tabular'", "normalise = 'l1'", "setting first: policy = off", "setting first: normalise = l1"},
        {"['mave']", "['msve']", "setting first: metric 1 = mave", "setting first: metric 1 = msve"},
        {"'td0', 'gtd'", "'gtd', 'td0'", "setting first: algorithm 1 = td0", "setting first: algorithm 1 = gtd"},
        {"[0.1, 0.2]", "[0.2, 0.1]", "setting first: td0 alpha = 0.1, 0.2", "setting first: td0 alpha = 0.2, 0.1"},
        {"alpha = 0.3", "alpha = 0.4", "setting first: gtd alpha = 0.3", "setting first: gtd alpha = 0.4"},
    };
    for (const auto& c : cases) {
        const std::string found = difference(identity, study_of(toml(c.from, c.to)).identity());
        const std::string expected = std::string("-") + c.before + "\n+" + c.after + "\n";
        EXPECT_EQ(found.substr(0, expected.size()), expected);
    }
}

// With binary features γ is 0.99 unless it is given, though the parameter's default is 0.9.
TEST(StudyIdentity, KnowsDefaultsThatDependOnFeatures) {
    const std::string binary = toml("'tabular'", "'binary'");
    const std::string other = replaced(binary, "states = 10", "states = 10, gamma = 0.9");
    EXPECT_NE(study_of(binary).identity(), study_of(other).identity());
}

}  // namespace
}  // namespace bellwether::test
