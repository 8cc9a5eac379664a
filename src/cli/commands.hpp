// Each command declares its options on its own subcommand of the program and runs when it is chosen.
#pragma once

#include "cli/command.hpp"

namespace bellwether {

// Each adds a command; running it may set the exit status.
void add_atlas(Command& program, int& status);
void add_bench(Command& program, int& status);
void add_completion(Command& program, int& status);
void add_demo(Command& program, int& status);
void add_evaluate(Command& program, int& status);
void add_export(Command& program, int& status);
void add_horde(Command& program, int& status);
void add_index(Command& program, int& status);
void add_learn(Command& program, int& status);
void add_list(Command& program, int& status);
void add_manual(Command& program, int& status);
void add_merge(Command& program, int& status);
void add_report(Command& program, int& status);
void add_run(Command& program, int& status);
void add_sample(Command& program, int& status);
void add_slurm(Command& program, int& status);
void add_solve(Command& program, int& status);
void add_status(Command& program, int& status);
void add_tune(Command& program, int& status);

}  // namespace bellwether
