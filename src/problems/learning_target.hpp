// What is learned of returns: their mean, or beside values that are learned at the same time their variance, directly
// or by way of their second moment.
#pragma once

#include <array>
#include <string_view>

namespace bellwether {

enum class LearningTarget { value, variance, second_moment };
inline constexpr std::array<std::string_view, 3> learning_target_names{"value", "variance", "second-moment"};

}  // namespace bellwether
