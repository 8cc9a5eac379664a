// An evaluation as JSON: `evaluation.json`, and what `--json` prints.
#pragma once

#include <string>

#include "logs/evaluation.hpp"

namespace bellwether {

std::string evaluation_json(const PolicyEvaluation& evaluation);

}  // namespace bellwether
