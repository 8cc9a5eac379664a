// An evaluation in words and on the console.
#pragma once

#include <string>
#include <vector>

#include "logs/evaluation.hpp"

namespace bellwether {

// The verdict in a sentence that names the number, and what to do next where the log cannot tell.
std::string verdict_sentence(const PolicyEvaluation& evaluation);

// What else should be known, a sentence each: empty features, drift, balance, memory, gaps, what is left out.
std::vector<std::string> notes_of(const PolicyEvaluation& evaluation);

// Everything that the command prints, but for the list of files.
std::string evaluation_text(const PolicyEvaluation& evaluation);

}  // namespace bellwether
