#include "support/algorithms.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
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

namespace {

std::size_t place_in_list(const AlgorithmInfo& info, std::string_view parameter) {
    return static_cast<std::size_t>(info.find(parameter) - info.parameters.data());
}

// An algorithm of the table with other parameters, which it owns.
struct Renamed {
    std::vector<ParameterInfo> parameters;
    AlgorithmInfo info;
};

std::vector<Renamed> with_second_step_sizes() {
    std::vector<Renamed> all(algorithm_table.size());
    for (std::size_t a = 0; a < all.size(); ++a) {
        const AlgorithmInfo& info = algorithm_table[a];
        all[a].parameters.assign(info.parameters.begin(), info.parameters.end());
        for (ParameterInfo& parameter : all[a].parameters)
            if (parameter.name == step_size_ratio) {
                parameter.name = second_step_size;
                parameter.help = "second step size, as such";
                parameter.default_value = std::numeric_limits<double>::quiet_NaN();
            }
        all[a].info = info;
        all[a].info.parameters = all[a].parameters;
    }
    return all;
}

}  // namespace

const AlgorithmInfo& with_second_step_size(const AlgorithmInfo& info) {
    static const std::vector<Renamed> all = with_second_step_sizes();
    return all[registry_index(info)].info;
}

void check_step_sizes(const AlgorithmInfo& info, std::span<const std::vector<double>> values) {
    if (!info.find(second_step_size)) return;
    const std::vector<double>& first = values[place_in_list(info, "alpha")];
    const std::vector<double>& second = values[place_in_list(info, second_step_size)];
    const auto is_positive = [](double value) { return value > 0; };
    if (std::find(first.begin(), first.end(), 0.0) != first.end() &&
        std::any_of(second.begin(), second.end(), is_positive))
        throw UsageError("alpha is 0 where alpha-h is not, and their ratio is all that it knows");
}

std::vector<std::string_view> grid_parameter_names() {
    std::vector<std::string_view> names;
    for_each_parameter([&](const ParameterInfo& parameter, const auto&) {
        names.push_back(parameter.name);
        if (parameter.name == step_size_ratio) names.push_back(second_step_size);
    });
    return names;
}

void check_range(const ParameterInfo& parameter, double value) {
    if (!parameter.range.contains(value))
        throw UsageError(std::string(parameter.name) + " = " + number_text(value) +
                         " is out of range: it must be finite and " + describe(parameter.range));
}

AlgorithmGrid AlgorithmGrid::union_of(const AlgorithmInfo& info,
                                      std::span<const std::vector<std::vector<double>>> products) {
    if (products.size() == 1) return {.info = &info, .values = products.front()};
    AlgorithmGrid grid{.info = &info, .values = std::vector<std::vector<double>>(info.parameters.size())};
    for (std::size_t p = 0; p < grid.values.size(); ++p) {
        std::vector<double>& values = grid.values[p];
        for (const auto& product : products) values.insert(values.end(), product[p].begin(), product[p].end());
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    std::set<std::vector<std::uint32_t>> seen;  // what several products have is there once
    for (const auto& product : products) {
        const AlgorithmGrid part{.info = &info, .values = product};
        std::vector<double> values(product.size());
        std::vector<std::uint32_t> own(product.size());
        for (std::size_t c = 0; c < part.configurations(); ++c) {
            part.parameters(c, values);
            for (std::size_t p = 0; p < own.size(); ++p)
                own[p] = static_cast<std::uint32_t>(
                    std::lower_bound(grid.values[p].begin(), grid.values[p].end(), values[p]) - grid.values[p].begin());
            if (seen.insert(own).second) grid.places.insert(grid.places.end(), own.begin(), own.end());
        }
    }
    return grid;
}

std::size_t AlgorithmGrid::configurations() const {
    return is_union() ? places.size() / values.size() : stride(values.size());
}

void AlgorithmGrid::parameters(std::size_t configuration, std::span<double> to) const {
    if (is_union()) {
        for (std::size_t i = 0; i < values.size(); ++i) to[i] = value(configuration, i);
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        to[i] = values[i][configuration % values[i].size()];
        configuration /= values[i].size();
    }
}

void AlgorithmGrid::learner_parameters(std::size_t configuration, std::span<double> to) const {
    parameters(configuration, to);
    if (!info->find(second_step_size)) return;
    double& second = to[place_in_list(*info, second_step_size)];
    if (second != 0) second /= to[place_in_list(*info, "alpha")];
}

std::optional<std::size_t> AlgorithmGrid::at_place(std::size_t configuration, std::size_t parameter,
                                                   std::size_t wanted) const {
    if (!is_union())
        return configuration + stride(parameter) * wanted - stride(parameter) * place(configuration, parameter);
    for (std::size_t c = 0; c < configurations(); ++c) {
        bool is_it = place(c, parameter) == wanted;
        for (std::size_t p = 0; is_it && p < values.size(); ++p)
            is_it = p == parameter || place(c, p) == place(configuration, p);
        if (is_it) return c;
    }
    return std::nullopt;
}

std::size_t AlgorithmGrid::stride(std::size_t parameter) const {
    std::size_t product = 1;
    for (std::size_t i = 0; i < parameter; ++i) product *= values[i].size();
    return product;
}

std::vector<std::size_t> AlgorithmGrid::reading_order() const {
    std::vector<std::size_t> order(configurations());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        for (std::size_t p = 0; p < values.size(); ++p)
            if (place(one, p) != place(other, p)) return place(one, p) < place(other, p);
        return false;
    });
    return order;
}

}  // namespace bellwether
