#include "logs/agreement.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether {

namespace {

Agreement judged(std::string_view name, double z, double difference, double spread, double size = 0) {
    // Where all returns are the same, what ε does to least squares is no disagreement.
    constexpr double z_limit = 3, share_of_spread = 0.1, share_of_size = 1e-6;
    return {name, z, difference,
            std::abs(z) > z_limit && std::abs(difference) > std::max(share_of_spread * spread, share_of_size * size)};
}

}  // namespace

Agreement compare(std::string_view name, const PolicyEstimate& difference, double spread) {
    return judged(name, difference.se > 0 ? difference.value / difference.se : 0, difference.value, spread);
}

Agreement compare(std::string_view name, const PolicyEstimate& one, const PolicyEstimate& other, double spread) {
    std::vector<double> differences(one.influence.size());
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = one.influence[i] - other.influence[i];
    const double difference = one.value - other.value, deviation = deviation_of(differences);
    // Two that are the same but for rounding agree.
    constexpr double rounding = 1e-12;
    const bool same = !(deviation > rounding * (deviation_of(one.influence) + deviation_of(other.influence)));
    const double z = same ? 0 : difference / (deviation / std::sqrt(static_cast<double>(differences.size())));
    return judged(name, z, difference, spread, std::abs(other.value));
}

}  // namespace bellwether
