#include "study/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/stored_study.hpp"
#include "bellwether/suggest.hpp"
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

// Settings that are not run now keep the sizes they were last asked for.
void write_extents(const StudySession& session, Store& store) {
    std::vector<Extent> extents = extents_of(session.study);
    for (const Extent& before : store.extents())
        if (std::find(session.settings.begin(), session.settings.end(), before.setting) == session.settings.end())
            extents.at(before.setting) = before;
    store.set_extents(extents);
}

// Facts about the work that was done, now and before. A run that had nothing to do leaves them as they are.
void write_notes(const SessionOptions& options, const SessionReport& report, Store& store) {
    store.note("ended", report.stopped ? "stopped" : "done");
    if (report.agent_steps == 0) return;
    double seconds_before = 0;
    for (const auto& [name, value] : store.notes())
        if (name == "seconds in all") seconds_before = parse_number(value).value_or(0);
    store.note("machine", host_name());
    store.note("processor", processor_name());
    store.note("instruction set", options.target.name);
    store.note("threads", std::to_string(options.threads));
    store.note("seconds in all", fmt::format("{:.3f}", seconds_before + report.seconds));
}

}  // namespace

StudySession prepare_study(const StudyRequest& request, std::string_view settings_option) {
    StudySession session{
        .study = read_study(request.file), .settings = {}, .file = request.file, .directory = {}, .record = {}};
    session.settings = choose_settings(session.study, request.settings, settings_option);
    for (const std::size_t s : session.settings) session.study.settings[s].resize(request.instances, request.runs);
    session.directory =
        request.directory.empty() ? fs::path("results") / session.study.name : fs::path(request.directory);
    session.record = {session.study.name, session.study.text, session.study.identity(), BELLWETHER_VERSION};
    return session;
}

Store create_store(const StudySession& session) {
    Store store = Store::create(session.directory, session.record);
    store.note(study_file_note, fs::absolute(session.file).lexically_normal().string());
    store.set_names(names_of(session.study));
    write_extents(session, store);
    return store;
}

SessionReport run_session(const StudySession& session, Store& store, const SessionOptions& options,
                          RunObserver& observer) {
    const auto start = std::chrono::steady_clock::now();
    SessionReport report{run_study(session.study, store,
                                   {.threads = options.threads,
                                    .kernel = options.target.run,
                                    .settings = session.settings,
                                    .record = options.record,
                                    .should_stop = options.should_stop},
                                   observer)};
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    write_notes(options, report, store);
    return report;
}

}  // namespace bellwether
