// A small study from its text to its stored summaries, against an account of it that shares nothing with the kernels
// (slow_study.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bellwether/registry.hpp"
#include "files.hpp"
#include "plan/study_text.hpp"
#include "run/run.hpp"
#include "slow_study.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

// ---- the study

struct Problem {
    std::string name, lines;
    bool on_policy;
    std::string metrics;
};

const std::string random_mdp = "domain = 'random-mdp'\nparameters = { states = 10 }\ninstances = 2\n";

std::vector<Problem> problems() {
    return {{"on_tabular", random_mdp + "features = 'tabular'\n", true, "['mave', 'rmspbe']"},
            {"off_tabular", random_mdp + "features = 'tabular'\n", false, "['mave', 'rmspbe']"},
            {"on_binary", random_mdp + "features = 'binary'\n", true, "['mave', 'rmspbe']"},
            {"off_binary", random_mdp + "features = 'binary'\n", false, "['mave', 'rmspbe']"},
            {"baird", "domain = 'baird'\n", false, "['rmsve', 'rmspbe']"}};
}

// Every algorithm of the registry that fits, with step sizes from where hardly anything moves to where nearly
// everything diverges, some of it within the 64 steps after which a kernel looks for that. Step sizes of 3 to 8 are
// left out: with lambda = 1 and one-hot features the true-online methods then go through numbers that cancel later, to
// more than the digits of a double. The oracle's own true-online TD and ETD, one method on-policy, differ a
// hundredfold there.
std::string text_of(const Problem& problem) {
    std::string ids;
    for (const AlgorithmInfo& info : algorithm_table)
        if (problem.on_policy || !info.on_policy_only) ids += fmt::format("'{}', ", info.id);
    return fmt::format(
        "seed = 11\n[[settings]]\nid = 'a'\n{}policy = '{}'\nsteps = 150\nruns = 3\nmetrics = {}\nrecord = false\n"
        "grid = {{ alpha = [1e-4, 0.01, 0.1, 0.7, 1.6, 1e5], eta = [0.25, 4], lambda = [0, 0.7, 1], beta-scale = 0.4, "
        "regularization = 0.6, zeta = [0.3, 0.8], psi0 = 0.9, psi-max = 1.8, epsilon = [0.5, 3] }}\n"
        "algorithms = [{}]\n",
        problem.lines, problem.on_policy ? "on" : "off", problem.metrics, ids);
}

// ---- comparing

// WIS-TD forgets usage by 1 − recency·α·x_i², which is to be a factor from 0 to 1.
bool is_out_of_bounds(const Configuration& configuration) {
    return configuration.id == "wis-td" && configuration.parameters.recency * configuration.parameters.alpha > 1;
}

Comparison compare(const Study& study, const Store& store) {
    const Setting& setting = study.settings[0];
    const auto count = static_cast<std::uint32_t>(setting.configurations());
    Comparison comparison(setting.runs, 10);
    for (std::uint32_t instance = 0; instance < setting.instances; ++instance) {
        SlowInstance slow(study, 0, instance);
        const std::vector<ScoreSummary> stored =
            store.summaries(0, instance, 0, count, static_cast<std::uint32_t>(setting.metrics.size()));
        std::size_t number = 0;
        for (const AlgorithmGrid& grid : setting.algorithms)
            for (std::size_t c = 0; c < grid.configurations(); ++c, ++number) {
                const Configuration configuration = configuration_of(grid, c);
                if (is_out_of_bounds(configuration)) continue;
                const std::vector<Scores> expected = slow.scores(configuration);
                for (std::size_t m = 0; m < setting.metrics.size(); ++m)
                    comparison.compare(stored.at(m * count + number), expected[m],
                                       describe(configuration, id_of(setting.metrics[m].metric), instance),
                                       [&] { return slow.sensitivity(configuration, m); });
            }
    }
    return comparison;
}

class EndToEnd : public testing::TestWithParam<Problem> {
protected:
    TemporaryFolder folder;
    std::filesystem::path directory = folder.path();
};

INSTANTIATE_TEST_SUITE_P(Study, EndToEnd, testing::ValuesIn(problems()),
                         [](const auto& problem) { return problem.param.name; });

TEST_P(EndToEnd, AgreesWithTheOracle) {
    const std::string text = text_of(GetParam());
    const Study study = study_of(text);
    Store store = Store::create(directory, {"test", text, study.identity(), "0"});
    RunObserver nobody;
    run_study(study, store, {.threads = 2, .backend = &best_instruction_set(), .settings = {0}}, nobody);
    const Comparison comparison = compare(study, store);
    for (const Band& band : comparison.bands()) {
        RecordProperty(std::string(band.name) + "_compared", std::to_string(band.compared));
        RecordProperty(std::string(band.name) + "_worst", fmt::format("{:.3g}", band.worst));
        RecordProperty(std::string(band.name) + "_where", band.where);
        EXPECT_GT(band.compared, 20U) << band.name;
    }
    for (const std::string& id : comparison.decided_by_rounding())
        EXPECT_TRUE(id == "tidbd" || id == "auto-tidbd") << id << " has no step sizes that rounding could steer";
    RecordProperty("diverged", std::to_string(comparison.diverged()));
    EXPECT_GT(comparison.diverged(), 20U);
}

}  // namespace
}  // namespace bellwether::test
