// What is said while a study runs.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/device/device.hpp"
#include "run/run.hpp"
#include "support/progress.hpp"

namespace bellwether {

// What a study is run with.
struct RunMeans {
    std::string_view instruction_set;
    const Device* device;  // null: none
    std::size_t threads, ranks;
};

// Everybody is told the start, the end, and what RunObserver is told.
class RunReporter : public RunObserver {
public:
    virtual void started(const Study& /*study*/, const RunMeans& /*means*/) {}
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
    void started(const Study& study, const RunMeans& means) override;
    void phase(std::string_view name, double agent_steps) override;
    void progress(double agent_steps_of_phase) override;
    void setting_done(const Setting& setting) override;
    void ended(const RunReport& report) override;

private:
    using Clock = std::chrono::steady_clock;
    void say(const nlohmann::ordered_json& event) const;

    std::vector<std::string> settings_;
    const Device* device_ = nullptr;
    std::string phase_;
    double total_ = 0;
    Clock::time_point phase_began_, next_;
};

}  // namespace bellwether
