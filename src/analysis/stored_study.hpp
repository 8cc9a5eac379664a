// A study as its store has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

// The note that says where the study file was: models are found from there.
inline constexpr std::string_view study_file_note = "study file";

// With the instances and runs that were last asked for.
Study stored_study(const Store& store);

std::vector<std::size_t> all_settings(const Study& study);

}  // namespace bellwether
