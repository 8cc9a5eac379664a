// The numbers of transitions: which are refused, and how, wherever they come from.
#include "stream/stream_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bellwether/registry.hpp"
#include "bellwether/suggest.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr TransitionNames row_names{{"gamma", "rho", "pi", "mu", "lambda", "lambda_next", "interest"}, false};

// "gamma is 1.5: it must be in [0, 1]", or an empty text.
std::string problem_of(const TransitionNumbers& numbers) {
    const auto problem = find_problem(numbers, row_names);
    return problem ? std::string(row_names[problem->field]) + " " + problem->text : "";
}

// A stream without an end of line is one name of a gigabyte: it is refused, not compared letter by letter.
TEST(Suggestions, AreNotLookedForWhereANameIsFarTooLong) {
    const std::vector<std::string> known{"reward", "rho"};
    EXPECT_EQ(did_you_mean("rewrd", known), "; did you mean 'reward'?");
    EXPECT_EQ(did_you_mean("rewardreward", known), "");
    EXPECT_EQ(did_you_mean(std::string(std::size_t{1} << 26, 'r'), known), "");
}

TEST(TransitionCheck, NamesTheNumberAndItsRange) {
    const std::vector<std::pair<TransitionNumbers, const char*>> cases{
        {{.gamma = 1.5}, "gamma is 1.5: it must be in [0, 1]"},
        {{.gamma = nan}, "gamma is nan: it must be in [0, 1]"},
        {{.gamma = 1, .rho = -1}, "rho is -1: it must be finite and at least 0"},
        {{.gamma = 1, .rho = infinity}, "rho is inf: it must be finite and at least 0"},
        {{.gamma = 1, .pi = -0.5, .mu = 1}, "pi is -0.5: it must be in [0, 1]"},
        {{.gamma = 1, .pi = 0.5, .mu = 0}, "mu is 0: it must be above 0 and at most 1"},
        {{.gamma = 1, .pi = 1, .mu = 1e-310}, "rho is inf: it must be finite and at least 0"},
        {{.gamma = 1, .rho = 2, .pi = 0.5, .mu = 0.5}, "rho is 2, but pi/mu is 1"},
        {{.gamma = 1, .lambda = 2}, "lambda is 2: it must be in [0, 1]"},
        {{.gamma = 1, .lambda = 1, .lambda_next = -1}, "lambda_next is -1: it must be in [0, 1]"},
        {{.gamma = 1, .interest = nan}, "interest is nan: it must be finite and at least 0"},
    };
    for (const auto& [numbers, words] : cases) EXPECT_EQ(problem_of(numbers), words);
}

TEST(TransitionCheck, LetsPassWhatLogsHold) {
    EXPECT_EQ(problem_of({}), "");
    EXPECT_EQ(problem_of({.gamma = -0.0, .rho = 0}), "");
    EXPECT_EQ(problem_of({.gamma = 1, .rho = 0.333333, .pi = 0.25, .mu = 0.75}), "");  // six digits
    EXPECT_NE(problem_of({.gamma = 1, .rho = 0.33333, .pi = 0.25, .mu = 0.75}), "");
    EXPECT_EQ(problem_of({.gamma = 1, .rho = 3.333333e6, .pi = 1, .mu = 3e-7}),
              "");  // of the ratio where that is large
}

TEST(TransitionCheck, OfPolicies) {
    EXPECT_EQ(missing_policy(true, false, row_names), "mu is missing: pi and mu come together");
    EXPECT_EQ(missing_policy(false, true, stream_names), "pis are missing: pis and mus come together");
    EXPECT_EQ(missing_policy(true, true, row_names) + missing_policy(false, false, row_names), "");
    EXPECT_EQ(missing_policies(*find_algorithm("tb"), false, row_names),
              "tb needs pi and mu, the probabilities of the action taken");
    EXPECT_EQ(missing_policies(*find_algorithm("tb"), true, row_names), "");
    EXPECT_EQ(missing_policies(*find_algorithm("gtd"), false, row_names), "");
    EXPECT_EQ(find_off_policy(*find_algorithm("td"), 0.5)->text, "is 0.5: td learns on-policy only, where rho is 1");
    EXPECT_FALSE(find_off_policy(*find_algorithm("td"), 1));
    EXPECT_FALSE(find_off_policy(*find_algorithm("gtd"), 0.5));
}

// ---- streams ----

// Six steps of three learners; every number may be changed.
struct Numbers {
    static constexpr std::size_t steps = 6, learners = 3;
    std::vector<double> gamma = std::vector<double>(steps * learners, 0.9);
    std::vector<double> rho = std::vector<double>(steps, 0.5), pi = std::vector<double>(learners, 0.25);
    std::vector<double> lambda = std::vector<double>(steps + 1, 0.5), interest = std::vector<double>(steps, 1);
    std::vector<std::uint8_t> marks = std::vector<std::uint8_t>(steps, 0);
    double mu = 0.5;

    StreamView view() const {
        StreamView stream{.steps = steps, .x = {}, .x_next = {}, .reward = constant_one, .gamma = {}};
        stream.gamma = {gamma.data(), learners, true};
        stream.rho = {rho.data(), 1, false};
        stream.pi = {pi.data(), 0, true};
        stream.mu = {&mu, 0, false};
        stream.has_policies = true;
        stream.lambda = lambda.data();
        stream.lambda_next = lambda.data() + 1;
        stream.rows_follow = true;
        stream.interest = interest.data();
        stream.marks = marks.data();
        return stream;
    }
};

std::string refusal(const StreamView& stream) {
    try {
        check_transitions(stream, Numbers::learners);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

// What is refused where one number has been changed.
std::string refusal(const std::function<void(Numbers&)>& change) {
    Numbers numbers;
    change(numbers);
    return refusal(numbers.view());
}

TEST(StreamCheck, NamesTheArrayAndTheIndex) {
    EXPECT_EQ(refusal([](Numbers&) {}), "");
    EXPECT_EQ(refusal([](Numbers& n) { n.gamma[4 * 3 + 2] = 1.5; }), "gammas[4, 2] is 1.5: it must be in [0, 1]");
    EXPECT_EQ(refusal([](Numbers& n) { n.rho[5] = -1; }), "rhos[5] is -1: it must be finite and at least 0");
    EXPECT_EQ(refusal([](Numbers& n) { n.rho[2] = 0.6; }), "rhos[2, 0] is 0.6, but pis/mus is 0.5");
    EXPECT_EQ(refusal([](Numbers& n) { n.pi[1] = 2; }), "pis[1] is 2: it must be in [0, 1]");
    EXPECT_EQ(refusal([](Numbers& n) { n.pi[1] = 0.5; }), "rhos[0, 1] is 0.5, but pis/mus is 1");
    EXPECT_EQ(refusal([](Numbers& n) { n.mu = 0; }), "mus is 0: it must be above 0 and at most 1");
    EXPECT_EQ(refusal([](Numbers& n) { n.interest[3] = infinity; }),
              "interests[3] is inf: it must be finite and at least 0");
}

TEST(StreamCheck, KnowsLambdaByRowAndByStep) {
    EXPECT_EQ(refusal([](Numbers& n) { n.lambda[6] = 2; }), "lambdas[6] is 2: it must be in [0, 1]");
    Numbers numbers;
    numbers.lambda[6] = 2;
    StreamView stream = numbers.view();
    stream.rows_follow = false;
    EXPECT_EQ(refusal(stream), "lambdas_next[5] is 2: it must be in [0, 1]");
}

TEST(StreamCheck, DoesNotReadWhatIsNoStep) {
    const auto hole = [](Numbers& n) {
        n.marks[2] = is_no_step;
        n.marks[3] = begins_segment;
        n.rho[2] = n.interest[2] = n.gamma[2 * 3] = n.gamma[2 * 3 + 2] = nan;
    };
    EXPECT_EQ(refusal(hole), "");
    for (const std::size_t t : {0, 1, 3, 5})
        EXPECT_EQ(refusal([&](Numbers& n) {
                      hole(n);
                      n.rho[t] = nan;
                  }),
                  "rhos[" + std::to_string(t) + "] is nan: it must be finite and at least 0");
    EXPECT_EQ(refusal([](Numbers& n) {
                  n.marks[5] = is_no_step;
                  n.rho[5] = nan;
              }),
              "");
    EXPECT_NE(refusal([&](Numbers& n) {
                  hole(n);
                  n.lambda[2] = nan;  // the step before bootstraps on it
              }),
              "");
}

TEST(StreamCheck, OfAlgorithms) {
    Numbers numbers;
    StreamView stream = numbers.view();
    const auto refused = [&](const char* id) -> std::string {
        try {
            check_algorithm(*find_algorithm(id), stream, Numbers::learners);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refused("td"), "rhos[0] is 0.5: td learns on-policy only, where rho is 1");
    EXPECT_EQ(refused("tb"), "");
    numbers.rho = {1, 1, nan, 1, 1, 1};
    numbers.marks[2] = is_no_step;
    EXPECT_EQ(refused("td"), "");
    stream.has_policies = false;
    EXPECT_EQ(refused("tb"), "tb needs pis and mus, the probabilities of the actions taken");
    EXPECT_EQ(refused("gtd"), "");
}

}  // namespace
}  // namespace bellwether::test
