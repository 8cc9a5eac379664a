// bellwether status: how far a study is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_plan.hpp"
#include "report/terminal_plot.hpp"
#include "run/recording.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"
#include "support/terminal.hpp"

namespace bellwether {
namespace {

struct SettingStatus {
    std::size_t units = 0, units_done = 0;
    double agent_steps = 0, missing = 0;
    std::size_t recordings = 0, recordings_done = 0;
};

std::vector<SettingStatus> status_of(const Store& store, const Study& study) {
    std::vector<SettingStatus> all(study.settings.size());
    for (const PendingUnit& p : pending_units(study, nullptr, all_settings(study))) {
        ++all[p.unit.setting].units;
        all[p.unit.setting].agent_steps += agent_steps(study, p);
    }
    for (SettingStatus& s : all) s.units_done = s.units;
    for (const PendingUnit& p : pending_units(study, &store, all_settings(study))) {
        --all[p.unit.setting].units_done;
        all[p.unit.setting].missing += agent_steps(study, p);
    }
    for (const PlannedRecording& planned : plan_recordings(store, study, all_settings(study))) {
        ++all[planned.key.setting].recordings;
        all[planned.key.setting].recordings_done += store.recorded_runs(planned.key).value_or(0) >= planned.runs;
    }
    return all;
}

std::string table_of(const Study& study, const std::vector<SettingStatus>& all) {
    std::size_t width = 7;
    for (const Setting& setting : study.settings) width = std::max(width, setting.id.size());
    std::string text = fmt::format("{:<{}}  {:>15}  {:>9}  {:>9}  {:>5}  {:>15}\n", "setting", width, "units done",
                                   "instances", "runs", "done", "learning curves");
    for (std::size_t s = 0; s < all.size(); ++s) {
        const double share = 1 - all[s].missing / all[s].agent_steps;
        text += fmt::format("{:<{}}  {:>15}  {:>9}  {:>9}  {:>4.0f}%  {:>15}\n", study.settings[s].id, width,
                            fmt::format("{} of {}", all[s].units_done, all[s].units), study.settings[s].instances,
                            study.settings[s].runs, std::floor(100 * share),
                            fmt::format("{} of {}", all[s].recordings_done, all[s].recordings));
    }
    return text;
}

struct StatusOptions {
    std::string directory;
    bool watch = false;
};

// "study quick, by bellwether 0.1.0; running now"
std::string headline(const Store& store, const std::string& directory) {
    return fmt::format("study {}, by bellwether {}; {}", store.study().name, store.study().version,
                       Store::is_locked(directory) ? "running now" : "not running");
}

void run_status(const std::string& directory) {
    const Store store = Store::open(directory);
    const Study study = stored_study(store);
    OutputFile out("-");
    out.write(headline(store, directory) + "\n\n");
    out.write(table_of(study, status_of(store, study)));
    out.write("\nruns\n");
    for (const auto& [name, value] : store.notes()) out.write(fmt::format("    {:<16} {}\n", name, value));
    out.commit();
}

// ---- status --watch ----

bool is_complete(const std::vector<SettingStatus>& all) {
    return std::all_of(all.begin(), all.end(), [](const SettingStatus& s) {
        return s.units_done == s.units && s.recordings_done == s.recordings;
    });
}

double missing_in(const std::vector<SettingStatus>& all) {
    double missing = 0;
    for (const SettingStatus& s : all) missing += s.missing;
    return missing;
}

// How fast it goes, by what was missing when the watch began.
class Speed {
public:
    // ", about 3 min left"; nothing before there is something to tell by.
    std::string time_left(double missing) {
        using Clock = std::chrono::steady_clock;
        const auto now = Clock::now();
        if (!began_) {
            began_ = now;
            missing_then_ = missing;
        }
        const double done = missing_then_ - missing;
        if (done <= 0 || missing == 0) return "";
        const double seconds = std::chrono::duration<double>(now - *began_).count();
        return fmt::format(", about {} left", duration_text(missing / done * seconds));
    }

private:
    std::optional<std::chrono::steady_clock::time_point> began_;
    double missing_then_ = 0;
};

std::string bars_of(const Study& study, const std::vector<SettingStatus>& all, std::size_t columns) {
    std::size_t width = 0;
    for (const Setting& setting : study.settings) width = std::max(width, setting.id.size());
    constexpr std::size_t numbers = 46;  // the columns behind the bar
    const std::size_t bar =
        std::clamp<std::size_t>(columns, width + numbers + 10, width + numbers + 40) - width - numbers;
    std::string text;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const double share = 1 - all[s].missing / all[s].agent_steps;
        text += fmt::format("{:<{}}  {} {:>3.0f}%  {} of {} units", study.settings[s].id, width, draw_bar(share, bar),
                            std::floor(100 * share), all[s].units_done, all[s].units);
        if (all[s].recordings > 0) text += fmt::format(", {} of {} curves", all[s].recordings_done, all[s].recordings);
        text += "\n";
    }
    return text;
}

// Until it is complete, or nobody works on it.
void watch_status(const std::string& directory) {
    watch_interrupts();
    LiveText screen(stdout);
    Speed speed;
    for (;;) {
        const bool is_running =
            Store::is_locked(directory);  // before its results are looked at, so that none is missed
        const Store store = Store::open(directory);
        const Study study = stored_study(store);
        const std::vector<SettingStatus> all = status_of(store, study);
        const bool is_done = is_complete(all);
        screen.show(fmt::format("{}{}\n{}", headline(store, directory), is_done ? "" : speed.time_left(missing_in(all)),
                                bars_of(study, all, screen.terminal().columns)));
        if (is_done || !is_running) return;
        for (int slice = 0; slice < 10; ++slice) {
            stop_if_interrupted();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
}

}  // namespace

void add_status(Command& program, int&) {
    const auto options = std::make_shared<StatusOptions>();
    Command* command = program.add_subcommand("status", "How far a study is");
    command->allow_extras();
    command->add_option("DIR", options->directory, "Where the results are")->type_name("")->required();
    command->add_flag("--watch", options->watch,
                      "Bars that follow a run, once a second, until it is complete or nobody works on it");
    command->footer("Example: bellwether status results/quick --watch");
    command->callback([command, options] {
        refuse_extras(*command);
        options->watch ? watch_status(options->directory) : run_status(options->directory);
    });
}

}  // namespace bellwether
