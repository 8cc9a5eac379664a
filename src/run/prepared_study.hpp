// A study from its file into its directory: what the program and the Python package have in common when they run one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend.hpp"
#include "engine/device/device.hpp"
#include "plan/installed_studies.hpp"
#include "plan/shard.hpp"
#include "plan/study.hpp"
#include "run/run.hpp"
#include "store/store.hpp"

namespace bellwether {

struct StudyRequest {
    std::string file;                                // or the name of an installed study
    std::string directory{};                         // "": results/ and the study's name
    std::optional<std::size_t> instances{}, runs{};  // in place of the study's
    std::vector<std::string> settings{};             // their ids; all where there are none
    std::optional<Shard> shard{};                    // only this part
    std::string reading{};                           // of the study; "": the study itself
    bool cut = false;                                // as small as the study's own cut has it
};

// Everything that was asked for, checked before anything is written.
struct PreparedStudy {
    Study study;
    std::vector<std::size_t> settings;
    std::optional<std::size_t> instances, runs;  // in place of the study's
    bool cut;
    std::optional<Shard> shard;
    std::filesystem::path file, directory;
    StudyRecord record;  // what its store knows it by
    PaperTexts paper{};  // the files of the paper that it reproduces
};

// UsageError where the file is wrong or has no such setting; `settings_option` is what the user calls the list of them.
PreparedStudy prepare_study(const StudyRequest& request, std::string_view settings_option);

// The store of a prepared study, made where it is missing, with what was asked for in it. A store belongs to one shard
// or to none.
Store create_store(const PreparedStudy& prepared);

// How it is run; what is run is prepared.
struct ExecutionOptions {
    const InstructionSet* instruction_set;
    const Device* device = nullptr;  // in place of it
    std::size_t threads = 1;
    bool record = true;
    Communicator* ranks = nullptr;                        // other processes, workers
    std::function<int()> should_stop = [] { return 0; };  // the signal that has come, or 0
};
// Runs what is missing, and notes in the store how.
RunReport run_prepared(const PreparedStudy& prepared, Store& store, const ExecutionOptions& options,
                       RunObserver& observer);

// The note that says which shard a store is.
inline constexpr std::string_view shard_note = "shard";
std::optional<std::string> note_of(const Store& store, std::string_view name);

}  // namespace bellwether
