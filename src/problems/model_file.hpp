// A user's own finite MDP, written as TOML or JSON: docs/model-file.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "problems/finite_mdp.hpp"

namespace bellwether {

// Reads a file, as JSON where its name ends in .json, else as TOML. UsageError says where it is wrong: the file, in
// TOML the line and column, and the key, as in transitions[3].probability.
FiniteMdp read_model_file(const std::string& path, std::size_t question = 0);
// The same from a text. `name` stands for the file.
FiniteMdp parse_model(const std::string& name, const std::string& text, std::size_t question = 0);
// All of its questions, each a problem of its own; one where the file has no list of them.
std::vector<FiniteMdp> parse_questions(const std::string& name, const std::string& text);

}  // namespace bellwether
