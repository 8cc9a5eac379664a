// The score of what diverged, and where a minimum begins.
#pragma once

#include <limits>

namespace bellwether {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace bellwether
