#include "plan/study_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bellwether/number_text.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;

constexpr std::array<std::string_view, 5> power_keys{"base", "factor", "from", "to", "exponents"};
constexpr int largest_exponent = 10'000;

int read_exponent(const Document& file, const DocumentNode& node) {
    const double value = file.number(node);
    if (value != std::floor(value) || std::abs(value) > largest_exponent)
        file.fail(node, fmt::format("is {}: it must be a whole number in [{}, {}]", number_text(value),
                                    -largest_exponent, largest_exponent));
    return static_cast<int>(value);
}

// "exponents", or all of "from" to "to".
std::vector<int> read_exponents(const Document& file, const DocumentNode& table) {
    std::vector<int> exponents;
    if (const auto* list = table.find("exponents")) {
        if (table.find("from") || table.find("to")) file.fail(*list, "is there beside 'from' and 'to'");
        for (const DocumentNode& node : file.list(*list)) exponents.push_back(read_exponent(file, node));
        if (exponents.empty()) file.fail(*list, "is empty: there must be at least one value");
        return exponents;
    }
    const DocumentNode& last = file.require(table, "to");
    const int from = read_exponent(file, file.require(table, "from"));
    const int to = read_exponent(file, last);
    if (to < from) file.fail(last, fmt::format("is {}, below 'from', which is {}", to, from));
    for (int exponent = from; exponent <= to; ++exponent) exponents.push_back(exponent);
    return exponents;
}

std::vector<double> read_powers(const Document& file, const DocumentNode& table) {
    file.check_keys(table, power_keys);
    const auto* base_node = table.find("base");
    const double base = base_node ? file.number(*base_node) : 1;
    const DocumentNode& factor_node = file.require(table, "factor");
    const double factor = file.number(factor_node);
    if (factor <= 0) file.fail(factor_node, fmt::format("is {}: it must be above 0", number_text(factor)));
    std::vector<double> values;
    for (const int exponent : read_exponents(file, table)) {
        values.push_back(scaled_power(base, factor, exponent));
        if (!std::isfinite(values.back()))
            file.fail(table, fmt::format("has {} * {}^{}, which is beyond the largest number", number_text(base),
                                         number_text(factor), exponent));
    }
    return values;
}

std::vector<double> read_list(const Document& file, const DocumentNode& list) {
    if (list.children.empty()) file.fail(list, "is empty: there must be at least one value");
    std::vector<double> values;
    for (const DocumentNode& node : list.children) values.push_back(file.number(node));
    return values;
}

void check_different(const Document& file, const GridValues& grid) {
    std::vector<double> sorted = grid.values;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice == sorted.end()) return;
    const auto first = std::find(grid.values.begin(), grid.values.end(), *twice);
    const auto second = std::find(first + 1, grid.values.end(), *twice);
    file.fail(grid.place(static_cast<std::size_t>(second - grid.values.begin())),
              fmt::format("repeats the value {}", number_text(*twice)));
}

GridValues read_values(const Document& file, const DocumentNode& node) {
    GridValues grid{&node};
    switch (node.kind) {
        case Kind::list:
            grid.values = read_list(file, node);
            break;
        case Kind::table:
            grid.values = read_powers(file, node);
            break;
        default:
            grid.values = {file.number(node)};
    }
    for (double& value : grid.values) value += 0.0;  // -0 is 0
    check_different(file, grid);
    return grid;
}

}  // namespace

Grid read_grid(const Document& file, const DocumentNode& table, std::span<const std::string_view> known_parameters) {
    file.check_keys(table, known_parameters);
    if (table.children.empty()) file.fail(table, "is empty: there must be at least one parameter");
    Grid grid;
    for (const DocumentNode& node : table.children) grid.push_back(read_values(file, node));
    return grid;
}

const GridValues* find_values(const Grid& grid, std::string_view parameter) {
    for (const GridValues& values : grid)
        if (values.node->key == parameter) return &values;
    return nullptr;
}

double scaled_power(double base, double factor, int exponent) {
    int exponent_of_factor = 0;
    const bool power_of_two = std::frexp(factor, &exponent_of_factor) == 0.5;
    if (power_of_two) return std::ldexp(base, (exponent_of_factor - 1) * exponent);
    return base * std::pow(factor, exponent);
}

}  // namespace bellwether
