// Algorithms by name, and grids over their parameters: what studies and sweeps over streams share.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"

namespace bellwether {

// The algorithm of that id or alias. UsageError names the nearest one.
const AlgorithmInfo& algorithm_named(std::string_view name);
// Its place in the registry.
std::size_t registry_index(const AlgorithmInfo& info);

// UsageError where the parameter cannot have this value.
void check_range(const ParameterInfo& parameter, double value);

// An algorithm with a list of values for each of its parameters. A configuration is one choice of each; its index
// counts with the first parameter fastest, so that neighbours share the parameters that come last (lambda).
struct AlgorithmGrid {
    const AlgorithmInfo* info = nullptr;
    std::vector<std::vector<double>> values{};  // in the order of info->parameters; never empty

    std::size_t configurations() const;
    // The parameters of a configuration, in the order of info->parameters.
    void parameters(std::size_t configuration, std::span<double> to) const;
    // How far apart configurations are that differ by one place in the list of this parameter.
    std::size_t stride(std::size_t parameter) const;
    // The place of a configuration's value in the list of this parameter.
    std::size_t place(std::size_t configuration, std::size_t parameter) const {
        return configuration / stride(parameter) % values[parameter].size();
    }
    double value(std::size_t configuration, std::size_t parameter) const {
        return values[parameter][place(configuration, parameter)];
    }
    // The configurations in the order of a table that people read: as nested loops have them, the last parameter
    // fastest. Indices stay what they are; only the rows of such a table stand in this order.
    std::vector<std::size_t> reading_order() const;
};

}  // namespace bellwether
