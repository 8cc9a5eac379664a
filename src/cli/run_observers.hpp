// What is said while a study runs.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "run/run.hpp"
#include "support/progress.hpp"

namespace bellwether {

// Everybody is told the start, the end, and what RunObserver is told.
class RunReporter : public RunObserver {
public:
    virtual void started(const Study& /*study*/, std::string_view /*instruction_set*/, std::size_t /*threads*/,
                         std::size_t /*ranks*/) {}
    // "stopped" or "done"
    virtual void ended(const RunReport& /*report*/) {}
};

// A bar on a terminal, plain lines elsewhere.
class ProgressReporter : public RunReporter {
public:
    explicit ProgressReporter(bool quiet) : quiet_(quiet) {}

    void phase(std::string_view name, double agent_steps) override;
    void progress(double agent_steps_of_phase) override;
    void ended(const RunReport& report) override;

private:
    bool quiet_;
    std::optional<Progress> progress_;
};

// A JSON object per line, for programs.
class JsonReporter : public RunReporter {
public:
    void started(const Study& study, std::string_view instruction_set, std::size_t threads, std::size_t ranks) override;
    void phase(std::string_view name, double agent_steps) override;
    void progress(double agent_steps_of_phase) override;
    void setting_done(const Setting& setting) override;
    void ended(const RunReport& report) override;

private:
    using Clock = std::chrono::steady_clock;
    void say(const nlohmann::ordered_json& event) const;

    std::vector<std::string> settings_;
    std::string phase_;
    double total_ = 0;
    Clock::time_point phase_began_, next_;
};

}  // namespace bellwether
