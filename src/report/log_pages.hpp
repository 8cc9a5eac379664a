// The pages of an evaluation and of a tuning: files that open anywhere, with all that was found in them.
#pragma once

#include <string>

#include "logs/evaluation.hpp"
#include "logs/tuning.hpp"

namespace bellwether {

// With the data that web/src/log-data.ts describes; empty where this program was built without a page. `program`:
// "bellwether 0.1.0".
std::string evaluation_page(const PolicyEvaluation& evaluation, const std::string& program);
std::string tuning_page(const Tuning& tuning, const std::string& program);

}  // namespace bellwether
