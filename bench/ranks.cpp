// What a study would do on many processes: its units' times and rank 0's work are measured here, one thread, and the
// schedule is simulated. Prints tables in Markdown: bellwether_ranks_bench STUDY
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/stored_study.hpp"
#include "plan/unit.hpp"
#include "run/messages.hpp"
#include "run/run.hpp"
#include "schedule.hpp"
#include "store/store.hpp"
#include "temporary_directory.hpp"
#include "timing/rounds.hpp"

namespace bench {
namespace {

using namespace bellwether;

constexpr double network_latency = 20e-6;    // of a message, with room to spare
constexpr double polling = 0.5e-3;           // on average, until the other side looks
constexpr std::size_t runs_to_time = 3;      // of each unit of the first instance
constexpr std::size_t units_to_write = 800;  // into a store
constexpr std::size_t units_of_transaction = 64;

// Of the processor, so that it does not matter what else it has to do.
double seconds_of(const auto& work) {
    const double start = bellwether::seconds_of(CLOCK_THREAD_CPUTIME_ID);
    work();
    return bellwether::seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

UnitResult empty_result(const Study& study, const bellwether::Unit& unit) {
    UnitResult result{key_of(unit), unit.count, 0, {}};
    result.summaries.resize(study.settings[unit.setting].metrics.size() * unit.count);
    return result;
}

// Seconds of a run of each unit of the first instance, by setting and first configuration.
using RunTimes = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

RunTimes measure_runs(const Study& study) {
    InstanceCache instances(study);
    const std::atomic<bool> stop = false;
    RunTimes times;
    for (const bellwether::Unit& unit : plan_units(study)) {
        if (unit.instance > 0) continue;
        UnitWork work(instances, &best_instruction_set(), unit, empty_result(study, unit));
        work.run_next(stop);
        const double seconds = seconds_of([&] {
            for (std::size_t k = 0; k < runs_to_time && !work.done(); ++k) work.run_next(stop);
        });
        times[{unit.setting, unit.first_configuration}] = seconds / runs_to_time;
    }
    return times;
}

// Every unit of the plan, where there are so many times the instances, and each run is so many times as long.
std::vector<Unit> units_of(Study study, const RunTimes& times, std::size_t instances, double length) {
    for (Setting& setting : study.settings) setting.resize(setting.instances * instances, {});
    std::vector<Unit> units;
    for (const bellwether::Unit& unit : plan_units(study)) {
        const Setting& setting = study.settings[unit.setting];
        const double runs = length * static_cast<double>(setting.runs);
        units.push_back({times.at({unit.setting, unit.first_configuration}) * runs,
                         runs * static_cast<double>(setting.steps) * static_cast<double>(unit.count)});
    }
    return units;
}

// Every so manyth unit.
std::vector<Unit> shard_of(std::span<const Unit> units, std::size_t shards) {
    std::vector<Unit> shard;
    for (std::size_t k = 0; k < units.size(); k += shards) shard.push_back(units[k]);
    return shard;
}

Costs measure_costs_of_owner(const Study& study) {
    const std::vector<bellwether::Unit> plan = plan_units(study);
    std::vector<UnitResult> results;
    for (std::size_t k = 0; k < std::min(units_to_write, plan.size()); ++k) {
        results.push_back(empty_result(study, plan[k]));
        for (ScoreSummary& summary : results.back().summaries)
            for (int run = 1; run < 4; ++run) summary.add(1.0 / (run + static_cast<double>(k)), 1);
    }
    const auto count = static_cast<double>(results.size());
    std::vector<Bytes> messages;
    for (const UnitResult& result : results)
        messages.push_back(encode(MessageToCoordinator{0, Delivery{{result, 0, true, 0}}}));
    Costs costs{.latency = network_latency + polling, .answer = 5e-6, .receive = 0, .write = 0};
    costs.receive = network_latency / 4 + seconds_of([&] {
                                              for (const Bytes& bytes : messages) decode_message_to_coordinator(bytes);
                                          }) / count;
    const TemporaryDirectory directory;
    Store store = Store::create(directory.path, {"bench", study.text, study.identity(), "0"});
    costs.write =
        seconds_of([&] {
            for (std::size_t first = 0; first < results.size(); first += units_of_transaction)
                store.write(std::span(results).subspan(first, std::min(units_of_transaction, results.size() - first)));
        }) /
        count;
    return costs;
}

double total_seconds(std::span<const Unit> units) {
    return std::accumulate(units.begin(), units.end(), 0.0, [](double sum, const Unit& u) { return sum + u.seconds; });
}

void print_schedules(const std::string& what, std::span<const Unit> units, std::span<const std::size_t> ranks,
                     const Costs& costs) {
    for (const std::size_t count : ranks) {
        const Schedule schedule = simulate(units, count, costs);
        fmt::print("| {} | {} | {:.3g} | {:.3g} | {:.1f}% | {:.0f} | {:.1f}% | {:.2f} |\n", what, count,
                   total_seconds(units) / static_cast<double>(count), schedule.seconds, 100 * schedule.idle_share,
                   static_cast<double>(units.size()) / schedule.seconds, 100 * schedule.owner_share,
                   static_cast<double>(schedule.messages) / static_cast<double>(units.size()));
    }
}

int run(const std::string& path) {
    const Study study = read_study(path);
    const RunTimes times = measure_runs(study);
    const std::vector<Unit> units = units_of(study, times, 1, 1);
    const Costs costs = measure_costs_of_owner(study);
    std::vector<double> seconds;
    for (const Unit& unit : units) seconds.push_back(unit.seconds);
    std::sort(seconds.begin(), seconds.end());
    fmt::print("{}: {} units, {:.4g} s of one thread; a unit takes {:.3g} s in the median, {:.3g} s at the most\n",
               study.name, units.size(), total_seconds(units), seconds[seconds.size() / 2], seconds.back());
    fmt::print("rank 0 takes {:.3g} µs to receive a result and {:.3g} µs to store it\n\n", 1e6 * costs.receive,
               1e6 * costs.write);
    fmt::print(
        "| study | ranks | seconds at best | seconds | idle | units stored a second | rank 0 busy | messages per unit "
        "|\n");
    fmt::print("|---|--:|--:|--:|--:|--:|--:|--:|\n");
    constexpr std::size_t for_paper[] = {64, 256, 1000}, for_large[] = {1000, 10'000};
    print_schedules(study.name, units, for_paper, costs);
    const std::vector<Unit> many = units_of(study, times, 100, 1);
    print_schedules(study.name + ", 100 times the instances", many, for_large, costs);
    constexpr std::size_t for_shard[] = {250};
    for (const std::size_t shards : {std::size_t{4}, std::size_t{40}})
        print_schedules(fmt::format("{}, 100 times the instances, one of {} shards", study.name, shards),
                        shard_of(many, shards), for_shard, costs);
    print_schedules(study.name + ", 10 times the instances, runs 50 times as long", units_of(study, times, 10, 50),
                    for_large, costs);
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "bellwether_ranks_bench STUDY\n");
        return 2;
    }
    try {
        return bench::run(argv[1]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bellwether_ranks_bench: {}\n", error.what());
        return 1;
    }
}
