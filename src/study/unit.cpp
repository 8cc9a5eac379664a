#include "study/unit.hpp"

#include <algorithm>
#include <numeric>

namespace bellwether {

namespace {

// A part of a unit is a multiple of what any kernel moves together and takes some milliseconds.
constexpr std::size_t lanes_multiple = 32;
constexpr std::size_t agent_steps_of_part = 4'000'000;

std::size_t part_size(std::size_t steps) {
    return std::clamp(agent_steps_of_part / steps / lanes_multiple * lanes_multiple, lanes_multiple,
                      most_configurations_of_unit);
}

void plan_setting(const Setting& setting, std::uint32_t number, std::uint32_t instance, std::vector<Unit>& units) {
    const std::vector<std::uint32_t> firsts = setting.first_configurations();
    for (std::size_t a = 0; a < setting.algorithms.size(); ++a) {
        const std::size_t configurations = setting.algorithms[a].configurations();
        for (std::size_t first = 0; first < configurations; first += most_configurations_of_unit)
            units.push_back(
                {.setting = number,
                 .algorithm = static_cast<std::uint32_t>(a),
                 .instance = instance,
                 .first = static_cast<std::uint32_t>(first),
                 .first_configuration = static_cast<std::uint32_t>(firsts[a] + first),
                 .count = static_cast<std::uint32_t>(std::min(most_configurations_of_unit, configurations - first))});
    }
}

}  // namespace

std::vector<Unit> plan_units(const Study& study) {
    std::vector<std::uint32_t> order(study.settings.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return study.settings[a].runs * study.settings[a].steps > study.settings[b].runs * study.settings[b].steps;
    });
    std::size_t instances = 0;
    for (const Setting& setting : study.settings) instances = std::max(instances, setting.instances);
    std::vector<Unit> units;
    for (std::uint32_t instance = 0; instance < instances; ++instance)
        for (const std::uint32_t s : order)
            if (instance < study.settings[s].instances) plan_setting(study.settings[s], s, instance, units);
    return units;
}

UnitWork::UnitWork(InstanceCache& instances, LaneKernel* kernel, const Unit& unit, UnitResult so_far)
    : setting_(instances.study().settings[unit.setting]), result_(std::move(so_far)) {
    std::vector<std::size_t> configurations(unit.count);
    std::iota(configurations.begin(), configurations.end(), std::size_t{unit.first});
    const std::size_t size = part_size(setting_.steps);
    for (std::size_t first = 0; first < configurations.size(); first += size)
        trials_.emplace_back(instances, kernel, unit.setting, unit.algorithm, unit.instance,
                             std::span(configurations).subspan(first, std::min(size, configurations.size() - first)));
}

bool UnitWork::done() const {
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m)) return false;
    return true;
}

bool UnitWork::run_next(const std::atomic<bool>& stop) {
    std::uint64_t run = UINT64_MAX;
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m)) run = std::min(run, runs_done(m));
    std::vector<std::size_t> metrics;
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m) && runs_done(m) == run) metrics.push_back(m);
    for (Trial& trial : trials_) {
        if (stop) return false;
        trial.run(static_cast<std::uint32_t>(run), metrics);
    }
    for (std::size_t place = 0; place < metrics.size(); ++place) add_scores(metrics[place], place);
    result_.runs = std::max(result_.runs, run + 1);
    if (done()) result_.runs = std::max<std::uint64_t>(result_.runs, setting_.runs);
    return true;
}

void UnitWork::add_scores(std::size_t metric, std::size_t place) {
    ScoreSummary* summary = result_.summaries.data() + metric * result_.configurations;
    for (const Trial& trial : trials_)
        for (std::size_t c = 0; c < trial.configurations(); ++c)
            (summary++)->add(trial.score(place, c), trial.initial_error(metric, c));
}

std::uint64_t missing_runs(const Setting& setting, const std::vector<std::uint64_t>& runs_of_metrics) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> missing;
    for (std::size_t m = 0; m < setting.metrics.size(); ++m)
        if (runs_of_metrics[m] < setting.metrics[m].runs)
            missing.emplace_back(runs_of_metrics[m], setting.metrics[m].runs);
    std::sort(missing.begin(), missing.end());
    std::uint64_t count = 0, covered = 0;
    for (const auto& [first, end] : missing) {
        count += end - std::min(end, std::max(first, covered));
        covered = std::max(covered, end);
    }
    return count;
}

}  // namespace bellwether
