#include "cli/run_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.hpp"
#include "cluster/launch.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {
namespace {

std::optional<Shard> shard_option(const std::string& text) {
    if (text.empty()) return std::nullopt;
    if (const auto shard = parse_shard(text)) return shard;
    throw UsageError(fmt::format("--shard: '{}' is not a shard: the third of sixteen is 3/16, and there are at most {}",
                                 text, most_shards));
}

}  // namespace

void add_reading_option(Command& command, RunArguments& arguments) {
    command
        .add_option("--reading", arguments.reading,
                    "The study as this reading has it ('bellwether list readings STUDY')")
        ->type_name("ID");
}

std::optional<std::size_t> given_count(const std::string& option, const std::string& text, std::uint64_t maximum) {
    if (text.empty()) return std::nullopt;
    return count_option(option, text, 1, maximum);
}

std::size_t threads_option(const std::string& text, std::size_t sharers_of_cores) {
    const auto threads = given_count("threads", text, 1024);
    return threads.value_or(std::max<std::size_t>(1, usable_cores() / sharers_of_cores));
}

std::shared_ptr<const Device> device_option(const std::string& name, const InstructionSet& beside) {
    return open_device("--device", name,
                       {.beside = &beside,
                        .notice = [](const std::string& text) { fmt::print(stderr, "bellwether run: {}\n", text); },
                        .local_rank = launched().local_rank});
}

RunRequest make_request(const RunArguments& arguments, std::size_t sharers_of_cores) {
    const auto instances = given_count("instances", arguments.instances, UINT32_MAX);
    const auto runs = given_count("runs", arguments.runs, first_fresh_run);
    if (arguments.cut && (instances || runs || !arguments.reading.empty()))
        throw UsageError(fmt::format("--cut has sizes of its own: leave {} out", instances ? "--instances"
                                                                                 : runs    ? "--runs"
                                                                                           : "it or --reading"));
    const auto shard = shard_option(arguments.shard);
    const InstructionSet& instruction_set = require_instruction_set("--isa", arguments.isa);
    const std::size_t threads = threads_option(arguments.threads, sharers_of_cores);
    return {prepare_study({.file = arguments.study,
                           .directory = arguments.out,
                           .instances = instances,
                           .runs = runs,
                           .settings = arguments.settings,
                           .shard = shard,
                           .reading = arguments.reading,
                           .cut = arguments.cut},
                          "--setting"),
            &instruction_set, threads, device_option(arguments.device, instruction_set)};
}

}  // namespace bellwether
