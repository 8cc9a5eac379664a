// The machine that the program runs on.
#pragma once

#include <filesystem>
#include <string>

namespace bellwether {

// "AMD EPYC 9R14"; the architecture where the processor has no name.
std::string processor_name();
std::string host_name();
double memory_of_machine();  // bytes
// The file of the program that runs; empty where the system does not say.
std::filesystem::path program_file();

}  // namespace bellwether
