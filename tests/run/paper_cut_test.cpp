// The study of the paper, cut to one instance and two runs: stored scores of a sample of its configurations against the
// slow account of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "files.hpp"
#include "run/run.hpp"
#include "slow_study.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t runs = 2;

Study cut_study() {
    Study study = read_study(BELLWETHER_SOURCE "/studies/white2016/study.toml");
    for (Setting& setting : study.settings) {
        setting.resize(1, runs);
        setting.record = false;
    }
    return study;
}

// A part of the grid that takes every value of every parameter: steps of a prime that divides no grid's size.
std::vector<std::size_t> sample_of(const AlgorithmGrid& grid) {
    constexpr std::size_t most = 100, prime = 7919;
    const std::size_t count = grid.configurations();
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < std::min(most, count); ++k) numbers.push_back(k * prime % count);
    return numbers;
}

// Step sizes of 3 to 8 are beyond what can be compared for these: see end_to_end_test.cpp.
bool is_ill_conditioned(const Configuration& configuration) {
    return configuration.id.starts_with("to-") && configuration.parameters.alpha > 3;
}

// One setting, metric by metric.
class CutSetting {
public:
    CutSetting(const Study& study, std::uint32_t number, const Store& store)
        : setting_(study.settings[number]), number_(number), store_(store), slow_(study, number, 0) {
        for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
            comparisons_.emplace_back(runs, initial_error(study, setting_.metrics[m].metric));
    }

    void compare(std::size_t algorithm) {
        const AlgorithmGrid& grid = setting_.algorithms[algorithm];
        const std::uint32_t first = setting_.first_configurations()[algorithm];
        for (const std::size_t c : sample_of(grid)) {
            const Configuration configuration = configuration_of(grid, c);
            if (is_ill_conditioned(configuration)) continue;
            const std::vector<ScoreSummary> stored = store_.summaries(
                number_, 0, first + static_cast<std::uint32_t>(c), 1, static_cast<std::uint32_t>(comparisons_.size()));
            const std::vector<Scores> expected = slow_.scores(configuration);
            for (std::size_t m = 0; m < comparisons_.size(); ++m)
                comparisons_[m].compare(stored.at(m), expected.at(m),
                                        describe(configuration, id_of(setting_.metrics[m].metric), 0));
        }
    }
    const std::vector<Comparison>& comparisons() const { return comparisons_; }

private:
    // Learning that never got worse than w_0 has been stable; what grows beyond it lets rounding grow too.
    double initial_error(const Study& study, Metric metric) const {
        const FiniteMdp mdp = setting_.problem.make(study.seed, 0, 0);
        return error_of(metric, ExactSolution(mdp, 0), Vec(mdp.initial_weights().begin(), mdp.initial_weights().end()));
    }

    const Setting& setting_;
    std::uint32_t number_;
    const Store& store_;
    SlowInstance slow_;
    std::vector<Comparison> comparisons_;
};

class PaperCut : public testing::TestWithParam<std::uint32_t> {
protected:
    TemporaryFolder folder;
    std::filesystem::path directory = folder.path();
};

std::string name_of_setting(const testing::TestParamInfo<std::uint32_t>& parameter) {
    const std::vector<std::string> names{"on_tabular",  "on_aliased", "on_binary", "off_tabular",
                                         "off_aliased", "off_binary", "baird"};
    return names.at(parameter.param);
}

INSTANTIATE_TEST_SUITE_P(Settings, PaperCut, testing::Range(0U, 7U), name_of_setting);

TEST_P(PaperCut, AgreesWithTheSlowAccount) {
    const Study study = cut_study();
    ASSERT_EQ(study.settings.size(), 7U);
    const std::uint32_t number = GetParam();
    const Setting& setting = study.settings[number];
    Store store = Store::create(directory, {study.name, study.text, study.identity(), "0"});
    RunObserver nobody;
    const RunReport report =
        run_study(study, store, {.threads = 2, .backend = &best_instruction_set(), .settings = {number}}, nobody);
    EXPECT_EQ(report.agent_steps, setting.configurations() * setting.steps * runs);
    CutSetting cut(study, number, store);
    for (std::size_t a = 0; a < setting.algorithms.size(); ++a) cut.compare(a);
    for (std::size_t m = 0; m < setting.metrics.size(); ++m) {
        const Comparison& comparison = cut.comparisons()[m];
        const std::string metric(id_of(setting.metrics[m].metric));
        for (const Band& band : comparison.bands()) {
            RecordProperty(fmt::format("{}_{}_compared", metric, band.name), std::to_string(band.compared));
            RecordProperty(fmt::format("{}_{}_worst", metric, band.name), fmt::format("{:.3g}", band.worst));
            RecordProperty(fmt::format("{}_{}_where", metric, band.name), band.where);
            EXPECT_GT(band.compared, 20U) << band.name;
        }
        RecordProperty(metric + "_diverged", std::to_string(comparison.diverged()));
        RecordProperty(metric + "_near_the_end", std::to_string(comparison.near_the_end()));
        EXPECT_LT(comparison.near_the_end(), 30U) << "of about a thousand";
    }
}

}  // namespace
}  // namespace bellwether::test
