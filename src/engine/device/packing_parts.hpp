// What packing a run and packing a stream have in common.
#pragma once

#include "engine/device/packing.hpp"

namespace bellwether {

// What there is to know of an algorithm on a device.
struct OnDevice {
    // Numbers that the vectors of a learner take, and Adagrad for it; null: it has no kernel.
    std::size_t (*numbers)(std::size_t dimension);
    std::size_t (*adagrad)(std::size_t dimension);
    bool spreads;  // it has its features spread out

    std::size_t learner_numbers(std::size_t dimension) const { return numbers ? numbers(dimension) : 0; }
};
OnDevice on_device(std::size_t algorithm);

// Configurations are put in the order in which threads take them.
void put_block(const LaneBlock& block, DeviceRequest& packed, DeviceArena& input);

// The first rows of some features. One-hot ones are in the steps.
LaneFeatures pack_features(LaneFeatures features, std::size_t rows, DeviceArena& input);
// The same spread out, where they are not dense.
const double* pack_spread(const LaneFeatures& features, std::size_t rows, DeviceArena& input);

}  // namespace bellwether
