// Each command declares its options on its own subcommand of the program and runs when it is chosen.
#pragma once

#include <CLI/App.hpp>

namespace bellwether {

// Each adds a command; running it may set the exit status.
void add_bench(CLI::App& program, int& status);
void add_export(CLI::App& program, int& status);
void add_learn(CLI::App& program, int& status);
void add_list(CLI::App& program, int& status);
void add_merge(CLI::App& program, int& status);
void add_report(CLI::App& program, int& status);
void add_run(CLI::App& program, int& status);
void add_sample(CLI::App& program, int& status);
void add_slurm(CLI::App& program, int& status);
void add_solve(CLI::App& program, int& status);
void add_status(CLI::App& program, int& status);

}  // namespace bellwether
