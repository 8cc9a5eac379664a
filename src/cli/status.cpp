// bellwether status: how far a study is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "run/recording.hpp"
#include "support/output_file.hpp"

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

void run_status(const std::string& directory) {
    const Store store = Store::open(directory);
    const Study study = stored_study(store);
    OutputFile out("-");
    out.write(fmt::format("study {}, by bellwether {}; {}\n\n", store.study().name, store.study().version,
                          Store::is_locked(directory) ? "running now" : "not running"));
    out.write(table_of(study, status_of(store, study)));
    out.write("\nruns\n");
    for (const auto& [name, value] : store.notes()) out.write(fmt::format("    {:<16} {}\n", name, value));
    out.commit();
}

}  // namespace

void add_status(Command& program, int&) {
    const auto directory = std::make_shared<std::string>();
    Command* command = program.add_subcommand("status", "How far a study is");
    command->allow_extras();
    command->add_option("DIR", *directory, "Where the results are")->type_name("")->required();
    command->callback([command, directory] {
        refuse_extras(*command);
        run_status(*directory);
    });
}

}  // namespace bellwether
