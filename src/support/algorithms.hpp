// Algorithms by name, and grids over their parameters: what studies and sweeps over streams share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"

namespace bellwether {

// The algorithm of that id or alias. UsageError names the nearest one.
const AlgorithmInfo& algorithm_named(std::string_view name);
// Its place in the registry.
std::size_t registry_index(const AlgorithmInfo& info);

// Step sizes of second weights are multiples of alpha; a grid may give the step size itself instead, under this name.
inline constexpr std::string_view step_size_ratio = "eta", second_step_size = "alpha-h";
// The algorithm as such a grid sees it: the same, with alpha-h in the place of eta. The algorithm must have that.
const AlgorithmInfo& with_second_step_size(const AlgorithmInfo& info);
// UsageError where a ratio of step sizes cannot say it: alpha is 0 and alpha-h is not. Lists of values in the order of
// info.parameters.
void check_step_sizes(const AlgorithmInfo& info, std::span<const std::vector<double>> values);

// The names of all parameters that grids may have, in the order of tables.
std::vector<std::string_view> grid_parameter_names();

// UsageError where the parameter cannot have this value.
void check_range(const ParameterInfo& parameter, double value);

// An algorithm with a list of values for each of its parameters. A configuration is one choice of each; its index
// counts with the first parameter fastest, so that neighbours share the parameters that come last (lambda). Or only
// some of these choices are configurations: those of several such products, one after the other.
struct AlgorithmGrid {
    const AlgorithmInfo* info = nullptr;
    std::vector<std::vector<double>> values{};  // in the order of info->parameters; never empty
    // Of a union: configuration by configuration, the place of each parameter's value in its list. Else empty.
    std::vector<std::uint32_t> places{};

    // The union of products of these lists, each in the order of info->parameters. One product is itself.
    static AlgorithmGrid union_of(const AlgorithmInfo& info,
                                  std::span<const std::vector<std::vector<double>>> products);
    bool is_union() const { return !places.empty(); }

    std::size_t configurations() const;
    // The parameters of a configuration, in the order of info->parameters.
    void parameters(std::size_t configuration, std::span<double> to) const;
    // The same as its learner takes them: eta in the place of alpha-h.
    void learner_parameters(std::size_t configuration, std::span<double> to) const;
    // The place of a configuration's value in the list of this parameter.
    std::size_t place(std::size_t configuration, std::size_t parameter) const {
        if (is_union()) return places[configuration * values.size() + parameter];
        return configuration / stride(parameter) % values[parameter].size();
    }
    // How far apart configurations of a product are that differ by one place in the list of this parameter.
    std::size_t stride(std::size_t parameter) const;
    // The configuration with another value of this parameter, by its place in the list; a union may not have it.
    std::optional<std::size_t> at_place(std::size_t configuration, std::size_t parameter, std::size_t place) const;
    double value(std::size_t configuration, std::size_t parameter) const {
        return values[parameter][place(configuration, parameter)];
    }
    // The configurations in the order of a table that people read: as nested loops have them, the last parameter
    // fastest. Indices stay what they are; only the rows of such a table stand in this order.
    std::vector<std::size_t> reading_order() const;
};

}  // namespace bellwether
