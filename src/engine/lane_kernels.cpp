// Compiled once per instruction set, with that set's flags: everything in it lives in the set's own inline namespace.
#include "engine/lane_driver.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

extern const std::size_t lanes_of_kernels, most_learners_of_kernels;
const std::size_t lanes_of_kernels = sweep_lanes;
const std::size_t most_learners_of_kernels = packs_in_flight * sweep_lanes;

LaneLearners* new_lane_learners(const LaneLearnersRequest& request);

namespace {

using MakeLaneLearners = LaneLearners*(const LaneLearnersRequest& request);

template <template <class, class> class Algorithm>
LaneLearners* make(const LaneLearnersRequest& request) {
    return new LaneLearnersOf<Algorithm, Pack<double, sweep_lanes>>(request);
}

template <template <class, class> class... Algorithm>
LaneLearners* make_by_number(AlgorithmList<Algorithm...>, const LaneLearnersRequest& request) {
    static constexpr MakeLaneLearners* all[] = {make<Algorithm>...};
    return all[request.block.algorithm](request);
}

}  // namespace

LaneLearners* new_lane_learners(const LaneLearnersRequest& request) {
    return make_by_number(Algorithms{}, request);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
