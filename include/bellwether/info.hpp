// What an algorithm says about itself. The command line's help, the study file's checks, the Python signatures, the
// tables in the documentation, the lines of the figures and the exact expected update are all made from this.
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

// What an algorithm builds on. A family has a colour (src/report/style.cpp) and a line in the README.
enum class Family {
    td,
    gradient,
    mirror_prox,
    hybrid,
    emphatic,
    provisional,
    cut_traces,
    least_squares,
    learned_steps,
    bounded_steps,
    weighted_sampling,
    beyond_values
};
inline constexpr std::string_view family_names[]{"temporal difference",
                                                 "gradient",
                                                 "mirror-prox",
                                                 "hybrid",
                                                 "emphatic",
                                                 "provisional",
                                                 "other cuts of traces",
                                                 "least squares, the reference",
                                                 "learned step sizes",
                                                 "bounded steps",
                                                 "weighted importance sampling",
                                                 "variance and average reward"};

// Which of its family it is: lines of one colour differ by it, so that no two of a family may have the same.
enum class Variant { base, true_online, second, third, fourth, fifth, reference };

// Its mean update to first order in α, by the linear system that it is (src/problems/expected_update.cpp).
enum class MeanUpdate {
    none,           // it is no such system
    td,             // b − Aw
    one_step,       // the same for λ = 0, whatever λ is
    gradient,       // with auxiliary weights, of GTD; regularised where it has that parameter
    pure_gradient,  // of GTD2
    hybrid,         // of HTD
    hybrid_as_printed,
    emphatic,  // states weighted by emphasis, with β where it has that parameter
    tree_backup,
    vtrace,
    vtrace_clipped,  // of another policy's TD errors
    abtd
};

struct AlgorithmText {
    std::string_view id;       // the name in the command line, study files and Python
    std::string_view name;     // as people write it
    std::string_view summary;  // one line
    std::string_view source;   // who to cite
    Family family;
    Variant variant;
    MeanUpdate mean_update;
    bool on_policy_only = false;  // ρ must be 1
    bool needs_policies = false;  // reads π and μ, not only their ratio
    bool uses_interest = false;
    bool quadratic = false;  // O(d²) time and memory
    // Every step adds α (or ηα) times what no step size, now or earlier, is in: rules for step sizes apply.
    bool plain_alpha = true;
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
