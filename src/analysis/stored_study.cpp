#include "analysis/stored_study.hpp"

#include <numeric>

namespace bellwether {

Study stored_study(const Store& store) {
    const StudyRecord record = store.study();
    std::string file = record.name + ".toml";
    for (const auto& [name, value] : store.notes())
        if (name == study_file_note) file = value;
    Study study = parse_study(file, record.text);
    study.name = record.name;  // which may be that of a folder that is gone
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
