#include "report/log_pages.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "analysis/tuning.hpp"
#include "logs/evaluation_json.hpp"
#include "logs/tuning_text.hpp"
#include "report/page.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

namespace {

using Json = PageJson;

// Of a path its last part.
std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

// ---- evaluation ----

constexpr std::size_t most_states = 200;   // of the most frequent ones, or of those asked for
constexpr std::size_t most_features = 40;  // of a state, those that are not 0

Json state_values(const PolicyEvaluation& evaluation) {
    Json list = Json::array();
    for (const StateValue& state : evaluation.values) {
        if (list.size() == most_states) break;
        Json features = Json::array();
        std::size_t others = 0;
        for (std::size_t j = 0; j < state.x.size(); ++j) {
            if (state.x[j] == 0) continue;
            if (features.size() < most_features)
                features.push_back(Json::array({j, page_number(state.x[j])}));
            else
                ++others;
        }
        list.push_back({{"features", std::move(features)},
                        {"others", others},
                        {"count", state.count},
                        {"value", page_number(state.value)},
                        {"se", page_number(state.se)}});
    }
    return list;
}

// Every step of short segments; of long ones the first hundred, and then steps a hundredth apart.
Json effective_sample(const PolicyEvaluation& evaluation) {
    const std::size_t longest = evaluation.effective_sample.size();
    Json list = Json::array();
    for (std::size_t step = 1; step <= longest; step += std::max<std::size_t>(1, step / 100))
        list.push_back(Json::array({step, page_number(evaluation.effective_sample[step - 1])}));
    if (longest > 0 && list.back()[0] != longest)
        list.push_back(Json::array({longest, page_number(evaluation.effective_sample.back())}));
    return list;
}

Json drifts(const PolicyEvaluation& evaluation) {
    Json list = Json::array();
    for (const NamedDrift& named : evaluation.drifts)
        list.push_back({{"of", named.of},
                        {"statistic", page_number(named.drift.statistic)},
                        {"segment", named.drift.segment},
                        {"path", page_numbers(named.drift.path)}});
    return list;
}

// ---- tuning ----

// The scores of an algorithm over the grid that its configurations make.
struct ScoredGrid {
    AlgorithmGrid grid;
    std::vector<double> scores;
    std::size_t best;
};

std::size_t configuration_of(const AlgorithmGrid& grid, const std::vector<double>& parameters) {
    std::size_t configuration = 0;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const auto found = std::lower_bound(grid.values[p].begin(), grid.values[p].end(), parameters[p]);
        configuration += grid.stride(p) * static_cast<std::size_t>(found - grid.values[p].begin());
    }
    return configuration;
}

ScoredGrid scored_grid(const std::vector<const TunedConfiguration*>& configurations) {
    const AlgorithmInfo& info = *configurations.front()->algorithm;
    ScoredGrid scored{{&info, std::vector<std::vector<double>>(info.parameters.size())}, {}, 0};
    for (std::size_t p = 0; p < info.parameters.size(); ++p) {
        std::vector<double>& values = scored.grid.values[p];
        for (const TunedConfiguration* one : configurations) values.push_back(one->parameters[p]);
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    scored.scores.resize(scored.grid.configurations(), std::numeric_limits<double>::infinity());
    for (const TunedConfiguration* one : configurations)
        scored.scores[configuration_of(scored.grid, one->parameters)] = one->score;
    scored.best = configuration_of(scored.grid, configurations.front()->parameters);  // the best one comes first
    return scored;
}

Json result_of(const ScoredGrid& scored, std::size_t algorithm, const std::vector<std::string_view>& names) {
    Json grid = Json::array(), edges = Json::array();
    for (std::size_t p = 0; p < scored.grid.values.size(); ++p) {
        const auto found = std::find(names.begin(), names.end(), scored.grid.info->parameters[p].name);
        grid.push_back({{"parameter", found - names.begin()}, {"values", scored.grid.values[p]}});
        edges.push_back(name_of(grid_edge(scored.grid, scored.best, p)));
    }
    return {{"algorithm", algorithm},
            {"grid", std::move(grid)},
            {"scores", page_numbers(scored.scores)},
            {"best", scored.best},
            {"edges", std::move(edges)}};
}

}  // namespace

std::string evaluation_page(const PolicyEvaluation& evaluation, const std::string& program) {
    return fill_page(file_name(evaluation.name), {{"format", 1},
                                                  {"kind", "evaluation"},
                                                  {"program", program},
                                                  {"evaluation", Json::parse(evaluation_json(evaluation))},
                                                  {"effectiveSample", effective_sample(evaluation)},
                                                  {"leastEffective", least_effective},
                                                  {"ratios",
                                                   {{"perDoubling", RatioHistogram::per_doubling},
                                                    {"doublings", RatioHistogram::doublings},
                                                    {"zeros", evaluation.histogram.zeros},
                                                    {"counts", evaluation.histogram.counts}}},
                                                  {"values", state_values(evaluation)},
                                                  {"drift", drifts(evaluation)},
                                                  {"driftLimit", drift_limit},
                                                  {"balanceLimit", balance_limit},
                                                  {"memoryLimit", memory_limit}});
}

std::string tuning_page(const Tuning& tuning, const std::string& program) {
    std::vector<const AlgorithmInfo*> algorithms;  // the best first
    std::map<const AlgorithmInfo*, std::vector<const TunedConfiguration*>> configurations;
    std::vector<std::string_view> names;
    for (const TunedConfiguration& one : tuning.configurations) {
        if (configurations[one.algorithm].empty()) algorithms.push_back(one.algorithm);
        configurations[one.algorithm].push_back(&one);
        for (const ParameterInfo& parameter : one.algorithm->parameters)
            if (std::find(names.begin(), names.end(), parameter.name) == names.end()) names.push_back(parameter.name);
    }
    Json styles = Json::array(), parameters = Json::array(), results = Json::array();
    for (const std::string_view name : names) parameters.push_back(page_parameter(name, algorithms));
    for (std::size_t k = 0; k < algorithms.size(); ++k) {
        styles.push_back(page_algorithm(*algorithms[k]));
        results.push_back(result_of(scored_grid(configurations[algorithms[k]]), k, names));
    }
    return fill_page(file_name(tuning.name), {{"format", 1},
                                              {"kind", "tuning"},
                                              {"program", program},
                                              {"tuning", Json::parse(tuning_json(tuning))},
                                              {"command", learn_command(tuning)},
                                              {"algorithms", std::move(styles)},
                                              {"parameters", std::move(parameters)},
                                              {"results", std::move(results)}});
}

}  // namespace bellwether
