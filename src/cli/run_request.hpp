// What 'bellwether run' is asked for, checked before anything is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engine/backend.hpp"
#include "engine/device/device.hpp"
#include "run/prepared_study.hpp"

namespace bellwether {

// As they stand on the command line.
struct RunArguments {
    std::string study;
    std::string out, reading;
    std::string threads, instances, runs, shard;
    std::vector<std::string> settings;
    std::string isa, device = "cpu";
    bool cut = false;
    bool dry_run = false;
    bool no_record = false;
    bool quiet = false;
    bool log_json = false;
};

struct RunRequest : PreparedStudy {
    const InstructionSet* instruction_set;
    std::size_t threads;
    std::shared_ptr<const Device> device;  // null: the processor alone

    const Backend* backend() const { return device ? static_cast<const Backend*>(device.get()) : instruction_set; }
};

void add_reading_option(Command& command, RunArguments& arguments);
// The value of an option that may be left out.
std::optional<std::size_t> given_count(const std::string& option, const std::string& text, std::uint64_t maximum);
// --threads, or else as many as there are cores for each of the processes that share them.
std::size_t threads_option(const std::string& text, std::size_t sharers_of_cores);

// --device; null for the processor.
std::shared_ptr<const Device> device_option(const std::string& name, const InstructionSet& beside);

RunRequest make_request(const RunArguments& arguments, std::size_t sharers_of_cores);

}  // namespace bellwether
