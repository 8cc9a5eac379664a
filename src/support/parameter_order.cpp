#include "support/parameter_order.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "bellwether/number_text.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// The first may not be above the second, in the algorithms that have both.
struct ParameterOrder {
    std::string_view lesser, greater;
};
constexpr ParameterOrder orders[]{{"alpha-min", "bound"}};

bool has_order(const AlgorithmInfo& info) {
    return std::any_of(std::begin(orders), std::end(orders), [&](const ParameterOrder& order) {
        return info.find(order.lesser) && info.find(order.greater);
    });
}

}  // namespace

void check_order(const AlgorithmInfo& info, std::span<const double> values) {
    for (const ParameterOrder& order : orders) {
        const ParameterInfo *lesser = info.find(order.lesser), *greater = info.find(order.greater);
        if (!lesser || !greater) continue;
        const double low = values[static_cast<std::size_t>(lesser - info.parameters.data())];
        const double high = values[static_cast<std::size_t>(greater - info.parameters.data())];
        if (low > high)
            throw UsageError(std::string(info.id) + ": " + std::string(order.lesser) + " = " + number_text(low) +
                             " is above " + std::string(order.greater) + " = " + number_text(high) +
                             ": it must be at most that");
    }
}

void check_order(const AlgorithmGrid& grid) {
    if (!has_order(*grid.info)) return;
    std::vector<double> own(grid.values.size());
    for (std::size_t configuration = 0; configuration < grid.configurations(); ++configuration) {
        grid.parameters(configuration, own);
        check_order(*grid.info, own);
    }
}

}  // namespace bellwether
