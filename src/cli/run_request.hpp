// What 'bellwether run' is asked for, checked before anything is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/lanes.hpp"
#include "store/store.hpp"
#include "study/shard.hpp"
#include "study/study.hpp"

namespace bellwether {

// As they stand on the command line.
struct RunArguments {
    std::string study;
    std::string out;
    std::string threads, instances, runs, shard;
    std::vector<std::string> settings;
    std::string isa;
    bool dry_run = false;
    bool no_record = false;
    bool quiet = false;
    bool log_json = false;
};

struct RunRequest {
    Study study;
    std::vector<std::size_t> settings;
    std::optional<std::size_t> instances, runs;  // in place of the study's
    std::optional<Shard> shard;
    LaneTarget target;
    std::size_t threads;
    std::filesystem::path directory;
    StudyRecord record;
};

// The value of an option that may be left out.
std::optional<std::size_t> given_count(const std::string& option, const std::string& text, std::uint64_t maximum);
// --threads, or else as many as there are cores for each of the processes that share them.
std::size_t threads_option(const std::string& text, std::size_t sharers_of_cores);

RunRequest make_request(const RunArguments& arguments, std::size_t sharers_of_cores);

// The store of the request, with the sizes and names that go with it. A store belongs to one shard or to none.
Store create_store(const RunRequest& request, const std::string& study_file);

// The note that says which shard a store is.
inline constexpr std::string_view shard_note = "shard";
std::optional<std::string> note_of(const Store& store, std::string_view name);

}  // namespace bellwether
