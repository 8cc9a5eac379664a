#include "cli/run_request.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#include "bellwether/suggest.hpp"
#include "cli/arguments.hpp"
#include "cli/stored_study.hpp"
#include "study/run.hpp"
#include "support/error.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

std::vector<std::size_t> choose_settings(const Study& study, const std::vector<std::string>& ids) {
    if (ids.empty()) return all_settings(study);
    std::vector<std::string> known;
    for (const Setting& setting : study.settings) known.push_back(setting.id);
    std::vector<std::size_t> chosen;
    for (const std::string& id : ids) {
        const auto found = std::find(known.begin(), known.end(), id);
        if (found == known.end())
            throw UsageError(fmt::format("--setting: the study has no setting '{}'{}", id, did_you_mean(id, known)));
        chosen.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::optional<Shard> shard_option(const std::string& text) {
    if (text.empty()) return std::nullopt;
    if (const auto shard = parse_shard(text)) return shard;
    throw UsageError(fmt::format("--shard: '{}' is not a shard: the third of sixteen is 3/16, and there are at most {}",
                                 text, most_shards));
}

fs::path default_directory(const Study& study, const std::optional<Shard>& shard) {
    const fs::path directory = fs::path("results") / study.name;
    return shard ? directory / "shards" / fmt::format("{}-of-{}", shard->number, shard->count) : directory;
}

// Cores that this process may use.
std::size_t cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<std::size_t>(CPU_COUNT(&set));
}

void check_shard(const Store& store, const RunRequest& request) {
    const std::optional<std::string> held = note_of(store, shard_note);
    const std::string wanted = request.shard ? fmt::format("shard {}", request.shard->text()) : "the whole of it";
    if (held && (!request.shard || *held != request.shard->text()))
        throw UsageError(fmt::format("{} holds shard {} of the study, not {}; choose another --out{}",
                                     request.directory.string(), *held, wanted,
                                     request.shard ? "" : ", or merge the shards"));
    if (!held && request.shard && !store.units().empty())
        throw UsageError(fmt::format("{} holds results of the whole study, not of {}; choose another --out",
                                     request.directory.string(), wanted));
}

// Settings that are not run now keep the sizes they were last asked for.
void write_extents(const RunRequest& request, Store& store) {
    std::vector<Extent> extents = extents_of(request.study);
    for (const Extent& before : store.extents())
        if (std::find(request.settings.begin(), request.settings.end(), before.setting) == request.settings.end())
            extents.at(before.setting) = before;
    store.set_extents(extents);
}

}  // namespace

std::optional<std::size_t> given_count(const std::string& option, const std::string& text, std::uint64_t maximum) {
    if (text.empty()) return std::nullopt;
    return count_option(option, text, 1, maximum);
}

std::size_t threads_option(const std::string& text, std::size_t sharers_of_cores) {
    const auto threads = given_count("threads", text, 1024);
    return threads.value_or(std::max<std::size_t>(1, cores() / sharers_of_cores));
}

RunRequest make_request(const RunArguments& arguments, std::size_t sharers_of_cores) {
    RunRequest request{.study = {},
                       .settings = {},
                       .instances = given_count("instances", arguments.instances, UINT32_MAX),
                       .runs = given_count("runs", arguments.runs, first_fresh_run),
                       .shard = shard_option(arguments.shard),
                       .target = isa_option(lane_targets(), arguments.isa),
                       .threads = threads_option(arguments.threads, sharers_of_cores),
                       .directory = {},
                       .record = {}};
    request.study = read_study(arguments.study);
    request.settings = choose_settings(request.study, arguments.settings);
    for (const std::size_t s : request.settings) request.study.settings[s].resize(request.instances, request.runs);
    request.directory =
        arguments.out.empty() ? default_directory(request.study, request.shard) : fs::path(arguments.out);
    request.record = {request.study.name, request.study.text, request.study.identity(), BELLWETHER_VERSION};
    return request;
}

Store create_store(const RunRequest& request, const std::string& study_file) {
    Store store = Store::create(request.directory, request.record);
    check_shard(store, request);
    if (request.shard) store.note(shard_note, request.shard->text());
    store.note(study_file_note, fs::absolute(study_file).lexically_normal().string());
    store.set_names(names_of(request.study));
    write_extents(request, store);
    return store;
}

std::optional<std::string> note_of(const Store& store, std::string_view name) {
    for (auto& [known, value] : store.notes())
        if (known == name) return value;
    return std::nullopt;
}

}  // namespace bellwether
