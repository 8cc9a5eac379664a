// The files of an evaluation: evaluation.json and tables as CSV. Each appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "logs/evaluation.hpp"

namespace bellwether {

// Their names, in the order in which they were written.
std::vector<std::string> write_evaluation(const PolicyEvaluation& evaluation, const std::filesystem::path& directory);

}  // namespace bellwether
