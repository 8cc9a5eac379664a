#include "logs/agreement.hpp"

#include <cmath>

namespace bellwether {

Agreement compare(std::string_view name, const PolicyEstimate& one, const PolicyEstimate& other, double spread) {
    constexpr double z_limit = 3, share_of_spread = 0.1;
    std::vector<double> differences(one.influence.size());
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = one.influence[i] - other.influence[i];
    const double difference = one.value - other.value, deviation = deviation_of(differences);
    // Two that are the same but for rounding agree.
    constexpr double rounding = 1e-12;
    const bool same = !(deviation > rounding * (deviation_of(one.influence) + deviation_of(other.influence)));
    const double z = same ? 0 : difference / (deviation / std::sqrt(static_cast<double>(differences.size())));
    return {name, z, difference, std::abs(z) > z_limit && std::abs(difference) > share_of_spread * spread};
}

}  // namespace bellwether
