// How a recommendation of a paper is judged on the atlas (docs/atlas.md): a rule over all problems, not the paper's
// own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

enum class AtlasRuleKind {
    lowest,      // the score, in the geometric mean over the problems that both have, is lower than that of each other
    cheaper,     // so is the cost of an agent-step
    never_fails  // the best configuration fails in no more than a part of its runs, on every problem
};
inline constexpr std::array<std::string_view, 3> atlas_rule_names{"lowest", "cheaper", "never-fails"};

struct AtlasRule {
    AtlasRuleKind kind;
    std::vector<std::string> algorithms;  // ids; lowest: in each problem the first that it has stands for all
    std::vector<std::string> others{};    // empty: all
    std::optional<bool> on_policy{};      // only such problems
    std::vector<std::string> without{};   // domains that it is not about
    double below = 0;                     // never-fails: that part
};

}  // namespace bellwether
