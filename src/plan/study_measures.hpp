// The part of a setting that says how long it is run, and what is measured of its runs.
#pragma once

#include "plan/study.hpp"
#include "problems/finite_mdp.hpp"
#include "support/document.hpp"

namespace bellwether {

// Reads the keys of a setting, whose problem is known: steps or episodes, measure, every, instances, runs, score,
// weighting, aggregate, metrics, record, fresh-runs, fresh-instances. `first` is its first instance; whether its
// metrics divide by 0 is seen where that may be solved.
void read_measures(const Document& file, const DocumentNode& node, const FiniteMdp& first, bool solves,
                   Setting& setting);

}  // namespace bellwether
