// The algorithms by name, and their parameters checked: what is known of them without making a learner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/number_text.hpp"
#include "bellwether/registry.hpp"
#include "bellwether/result.hpp"
#include "bellwether/state.hpp"
#include "bellwether/suggest.hpp"

namespace bellwether {

// The algorithm of that id or alias.
inline Result<const AlgorithmInfo*> require_algorithm(std::string_view name) {
    if (const AlgorithmInfo* info = find_algorithm(name)) return info;
    std::vector<std::string_view> known;
    for (const AlgorithmInfo& info : algorithm_table) known.push_back(info.id);
    for (const AlgorithmAlias& alias : algorithm_aliases) known.push_back(alias.name);
    return Result<const AlgorithmInfo*>::failure("unknown algorithm '" + std::string(name) + "'" +
                                                 did_you_mean(name, known));
}

// Calls visit(parameter, ids of the algorithms that have it) for every parameter name there is, once.
template <class Visit>
void for_each_parameter(Visit visit) {
    std::vector<std::string_view> seen;
    for (const AlgorithmInfo& info : algorithm_table) {
        for (const ParameterInfo& parameter : info.parameters) {
            if (std::find(seen.begin(), seen.end(), parameter.name) != seen.end()) continue;
            seen.push_back(parameter.name);
            std::vector<std::string_view> owners;
            for (const AlgorithmInfo& other : algorithm_table)
                if (other.find(parameter.name)) owners.push_back(other.id);
            visit(parameter, owners);
        }
    }
}

// The values of an algorithm's parameters in the order of info.parameters: as given, else by default.
inline Result<std::vector<double>> check_parameters(const AlgorithmInfo& info, std::span<const NamedValue> given) {
    using Checked = Result<std::vector<double>>;
    const std::string id(info.id);
    std::vector<double> values;
    for (const ParameterInfo& p : info.parameters) values.push_back(p.default_value);
    for (const NamedValue& g : given) {
        const ParameterInfo* p = info.find(g.name);
        if (!p) {
            std::string has;
            for (const ParameterInfo& known : info.parameters)
                has += (has.empty() ? "" : ", ") + std::string(known.name);
            return Checked::failure(id + " has no parameter '" + std::string(g.name) + "'; it has " + has);
        }
        if (!p->range.contains(g.value))
            return Checked::failure(std::string(g.name) + " = " + number_text(g.value) +
                                    " is out of range: it must be finite and " + describe(p->range));
        values[static_cast<std::size_t>(p - info.parameters.data())] = g.value;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != values[i])
            return Checked::failure(id + " needs " + std::string(info.parameters[i].name) + ": " +
                                    std::string(info.parameters[i].help) + ", " + describe(info.parameters[i].range));
    return values;
}

}  // namespace bellwether
