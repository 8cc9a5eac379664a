// Damaged stores: read by themselves, and as shards at a merge. Whatever is in the file, it is read, or refused with
// its name at the front.
#include "store/store.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "analysis/export.hpp"
#include "analysis/stored_study.hpp"
#include "harness.hpp"
#include "run/merge.hpp"
#include "small_files.hpp"

namespace bellwether::fuzz {
namespace {

// One thread opens stores here, and nobody else does: SQLite's mutexes and locks would be a fifth of an execution.
[[maybe_unused]] const bool alone = [] {
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return sqlite3_vfs_register(sqlite3_vfs_find("unix-none"), 1) == SQLITE_OK;
}();

// The folder of a store that has these bytes, and nothing that an earlier one has left.
std::string store_of(Bytes bytes) {
    const std::string folder = own_folder() + "/store";
    ::mkdir(folder.c_str(), 0700);
    for (const char* rest : {"/results.db-journal", "/results.db-wal", "/results.db-shm"})
        std::remove((folder + rest).c_str());
    std::ofstream(folder + "/results.db", std::ios::binary | std::ios::trunc) << text_of(bytes);
    return folder;
}

void read_all(const Store& store) {
    (void)store.files();
    (void)store.notes();
    (void)store.recordings();
    for (const RecordingKey& key : store.recordings()) (void)store.recording(key);
    for (const Store::UnitProgress& unit : store.units())
        (void)store.summaries(unit.key.setting, unit.key.instance, unit.key.first_configuration, 3, 2);
    const Study study = stored_study(store);
    const TextSink nowhere = [](std::string_view) {};
    export_scores(store, study, true, nowhere);
    export_curves(store, study, false, nowhere);
}

void store(Bytes bytes) {
    const std::string folder = store_of(bytes);
    if (const auto problem = refusal([&] { read_all(Store::open(folder)); }))
        must(!problem->empty() && problem->find('\n') == std::string::npos,
             [&] { return "'" + *problem + "' is one line"; });
}

struct Undo {};

void merge(Bytes bytes) {
    const std::string folder = store_of(bytes);
    static const std::string destination = own_folder() + "/merged";
    const auto problem = refusal([&] {
        const Store from = Store::open(folder);
        const Study study = stored_study(from);
        static std::optional<Store> to;  // of the study of the corpus, and always empty
        if (!to) to = Store::create(destination, record_of(study, "1"));
        try {
            to->in_one_transaction([&] {
                add_results(study, from, "shard", *to);
                (void)missing_shards(study, *to, 2);
                throw Undo();
            });
        } catch (const Undo&) {
        }
    });
    if (problem) must(problem->find('\n') == std::string::npos, [&] { return "'" + *problem + "' is one line"; });
}

const Registration registrations[]{Registration({"store", store}), Registration({"merge", merge})};

}  // namespace
}  // namespace bellwether::fuzz
