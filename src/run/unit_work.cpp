#include "run/unit_work.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace bellwether {

namespace {

// A part of a unit is a multiple of what any kernel moves together and takes some milliseconds.
constexpr std::size_t lanes_multiple = 32;
constexpr std::size_t agent_steps_of_part = 4'000'000;

std::size_t part_size(std::size_t steps) {
    return std::clamp(agent_steps_of_part / steps / lanes_multiple * lanes_multiple, lanes_multiple,
                      most_configurations_of_unit);
}

}  // namespace

UnitWork::UnitWork(InstanceCache& instances, const Backend* backend, const Unit& unit, UnitResult so_far)
    : setting_(instances.study().settings[unit.setting]), result_(std::move(so_far)) {
    std::vector<std::size_t> configurations(unit.count);
    std::iota(configurations.begin(), configurations.end(), std::size_t{unit.first});
    const std::size_t size = part_size(setting_.steps);
    for (std::size_t first = 0; first < configurations.size(); first += size)
        blocks_.emplace_back(instances, backend, unit.setting, unit.algorithm, unit.instance,
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
    for (ConfigurationBlock& block : blocks_) {
        if (stop) return false;
        block.run(static_cast<std::uint32_t>(run), metrics);
    }
    for (std::size_t place = 0; place < metrics.size(); ++place) add_scores(metrics[place], place);
    result_.runs = std::max(result_.runs, run + 1);
    if (done()) result_.runs = std::max<std::uint64_t>(result_.runs, setting_.runs);
    return true;
}

void UnitWork::add_scores(std::size_t metric, std::size_t place) {
    ScoreSummary* summary = result_.summaries.data() + metric * result_.configurations;
    for (const ConfigurationBlock& block : blocks_)
        for (std::size_t c = 0; c < block.configurations(); ++c)
            (summary++)->add(block.score(place, c), block.initial_error(metric, c));
}

}  // namespace bellwether
