// The values that a study file lists for parameters: a number, a list of numbers, or powers.
#pragma once

#include <string_view>
#include <vector>

#include "support/document.hpp"

namespace bellwether {

// The values of one parameter, and the node that lists them, whose key is the parameter's name.
struct GridValues {
    const DocumentNode* node = nullptr;
    std::vector<double> values{};

    // Where a value stands: its own place in a list, else that of the whole.
    const DocumentNode& place(std::size_t index) const {
        return node->kind == DocumentNode::Kind::list ? node->children[index] : *node;
    }
};

using Grid = std::vector<GridValues>;

// A table of parameters and their values; fails at names that are not known, at empty lists and at repeated values.
Grid read_grid(const Document& file, const DocumentNode& table, std::span<const std::string_view> known_parameters);

// Null where the grid has no values for the parameter.
const GridValues* find_values(const Grid& grid, std::string_view parameter);

// base · factor^exponent. Where the factor is a power of two, the base with another exponent, exactly: 0.1 · 2^−3 is
// 0.1 / 8.
double scaled_power(double base, double factor, int exponent);

}  // namespace bellwether
