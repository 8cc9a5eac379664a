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

std::size_t part_size(std::size_t steps, const Backend& backend) {
    if (backend.agent_steps_at_once() > 0) return most_configurations_of_unit;
    return std::clamp(agent_steps_of_part / steps / lanes_multiple * lanes_multiple, lanes_multiple,
                      most_configurations_of_unit);
}

}  // namespace

UnitWork::UnitWork(InstanceCache& instances, const Backend* backend, const Unit& unit, UnitResult so_far)
    : setting_(instances.study().settings[unit.setting]),
      backend_(backend),
      result_(std::move(so_far)),
      kept_(setting_.metrics.size()) {
    // Medians of fewer runs are of no use.
    if (setting_.aggregate == Aggregate::median)
        for (std::size_t m = 0; m < kept_.size(); ++m)
            if (!is_done(m))
                std::fill_n(result_.summaries.begin() + static_cast<std::ptrdiff_t>(m * result_.configurations),
                            result_.configurations, ScoreSummary{});
    std::vector<std::size_t> configurations(unit.count);
    std::iota(configurations.begin(), configurations.end(), std::size_t{unit.first});
    const std::size_t size = part_size(setting_.steps, *backend);
    for (std::size_t first = 0; first < configurations.size(); first += size)
        blocks_.emplace_back(instances, backend, unit.setting, unit.algorithm, unit.instance,
                             std::span(configurations).subspan(first, std::min(size, configurations.size() - first)));
}

bool UnitWork::done() const {
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m)) return false;
    return true;
}

std::size_t UnitWork::run_next(const std::atomic<bool>& stop) {
    std::uint64_t run = UINT64_MAX;
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m)) run = std::min(run, runs_done(m));
    // The metrics that need it, and the runs that all of these need and no other.
    std::vector<std::size_t> metrics;
    std::uint64_t end = UINT64_MAX;
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m) {
        if (is_done(m)) continue;
        if (runs_done(m) == run) metrics.push_back(m);
        end = std::min(end, runs_done(m) == run ? setting_.metrics[m].runs : runs_done(m));
    }
    const std::size_t runs = runs_at_once(*backend_, setting_, result_.configurations, end - run);
    for (ConfigurationBlock& block : blocks_) {
        if (stop) return 0;
        block.run(static_cast<std::uint32_t>(run), runs, metrics);
    }
    for (std::size_t place = 0; place < metrics.size(); ++place)
        for (std::size_t n = 0; n < runs; ++n) add_scores(metrics[place], place, n);
    result_.runs = std::max(result_.runs, run + runs);
    if (done()) result_.runs = std::max<std::uint64_t>(result_.runs, setting_.runs);
    return runs;
}

void UnitWork::add_scores(std::size_t metric, std::size_t place, std::size_t run) {
    if (setting_.aggregate == Aggregate::median) return keep_scores(metric, place, run);
    ScoreSummary* summary = result_.summaries.data() + metric * result_.configurations;
    for (const ConfigurationBlock& block : blocks_)
        for (std::size_t c = 0; c < block.configurations(); ++c)
            (summary++)->add(block.score(place, c, run), block.initial_error(metric, c));
}

void UnitWork::keep_scores(std::size_t metric, std::size_t place, std::size_t run) {
    std::vector<double>& kept = kept_[metric];
    for (const ConfigurationBlock& block : blocks_)
        for (std::size_t c = 0; c < block.configurations(); ++c) kept.push_back(block.score(place, c, run));
    const std::size_t width = result_.configurations, runs = kept.size() / width;
    if (runs < setting_.metrics[metric].runs) return;
    ScoreSummary* summary = result_.summaries.data() + metric * width;
    std::vector<double> scores(runs);
    std::size_t number = 0;
    for (const ConfigurationBlock& block : blocks_)
        for (std::size_t c = 0; c < block.configurations(); ++c, ++number) {
            for (std::size_t r = 0; r < runs; ++r) scores[r] = kept[r * width + number];
            summary[number] = ScoreSummary::of_median(scores, block.initial_error(metric, c));
        }
    kept.clear();
}

}  // namespace bellwether
