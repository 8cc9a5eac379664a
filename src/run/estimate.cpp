#include "run/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>

#include "plan/unit.hpp"
#include "run/configuration_block.hpp"

namespace bellwether {

namespace {

constexpr std::size_t configurations_to_try = 64;
constexpr std::size_t steps_to_try = 500;
// Where so many steps take longer than this, as with least squares of many features, fewer must do.
constexpr double long_run = 0.02;
constexpr std::size_t least_steps = 8;

// A backend that takes much at once gets as much as in a unit.
std::vector<std::size_t> spread(std::size_t count, const Backend& backend, bool full_lanes) {
    const std::size_t most = backend.agent_steps_at_once() > 0 ? most_configurations_of_unit : configurations_to_try;
    const std::size_t tried = full_lanes ? most : std::min(count, most);
    std::vector<std::size_t> configurations;
    for (std::size_t k = 0; k < tried; ++k) configurations.push_back(k * count / tried);
    return configurations;
}

double measure(InstanceCache& instances, const Backend* backend, std::size_t s, std::size_t algorithm, double seconds,
               bool full_lanes) {
    using Clock = std::chrono::steady_clock;
    const Setting& setting = instances.study().settings[s];
    const std::vector<std::size_t> configurations =
        spread(setting.algorithms[algorithm].configurations(), *backend, full_lanes);
    std::vector<std::size_t> metrics(setting.metrics.size());
    std::iota(metrics.begin(), metrics.end(), std::size_t{0});
    ConfigurationBlock block(instances, backend, s, algorithm, 0, configurations);
    const std::size_t runs_of_batch = runs_at_once(*backend, setting, configurations.size(), setting.runs);
    // A device is waited for; the processor's own time is what it takes beside other work, too.
    const bool waits = backend->agent_steps_at_once() > 0;
    const bool whole = setting.episodes > 0 || waits;
    std::size_t runs = 0;
    const auto seconds_of = [&](std::size_t steps) {
        const auto start = Clock::now();
        const std::clock_t processor_start = std::clock();
        block.run(static_cast<std::uint32_t>(runs), runs_of_batch, metrics,
                  whole ? std::nullopt : std::optional(steps));
        runs += runs_of_batch;
        return waits ? std::chrono::duration<double>(Clock::now() - start).count()
                     : static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
    };
    seconds_of(1);  // everything is made and in the caches now
    std::size_t steps = whole ? setting.steps : std::min(setting.steps, least_steps);
    double took = 0, done = 0;
    const auto run = [&] {
        took += seconds_of(steps);
        done += static_cast<double>(runs_of_batch * steps * configurations.size());
    };
    if (!whole) {
        run();
        if (took < long_run) {
            const auto fit_in = static_cast<std::size_t>(long_run / std::max(took, 1e-6) * static_cast<double>(steps));
            steps = std::max(steps, std::min({setting.steps, steps_to_try, fit_in}));
            took = done = 0;
        }
    }
    while (done == 0 || took < seconds) run();
    return took / done;
}

}  // namespace

std::vector<std::vector<double>> measure_costs(const Study& study, const Backend* backend,
                                               const std::vector<std::size_t>& settings, double seconds,
                                               bool full_lanes) {
    std::size_t kernels = 0;
    for (const std::size_t s : settings) kernels += study.settings[s].algorithms.size();
    InstanceCache instances(study);
    std::vector<std::vector<double>> costs(study.settings.size());
    for (const std::size_t s : settings)
        for (std::size_t a = 0; a < study.settings[s].algorithms.size(); ++a)
            costs[s].push_back(measure(instances, backend, s, a, seconds / static_cast<double>(kernels), full_lanes));
    return costs;
}

}  // namespace bellwether
