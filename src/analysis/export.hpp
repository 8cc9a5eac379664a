// Stored results as tidy CSV.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

using TextSink = std::function<void(std::string_view)>;

// A row per configuration and metric (and instance), in the order of the study; configurations without a run are left
// out. Infinite where some run diverged.
void export_scores(const Store& store, const Study& study, bool by_instance, const TextSink& write);

// The same with a column `question`, and a row for each question of a setting that has several, by its place in the
// setting's list; it is empty in the rows of their mean.
void export_questions(const Store& store, const Study& study, bool by_instance, const TextSink& write);
// Settings of which some results were stored by a program that did not keep their questions apart: ids.
std::vector<std::string> settings_without_questions(const Store& store, const Study& study);

// A row per step of the recorded learning curves of the best configurations.
void export_curves(const Store& store, const Study& study, bool by_instance, const TextSink& write);

}  // namespace bellwether
