// What the states count in an error.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace bellwether {

struct Weighting {
    enum class Kind { stationary, uniform, given };  // d(s), the same for each, or what is given
    Kind kind = Kind::stationary;
    std::vector<double> given{};  // by state; of active states some is above 0, and the sum does not matter

    static const Weighting stationary, uniform;
    friend bool operator==(const Weighting&, const Weighting&) = default;
};
inline const Weighting Weighting::stationary{};
inline const Weighting Weighting::uniform{.kind = Weighting::Kind::uniform};
inline constexpr std::array<std::string_view, 2> weighting_names{"stationary", "uniform"};  // of those with a name

}  // namespace bellwether
