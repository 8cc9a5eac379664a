// Parameters of an algorithm that must go together.
#pragma once

#include <span>

#include "support/algorithms.hpp"

namespace bellwether {

// UsageError where a value is above one that it may not be above: swift-td's alpha-min and its bound. Values are in the
// order of the algorithm's parameters.
void check_order(const AlgorithmInfo& info, std::span<const double> values);
// The same for every configuration of a grid.
void check_order(const AlgorithmGrid& grid);

}  // namespace bellwether
