// What an algorithm says about itself. The command line's help, the study file's checks, the Python signatures and the
// table in docs/algorithms.md are all made from this.
#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace bellwether {

struct Range {
    double minimum;
    double maximum = std::numeric_limits<double>::infinity();
    bool includes_minimum = true;

    constexpr bool contains(double value) const {
        return (includes_minimum ? value >= minimum : value > minimum) && value <= maximum &&
               value < std::numeric_limits<double>::infinity();
    }
};

struct ParameterInfo {
    std::string_view name;
    Range range;
    std::string_view help;
    double default_value;  // NaN where there is none and the user must choose

    constexpr bool required() const { return default_value != default_value; }
};

struct AlgorithmText {
    std::string_view id;          // the name in the command line, study files and Python
    std::string_view name;        // as people write it
    std::string_view summary;     // one line
    std::string_view source;      // who to cite
    bool on_policy_only = false;  // ρ must be 1
    bool needs_policies = false;  // reads π and μ, not only their ratio
    bool uses_interest = false;
    bool quadratic = false;  // O(d²) time and memory
};

struct AlgorithmInfo : AlgorithmText {
    std::span<const ParameterInfo> parameters;

    constexpr const ParameterInfo* find(std::string_view parameter) const {
        for (const ParameterInfo& p : parameters)
            if (p.name == parameter) return &p;
        return nullptr;
    }
};

}  // namespace bellwether
