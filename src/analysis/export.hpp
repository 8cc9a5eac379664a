// Stored results as tidy CSV.
#pragma once

#include <functional>
#include <string_view>

#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

using TextSink = std::function<void(std::string_view)>;

// A row per configuration and metric (and instance), in the order of the study; configurations without a run are left
// out. Infinite where some run diverged.
void export_scores(const Store& store, const Study& study, bool by_instance, const TextSink& write);

// A row per step of the recorded learning curves of the best configurations.
void export_curves(const Store& store, const Study& study, bool by_instance, const TextSink& write);

}  // namespace bellwether
