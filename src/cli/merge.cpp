// bellwether merge: the shards of a study, joined in one store.
#include "run/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_observers.hpp"
#include "cli/run_plan.hpp"
#include "cli/run_request.hpp"
#include "store/schema.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
    std::string directory;
    std::vector<std::string> files;
    std::string threads, isa;
    bool no_record = false;
    bool quiet = false;
};

struct ShardStore {
    std::string name;  // as it was given
    Shard shard;
};

fs::path directory_of(const std::string& file) {
    fs::path path(file);
    if (fs::is_directory(path)) return path;
    if (!fs::exists(path)) throw UsageError(fmt::format("{}: cannot read: No such file or directory", file));
    if (path.filename() != "results.db")
        throw UsageError(fmt::format("{}: not a results store: name a results.db, or the directory it is in", file));
    return path.parent_path().empty() ? fs::path(".") : path.parent_path();
}

Shard shard_of(const Store& store, const std::string& name) {
    const std::optional<std::string> note = note_of(store, shard_note);
    const auto shard = note ? parse_shard(*note) : std::nullopt;
    if (!shard) throw UsageError(fmt::format("{}: not a shard: it was run without --shard", name));
    return *shard;
}

// The stores that were named, of one study and one number of shards.
class Shards {
public:
    explicit Shards(const MergeOptions& options) {
        for (const std::string& file : options.files) add(file, options.directory);
    }

    const std::vector<Store>& stores() const { return stores_; }
    const std::vector<ShardStore>& shards() const { return shards_; }
    std::size_t count() const { return shards_.front().shard.count; }

private:
    void add(const std::string& file, const fs::path& destination) {
        const fs::path directory = directory_of(file);
        std::error_code unknown;
        if (fs::equivalent(directory, destination, unknown))
            throw UsageError(fmt::format("{}: the place of the merged results cannot be a shard", file));
        Store store = Store::open(directory);
        const Shard shard = shard_of(store, file);
        if (Store::is_locked(directory)) throw UsageError(fmt::format("{}: is running now; wait for it", file));
        check(store.study(), file, shard);
        stores_.push_back(std::move(store));
        shards_.push_back({file, shard});
    }

    void check(const StudyRecord& study, const std::string& file, const Shard& shard) const {
        if (!have_same_results(study.version, BELLWETHER_VERSION))
            throw UsageError(fmt::format("{} was made by version {}, and this is version {}, whose results may differ",
                                         file, study.version, BELLWETHER_VERSION));
        if (shards_.empty()) return;
        const ShardStore& first = shards_.front();
        if (const StudyRecord known = stores_.front().study(); known.identity != study.identity)
            throw UsageError(fmt::format("{} is of another study than {}: {}", file, first.name,
                                         first_difference(study.identity, known.identity, "the other")));
        if (shard.count != first.shard.count)
            throw UsageError(fmt::format("{} is shard {}, and {} is shard {}: they are cut in different ways", file,
                                         shard.text(), first.name, first.shard.text()));
    }

    std::vector<Store> stores_;
    std::vector<ShardStore> shards_;
};

Store make_destination(const fs::path& directory, const std::string& shard_name, const Store& shard) {
    if (fs::exists(directory / "results.db"))
        if (const StudyRecord known = Store::open(directory).study(); known.identity != shard.study().identity)
            throw UsageError(fmt::format("{} holds another study than {}: {}", directory.string(), shard_name,
                                         first_difference(known.identity, shard.study().identity, "the other")));
    Store store = Store::create(directory, shard.study());
    if (const auto held = note_of(store, shard_note))
        throw UsageError(
            fmt::format("{} holds shard {} of the study: merge into another directory", directory.string(), *held));
    if (const auto file = note_of(shard, study_file_note)) store.note(study_file_note, *file);
    if (const auto files = shard.files(); !files.empty()) store.set_files(files);
    return store;
}

// What is asked of the destination is what was asked of it or of any shard.
Study sized_study(Store& store, const Shards& shards) {
    Study study = stored_study(store);
    std::vector<Extent> extents = extents_of_all(study, shards.stores());
    for (const Extent& before : store.extents()) {
        extents[before.setting].instances = std::max(extents[before.setting].instances, before.instances);
        extents[before.setting].runs = std::max(extents[before.setting].runs, before.runs);
    }
    store.set_extents(extents);
    study = stored_study(store);
    store.set_names(names_of(study));
    return study;
}

// "shards 2, 3 and 5 of 16"
std::string list_of(const std::vector<std::size_t>& numbers, std::size_t count) {
    std::string text = numbers.size() == 1 ? "shard " : "shards ";
    for (std::size_t k = 0; k < numbers.size(); ++k)
        text += fmt::format("{}{}", k == 0 ? "" : k + 1 == numbers.size() ? " and " : ", ", numbers[k]);
    return fmt::format("{} of {}", text, count);
}

void say_missing(const MissingShards& missing, std::size_t count) {
    if (!missing.whole.empty()) fmt::print(stderr, "bellwether merge: missing: {}\n", list_of(missing.whole, count));
    if (!missing.in_part.empty())
        fmt::print(stderr, "bellwether merge: not complete: {}\n", list_of(missing.in_part, count));
}

// The sweep is complete: this records the learning curves of the best configurations, which need the whole.
RunReport record_curves(const MergeOptions& options, const Study& study, Store& store) {
    ProgressReporter reporter(options.quiet);
    RunReport report = run_study(study, store,
                                 {.threads = threads_option(options.threads, 1),
                                  .backend = &require_instruction_set("--isa", options.isa),
                                  .settings = all_settings(study),
                                  .record = !options.no_record,
                                  .should_stop = [] { return interrupted(); }},
                                 reporter);
    store.note("ended", report.stopped ? "stopped" : "done");
    reporter.ended(report);
    return report;
}

int run_merge(const MergeOptions& options) {
    threads_option(options.threads, 1);
    require_instruction_set("--isa", options.isa);
    const Shards shards(options);
    watch_interrupts();
    Store store = make_destination(options.directory, shards.shards().front().name, shards.stores().front());
    const Study study = sized_study(store, shards);
    std::size_t units = 0;
    for (std::size_t k = 0; k < shards.stores().size(); ++k) {
        stop_if_interrupted();
        units += add_results(study, shards.stores()[k], shards.shards()[k].name, store);
    }
    const MissingShards missing = missing_shards(study, store, shards.count());
    const bool complete = missing.whole.empty() && missing.in_part.empty();
    say_missing(missing, shards.count());
    std::string curves;
    if (complete) {
        const RunReport report = record_curves(options, study, store);
        if (report.stopped) return 128 + report.signal;
        if (report.agent_steps > 0)
            curves = fmt::format("; learning curves recorded in {} agent-steps",
                                 amount_text(static_cast<double>(report.agent_steps)));
    }
    OutputFile out("-");
    out.write(fmt::format("{}: {} added from {}{}; {}results in {}\n", study.name, counted(units, "unit"),
                          counted(shards.stores().size(), "store"), curves, complete ? "" : "not complete; ",
                          options.directory));
    out.commit();
    return complete ? 0 : 1;
}

}  // namespace

void add_merge(Command& program, int& status) {
    const auto options = std::make_shared<MergeOptions>();
    Command* command = program.add_subcommand("merge", "Join the shards of a study");
    command->allow_extras();
    command->add_option("DIR", options->directory, "Where the joined results go; what is there is kept")
        ->type_name("")
        ->required();
    command->add_option("FILE", options->files, "Shards: results.db files, or the directories they are in")
        ->type_name("")
        ->required();
    command->add_option("--threads", options->threads, "How many threads (default: as many as there are cores)")
        ->type_name("COUNT");
    command->add_option("--isa", options->isa, "Instruction set: avx512, avx2 or portable (default: the best)")
        ->choices({"avx512", "avx2", "portable"})
        ->type_name("NAME");
    command->add_flag("--no-record", options->no_record, "No learning curves of the best configurations");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer(
        "Where every shard is there, the learning curves of the best configurations are recorded too, and the\n"
        "results are those of a run without shards, to the byte. Where some are missing, they are named, what is\n"
        "there is joined, and the exit status is 1.\n"
        "Example: bellwether merge results/quick results/quick/shards/*");
    command->callback([command, options, &status] {
        refuse_extras(*command);
        status = run_merge(*options);
    });
}

}  // namespace bellwether
