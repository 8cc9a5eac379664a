#include "analysis/stored_study.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <utility>

#include "analysis/pending_units.hpp"
#include "plan/stored_scores.hpp"

namespace bellwether {

StudyRecord record_of(const Study& study, std::string version) {
    return {study.name, study.text, study.identity(), std::move(version), study.models};
}

std::vector<Extent> extents_of(const Study& study) {
    std::vector<Extent> extents;
    for (std::uint32_t s = 0; s < study.settings.size(); ++s)
        extents.push_back({s, study.settings[s].id, study.settings[s].instances, study.settings[s].runs});
    return extents;
}

std::vector<SettingNames> names_of(const Study& study) {
    std::vector<SettingNames> all;
    for (const Setting& setting : study.settings) {
        SettingNames& names = all.emplace_back();
        for (const ScoredMetric& scored : setting.metrics) names.metrics.push_back(scored.id());
        for (const ScoredMetric& scored : setting.metrics)
            for (std::size_t q = 0; q < questions_apart(setting); ++q)
                names.metrics.push_back(fmt::format("{}, question {}", scored.id(), q));
        const std::vector<std::uint32_t> firsts = setting.first_configurations();
        for (std::size_t a = 0; a < setting.algorithms.size(); ++a)
            names.algorithms.push_back({std::string(setting.algorithms[a].info->id), firsts[a],
                                        static_cast<std::uint32_t>(setting.algorithms[a].configurations())});
    }
    return all;
}

std::string study_file_of(const Store& store) {
    for (const auto& [name, value] : store.notes())
        if (name == study_file_note) return value;
    return store.study().name + ".toml";
}

namespace {

Study study_as_written(const Store& store) {
    const StudyRecord record = store.study();
    const std::string file = study_file_of(store);
    Study study =
        record.models.empty() ? parse_study(file, record.text) : parse_study(file, record.text, record.models);
    study.name = record.name;  // which may be that of a folder that is gone
    return study;
}

}  // namespace

bool is_whole(const Store& store, const Study& study) {
    const Study written = study_as_written(store);
    for (std::size_t s = 0; s < study.settings.size(); ++s)
        if (study.settings[s].instances < written.settings[s].instances ||
            study.settings[s].runs < written.settings[s].runs)
            return false;
    return pending_units(study, &store, all_settings(study)).empty();
}

Study stored_study(const Store& store) {
    Study study = study_as_written(store);
    for (const Extent& extent : store.extents())
        study.settings.at(extent.setting).resize(extent.instances, extent.runs);
    return study;
}

std::vector<std::size_t> all_settings(const Study& study) {
    std::vector<std::size_t> all(study.settings.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

}  // namespace bellwether
