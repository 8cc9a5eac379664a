#include "engine/lanes.hpp"

#include "engine/instruction_sets.hpp"

namespace bellwether {

// One per build of lanes_target.cpp.
LaneTarget lane_target_portable(), lane_target_avx2(), lane_target_avx512();

std::vector<LaneTarget> lane_targets() {
    std::vector<LaneTarget> targets;
#if defined(BELLWETHER_X86_TARGETS)
    if (runs_avx512()) targets.push_back(lane_target_avx512());
    if (runs_avx2()) targets.push_back(lane_target_avx2());
#endif
    targets.push_back(lane_target_portable());
    return targets;
}

}  // namespace bellwether
