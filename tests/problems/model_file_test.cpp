// Model files: the examples load, TOML and JSON mean the same, and whatever is wrong is refused with its place.
#include "problems/model_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "problems/bellman.hpp"
#include "problems/refusal.hpp"
#include "support/document_text.hpp"

namespace bellwether::test {
namespace {

const std::string models = BELLWETHER_SOURCE "/examples/models/";

class ModelFile : public testing::Test {
protected:
    void SetUp() override {
        directory_ = std::filesystem::path(testing::TempDir()) /
                     ("bellwether-models-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(directory_);
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    std::string write(const std::string& name, const std::string& content) const {
        std::string path = (directory_ / name).string();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    FiniteMdp read(const std::string& name, const std::string& content) const {
        return read_model_file(write(name, content));
    }
    // The message without the directory.
    std::string refused(const std::string& name, const std::string& content) const {
        std::string message = refusal([&] { read(name, content); });
        const std::string prefix = directory_.string() + "/";
        if (message.starts_with(prefix)) message.erase(0, prefix.size());
        return message;
    }

    std::filesystem::path directory_;
};

// A model that is right, in which one piece is replaced.
std::string toml(const std::string& from = "", const std::string& to = "") {
    std::string text =
        "states = 2\n"
        "actions = 2\n"
        "discount = 0.5\n"
        "target = [[1, 0], [0.25, 0.75]]\n"
        "behaviour = [[0.5, 0.5], [0.5, 0.5]]\n"
        "features = [[1, 0, 0], [0, 1, 1]]\n"
        "lambda = 0.9\n"
        "interest = [1, 2]\n"
        "initial-weights = [0, 1, 2]\n"
        "start = [1, 0]\n"
        "transitions = [\n"
        "  { state = 0, action = 0, next = 0, probability = 1 },\n"
        "  { state = 0, action = 1, next = 1, probability = 1, reward = 2 },\n"
        "  { state = 1, action = 0, next = 0, probability = 1, discount = 0 },\n"
        "  { state = 1, action = 1, next = 0, probability = 0.5 },\n"
        "  { state = 1, action = 1, next = 1, probability = 0.5 },\n"
        "]\n";
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
}

std::string json(const std::string& from = "", const std::string& to = "") {
    std::string text =
        "{\"states\": 2, \"actions\": 2, \"discount\": 0.5,\n"
        " \"target\": [[1, 0], [0.25, 0.75]], \"behaviour\": [[0.5, 0.5], [0.5, 0.5]],\n"
        " \"features\": [[1, 0, 0], [0, 1, 1]], \"lambda\": 0.9, \"interest\": [1, 2],\n"
        " \"initial-weights\": [0, 1, 2], \"start\": [1, 0],\n"
        " \"transitions\": [\n"
        "  {\"state\": 0, \"action\": 0, \"next\": 0, \"probability\": 1},\n"
        "  {\"state\": 0, \"action\": 1, \"next\": 1, \"probability\": 1, \"reward\": 2},\n"
        "  {\"state\": 1, \"action\": 0, \"next\": 0, \"probability\": 1, \"discount\": 0},\n"
        "  {\"state\": 1, \"action\": 1, \"next\": 0, \"probability\": 0.5},\n"
        "  {\"state\": 1, \"action\": 1, \"next\": 1, \"probability\": 0.5}]}\n";
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
}

TEST_F(ModelFile, ExamplesLoad) {
    const FiniteMdp machine = read_model_file(models + "machine.toml");
    EXPECT_EQ(machine.name(), "machine");
    EXPECT_EQ(machine.states(), 3u);
    EXPECT_EQ(machine.dimension(), 2u);
    EXPECT_EQ(machine.outcomes(2, 1)[0].discount, 0);
    EXPECT_EQ(machine.outcomes(2, 1)[1].discount, 0.95);
    EXPECT_FALSE(machine.on_policy());

    const FiniteMdp commute = read_model_file(models + "commute.json");
    EXPECT_EQ(commute.name(), "commute");
    EXPECT_EQ(commute.actions(), 1u);
    EXPECT_TRUE(commute.on_policy());
    EXPECT_EQ(bellman_error(commute, {-36.75, -31.75, -18, -3}), 0);
}

TEST_F(ModelFile, DocumentedExampleIsTheExampleFile) {
    std::ifstream file(BELLWETHER_SOURCE "/docs/model-file.md");
    const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::string opening = "```toml\n";
    const std::size_t begin = page.find(opening) + opening.size();
    const FiniteMdp shown = read("shown.toml", page.substr(begin, page.find("```\n", begin) - begin));
    const FiniteMdp machine = read_model_file(models + "machine.toml");
    ASSERT_EQ(shown.states(), machine.states());
    for (std::size_t s = 0; s < shown.states(); ++s) {
        EXPECT_EQ(shown.features(s)[1], machine.features(s)[1]);
        for (std::size_t a = 0; a < shown.actions(); ++a) {
            EXPECT_EQ(shown.target(s, a), machine.target(s, a));
            EXPECT_EQ(shown.behaviour(s, a), machine.behaviour(s, a));
            ASSERT_EQ(shown.outcomes(s, a).size(), machine.outcomes(s, a).size());
            for (std::size_t k = 0; k < shown.outcomes(s, a).size(); ++k)
                EXPECT_EQ(shown.outcomes(s, a)[k].reward, machine.outcomes(s, a)[k].reward);
        }
    }
}

TEST_F(ModelFile, TomlAndJsonMeanTheSame) {
    for (const FiniteMdp& mdp : {read("model.toml", toml()), read("model.json", json())}) {
        EXPECT_EQ(mdp.name(), "model");
        EXPECT_EQ(mdp.states(), 2u);
        EXPECT_EQ(mdp.actions(), 2u);
        EXPECT_EQ(mdp.dimension(), 3u);
        EXPECT_EQ(mdp.target(1, 0), 0.25);
        EXPECT_EQ(mdp.behaviour(1, 0), 0.5);
        EXPECT_EQ(mdp.features(1)[2], 1);
        EXPECT_EQ(mdp.lambda(1), 0.9);
        EXPECT_EQ(mdp.interest(1), 2);
        EXPECT_EQ(mdp.initial_weights()[2], 2);
        EXPECT_EQ(mdp.start()[0], 1);
        EXPECT_EQ(mdp.outcomes(0, 0)[0].reward, 0);
        EXPECT_EQ(mdp.outcomes(0, 1)[0].reward, 2);
        EXPECT_EQ(mdp.outcomes(0, 1)[0].discount, 0.5);
        EXPECT_EQ(mdp.outcomes(1, 0)[0].discount, 0);
        ASSERT_EQ(mdp.outcomes(1, 1).size(), 2u);
        EXPECT_EQ(mdp.outcomes(1, 1)[1].next, 1u);
    }
}

TEST_F(ModelFile, FillsInWhatIsMissing) {
    const FiniteMdp mdp = read("loop.toml",
                               "states = 2\n"
                               "[[transitions]]\nstate = 0\nnext = 1\nprobability = 1\ndiscount = 0.5\n"
                               "[[transitions]]\nstate = 1\nnext = 0\nprobability = 1\ndiscount = 1\n");
    EXPECT_EQ(mdp.name(), "loop");
    EXPECT_EQ(mdp.actions(), 1u);
    EXPECT_TRUE(mdp.on_policy());
    EXPECT_TRUE(mdp.one_hot());
    EXPECT_FALSE(mdp.has_lambda());
    EXPECT_EQ(mdp.interest(0), 1);
    EXPECT_EQ(mdp.start()[1], 0.5);
    EXPECT_TRUE(read("on.toml", toml("behaviour = [[0.5, 0.5], [0.5, 0.5]]\n")).on_policy());
}

TEST_F(ModelFile, NameMayBeInAnyLanguage) {
    EXPECT_EQ(read("m.toml", "# γ, λ\nname = \"Ω — λ\"\n" + toml()).name(), "Ω — λ");
    EXPECT_EQ(read("m.toml", "\xEF\xBB\xBFname = 'é'\n" + toml()).name(), "é");
    EXPECT_EQ(read("m.json", json("{", "{\"name\": \"Ω — λ\", ")).name(), "Ω — λ");
}

TEST_F(ModelFile, RefusesInTomlWithLineAndColumn) {
    const struct {
        const char *from, *to, *message;
    } cases[]{
        {"states = 2", "state = 2",
         "m.toml:1:1: unknown key 'state'; did you mean 'states'? (known: name, states, actions, discount, target, "
         "behaviour, features, lambda, interest, initial-weights, start, transitions, "
         "active, reward-noise, questions)"},
        {"states = 2", "states = 0", "m.toml:1:10: states is 0: it must be a whole number in [1, 10000]"},
        {"states = 2", "states = 2.5", "m.toml:1:10: states is 2.5: it must be a whole number in [1, 10000]"},
        {"states = 2", "states = '2'", "m.toml:1:10: states is a text, not a number"},
        {"states = 2", "states = true", "m.toml:1:10: states is a boolean, not a number"},
        {"states = 2\n", "", "m.toml:1:1: the model has no 'states'"},
        {"actions = 2", "actions = nan", "m.toml:2:11: actions is nan, not a finite number"},
        {"actions = 2\n", "", "m.toml:12:25: transitions[1].action is 1: the actions are 0 to 0"},
        {"discount = 0.5", "discount = 2", "m.toml:3:12: discount is 2: it must be in [0, 1]"},
        {"discount = 0.5\n", "", "m.toml:11:3: transitions[0] has no 'discount', and the model has none for all"},
        {"target = [[1, 0], [0.25, 0.75]]\n", "", "m.toml:1:1: the model has no 'target', the target policy"},
        {"target = [[1, 0], [0.25, 0.75]]", "target = [[1, 0]]",
         "m.toml:4:10: target has 1 entries where there are 2 states"},
        {"[0.25, 0.75]", "[0.25, 0.5, 0.25]", "m.toml:4:19: target[1] has 3 entries where there are 2 actions"},
        {"[0.25, 0.75]", "[0.25, 0.7]", "m.toml:4:19: target[1] sums to 0.95, not to 1"},
        {"[0.25, 0.75]", "[-0.25, 1]", "m.toml:4:20: target[1][0] is -0.25: it must be in [0, 1]"},
        {"[0.25, 0.75]", "7", "m.toml:4:19: target[1] is a number, not a list"},
        {"[[0.5, 0.5], [0.5, 0.5]]", "[[0.5, 0.5], [1, 0]]",
         "m.toml:5:30: behaviour[1][1] is 0, but the target policy takes that action with probability 0.75"},
        {"[[1, 0, 0], [0, 1, 1]]", "[[1, 0, 0], [0, 1]]",
         "m.toml:6:24: features[1] has 2 entries where there are 3 features in the first row"},
        {"[[1, 0, 0], [0, 1, 1]]", "[[], []]", "m.toml:6:13: features[0] is empty: there must be at least one feature"},
        {"[[1, 0, 0], [0, 1, 1]]", "[[1, 0, 0], [0, inf, 1]]",
         "m.toml:6:28: features[1][1] is inf, not a finite number"},
        {"lambda = 0.9", "lambda = [0.9, 1.1]", "m.toml:7:16: lambda[1] is 1.1: it must be in [0, 1]"},
        {"interest = [1, 2]", "interest = [1]", "m.toml:8:12: interest has 1 entries where there are 2 states"},
        {"interest = [1, 2]", "interest = -1", "m.toml:8:12: interest is -1: it must be at least 0"},
        {"initial-weights = [0, 1, 2]", "initial-weights = [0, 1]",
         "m.toml:9:19: initial-weights has 2 entries where there are 3 features"},
        {"initial-weights", "initial_weights",
         "m.toml:9:1: unknown key 'initial_weights'; did you mean 'initial-weights'? (known: name, states, actions, "
         "discount, target, behaviour, features, lambda, interest, initial-weights, start, transitions, "
         "active, reward-noise, questions)"},
        {"start = [1, 0]", "start = [0.5, 0.25]", "m.toml:10:9: start sums to 0.75, not to 1"},
        {"next = 1, probability = 1,", "nxt = 1, probability = 1,",
         "m.toml:13:28: unknown key 'transitions[1].nxt'; did you mean 'next'? (known: state, action, next, "
         "probability, reward, discount)"},
        {"next = 1, probability = 1,", "probability = 1,", "m.toml:13:3: transitions[1] has no 'next'"},
        {"next = 1, probability = 1,", "next = 2, probability = 1,",
         "m.toml:13:35: transitions[1].next is 2: the states are 0 to 1"},
        {"next = 1, probability = 1,", "next = -1, probability = 1,",
         "m.toml:13:35: transitions[1].next is -1: the states are 0 to 1"},
        {"next = 1, probability = 1,", "next = 1, probability = 1.5,",
         "m.toml:13:52: transitions[1].probability is 1.5: it must be in [0, 1]"},
        {"next = 1, probability = 1,", "next = 1, probability = 0.5,",
         "m.toml:13:3: transitions[1] and the others from state 0 with action 1 have probabilities that sum to 0.5, "
         "not to 1"},
        {"reward = 2", "reward = 'much'", "m.toml:13:64: transitions[1].reward is a text, not a number"},
        {"discount = 0 }", "discount = -1 }", "m.toml:14:66: transitions[2].discount is -1: it must be in [0, 1]"},
        {"next = 1, probability = 0.5", "next = 0, probability = 0.5",
         "m.toml:16:3: transitions[4] repeats transitions[3]: state 1, action 1, next 0"},
        {"  { state = 0, action = 0, next = 0, probability = 1 },\n", "",
         "m.toml:11:15: transitions has none from state 0 with action 0"},
        {"  { state = 0, action = 0, next = 0, probability = 1 },\n", "  7,\n",
         "m.toml:12:3: transitions[0] is a number, not a table"},
    };
    for (const auto& c : cases) EXPECT_EQ(refused("m.toml", toml(c.from, c.to)), c.message);
    EXPECT_EQ(refused("m.toml", "states = 1\ntransitions = {}\n"), "m.toml:2:15: transitions is a table, not a list");
}

TEST_F(ModelFile, HasActiveStatesAndNoise) {
    const FiniteMdp mdp = read("m.toml", toml("lambda = 0.9", "active = [1]\nreward-noise = 0.5"));
    EXPECT_EQ(mdp.reward_noise(), 0.5);
    EXPECT_TRUE(mdp.has_inactive());
    EXPECT_FALSE(mdp.active(0));
    EXPECT_TRUE(mdp.active(1));
    EXPECT_EQ(mdp.outcomes(0, 1)[0].reward, 0);    // nobody's, as nothing is asked there
    EXPECT_EQ(mdp.ratio(0, 1), 1);                 // nor any policy
    EXPECT_EQ(mdp.outcomes(1, 1)[0].discount, 0);  // leads out of the active states
    EXPECT_EQ(mdp.outcomes(1, 1)[1].discount, 0.5);
    const FiniteMdp all = read("m.toml", toml("lambda = 0.9", "active = [0, 1]"));
    EXPECT_FALSE(all.has_inactive());
    EXPECT_EQ(all.outcomes(1, 1)[0].discount, 0.5);
}

TEST_F(ModelFile, RefusesQuestionsThatCannotBeAsked) {
    const struct {
        const char *from, *to, *message;
    } cases[]{
        {"lambda = 0.9", "reward-noise = -1", "m.toml:7:16: reward-noise is -1: it must be at least 0"},
        {"lambda = 0.9", "active = [2]", "m.toml:7:11: active[0] is 2: the states are 0 to 1"},
        {"lambda = 0.9", "active = []", "m: no state is active"},
        {"lambda = 0.9", "questions = []", "m.toml:7:13: questions is empty: there must be at least one question"},
        {"lambda = 0.9", "questions = [{ goal = 1 }]",
         "m.toml:7:16: unknown key 'questions[0].goal' (known: target, active, discount, transitions)"},
        {"lambda = 0.9", "questions = [{ transitions = [{ state = 0, action = 0, next = 1, reward = 1 }] }]",
         "m.toml:7:31: questions[0].transitions[0] is no transition of the model: state 0, action 0, next 1"},
        {"lambda = 0.9",
         "questions = [{ active = [1], transitions = [{ state = 1, action = 1, next = 0, discount = 0.5 }] }]",
         "m.toml:7:14: questions[0] is refused: m: state 1, action 1: leads to state 0, which is not active, with "
         "discount 0.5: it must be 0"},
        {"behaviour = [[0.5, 0.5], [0.5, 0.5]]", "questions = [{ active = [1] }]",
         "m.toml:1:1: the model has questions and no 'behaviour', the policy whose stream they are about"},
    };
    for (const auto& c : cases) EXPECT_EQ(refused("m.toml", toml(c.from, c.to)), c.message);
    EXPECT_EQ(refused("m.toml", toml("target = [[1, 0], [0.25, 0.75]]", "questions = [{ active = [1] }]")),
              "m.toml:4:14: questions[0] has no 'target', and neither has the model");
}

TEST_F(ModelFile, RefusesInJsonWithThePathOfTheKey) {
    const struct {
        const char *from, *to, *message;
    } cases[]{
        {"\"reward\": 2", "\"rewrad\": 2",
         "m.json: unknown key 'transitions[1].rewrad'; did you mean 'reward'? (known: state, action, next, "
         "probability, "
         "reward, discount)"},
        {"\"states\": 2", "\"states\": 1e9", "m.json: states is 1e+09: it must be a whole number in [1, 10000]"},
        {"\"states\": 2", "\"states\": null", "m.json: states is something else, not a number"},
        {"\"probability\": 1,", "\"probability\": \"1\",",
         "m.json: transitions[1].probability is a text, not a number"},
        {"[0.25, 0.75]", "[0.25, 0.7]", "m.json: target[1] sums to 0.95, not to 1"},
        {"\"actions\": 2", "\"states\": 2", "m.json: the key 'states' stands twice"},
        {"\"action\": 1, \"next\": 0,", "\"next\": 0, \"next\": 0,",
         "m.json: the key 'next' stands twice in transitions[3]"},
    };
    for (const auto& c : cases) EXPECT_EQ(refused("m.json", json(c.from, c.to)), c.message);
    EXPECT_EQ(refused("m.json", "[1]"), "m.json: the model is a list, not a table");
    EXPECT_EQ(refused("m.json", std::string(100, '[')), "m.json: the model is nested too deeply");
}

TEST_F(ModelFile, RefusesWhatIsNoTomlOrJson) {
    EXPECT_EQ(refused("m.toml", "states = 2\nactions = = 3\n").substr(0, 11), "m.toml:2:11");
    EXPECT_EQ(refused("m.toml", "states = 2\nstates = 2\n").substr(0, 9), "m.toml:2:");
    EXPECT_EQ(refused("m.json", "{\"states\": 2,\n  \"actions\": x}").substr(0, 12), "m.json:2:14:");
    EXPECT_EQ(refused("m.json", "").substr(0, 11), "m.json:1:1:");
    EXPECT_EQ(refused("m.json", "{\"states\": 1e999}"), "m.json:1:16: number overflow parsing '1e999'");
    EXPECT_EQ(refused("m.toml", "states = 2\nname = \"\xC3\x28\"\n"), "m.toml:2:9: the text is not UTF-8 here");
    EXPECT_EQ(refused("m.json", "{\"name\": \"\xED\xA0\x80\"}"), "m.json:1:11: the text is not UTF-8 here");
    EXPECT_EQ(refused("m.toml", "\"a\\nb\" = 1\n").find('\n'), std::string::npos);
}

// Characters about which toml++ 3.3 must not be asked.
TEST_F(ModelFile, RefusesCharactersThatAreNotAsciiOutsideOfStrings) {
    const std::string problem = "a character that is not ASCII, outside of a comment and of a one-line string";
    EXPECT_EQ(refused("m.toml", "\xEF\xBB\x8A\x5B"), "m.toml:1:1: " + problem);
    EXPECT_EQ(refused("m.toml", "states = 2 λ\n"), "m.toml:1:12: " + problem);
    EXPECT_EQ(refused("m.toml", "λ = 0.9\n"), "m.toml:1:1: " + problem);
    EXPECT_EQ(refused("m.toml", "name = '\\' λ\n"), "m.toml:1:12: " + problem);
    EXPECT_EQ(refused("m.toml", "name = \"\\\"\" λ\n"), "m.toml:1:13: " + problem);
    EXPECT_EQ(refused("m.toml", "name = '''a\n'' λ'''\n"), "m.toml:2:4: " + problem);
    EXPECT_EQ(refused("m.toml", "name = \"\"\"a \\\n λ\"\"\"\n"), "m.toml:2:2: " + problem);
    EXPECT_EQ(refused("m.toml", "name = \"\"\"a\"\"\"\"\" # λ\n" + toml()), "");
    EXPECT_EQ(refused("m.toml", "name = \"\" # λ \"\"\"\n" + toml()), "");
}

TEST_F(ModelFile, RefusesKeysOfManyParts) {
    std::string key = "a";
    for (int part = 0; part < 200'000; ++part) key += ".a";
    EXPECT_EQ(refused("m.toml", key + " = 1\n"), "m.toml:1:34: a key of too many parts");
    EXPECT_EQ(refused("m.toml", "[" + key + "]\n"), "m.toml:1:35: a key of too many parts");
}

TEST_F(ModelFile, RefusesWhatCannotBeRead) {
    EXPECT_EQ(refusal([] { read_model_file("/no/such.toml"); }),
              "/no/such.toml: cannot read: No such file or directory");
    EXPECT_EQ(refusal([] { read_model_file("/"); }), "/: cannot read: it is a directory");
}

TEST(DocumentText, KnowsWellFormedUtf8) {
    for (const char* good : {"", "a", "é", "€", "😀", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"})
        EXPECT_FALSE(find_broken_utf8(good)) << good;
    for (const char* broken :
         {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82", "\xF0\x80\x80\x80",
          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x28\xA1", "\xF0\x9F\x98"})
        EXPECT_TRUE(find_broken_utf8(broken)) << broken;
}

}  // namespace
}  // namespace bellwether::test
