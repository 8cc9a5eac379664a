// Compiled once per instruction set, with that set's flags: everything in it lives in the set's own inline namespace.
#include "engine/lane_kernel.hpp"

namespace bellwether {

#if defined(__AVX512F__)
#define BELLWETHER_LANE_TARGET lane_target_avx512
constexpr const char* target_name = "avx512";
#elif defined(__AVX2__)
#define BELLWETHER_LANE_TARGET lane_target_avx2
constexpr const char* target_name = "avx2";
#else
#define BELLWETHER_LANE_TARGET lane_target_portable
constexpr const char* target_name = "portable";
#endif

LaneTarget BELLWETHER_LANE_TARGET();

LaneTarget BELLWETHER_LANE_TARGET() {
    return {target_name, sweep_lanes, run_lanes<sweep_lanes>};
}

}  // namespace bellwether
