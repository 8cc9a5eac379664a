#include "plan/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "support/error.hpp"
#include "support/machine.hpp"

namespace bellwether {

namespace {

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

void refuse_too_large(double units) {
    const double needed = units * bytes_of_planned_unit;
    if (const double there = memory_of_machine(); needed > there)
        throw UsageError(
            fmt::format("the study has {:.3g} units of work (512 configurations of an algorithm in one "
                        "instance), a plan of which needs {:.3g} GB of memory; this machine has {:.3g} GB",
                        units, needed / 1e9, there / 1e9));
}

}  // namespace

double count_units(const Study& study) {
    double units = 0;
    for (const Setting& setting : study.settings)
        for (const AlgorithmGrid& grid : setting.algorithms)
            units += static_cast<double>(setting.instances) * static_cast<double>(units_of(grid.configurations()));
    return units;
}

std::vector<Unit> plan_units(const Study& study) {
    refuse_too_large(count_units(study));
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
