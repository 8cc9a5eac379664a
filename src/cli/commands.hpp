// Each command declares its options on its own subcommand of the program and runs when it is chosen.
#pragma once

#include <CLI/App.hpp>

namespace bellwether {

// Each returns the exit status when its subcommand was parsed and run.
void add_learn(CLI::App& program, int& status);
void add_list(CLI::App& program, int& status);

}  // namespace bellwether
