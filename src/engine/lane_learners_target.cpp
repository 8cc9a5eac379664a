// Compiled once per instruction set, with that set's flags: everything in it lives in the set's own inline namespace.
#include "engine/lane_learners_kernel.hpp"

namespace bellwether {

#if defined(__AVX512F__)
#define BELLWETHER_LANE_LEARNERS lane_learners_avx512
constexpr const char* target_name = "avx512";
#elif defined(__AVX2__)
#define BELLWETHER_LANE_LEARNERS lane_learners_avx2
constexpr const char* target_name = "avx2";
#else
#define BELLWETHER_LANE_LEARNERS lane_learners_portable
constexpr const char* target_name = "portable";
#endif

LaneLearnersTarget BELLWETHER_LANE_LEARNERS();

LaneLearnersTarget BELLWETHER_LANE_LEARNERS() {
    return {target_name, sweep_lanes, packs_in_flight * sweep_lanes, make_lane_learners<sweep_lanes>};
}

}  // namespace bellwether
