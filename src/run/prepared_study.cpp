#include "run/prepared_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/paper.hpp"
#include "analysis/stored_study.hpp"
#include "bellwether/suggest.hpp"
#include "plan/readings.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"
#include "support/number.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

std::vector<std::size_t> choose_settings(const Study& study, const std::vector<std::string>& ids,
                                         std::string_view option) {
    if (ids.empty()) return all_settings(study);
    std::vector<std::string> known;
    for (const Setting& setting : study.settings) known.push_back(setting.id);
    std::vector<std::size_t> chosen;
    for (const std::string& id : ids) {
        const auto found = std::find(known.begin(), known.end(), id);
        if (found == known.end())
            throw UsageError(fmt::format("{}: the study has no setting '{}'{}", option, id, did_you_mean(id, known)));
        chosen.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

fs::path default_directory(const Study& study, const std::optional<Shard>& shard) {
    const fs::path directory = fs::path("results") / study.name;
    return shard ? directory / "shards" / fmt::format("{}-of-{}", shard->number, shard->count) : directory;
}

void check_shard(const Store& store, const PreparedStudy& prepared) {
    const std::optional<std::string> held = note_of(store, shard_note);
    const std::string wanted = prepared.shard ? fmt::format("shard {}", prepared.shard->text()) : "the whole of it";
    if (held && (!prepared.shard || *held != prepared.shard->text()))
        throw UsageError(fmt::format("{} holds shard {} of the study, not {}; choose another --out{}",
                                     prepared.directory.string(), *held, wanted,
                                     prepared.shard ? "" : ", or merge the shards"));
    if (!held && prepared.shard && !store.units().empty())
        throw UsageError(fmt::format("{} holds results of the whole study, not of {}; choose another --out",
                                     prepared.directory.string(), wanted));
}

// Settings that are not run now keep the sizes they were last asked for.
void write_extents(const PreparedStudy& prepared, Store& store) {
    std::vector<Extent> extents = extents_of(prepared.study);
    for (const Extent& before : store.extents())
        if (std::find(prepared.settings.begin(), prepared.settings.end(), before.setting) == prepared.settings.end())
            extents.at(before.setting) = before;
    store.set_extents(extents);
}

// Facts about the work that was done, now and before. A run that had nothing to do leaves them as they are.
void write_notes(const ExecutionOptions& options, const RunReport& report, Store& store) {
    store.note("ended", report.stopped ? "stopped" : "done");
    if (report.agent_steps == 0) return;
    const double seconds_before = parse_number(note_of(store, "seconds in all").value_or("0")).value_or(0);
    store.note("machine", host_name());
    store.note("processor", processor_name());
    store.note("instruction set", options.instruction_set->name());
    if (options.device || note_of(store, "device"))
        store.note("device", options.device ? options.device->name() : "cpu");
    store.note("threads", std::to_string(options.threads));
    store.note("seconds in all", fmt::format("{:.3f}", seconds_before + report.seconds));
    if (options.ranks) store.note("processes", std::to_string(options.ranks->ranks()));
}

}  // namespace

PreparedStudy prepare_study(const StudyRequest& request, std::string_view settings_option) {
    const std::string file = find_study_file(request.file);
    PreparedStudy prepared{.study = request.reading.empty() ? read_study(file) : read_reading(file, request.reading),
                           .settings = {},
                           .instances = request.instances,
                           .runs = request.runs,
                           .cut = request.cut,
                           .shard = request.shard,
                           .file = file,
                           .directory = {},
                           .record = {}};
    prepared.settings = choose_settings(prepared.study, request.settings, settings_option);
    for (const std::size_t s : prepared.settings) {
        if (request.cut) prepared.study.settings[s].take_cut();
        prepared.study.settings[s].resize(request.instances, request.runs);
    }
    prepared.directory =
        request.directory.empty() ? default_directory(prepared.study, request.shard) : fs::path(request.directory);
    prepared.record = record_of(prepared.study, BELLWETHER_VERSION);
    if (const auto readings = readings_file_of(file))
        ReadingsFile(readings->string(), read_text_file(readings->string()));
    if (const auto folder = paper_folder_of(file, prepared.study.paper)) {
        prepared.paper = read_paper_texts(*folder);
        read_paper(*folder);  // what is wrong in it is said before anything is run
    }
    return prepared;
}

Store create_store(const PreparedStudy& prepared) {
    Store store = Store::create(prepared.directory, prepared.record);
    check_shard(store, prepared);
    if (prepared.shard) store.note(shard_note, prepared.shard->text());
    store.note(study_file_note, fs::absolute(prepared.file).lexically_normal().string());
    store.set_files(prepared.paper);
    store.set_names(names_of(prepared.study));
    write_extents(prepared, store);
    return store;
}

RunReport run_prepared(const PreparedStudy& prepared, Store& store, const ExecutionOptions& options,
                       RunObserver& observer) {
    RunReport report =
        run_study(prepared.study, store,
                  {.threads = options.threads,
                   .backend = options.device ? static_cast<const Backend*>(options.device) : options.instruction_set,
                   .settings = prepared.settings,
                   .record = options.record,
                   .shard = prepared.shard,
                   .ranks = options.ranks,
                   .should_stop = options.should_stop},
                  observer);
    write_notes(options, report, store);
    return report;
}

std::optional<std::string> note_of(const Store& store, std::string_view name) {
    for (auto& [known, value] : store.notes())
        if (known == name) return value;
    return std::nullopt;
}

}  // namespace bellwether
