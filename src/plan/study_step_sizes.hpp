// How the step sizes of a setting change as a run goes on: the key "step-size".
#pragma once

#include "plan/study.hpp"
#include "support/document.hpp"

namespace bellwether {

// After the setting's algorithms and its steps-ahead, which may not go with it.
void read_step_sizes(const Document& file, const DocumentNode& node, Setting& setting);

}  // namespace bellwether
