#include "cli/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/device/kernel_data.hpp"
#include "plan/stored_scores.hpp"
#include "run/estimate.hpp"
#include "run/recording.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

constexpr double seconds_to_calibrate = 1;
constexpr double seconds_for_list = 0.02;  // of each study
constexpr double bytes_of_score = 43;      // a row of the table scores

double number(std::size_t count) {
    return static_cast<double>(count);
}

std::string bytes_text(double bytes) {
    if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
    if (bytes >= 1e6) return fmt::format("{:.0f} MB", bytes / 1e6);
    return fmt::format("{:.0f} kB", std::max(1.0, bytes / 1e3));
}

double agent_steps_of(const Setting& setting) {
    return number(setting.configurations()) * number(setting.instances) * number(setting.runs) * number(setting.steps);
}

std::size_t runs_of_recording(const Setting& setting, const ScoredMetric& scored) {
    return scored.runs + setting.fresh_runs;
}

double bytes_on_disk(const Setting& setting, bool record) {
    const double instances = number(setting.instances);
    double bytes = number(setting.configurations() * stored_scores(setting)) * instances * bytes_of_score;
    if (!record || !setting.record) return bytes;
    for (const ScoredMetric& scored : setting.metrics)
        bytes += number(setting.algorithms.size()) * instances * sizeof(double) *
                 (number(runs_of_recording(setting, scored)) + 4 * number(setting.measurements() + 1));
    return bytes;
}

// The share of the recordings that is not there. Before the sweep is done the best configurations are not known.
double missing_share(const Study& study, const Store* store, const std::vector<std::size_t>& settings, bool swept) {
    if (!store || !swept) return 1;
    const std::vector<PlannedRecording> planned = plan_recordings(*store, study, settings);
    const auto missing = std::count_if(planned.begin(), planned.end(), [&](const PlannedRecording& p) {
        return store->recorded_runs(p.key).value_or(0) < p.runs;
    });
    return planned.empty() ? 0 : static_cast<double>(missing) / number(planned.size());
}

// Recording moves one configuration where the sweep moves a pack of them.
double seconds_of_recording(const Setting& setting, const std::vector<double>& costs, std::size_t lanes) {
    double seconds = 0;
    for (const ScoredMetric& scored : setting.metrics)
        for (std::size_t a = 0; a < costs.size(); ++a)
            seconds += costs[a] * number(std::min(lanes, setting.algorithms[a].configurations())) *
                       number(setting.steps) * number(setting.instances) * number(runs_of_recording(setting, scored));
    return seconds;
}

using StudyCosts = std::vector<std::vector<double>>;  // as measure_costs has them

// What is pending, and all recordings.
WorkEstimate work_by(const StudyCosts& costs, const Study& study, const std::vector<std::size_t>& settings,
                     const std::vector<PendingUnit>& pending, std::size_t lanes, bool record) {
    WorkEstimate seconds;
    for (const PendingUnit& p : pending)
        seconds.sweep += agent_steps(study, p) * costs[p.unit.setting][p.unit.algorithm];
    for (const std::size_t s : settings)
        if (record && study.settings[s].record)
            seconds.recording += seconds_of_recording(study.settings[s], costs[s], lanes);
    return seconds;
}

std::string table_of(const Study& study, const std::vector<std::size_t>& settings) {
    std::size_t width = 7;
    for (const std::size_t s : settings) width = std::max(width, study.settings[s].id.size());
    std::string text = fmt::format("{:<{}}  {:>10}  {:>14}  {:>9}  {:>9}  {:>10}  {:>11}\n", "setting", width,
                                   "algorithms", "configurations", "instances", "runs", "steps", "agent-steps");
    for (const std::size_t s : settings) {
        const Setting& setting = study.settings[s];
        text += fmt::format("{:<{}}  {:>10}  {:>14}  {:>9}  {:>9}  {:>10}  {:>11.3g}\n", setting.id, width,
                            setting.algorithms.size(), setting.configurations(), setting.instances, setting.runs,
                            setting.steps, agent_steps_of(setting));
    }
    return text;
}

}  // namespace

std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
    const auto whole = std::llround(seconds);
    if (whole >= 86400) return fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
    if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
    if (whole >= 60) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return whole >= 10 ? fmt::format("{} s", whole) : fmt::format("{:.2g} s", seconds);
}

std::string amount_text(double amount) {
    if (amount >= 1e9) return fmt::format("{:.4g} billion", amount / 1e9);
    if (amount >= 1e6) return fmt::format("{:.4g} million", amount / 1e6);
    return fmt::format("{:.0f}", amount);
}

WorkEstimate estimate_work(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                           const std::vector<PendingUnit>& pending, const InstructionSet& instruction_set,
                           const Device* device, bool record) {
    const Backend* backend = device ? static_cast<const Backend*>(device) : &instruction_set;
    WorkEstimate seconds = work_by(measure_costs(study, backend, settings, seconds_to_calibrate), study, settings,
                                   pending, device ? threads_of_block : instruction_set.lanes(), record);
    seconds.recording *= missing_share(study, store, settings, pending.empty());
    return seconds;
}

StudyTimes expected_times(const Study& study, const InstructionSet& instruction_set) {
    std::vector<std::size_t> settings(study.settings.size());
    std::iota(settings.begin(), settings.end(), std::size_t{0});
    const StudyCosts costs = measure_costs(study, &instruction_set, settings, seconds_for_list);
    const auto seconds_of = [&](const Study& sized) {
        const WorkEstimate work =
            work_by(costs, sized, settings, pending_units(sized, nullptr, settings), instruction_set.lanes(), true);
        return (work.sweep + work.recording) / number(usable_cores());
    };
    Study cut = study;
    for (Setting& setting : cut.settings) setting.take_cut();
    return {.whole = seconds_of(study), .cut = seconds_of(cut)};
}

std::string describe_plan(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                          const std::optional<Shard>& shard, const InstructionSet& instruction_set,
                          const Device* device, std::size_t threads, bool record) {
    record = record && !shard;
    const std::vector<PendingUnit> pending = pending_units(study, store, settings, shard);
    const WorkEstimate seconds = estimate_work(study, store, settings, pending, instruction_set, device, record);
    double total = 0, left = 0, disk = 0;
    std::size_t configurations = 0;
    for (const std::size_t s : settings) {
        configurations += study.settings[s].configurations();
        disk += bytes_on_disk(study.settings[s], record);
    }
    if (shard) disk /= number(shard->count);
    for (const PendingUnit& p : pending) left += agent_steps(study, p);
    const std::vector<PendingUnit> all = pending_units(study, nullptr, settings, shard);
    for (const PendingUnit& p : all) total += agent_steps(study, p);
    const std::size_t units = all.size();
    const double workers = device ? 1 : number(std::min<std::size_t>(threads, usable_cores()));

    std::string text = table_of(study, settings);
    text += fmt::format("\n{}{}, {}, {} agent-steps, {}\n",
                        shard ? fmt::format("{:<9} ", "shard " + shard->text()) : "in all    ",
                        counted(settings.size(), "setting"), counted(configurations, "configuration"),
                        amount_text(total), counted(units, "unit"));
    text += fmt::format("done      {} of {} units\n", units - pending.size(), units);
    text += fmt::format("left      {} agent-steps\n", amount_text(left));
    text += fmt::format("time      about {} with {} and {}", duration_text(seconds.sweep / workers),
                        counted(threads, "thread"), device ? device->name() : instruction_set.name());
    if (seconds.recording > 0)
        text += fmt::format(", and {} for learning curves", duration_text(seconds.recording / workers));
    text += fmt::format("\nmemory    about {}\n", bytes_text(memory_of_run(study, settings, threads, record)));
    text += fmt::format("disk      about {}\n", bytes_text(disk));
    return text;
}

}  // namespace bellwether
