#include "run/task_check.hpp"

#include <algorithm>
#include <vector>

#include "analysis/stored_study.hpp"
#include "cluster/encoding.hpp"
#include "plan/stored_scores.hpp"

namespace bellwether {

namespace {

void must(bool holds) {
    if (!holds) Decoder::garbled();
}

const Setting& setting_of(const Study& study, std::uint32_t setting, std::uint32_t instance) {
    must(setting < study.settings.size());
    must(instance < study.settings[setting].instances);
    return study.settings[setting];
}

// A configuration by its number within the setting: whose it is, its number there, and how many are left from there on.
struct Place {
    std::size_t algorithm, configuration, left;
};
Place place_of(const Setting& setting, std::size_t configuration) {
    const std::vector<std::uint32_t> firsts = setting.first_configurations();
    must(configuration < setting.configurations());
    const auto after = std::upper_bound(firsts.begin(), firsts.end(), configuration);
    const auto algorithm = static_cast<std::size_t>(after - firsts.begin()) - 1;
    const std::size_t number = configuration - firsts[algorithm];
    return {algorithm, number, setting.algorithms[algorithm].configurations() - number};
}
Place place_of_unit(const Setting& setting, std::size_t first_configuration, std::size_t count) {
    const Place place = place_of(setting, first_configuration);
    must(place.configuration % most_configurations_of_unit == 0);
    must(count == std::min(most_configurations_of_unit, place.left));
    return place;
}

void check(const Study& study, const UnitResult& result) {
    const Setting& setting = setting_of(study, result.key.setting, result.key.instance);
    place_of_unit(setting, result.key.first_configuration, result.configurations);
    must(result.summaries.size() == std::size_t{stored_scores(setting)} * result.configurations);
}

void check(const Study& study, const RecordingKey& key) {
    const Setting& setting = setting_of(study, key.setting, key.instance);
    must(key.metric < setting.metrics.size());
    must(key.configuration < setting.configurations());
    must(key.stage <= Stage::fresh_instances);
}

void check(const Study& study, const UnitTask& task) {
    const Unit& unit = task.unit;
    const Setting& setting = setting_of(study, unit.setting, unit.instance);
    const Place place = place_of_unit(setting, unit.first_configuration, unit.count);
    must(unit.algorithm == place.algorithm && unit.first == place.configuration);
    if (!task.so_far) return;
    check(study, *task.so_far);
    must(task.so_far->key == key_of(unit));
}

void check(const Study& study, const RecordingTask& task) {
    const PlannedRecording& planned = task.planned;
    check(study, planned.key);
    const Setting& setting = study.settings[planned.key.setting];
    const Place place = place_of(setting, planned.key.configuration);
    must(planned.algorithm == place.algorithm && planned.configuration == place.configuration);
    must(planned.runs <= std::max(setting.metrics[planned.key.metric].runs, setting.fresh_runs));
    if (task.so_far) must(is_whole(*task.so_far, setting));
}

}  // namespace

void check(const Study& study, const Task& task) {
    std::visit([&](const auto& one) { check(study, one); }, task);
}

void check(const Study& study, const TaskOutcome& outcome) {
    if (const auto* unit = std::get_if<UnitResult>(&outcome.result)) {
        check(study, *unit);
        must(outcome.setting == unit->key.setting);
        return;
    }
    const auto& [key, recording] = std::get<RecordingResult>(outcome.result);
    check(study, key);
    must(is_whole(recording, study.settings[key.setting]));
    must(outcome.setting == key.setting);
}

}  // namespace bellwether
