// The estimates as people see them, in tables, figures and on the page: each once, by what it leans on.
#pragma once

#include <string_view>
#include <vector>

#include "logs/evaluation.hpp"

namespace bellwether {

struct ShownEstimate {
    const PolicyEstimate* estimate;
    std::string_view name, group;
    bool is_answer;  // none is where the log cannot tell
};

// Where the whole horizon is weighted, or none of it, `answer-q` and `answer-v` are other estimates by another name,
// and left out: those are then the answer.
std::vector<ShownEstimate> shown_estimates(const PolicyEvaluation& evaluation);

}  // namespace bellwether
