// How many units a second the store takes: every unit of a study's plan, as many at a time as the program may write
// together. Prints a table in Markdown: bellwether_store_bench STUDY
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "analysis/stored_study.hpp"
#include "plan/study.hpp"
#include "plan/unit.hpp"
#include "store/store.hpp"
#include "temporary_directory.hpp"
#include "timing/rounds.hpp"

namespace bench {
namespace {

using namespace bellwether;

constexpr std::size_t rounds = 5;

// By the clock, and of the processor: one thread, which on a busy machine has to wait for both.
struct Seconds {
    double clock, processor;
};
Seconds seconds_of(const auto& work) {
    const double clock = bellwether::seconds_of(CLOCK_MONOTONIC),
                 processor = bellwether::seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    work();
    return {bellwether::seconds_of(CLOCK_MONOTONIC) - clock,
            bellwether::seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor};
}

// Of all units of the plan, numbers that look like those of a sweep: no two alike.
std::vector<UnitResult> results_of(const Study& study) {
    std::vector<UnitResult> results;
    for (const Unit& unit : plan_units(study)) {
        const Setting& setting = study.settings[unit.setting];
        UnitResult& result = results.emplace_back(UnitResult{key_of(unit), unit.count, setting.runs, {}});
        for (std::size_t k = 0; k < setting.metrics.size() * unit.count; ++k) {
            const double mean = 1 / (1.5 + static_cast<double>(k + 7 * results.size()));
            result.summaries.push_back({setting.runs, k % 3, k % 5, mean, mean * mean / 3});
        }
    }
    return results;
}

struct Rates {
    double written, written_by_processor, read;  // units a second
    double bytes;                                // a unit
};
Rates measure(const Study& study, std::span<const UnitResult> results, std::size_t together) {
    const TemporaryDirectory directory;
    const auto count = static_cast<double>(results.size());
    // To the end, when everything is in one file.
    const Seconds writing = seconds_of([&] {
        Store store = Store::create(directory.path, {"bench", study.text, study.identity(), "0"});
        for (std::size_t first = 0; first < results.size(); first += together)
            store.write(results.subspan(first, std::min(together, results.size() - first)));
    });
    const Store store = Store::open(directory.path);
    const Seconds reading = seconds_of([&] {
        for (const UnitResult& r : results)
            if (store.summaries(r.key.setting, r.key.instance, r.key.first_configuration, r.configurations,
                                static_cast<std::uint32_t>(r.summaries.size() / r.configurations)) != r.summaries)
                throw std::runtime_error("the store gives back something else");
    });
    const auto size = static_cast<double>(std::filesystem::file_size(directory.path / "results.db"));
    return {count / writing.clock, count / writing.processor, count / reading.processor, size / count};
}

int run(const std::string& path) {
    const Study study = read_study(path);
    const std::vector<UnitResult> results = results_of(study);
    std::size_t scores = 0;
    for (const UnitResult& result : results) scores += result.summaries.size();
    fmt::print("{}: {} units, {:.0f} scores each on average; medians of {} rounds\n\n", study.name, results.size(),
               static_cast<double>(scores) / static_cast<double>(results.size()), rounds);
    fmt::print(
        "| units of a transaction | written a second | a second of the processor | read a second of the processor | "
        "bytes a unit |\n|--:|--:|--:|--:|--:|\n");
    for (const std::size_t together : {1, 16, 64, 1024}) {
        std::vector<double> written, written_by_processor, read;
        double bytes = 0;
        for (std::size_t k = 0; k < rounds; ++k) {
            const Rates rates = measure(study, results, together);
            written.push_back(rates.written);
            written_by_processor.push_back(rates.written_by_processor);
            read.push_back(rates.read);
            bytes = rates.bytes;
        }
        fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", together, quantile(written, 0.5),
                   quantile(written_by_processor, 0.5), quantile(read, 0.5), bytes);
    }
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "bellwether_store_bench STUDY\n");
        return 2;
    }
    try {
        return bench::run(argv[1]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bellwether_store_bench: {}\n", error.what());
        return 1;
    }
}
