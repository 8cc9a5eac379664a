#include "engine/lane_learners.hpp"

#include "engine/instruction_sets.hpp"

namespace bellwether {

// One per build of lane_learners_target.cpp.
LaneLearnersTarget lane_learners_portable(), lane_learners_avx2(), lane_learners_avx512();

std::vector<LaneLearnersTarget> lane_learners_targets() {
    std::vector<LaneLearnersTarget> targets;
#if defined(BELLWETHER_X86_TARGETS)
    if (runs_avx512()) targets.push_back(lane_learners_avx512());
    if (runs_avx2()) targets.push_back(lane_learners_avx2());
#endif
    targets.push_back(lane_learners_portable());
    return targets;
}

}  // namespace bellwether
