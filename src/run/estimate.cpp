#include "run/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>

#include "plan/unit.hpp"
#include "run/configuration_block.hpp"
#include "run/recording.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"

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

double memory_of_run(const Study& study, const std::vector<std::size_t>& settings, std::size_t threads, bool record) {
    constexpr double program = 20e6, of_thread = 2e6;
    constexpr double of_step = 5 * sizeof(double) + sizeof(std::uint32_t);  // of a trajectory
    constexpr double of_measurement = 6 * sizeof(double);                   // the curve, its summary, as it is stored
    double most = 0;
    for (const std::size_t s : settings) {
        const Setting& setting = study.settings[s];
        const bool has_curves = record && setting.record;
        most = std::max(most, of_step * static_cast<double>(setting.steps) +
                                  (has_curves ? of_measurement * static_cast<double>(setting.measurements()) : 0));
    }
    return program + count_units(study) * bytes_of_planned_unit + static_cast<double>(threads) * (most + of_thread);
}

void refuse_too_large(const Study& study, const std::vector<std::size_t>& settings, std::size_t threads, bool record) {
    for (const std::size_t s : settings) {
        const Setting& setting = study.settings[s];
        if (record && setting.record && setting.measurements() > most_measurements_of_curve)
            throw UsageError(fmt::format(
                "setting '{}': a learning curve of {} measurements does not fit into a store, which takes {}: measure "
                "more rarely, or run without curves (record = false, --no-record)",
                setting.id, setting.measurements(), most_measurements_of_curve));
    }
    const double needed = memory_of_run(study, settings, threads, record);
    if (const double there = memory_of_machine(); needed > there)
        throw UsageError(fmt::format("the study needs {:.3g} GB of memory with {} thread{}; this machine has {:.3g} GB",
                                     needed / 1e9, threads, threads == 1 ? "" : "s", there / 1e9));
}

}  // namespace bellwether
