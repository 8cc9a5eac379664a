// The study that the program runs and reports, and what is known of it beforehand.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agreement_database.hpp"

namespace bellwether::agreement {

// Baird's problem with step sizes from those that learn to those that overflow, with fewer runs for one metric; and
// random MDPs, with an algorithm of which every configuration diverges.
inline const char* const study_text =
    "name = 'agreement'\n"
    "seed = 12\n"
    "[[settings]]\n"
    "id = 'baird'\n"
    "domain = 'baird'\n"
    "steps = 80\n"
    "runs = 5\n"
    "fresh-runs = 4\n"
    "metrics = { rmsve = 5, rmspbe = 3 }\n"
    "grid = { alpha = [0.0005, 0.005, 0.05, 1e120], eta = [0.25, 4], lambda = [0, 0.5, 0.9] }\n"
    "algorithms = ['off-policy-td', 'gtd', 'to-gtd']\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 8 }\n"
    "features = 'binary'\n"
    "steps = 60\n"
    "instances = 4\n"
    "runs = 3\n"
    "metrics = ['mave']\n"
    "grid = { alpha = [0.02, 0.1, 0.5, 1.5, 1e120], eta = [0.25, 1], lambda = [0, 0.9] }\n"
    "algorithms = ['td0', 'off-policy-td', 'htd']\n"
    "[settings.for.off-policy-td]\n"
    "alpha = [1e120, 1e121]\n";

struct Parameter {
    std::string name;
    std::vector<double> values;
};
// Of an algorithm in a setting, in the order in which configurations are counted: the first fastest.
inline std::vector<Parameter> parameters_of(const std::string& setting, const std::string& algorithm) {
    const bool is_baird = setting == "baird";
    std::vector<Parameter> all;
    all.push_back({"alpha", is_baird                       ? std::vector<double>{0.0005, 0.005, 0.05, 1e120}
                            : algorithm == "off-policy-td" ? std::vector<double>{1e120, 1e121}
                                                           : std::vector<double>{0.02, 0.1, 0.5, 1.5, 1e120}});
    if (algorithm != "td0" && algorithm != "off-policy-td")
        all.push_back({"eta", is_baird ? std::vector<double>{0.25, 4} : std::vector<double>{0.25, 1}});
    if (algorithm != "td0")
        all.push_back({"lambda", is_baird ? std::vector<double>{0, 0.5, 0.9} : std::vector<double>{0, 0.9}});
    return all;
}

// The values of a configuration by name.
inline std::map<std::string, double> values_of(const std::vector<Parameter>& parameters, std::size_t configuration) {
    std::map<std::string, double> values;
    for (const Parameter& parameter : parameters) {
        values[parameter.name] = parameter.values[configuration % parameter.values.size()];
        configuration /= parameter.values.size();
    }
    return values;
}

// The error of w_0 = (1, 1, 1, 1, 1, 1, 10, 1) on Baird's problem. The seven states' features are linearly independent,
// so nothing is lost in the projection: the error is (I − γλP)⁻¹δ with δ(s) = γv(7) − v(s) and P to state 7 from
// everywhere. With mave the error of w_0 = 0 is 1.
inline Real initial_error(const std::string& metric, double lambda) {
    if (metric == "mave") return 1;
    const Real value[] = {3, 3, 3, 3, 3, 3, 12}, discount = 0.99L;
    Real sum = 0;
    for (const Real v : value) {
        const Real ahead = discount * lambda / (1 - discount * lambda) * (discount * 12 - 12);
        const Real error = metric == "rmsve" ? v : discount * 12 - v + ahead;
        sum += error * error / 7;
    }
    return std::sqrt(sum);
}

}  // namespace bellwether::agreement
