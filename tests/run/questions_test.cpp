// Several questions about one stream of behaviour: the Rooms against a slow account of them, and what questions of a
// setting have to do with settings of one question.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "files.hpp"
#include "plan/study_text.hpp"
#include "run/configuration_block.hpp"
#include "slow_study.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t steps = 700;

std::string rooms(const std::string& keys) {
    return fmt::format(R"(
[[settings]]
id = 'rooms'
domain = 'rooms'
{}
steps = {}
runs = 2
score = 0.4
metrics = ['rmsve']
grid = {{ alpha = [0.0625, 0.001], eta = [0.25, 4], lambda = [0, 0.9], zeta = 0.6, psi0 = 1, psi-max = 4 }}
algorithms = ['off-policy-td', 'gtd', 'gtd2', 'htd', 'gtd2-mp', 'tdrc', 'etd', 'etd-beta', 'tb', 'vtrace', 'abtd']
)",
                       keys, steps);
}

// ---- the slow account: plain vectors, and the masks as they are told

// The error of each question after every step of a run.
std::vector<double> slow_errors(const Study& study, const Configuration& configuration, std::size_t question,
                                std::uint32_t run) {
    const FiniteMdp mdp = study.settings[0].problem.make(study.seed, 0, run, question);
    const ExactSolution solution(mdp, 0);
    Trajectory trajectory;
    Sampler(mdp).sample(study.seed, 0, run, steps, trajectory);
    const Stream stream = stream_of(mdp, trajectory);
    Oracle oracle(configuration.id, configuration.parameters, Vec(mdp.dimension()));
    std::vector<double> errors;
    bool is_inside = false;
    for (std::size_t t = 0; t < steps; ++t) {
        const bool was_inside = is_inside;
        is_inside = mdp.active(trajectory.features[t]);
        if (is_inside) {
            if (!was_inside) oracle.start();  // traces 0, F = 1
            Sample sample = stream[t];
            sample.lambda = sample.lambda_next = configuration.lambda;
            oracle.step(sample);
        }
        double sum = 0, share = 0;
        for (std::size_t s = 0; s < mdp.states(); ++s) {
            if (!mdp.active(s)) continue;
            const auto state = static_cast<Eigen::Index>(s);
            share += solution.d(state);
            sum += solution.d(state) * std::pow(dot(features_of(mdp, s), oracle.w) - solution.v(state), 2);
        }
        errors.push_back(std::sqrt(sum / share));
    }
    return errors;
}

// The mean over questions after each step, and over the last of these.
double slow_score(const Study& study, const Configuration& configuration, std::uint32_t run) {
    std::vector<double> mean(steps);
    for (std::size_t q = 0; q < 8; ++q) {
        const std::vector<double> errors = slow_errors(study, configuration, q, run);
        for (std::size_t t = 0; t < steps; ++t) mean[t] += errors[t] / 8;
    }
    const std::size_t scored = study.settings[0].metrics[0].scored;
    return std::accumulate(mean.end() - static_cast<std::ptrdiff_t>(scored), mean.end(), 0.0) /
           static_cast<double>(scored);
}

// The first two runs of some configurations of each algorithm, in a study of one setting.
void expect_slow_scores(const Study& study,
                        const std::function<std::vector<std::size_t>(std::size_t configurations)>& chosen_of) {
    ASSERT_EQ(study.settings[0].problem.questions(), 8u);
    InstanceCache instances(study);
    const std::vector<std::size_t> metrics{0};
    for (std::size_t a = 0; a < study.settings[0].algorithms.size(); ++a) {
        const AlgorithmGrid& grid = study.settings[0].algorithms[a];
        const std::vector<std::size_t> chosen = chosen_of(grid.configurations());
        ConfigurationBlock block(instances, &best_instruction_set(), 0, a, 0, chosen);
        for (const std::uint32_t run : {0u, 1u}) {
            block.run(run, metrics);
            for (std::size_t k = 0; k < chosen.size(); ++k) {
                const double expected = slow_score(study, configuration_of(grid, chosen[k]), run);
                const bool is_stable = expected <= block.initial_error(0, k);
                const std::string what = fmt::format("{}, {}, configuration {}, run {}", study.settings[0].id,
                                                     grid.info->id, chosen[k], run);
                if (!std::isfinite(expected) || expected > 1e100) {
                    EXPECT_FALSE(block.score(0, k) < 1e90) << what;
                    continue;
                }
                // Where weights grow, rounding grows with them.
                EXPECT_NEAR(block.score(0, k), expected, (is_stable ? 1e-11 : 1e-6) * expected) << what;
            }
        }
    }
}

TEST(Questions, AreScoredAsTheSlowAccountSays) {
    for (const int high_variance : {0, 1})
        expect_slow_scores(
            study_of(rooms(fmt::format("parameters = {{ high-variance = {} }}\nquestions = 'all'", high_variance))),
            [](std::size_t configurations) {
                std::vector<std::size_t> all(configurations);
                std::iota(all.begin(), all.end(), std::size_t{0});
                return all;
            });
}

// The first steps of the paper's own settings, and of the grid of each algorithm some, by steps that are no multiple of
// the number of step sizes.
TEST(RoomsPaper, IsThatOfTheSlowAccount) {
    const Study whole = read_study(BELLWETHER_SOURCE "/studies/ghiassian2021-rooms/study.toml");
    ASSERT_EQ(whole.settings.size(), 6u);
    for (const Setting& setting : whole.settings) {
        Study study = whole;
        study.settings = {setting};
        study.settings[0].resize(std::nullopt, 2);
        study.settings[0].steps = steps;
        study.settings[0].metrics[0].scored = setting.metrics[0].scored * steps / setting.steps;
        expect_slow_scores(study, [](std::size_t configurations) {
            std::vector<std::size_t> some;
            for (std::size_t k = 0; k < 4; ++k)
                if (k == 0 || configurations > 1) some.push_back(k * (2 * configurations / 7));
            return some;
        });
    }
}

// ---- one stream

TEST(Questions, GoThroughTheSameStates) {
    const Study study = study_of(rooms("parameters = { high-variance = 1 }\nquestions = 'all'"));
    std::vector<Trajectory> runs(8);
    for (std::size_t q = 0; q < 8; ++q)
        Sampler(study.settings[0].problem.make(study.seed, 0, 0, q)).sample(study.seed, 0, 5, 2000, runs[q]);
    for (const Trajectory& run : runs) {
        EXPECT_EQ(run.features, runs[0].features);
        EXPECT_EQ(run.mu, runs[0].mu);
    }
    EXPECT_NE(runs[0].rho, runs[1].rho);
}

// ---- questions of a setting, and settings of one question

struct Computed {
    std::vector<double> scores, curves;
};
Computed compute(const Study& study, const Backend& backend, std::size_t algorithm, bool with_curves) {
    InstanceCache instances(study);
    const std::vector<std::size_t> configurations{0, 1, 2}, metrics{0};
    ConfigurationBlock block(instances, &backend, 0, algorithm, 0, configurations);
    if (with_curves) block.keep_curves();
    block.run(0, 2, metrics);
    Computed computed;
    for (std::size_t n = 0; n < 2; ++n)
        for (const std::size_t c : configurations) {
            computed.scores.push_back(block.score(0, c, n));
            if (!with_curves) continue;
            const std::span<const double> curve = block.curve(0, c, n);
            computed.curves.insert(computed.curves.end(), curve.begin(), curve.end());
        }
    return computed;
}

TEST(Questions, AreTheMeanOfEachAlone) {
    constexpr std::size_t gtd = 1;
    const Backend& backend = best_instruction_set();
    const Computed all = compute(study_of(rooms("questions = 'all'")), backend, gtd, true);
    Computed mean{std::vector<double>(all.scores.size()), std::vector<double>(all.curves.size())};
    for (int q = 0; q < 8; ++q) {
        const Computed listed = compute(study_of(rooms(fmt::format("questions = [{}]", q))), backend, gtd, true);
        const Computed named =
            compute(study_of(rooms(fmt::format("parameters = {{ question = {} }}", q))), backend, gtd, true);
        EXPECT_EQ(listed.scores, named.scores);
        EXPECT_EQ(listed.curves, named.curves);
        for (std::size_t k = 0; k < mean.scores.size(); ++k) mean.scores[k] += listed.scores[k];
        for (std::size_t k = 0; k < mean.curves.size(); ++k) mean.curves[k] += listed.curves[k];
    }
    for (double& score : mean.scores) score /= 8;
    for (double& error : mean.curves) error /= 8;
    EXPECT_EQ(all.scores, mean.scores);
    EXPECT_EQ(all.curves, mean.curves);
}

TEST(Questions, AreTheSameOnEveryInstructionSetWithAndWithoutCurves) {
    const Study study = study_of(rooms("questions = [6, 1]"));
    for (std::size_t a = 0; a < study.settings[0].algorithms.size(); ++a) {
        const Computed best = compute(study, best_instruction_set(), a, false);
        for (const InstructionSet* set : instruction_sets()) {
            EXPECT_EQ(compute(study, *set, a, false).scores, best.scores) << set->name();
            EXPECT_EQ(compute(study, *set, a, true).scores, best.scores) << set->name();
        }
    }
}

// Before an active state is entered the error is that of w_0, and while none is it stays.
TEST(Questions, LearnInActiveStatesOnly) {
    const Study study = study_of(rooms("questions = [4]"));
    const Computed computed = compute(study, best_instruction_set(), 0, true);
    const FiniteMdp mdp = study.settings[0].problem.make(study.seed, 0, 0);
    Trajectory trajectory;
    Sampler(mdp).sample(study.seed, 0, 0, steps, trajectory);
    ASSERT_FALSE(mdp.active(trajectory.features[0]));  // (0, 0) is not in the third room
    std::size_t idle = 0, changed = 0;
    for (std::size_t t = 0; t < steps; ++t) {
        if (!mdp.active(trajectory.features[t])) {
            EXPECT_EQ(computed.curves[t + 1], computed.curves[t]) << t;
            ++idle;
        } else {
            changed += computed.curves[t + 1] != computed.curves[t];
        }
    }
    EXPECT_GT(idle, steps / 4);
    EXPECT_GT(changed, 0u);
}

// ---- several steps ahead

TEST(StepsAhead, AreLearnedFromByTd) {
    const std::string text =
        "[[settings]]\nid = 'walk'\ndomain = 'walk19'\npolicy = 'on'\nsteps = 600\nruns = 2\nscore = 1\n"
        "metrics = ['rmsve']\nalgorithms = ['td0']\ngrid = { alpha = [0.1, 0.2, 0.4] }\nsteps-ahead = ";
    const Study study = study_of(text + "4");
    const FiniteMdp mdp = study.settings[0].problem.make(study.seed, 0, 0);
    const ExactSolution solution(mdp, 0);
    const Computed computed = compute(study, best_instruction_set(), 0, true);
    EXPECT_EQ(computed.scores, compute(study, best_instruction_set(), 0, false).scores);
    Trajectory run;
    Sampler(mdp).sample(study.seed, 0, 0, 600, run);
    const TransitionsAhead ahead = look_ahead(run, 4);
    Eigen::VectorXd w = Eigen::VectorXd::Zero(19);
    for (std::size_t t = 0; t < 600; ++t) {
        double& value = w(run.features[t]);
        value += 0.1 * (ahead.reward[t] + ahead.gamma[t] * w(ahead.next[t]) - value);
        EXPECT_NEAR(computed.curves[t + 1], solution.rmsve(w), 1e-12) << t;
    }
    EXPECT_NE(study.identity(), study_of(text + "1").identity());
    EXPECT_EQ(study_of(text + "1").identity(), study_of(replaced(text, "steps-ahead = ", "")).identity());
    EXPECT_THROW(study_of(replaced(text + "4", "'td0'", "'td'")), UsageError);
    EXPECT_THROW(study_of(replaced(replaced(text + "4", "'walk19'", "'walk5'"), "'on'", "'off'")), UsageError);
}

// ---- the study file and model files

TEST(Questions, ArePartOfTheIdentity) {
    EXPECT_EQ(study_of(rooms("")).identity(), study_of(rooms("questions = [0]")).identity());
    EXPECT_NE(study_of(rooms("questions = [0, 1]")).identity(), study_of(rooms("questions = [0]")).identity());
    EXPECT_NE(study_of(rooms("questions = [0, 1]")).identity(), study_of(rooms("questions = [0, 2]")).identity());
}

std::string refusal(const std::string& keys) {
    try {
        study_of(rooms(keys));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Questions, AreRefusedWhereTheyAreNot) {
    EXPECT_NE(refusal("questions = 'some'").find("is 'some': it must be 'all', or a list of numbers"),
              std::string::npos);
    EXPECT_NE(refusal("questions = [8]").find("is 8: the questions are 0 to 7"), std::string::npos);
    EXPECT_NE(refusal("questions = [1, 1]").find("repeats question 1"), std::string::npos);
    EXPECT_NE(refusal("questions = []").find("is empty"), std::string::npos);
    EXPECT_NE(refusal("questions = 'all'\nparameters = { question = 1 }").find("is there beside the parameter"),
              std::string::npos);
}

// A line of four states, walked at random: what is the way out on the left worth, and what that on the right, each from
// its own half?
constexpr const char* line = R"(
states = 4
actions = 2
discount = 0.5
behaviour = [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
features = [[1, 0], [1, 1], [0, 1], [1, 2]]
transitions = [
  { state = 0, action = 0, next = 0, probability = 1 }, { state = 0, action = 1, next = 1, probability = 1 },
  { state = 1, action = 0, next = 0, probability = 1 }, { state = 1, action = 1, next = 2, probability = 1 },
  { state = 2, action = 0, next = 1, probability = 1 }, { state = 2, action = 1, next = 3, probability = 1 },
  { state = 3, action = 0, next = 2, probability = 1 }, { state = 3, action = 1, next = 3, probability = 1 },
]
[[questions]]
target = [[1, 0], [1, 0], [1, 0], [1, 0]]
active = [1, 2]
transitions = [{ state = 1, action = 0, next = 0, reward = 1 }]
[[questions]]
target = [[0, 1], [0, 1], [0, 1], [0, 1]]
discount = 0.25
active = [1, 2]
transitions = [{ state = 2, action = 1, next = 3, reward = 2 }]
)";

TEST(Questions, MayBeThoseOfAModelFile) {
    TemporaryFolder folder;
    const auto path = folder.path() / "line.toml";
    std::ofstream(path) << line;
    const std::string study_path = (folder.path() / "study.toml").string();
    const Study study = parse_study(study_path,
                                    "[[settings]]\nid = 'line'\nmodel = 'line.toml'\nsteps = 300\nruns = 2\n"
                                    "metrics = ['rmsve']\nalgorithms = ['gtd']\ngrid = { alpha = [0.1, 0.2, 0.3] }");
    ASSERT_EQ(study.settings[0].problem.questions(), 2u);
    const ExactSolution left(study.settings[0].problem.make(0, 0, 0, 0), 0),
        right(study.settings[0].problem.make(0, 0, 0, 1), 0);
    EXPECT_EQ(left.v(1), 1);  // one step from the end
    EXPECT_EQ(left.v(2), 0.5);
    EXPECT_EQ(right.v(2), 2);
    EXPECT_EQ(right.v(1), 0.5);
    EXPECT_EQ(left.d(1), 0.5);
    EXPECT_EQ(left.d(0), 0);
    const Computed both = compute(study, best_instruction_set(), 0, false);
    for (std::size_t k = 0; k < both.scores.size(); ++k) EXPECT_LT(both.scores[k], 1.25);  // of w_0: 0.79 and 1.46
}

}  // namespace
}  // namespace bellwether::test
