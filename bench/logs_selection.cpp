// How well `bellwether tune` chooses: problems whose values are known exactly. The true error of a configuration is
// that of its predictions before each update, over the last half of a log. Regret: the mean error of those that were
// chosen, over that of the one configuration that is best on average, less 1. Prints tables in Markdown:
// bellwether_logs_selection PROBLEMS.json [LOGS]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "logs/tuning.hpp"
#include "logs_problems.hpp"
#include "stream/stream_sweep.hpp"

namespace bench {
namespace {

using namespace bellwether;

// By configuration in the order of the grid.
std::vector<double> true_errors(const Problem& problem, Log log, const std::vector<std::size_t>& states,
                                const std::vector<AlgorithmGrid>& grids) {
    std::vector<double> values;
    for (const std::size_t state : states) values.push_back(problem.values[state]);
    log.features.resize(log.features.size() + log.dimension);  // after the last step, which ends an episode
    StreamView stream{.steps = log.rows(),
                      .x = {LaneFeatures::Kind::dense, log.dimension, nullptr, nullptr, log.features.data()},
                      .x_next = {},
                      .reward = {log.reward.data()},
                      .gamma = {log.gamma.data()},
                      .rho = {log.rho.data()}};
    stream.x_next = rows_from(stream.x, 1);
    return sweep_stream(stream, grids, {.by_step = values.data()}, {.metric = StreamMetric::rmse}).scores;
}

std::size_t place_of(const TunedConfiguration& chosen, const std::vector<AlgorithmGrid>& grids) {
    std::size_t before = 0;
    for (const AlgorithmGrid& grid : grids) {
        std::vector<double> parameters(grid.info->parameters.size());
        for (std::size_t c = 0; c < grid.configurations(); ++c) {
            grid.parameters(c, parameters);
            if (grid.info == chosen.algorithm && parameters == chosen.parameters) return before + c;
        }
        before += grid.configurations();
    }
    return before;
}

struct Result {
    double regret, told;  // share of logs that can tell
};

Result study(const Problem& problem, std::size_t episodes, std::size_t logs) {
    std::vector<double> sums;
    double chosen = 0, told = 0;
    for (std::size_t k = 0; k < logs; ++k) {
        std::vector<std::size_t> states;
        const Log log = sample(problem, episodes, 2000 * episodes + k, &states);
        const Tuning tuning = tune(log, {});
        const std::vector<AlgorithmGrid> grids = tuning_grid(log, {}, tuning.alpha_scale);
        const std::vector<double> errors = true_errors(problem, log, states, grids);
        sums.resize(errors.size());
        for (std::size_t c = 0; c < errors.size(); ++c) sums[c] += errors[c];
        chosen += errors[place_of(tuning.best(), grids)];
        told += tuning.can_tell() ? 1 : 0;
    }
    return {chosen / *std::min_element(sums.begin(), sums.end()) - 1, told / static_cast<double>(logs)};
}

int run(const std::string& path, std::size_t logs) {
    fmt::print("| problem | episodes | regret | could tell |\n|---|--:|--:|--:|\n");
    for (const std::size_t episodes : {50, 200}) {
        std::vector<double> regrets;
        for (const Problem& problem : problems_of(path)) {
            const bool drowned = problem.is_part_of("drowned") && episodes == 50;
            if (!problem.is_part_of("learning") && !drowned) continue;
            const Result result = study(problem, episodes, logs);
            fmt::print("| {}{} | {} | {:.2f} | {:.0f}% |\n", problem.name, drowned ? " (drowned in noise)" : "",
                       episodes, result.regret, 100 * result.told);
            std::fflush(stdout);
            if (!drowned) regrets.push_back(result.regret);
        }
        std::sort(regrets.begin(), regrets.end());
        fmt::print("| median, worst | {} | {:.2f}, {:.2f} | |\n", episodes, regrets[regrets.size() / 2],
                   regrets.back());
    }
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: bellwether_logs_selection PROBLEMS.json [LOGS]\n");
        return 2;
    }
    return bench::run(argv[1], argc > 2 ? static_cast<std::size_t>(std::strtoul(argv[2], nullptr, 10)) : 30);
}
