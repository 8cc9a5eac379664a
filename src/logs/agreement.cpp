#include "logs/agreement.hpp"

#include <cmath>

namespace bellwether {

namespace {

Agreement judged(std::string_view name, double z, double difference, double spread) {
    constexpr double z_limit = 3, share_of_spread = 0.1;
    return {name, z, difference, std::abs(z) > z_limit && std::abs(difference) > share_of_spread * spread};
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
    return judged(name, z, difference, spread);
}

}  // namespace bellwether
