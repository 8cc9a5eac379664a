#include "plan/study.hpp"

#include <algorithm>

namespace bellwether {

FiniteMdp Problem::make(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, std::size_t question) const {
    if (requests_.empty()) return *models_[question];
    DomainRequest request = requests_[question];
    request.seed = seed;
    request.instance = instance;
    request.run = run;
    return make_domain(request);
}

std::size_t Setting::configurations() const {
    std::size_t sum = 0;
    for (const AlgorithmGrid& grid : algorithms) sum += grid.configurations();
    return sum;
}

std::vector<std::uint32_t> Setting::first_configurations() const {
    std::vector<std::uint32_t> firsts;
    std::size_t sum = 0;
    for (const AlgorithmGrid& grid : algorithms) {
        firsts.push_back(static_cast<std::uint32_t>(sum));
        sum += grid.configurations();
    }
    return firsts;
}

void Setting::resize(std::optional<std::size_t> to_instances, std::optional<std::size_t> to_runs) {
    if (to_instances && problem.has_instances()) instances = *to_instances;
    if (!to_runs) return;
    for (ScoredMetric& scored : metrics) scored.runs = scored.runs == runs ? *to_runs : std::min(scored.runs, *to_runs);
    if (fresh_runs == runs) fresh_runs = *to_runs;
    runs = *to_runs;
}

void Setting::take_cut() {
    const auto at_most = [](const std::optional<std::size_t>& most, std::size_t count) {
        return std::min(most.value_or(count), count);
    };
    resize(at_most(cut.instances, instances), at_most(cut.runs, runs));
}

std::vector<std::string_view> Study::parameter_names() const {
    const auto has = [](const Setting& setting, std::string_view parameter) {
        return std::any_of(setting.algorithms.begin(), setting.algorithms.end(),
                           [&](const AlgorithmGrid& grid) { return grid.info->find(parameter) != nullptr; });
    };
    std::vector<std::string_view> names;
    for (const std::string_view parameter : grid_parameter_names())
        if (std::any_of(settings.begin(), settings.end(), [&](const Setting& s) { return has(s, parameter); }))
            names.push_back(parameter);
    return names;
}

}  // namespace bellwether
