// Reads a claims file: docs/paper-folder.md.
#pragma once

#include <string>

#include "analysis/paper.hpp"

namespace bellwether {

// Adds what the file says to a paper whose published numbers are known.
void parse_claims(const std::string& name, const std::string& text, const Study* study, Paper& paper);

}  // namespace bellwether
