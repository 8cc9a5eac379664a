// One row per algorithm: parameters to test it with. Every suite over the whole registry takes its parameters from
// here.
#pragma once

#include <ostream>
#include <string_view>
#include <vector>

#include "bellwether/state.hpp"

namespace bellwether::test {

struct ConformanceRow {
    std::string_view id;
    std::vector<NamedValue> parameters;
    bool linear_in_alpha = true;  // whether a step changes the weights in proportion to α

    // GoogleTest would print its bytes, those between the members among them.
    friend void PrintTo(const ConformanceRow& row, std::ostream* out) { *out << row.id; }
};

inline const std::vector<ConformanceRow>& conformance_rows() {
    static const std::vector<ConformanceRow> rows{
        {"td0", {{"alpha", 0.05}}},
        {"td", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"to-td", {{"alpha", 0.05}, {"lambda", 0.8}}, false},
        {"ptd", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"gtd", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}},
        {"to-etd", {{"alpha", 0.02}, {"lambda", 0.8}}, false},
        {"to-etd-beta", {{"alpha", 0.03}, {"lambda", 0.8}, {"beta-scale", 0.5}}, false},
        {"htd", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}},
        {"to-gtd", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}, false},
        {"gtd2-mp", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}, false},
        {"tdc-mp", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}, false},
        {"to-htd", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}, false},
        {"ptd-as-printed", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"to-htd-as-printed", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}, false},
        {"off-policy-td", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"etd", {{"alpha", 0.02}, {"lambda", 0.8}}},
        {"etd-beta", {{"alpha", 0.03}, {"lambda", 0.8}, {"beta-scale", 0.5}}},
        {"gtd2", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}},
        {"tdrc", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}, {"regularization", 1}}},
        {"tb", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"vtrace", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"abtd", {{"alpha", 0.05}, {"zeta", 0.6}, {"psi0", 1}, {"psi-max", 2}}},
        {"lstd", {{"lambda", 0.8}, {"epsilon", 0.5}}},
        {"implicit-td", {{"alpha", 0.5}, {"lambda", 0.8}}, false},
        {"swift-td",
         {{"alpha", 0.05}, {"theta", 0.01}, {"bound", 0.09}, {"decay", 0.98}, {"alpha-min", 1e-4}, {"lambda", 0.8}},
         false},
        {"tidbd", {{"alpha", 0.05}, {"theta", 0.05}, {"lambda", 0.8}}, false},
        {"tidbd-full", {{"alpha", 0.05}, {"theta", 0.05}, {"lambda", 0.8}}, false},
        {"auto-tidbd", {{"alpha", 0.2}, {"theta", 0.05}, {"tau", 100}, {"lambda", 0.8}}, false},
        {"obgd-td", {{"alpha", 0.5}, {"kappa", 2}, {"lambda", 0.8}}, false},
        {"alpha-bound", {{"alpha", 0.9}, {"lambda", 0.8}}, false},
        {"wis-td", {{"alpha", 0.3}, {"recency", 0.5}, {"lambda", 0.8}}, false},
        {"wis-lstd", {{"lambda", 0.8}, {"epsilon", 5}}},
        {"tdrc-trace", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}, {"regularization", 1}}},
        {"gtd2-trace", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}},
        {"variance",
         {{"alpha", 0.05}, {"lambda", 0.8}, {"eta", 0.5}, {"variance-lambda", 0.4}, {"target-lambda", 0.9}}},
        {"differential-td", {{"alpha", 0.05}, {"eta", 0.5}, {"lambda", 0.8}}},
        {"td-replacing", {{"alpha", 0.05}, {"lambda", 0.8}}},
        {"offline-td", {{"alpha", 0.05}, {"lambda", 0.8}}, false},
        {"vtrace-clipped", {{"alpha", 0.05}, {"lambda", 0.8}}},
    };
    return rows;
}

}  // namespace bellwether::test
