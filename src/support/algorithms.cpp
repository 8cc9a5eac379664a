#include "support/algorithms.hpp"

#include <string>

#include "bellwether/learner.hpp"
#include "bellwether/registry.hpp"
#include "support/error.hpp"

namespace bellwether {

const AlgorithmInfo& algorithm_named(std::string_view name) {
    auto found = require_algorithm(name);
    if (!found) throw UsageError(found.error());
    return *found;
}

std::size_t registry_index(const AlgorithmInfo& info) {
    return static_cast<std::size_t>(find_algorithm(info.id) - algorithm_table.data());
}

void check_range(const ParameterInfo& parameter, double value) {
    if (!parameter.range.contains(value))
        throw UsageError(std::string(parameter.name) + " = " + number_text(value) +
                         " is out of range: it must be finite and " + describe(parameter.range));
}

std::size_t AlgorithmGrid::configurations() const {
    return stride(values.size());
}

void AlgorithmGrid::parameters(std::size_t configuration, std::span<double> to) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
        to[i] = values[i][configuration % values[i].size()];
        configuration /= values[i].size();
    }
}

std::size_t AlgorithmGrid::stride(std::size_t parameter) const {
    std::size_t product = 1;
    for (std::size_t i = 0; i < parameter; ++i) product *= values[i].size();
    return product;
}

std::vector<std::size_t> AlgorithmGrid::reading_order() const {
    std::vector<std::size_t> order(configurations());
    for (std::size_t row = 0; row < order.size(); ++row) {
        std::size_t rest = row, configuration = 0;
        for (std::size_t p = values.size(); p-- > 0;) {
            configuration += rest % values[p].size() * stride(p);
            rest /= values[p].size();
        }
        order[row] = configuration;
    }
    return order;
}

}  // namespace bellwether
