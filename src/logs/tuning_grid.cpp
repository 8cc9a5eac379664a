// What `tune` tries.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/catalogue.hpp"
#include "logs/tuning.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

std::vector<AlgorithmGrid> chosen_grid(const TuningOptions& options, double alpha_scale, bool off_policy) {
    if (!options.grids.empty()) return options.grids;
    std::vector<std::string> ids = options.algorithms;
    if (ids.empty() && off_policy) ids = {"off-policy-td", "vtrace", "gtd", "tdrc", "htd", "to-htd", "to-etd-beta"};
    if (ids.empty()) ids = {"td", "to-td", "gtd", "tdrc", "htd", "to-htd"};
    std::vector<const AlgorithmInfo*> algorithms;
    for (const std::string& id : ids) algorithms.push_back(&algorithm_named(id));
    ParameterValues alpha{"alpha", {}};
    for (int j = 0; j < 12; ++j) alpha.values.push_back(std::ldexp(1.0, -j) / alpha_scale);
    std::vector<ParameterValues> values{alpha, {"eta", {1.0 / 16, 1}}, {"lambda", {0, 0.5, 0.8, 0.95, 1}}};
    // A part of the grid that nobody has a use for is left out; one that was asked for is refused by grids_of.
    std::erase_if(values, [&](const ParameterValues& part) {
        return std::none_of(algorithms.begin(), algorithms.end(), [&](const auto* a) { return a->find(part.name); });
    });
    for (const ParameterValues& given : options.values) {
        const auto found =
            std::find_if(values.begin(), values.end(), [&](const auto& part) { return part.name == given.name; });
        if (found == values.end())
            values.push_back(given);
        else
            *found = given;
    }
    return grids_of(algorithms, values);
}

}  // namespace

std::vector<AlgorithmGrid> tuning_grid(const Log& log, const TuningOptions& options, double alpha_scale) {
    bool off_policy = false;
    for_each_step(log, [&](std::size_t row) { off_policy = off_policy || log.rho[row] != 1; });
    std::vector<AlgorithmGrid> grids = chosen_grid(options, alpha_scale, off_policy);
    for (const AlgorithmGrid& grid : grids)
        if (off_policy && grid.info->on_policy_only)
            throw UsageError(
                fmt::format("{}: {} learns on-policy only, and rho is not 1 in every step", log.name, grid.info->id));
    return grids;
}

}  // namespace bellwether
