// A study as its store has it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plan/study.hpp"
#include "plan/unit.hpp"
#include "store/store.hpp"

namespace bellwether {

// What the store knows a study by. `version` is the program's.
StudyRecord record_of(const Study& study, std::string version);
// What the store knows a unit by.
constexpr UnitKey key_of(const Unit& unit) {
    return {unit.setting, unit.instance, unit.first_configuration};
}
// What people and SQL call the things that the store knows by number.
std::vector<Extent> extents_of(const Study& study);
std::vector<SettingNames> names_of(const Study& study);

// The note that says where the study file was. Stores that were made before models were kept in them find theirs from
// there.
inline constexpr std::string_view study_file_note = "study file";

// The name that the study's text was read under: errors in it name the file.
std::string study_file_of(const Store& store);

// With the instances and runs that were last asked for. Nothing but the store is read, but for the model files of such
// an older store.
Study stored_study(const Store& store);

// Whether it has all the instances and runs that its file asks for.
bool is_whole(const Store& store, const Study& study);

std::vector<std::size_t> all_settings(const Study& study);

}  // namespace bellwether
