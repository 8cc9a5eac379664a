// Which units of a study lack runs in its store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/shard.hpp"
#include "plan/study.hpp"
#include "plan/unit.hpp"
#include "store/store.hpp"

namespace bellwether {

// A unit with the runs that it lacks.
struct PendingUnit {
    Unit unit;
    std::uint64_t missing_runs;
    bool is_new;  // nothing of it is stored
};
// The units of the settings that lack some runs, in the order of the plan; `store` may be null.
std::vector<PendingUnit> pending_units(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                                       std::optional<Shard> shard = std::nullopt);
// The agent-steps of the runs that it lacks.
double agent_steps(const Study& study, const PendingUnit& pending);

}  // namespace bellwether
