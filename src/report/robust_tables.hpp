// Tables of what stands beside the mean, and of what tuning costs.
#pragma once

#include "analysis/findings.hpp"
#include "report/table.hpp"

namespace bellwether {

// IQM, median and failures of the best configurations' runs.
Table robust_table(const Findings& findings);
// The share of these runs with a score of at most each threshold.
Table profile_table(const Findings& findings);
// The score of the best of so many configurations, in expectation.
Table tuning_table(const Findings& findings);
// One configuration for all settings.
Table common_configuration_table(const Findings& findings);

}  // namespace bellwether
