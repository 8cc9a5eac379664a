// What the states count in an error.
#pragma once

#include <array>
#include <string_view>

namespace bellwether {

enum class Weighting { stationary, uniform };  // d(s), or the same for each
inline constexpr std::array<std::string_view, 2> weighting_names{"stationary", "uniform"};

}  // namespace bellwether
