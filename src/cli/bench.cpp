// bellwether bench: how long an update takes on this machine, beside the paper's table.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/paper.hpp"
#include "bellwether/catalogue.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "engine/device/device.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"
#include "timing/measure.hpp"

namespace bellwether {
namespace {

struct BenchOptions {
    std::string paper;
    std::vector<std::string> algorithms;
    std::string rounds;
    std::vector<std::string> features;
    std::string isa;
    std::string device = "cpu";
    std::string out;
    bool quiet = false;
};

constexpr std::uint64_t most_rounds = 1'000'000;

// Of the paper that was asked for, or else of the first installed one that publishes runtimes. None where there is
// none.
std::optional<PublishedRuntimes> choose_paper(const std::string& wanted) {
    if (!wanted.empty()) {
        std::optional<PublishedRuntimes> runtimes = read_published(find_paper_folder(wanted)).runtimes;
        if (!runtimes) throw UsageError(fmt::format("--paper: {} publishes no runtimes", wanted));
        return runtimes;
    }
    for (const std::string& name : installed_papers())
        if (auto runtimes = read_published(*find_installed_paper(name)).runtimes) return runtimes;
    return std::nullopt;
}

// Those that were asked for, or else the paper's; all where there is neither.
std::vector<const AlgorithmInfo*> choose_algorithms(const std::vector<std::string>& names,
                                                    const std::optional<PublishedRuntimes>& paper) {
    std::vector<const AlgorithmInfo*> chosen;
    if (names.empty() && paper)
        for (const PublishedRuntime& row : paper->rows) chosen.push_back(find_algorithm(row.algorithm));
    if (names.empty() && !paper)
        for (const AlgorithmInfo& info : algorithm_table) chosen.push_back(&info);
    for (const std::string& name : names) {
        auto info = require_algorithm(name);
        if (!info) throw UsageError(fmt::format("--algorithm: {}", info.error()));
        if (std::find(chosen.begin(), chosen.end(), &*info) == chosen.end()) chosen.push_back(&*info);
    }
    return chosen;
}

std::vector<TimedFeatures> choose_features(const std::vector<std::string>& names) {
    std::vector<TimedFeatures> chosen;
    for (const std::string& name : names) {
        const auto found = std::find(timed_features_ids.begin(), timed_features_ids.end(), name);
        if (found == timed_features_ids.end())
            throw UsageError(fmt::format("--features: '{}' is neither one-hot nor dense", name));
        const TimedFeatures features =
            both_timed_features[static_cast<std::size_t>(found - timed_features_ids.begin())];
        if (std::find(chosen.begin(), chosen.end(), features) == chosen.end()) chosen.push_back(features);
    }
    return chosen;
}

MeasureOptions make_request(const BenchOptions& options, const std::optional<PublishedRuntimes>& paper) {
    MeasureOptions request;
    request.algorithms = choose_algorithms(options.algorithms, paper);
    if (!options.features.empty()) request.features = choose_features(options.features);
    request.instruction_set = &require_instruction_set("--isa", options.isa);
    if (!options.rounds.empty()) request.rounds = count_option("rounds", options.rounds, 1, most_rounds);
    return request;
}

// ---- the table for people ----

// A time, and how many times the reference's it is; empty cells where one is not known.
std::string cells(std::optional<double> time, std::optional<double> of_reference) {
    return fmt::format("{:>10}{:>9}", time ? fmt::format("{:.2f}", *time) : "",
                       time && of_reference ? fmt::format("{:.2f}", *time / *of_reference) : "");
}

std::string line_of(const RuntimeTable& table, const Runtime& row) {
    const Runtime* beside = table.find(row.policy, table.reference, row.features);
    std::string line =
        fmt::format("{:<20}{}{:>10.2f}{:>10.2f}{}{}", row.algorithm,
                    cells(row.microseconds, beside ? std::optional(beside->microseconds) : std::nullopt), row.low,
                    row.high, cells(row.paper_microseconds, table.paper_microseconds(row.policy, table.reference)),
                    cells(row.sweep_nanoseconds, beside ? beside->sweep_nanoseconds : std::nullopt));
    if (!table.device.empty())
        line += row.device_nanoseconds ? fmt::format("{:>10.3f}", *row.device_nanoseconds) : std::string();
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

// Nothing where nothing was measured.
std::string part_of(const RuntimeTable& table, TimedFeatures features, Policy policy) {
    std::string lines;
    for (const Runtime& row : table.rows)
        if (row.policy == policy && row.features == features) lines += line_of(table, row);
    if (lines.empty()) return lines;
    const std::string ratio = fmt::format("/ {}", table.reference);
    return fmt::format("\n{:<20}{:>10}{:>9}{:>10}{:>10}{:>10}{:>9}{:>10}{:>9}{}\n{}",
                       fmt::format("{}, {}-policy", id_of(features), id_of(policy)), "µs", ratio, "5%", "95%", "paper",
                       ratio, "sweep", ratio, table.device.empty() ? "" : "    device", lines);
}

std::string text_of(const RuntimeTable& table, std::size_t rounds) {
    std::string text = fmt::format(
        "{}, {}; processor time of one thread, {} rounds\n"
        "µs: {} updates of one learner, 5% and 95% of the rounds below; paper: its µs; sweep: ns per agent-step of a "
        "study\n",
        table.machine, table.instruction_set, rounds, table.steps);
    if (!table.device.empty()) text += fmt::format("device: the same on {}, by the clock\n", table.device);
    for (const TimedFeatures features : both_timed_features)
        for (const Policy policy : both_policies) text += part_of(table, features, policy);
    return text;
}

void run_bench(const BenchOptions& options) {
    const std::optional<PublishedRuntimes> paper = choose_paper(options.paper);
    MeasureOptions request = make_request(options, paper);
    const std::unique_ptr<Device> device = open_device(
        "--device", options.device, {.beside = request.instruction_set, .notice = [](const std::string& text) {
                                         fmt::print(stderr, "bellwether bench: {}\n", text);
                                     }});
    request.device = device.get();
    std::optional<OutputFile> file;
    if (!options.out.empty()) file.emplace(options.out);
    watch_interrupts();
    Progress progress("measuring", "rounds", static_cast<double>(request.rounds), options.quiet);
    request.after_round = [&](std::size_t done) {
        stop_if_interrupted();
        progress.update(static_cast<double>(done));
    };
    RuntimeTable table = measure_runtimes(request);
    if (paper) table.set_paper(*paper);
    if (file) {
        file->write(runtimes_csv(table));
        file->commit();
    }
    if (options.out == "-") return;
    OutputFile out("-");
    out.write(text_of(table, request.rounds));
    out.commit();
}

}  // namespace

void add_bench(Command& program, int&) {
    const auto options = std::make_shared<BenchOptions>();
    Command* command = program.add_subcommand("bench", "How long an update takes here, beside the paper's table");
    command->allow_extras();
    command
        ->add_option("--algorithm", options->algorithms,
                     "Only this algorithm; may be given several times (default: those of the paper's table)")
        ->type_name("ID")
        ->allow_extra_args(false);
    command
        ->add_option("--paper", options->paper,
                     "The paper whose table stands beside: its folder, or an installed one (default: the first that\n"
                     "publishes runtimes)")
        ->type_name("NAME");
    command
        ->add_option("--features", options->features,
                     "Only with such features, one-hot or dense: what a learner is given of the same 30 tabular ones\n"
                     "(default: both)")
        ->type_name("KIND")
        ->allow_extra_args(false);
    command->add_option("--rounds", options->rounds, "How often each has its turn (default 100)")->type_name("COUNT");
    command->add_option("--isa", options->isa, "Instruction set: avx512, avx2 or portable (default: the best)")
        ->choices({"avx512", "avx2", "portable"})
        ->type_name("NAME");
    command
        ->add_option("--device", options->device,
                     "Measure the sweep there too: cuda, cuda:1, ... or auto (default cpu: nowhere else)")
        ->type_name("NAME");
    command->add_option("--out", options->out, "The table as CSV goes here, to full precision")->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer(
        "Random MDP, d = 30 tabular features, 500 steps, on-policy and off-policy: docs/runtimes.md. Let the machine\n"
        "have nothing else to do; a hundred rounds take about half a minute.\n"
        "Example: bellwether bench --out runtimes.csv");
    command->callback([command, options] {
        refuse_extras(*command);
        run_bench(*options);
    });
}

}  // namespace bellwether
