#include "run/messages.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cluster/encoding.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// ---- What several messages have.

void put(Encoder& to, std::optional<std::size_t> value) {
    to.number(value.has_value());
    to.number(value.value_or(0));
}
std::optional<std::size_t> get_optional(Decoder& from) {
    const bool has_value = from.number() != 0;
    const std::size_t value = from.number();
    return has_value ? std::optional(value) : std::nullopt;
}

void put(Encoder& to, const UnitKey& key) {
    for (const std::uint32_t part : {key.setting, key.instance, key.first_configuration}) to.number(part);
}
UnitKey get_unit_key(Decoder& from) {
    return {from.index(), from.index(), from.index()};
}

constexpr std::size_t bytes_of_summary = 40;

void put(Encoder& to, const UnitResult& result) {
    to.reserve((result.summaries.size() + 2) * bytes_of_summary);
    put(to, result.key);
    to.number(result.configurations);
    to.number(result.runs);
    to.number(result.summaries.size());
    for (const ScoreSummary& s : result.summaries) {
        for (const std::uint64_t part : {s.runs, s.diverged, s.worse}) to.number(part);
        to.real(s.mean);
        to.real(s.m2);
    }
}
UnitResult get_unit_result(Decoder& from) {
    UnitResult result{get_unit_key(from), from.index(), from.number(), {}};
    result.summaries.resize(from.length(bytes_of_summary));
    for (ScoreSummary& s : result.summaries)
        s = {from.number(), from.number(), from.number(), from.real(), from.real()};
    return result;
}

void put(Encoder& to, const RecordingKey& key) {
    for (const std::uint32_t part : {key.setting, key.metric, key.instance, key.configuration}) to.number(part);
    to.number(static_cast<std::uint32_t>(key.stage));
}
RecordingKey get_recording_key(Decoder& from) {
    return {from.index(), from.index(), from.index(), from.index(), static_cast<Stage>(from.index())};
}

void put(Encoder& to, const Recording& recording) {
    to.number(recording.runs);
    for (const auto* values : {&recording.curve_mean, &recording.curve_m2, &recording.scores}) to.reals(*values);
}
Recording get_recording(Decoder& from) {
    return {from.number(), from.reals(), from.reals(), from.reals()};
}

// ---- Tasks.

void put(Encoder& to, const UnitTask& task) {
    const Unit& unit = task.unit;
    for (const std::uint32_t part :
         {unit.setting, unit.algorithm, unit.instance, unit.first, unit.first_configuration, unit.count})
        to.number(part);
    to.number(task.so_far.has_value());
    if (task.so_far) put(to, *task.so_far);
}
UnitTask get_unit_task(Decoder& from) {
    UnitTask task{{from.index(), from.index(), from.index(), from.index(), from.index(), from.index()}, {}};
    if (from.number() != 0) task.so_far = get_unit_result(from);
    return task;
}

void put(Encoder& to, const RecordingTask& task) {
    put(to, task.planned.key);
    to.number(task.planned.algorithm);
    to.number(task.planned.configuration);
    to.number(task.planned.runs);
    to.number(task.so_far.has_value());
    if (task.so_far) put(to, *task.so_far);
}
RecordingTask get_recording_task(Decoder& from) {
    RecordingTask task{{get_recording_key(from), from.index(), from.index(), from.number()}, {}};
    if (from.number() != 0) task.so_far = get_recording(from);
    return task;
}

void put(Encoder& to, const TaskOutcome& outcome) {
    to.number(outcome.setting);
    to.number(outcome.done);
    to.number(outcome.nanoseconds);
    to.number(outcome.result.index());
    if (const auto* unit = std::get_if<UnitResult>(&outcome.result)) return put(to, *unit);
    const auto& [key, recording] = std::get<RecordingResult>(outcome.result);
    put(to, key);
    put(to, recording);
}
TaskOutcome get_outcome(Decoder& from) {
    TaskOutcome outcome{UnitResult{}, from.index(), from.number() != 0, from.number()};
    if (from.number() == 0)
        outcome.result = get_unit_result(from);
    else
        outcome.result = RecordingResult{get_recording_key(from), get_recording(from)};
    return outcome;
}

// ---- What else a message holds.

void put(Encoder& to, const NewTasks& message) {
    to.number(message.tasks.size());
    for (const Task& task : message.tasks) {
        to.number(task.index());
        std::visit([&](const auto& one) { put(to, one); }, task);
    }
}
NewTasks get_new_tasks(Decoder& from) {
    NewTasks message;
    for (std::size_t left = from.length(8); left > 0; --left) {
        if (from.number() == 0)
            message.tasks.emplace_back(get_unit_task(from));
        else
            message.tasks.emplace_back(get_recording_task(from));
    }
    return message;
}
void put(Encoder& to, const WorkRequest& request) {
    to.number(request.threads);
    to.number(request.idle);
}
void put(Encoder& to, const Delivery& delivery) {
    put(to, delivery.outcome);
}
void put(Encoder& to, const Failure& failure) {
    to.number(failure.is_usage);
    to.text(failure.text);
}
void put(Encoder& to, const Interruption& interruption) {
    to.number(static_cast<std::uint64_t>(interruption.signal));
}
void put(Encoder&, const Stop&) {}
void put(Encoder&, const Dismissal&) {}
void put(Encoder&, const Stopped&) {}
void put(Encoder&, const StillThere&) {}

int get_integer(Decoder& from) {
    return static_cast<int>(from.number());
}

WorkerEvent get_event(Decoder& from) {
    switch (from.number()) {
        case 0:
            return WorkRequest{from.number(), from.number()};
        case 1:
            return Delivery{get_outcome(from)};
        case 2:
            return Failure{from.number() != 0, from.text()};
        case 3:
            return Interruption{get_integer(from)};
        case 4:
            return Stopped{};
        case 5:
            return StillThere{};
        default:
            Decoder::garbled();
    }
}

MessageToWorker get_message_to_worker(Decoder& from) {
    switch (from.number()) {
        case 0:
            return get_new_tasks(from);
        case 1:
            return Stop{};
        case 2:
            return Dismissal{};
        default:
            Decoder::garbled();
    }
}

}  // namespace

Bytes encode(const Assignment& assignment) {
    Encoder to;
    to.number(assignment.is_refused);
    for (const auto* text : {&assignment.version, &assignment.identity, &assignment.file, &assignment.text})
        to.text(*text);
    to.number(assignment.models.size());
    for (const auto& [name, text] : assignment.models) {
        to.text(name);
        to.text(text);
    }
    to.number(assignment.settings.size());
    for (const std::size_t setting : assignment.settings) to.number(setting);
    put(to, assignment.instances);
    put(to, assignment.runs);
    to.number(assignment.cut);
    to.number(assignment.agent_steps_between_writes);
    return to.take();
}

Assignment decode_assignment(std::span<const std::byte> bytes) {
    Decoder from(bytes);
    Assignment assignment{.is_refused = from.number() != 0};
    for (auto* text : {&assignment.version, &assignment.identity, &assignment.file, &assignment.text})
        *text = from.text();
    for (std::size_t left = from.length(16); left > 0; --left) {
        std::string name = from.text();
        assignment.models[std::move(name)] = from.text();
    }
    assignment.settings.resize(from.length(8));
    for (std::size_t& setting : assignment.settings) setting = from.number();
    assignment.instances = get_optional(from);
    assignment.runs = get_optional(from);
    assignment.cut = from.number() != 0;
    assignment.agent_steps_between_writes = from.number();
    from.end();
    return assignment;
}

Bytes encode(const MessageToWorker& message) {
    Encoder to;
    to.number(message.index());
    std::visit([&](const auto& one) { put(to, one); }, message);
    return to.take();
}

MessageToWorker decode_message_to_worker(std::span<const std::byte> bytes) {
    Decoder from(bytes);
    MessageToWorker message = get_message_to_worker(from);
    from.end();
    return message;
}

Bytes encode(const MessageToCoordinator& message) {
    Encoder to;
    to.number(message.agent_steps);
    to.number(message.event.index());
    std::visit([&](const auto& one) { put(to, one); }, message.event);
    return to.take();
}

MessageToCoordinator decode_message_to_coordinator(std::span<const std::byte> bytes) {
    Decoder from(bytes);
    const std::uint64_t agent_steps = from.number();
    MessageToCoordinator message{agent_steps, get_event(from)};
    from.end();
    return message;
}

Study study_of(const Assignment& assignment, const std::string& version) {
    if (assignment.version != version)
        throw UsageError(fmt::format("this is version {}, and rank 0 is version {}; results may differ", version,
                                     assignment.version));
    Study study = parse_study(assignment.file, assignment.text, assignment.models);
    if (study.identity() != assignment.identity)
        throw UsageError("the study is not the same here as it is to rank 0: the programs differ");
    for (const std::size_t s : assignment.settings) {
        if (s >= study.settings.size()) Decoder::garbled();
        if (assignment.cut) study.settings[s].take_cut();
        study.settings[s].resize(assignment.instances, assignment.runs);
    }
    return study;
}

}  // namespace bellwether
