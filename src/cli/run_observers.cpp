#include "cli/run_observers.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace bellwether {

void ProgressReporter::phase(std::string_view name, double agent_steps) {
    progress_.emplace(std::string(name), "million agent-steps", agent_steps / 1e6, quiet_);
}

void ProgressReporter::progress(double agent_steps_of_phase) {
    if (progress_) progress_->update(agent_steps_of_phase / 1e6);
}

void ProgressReporter::ended(const RunReport& report) {
    progress_.reset();
    if (report.stopped)
        fmt::print(stderr, "bellwether run: stopped after {} of {} units; the same command resumes\n",
                   report.tasks_done, report.tasks);
}

void JsonReporter::say(const nlohmann::ordered_json& event) const {
    fmt::print(stderr, "{}\n", event.dump());
}

void JsonReporter::started(const Study& study, const RunMeans& means) {
    for (const Setting& setting : study.settings) settings_.push_back(setting.id);
    nlohmann::ordered_json event{{"event", "start"},
                                 {"study", study.name},
                                 {"settings", study.settings.size()},
                                 {"instruction_set", means.instruction_set},
                                 {"threads", means.threads}};
    device_ = means.device;
    if (device_) event["device"] = device_->name();
    if (means.ranks > 1) event["ranks"] = means.ranks;
    say(event);
}

void JsonReporter::phase(std::string_view name, double agent_steps) {
    phase_ = name;
    total_ = agent_steps;
    phase_began_ = Clock::now();
    next_ = phase_began_ + std::chrono::seconds(1);
}

void JsonReporter::progress(double agent_steps_of_phase) {
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::seconds(1);
    const double seconds = std::chrono::duration<double>(now - phase_began_).count();
    say({{"event", "progress"},
         {"phase", phase_},
         {"agent_steps", agent_steps_of_phase},
         {"of", total_},
         {"agent_steps_per_second", agent_steps_of_phase / seconds}});
}

void JsonReporter::setting_done(const Setting& setting) {
    say({{"event", "setting done"}, {"setting", setting.id}});
}

void JsonReporter::ended(const RunReport& report) {
    auto of_settings = nlohmann::ordered_json::object();
    for (std::size_t s = 0; s < settings_.size(); ++s) of_settings[settings_[s]] = report.thread_seconds[s];
    nlohmann::ordered_json event{{"event", report.stopped ? "stopped" : "done"},
                                 {"agent_steps", report.agent_steps},
                                 {"units_done", report.tasks_done},
                                 {"units", report.tasks},
                                 {"seconds", report.seconds},
                                 {"thread_seconds", of_settings}};
    if (device_) event["device_seconds"] = device_->busy_seconds();
    if (report.messages > 0) {
        event["messages"] = report.messages;
        event["message_bytes"] = report.message_bytes;
    }
    say(event);
}

}  // namespace bellwether
