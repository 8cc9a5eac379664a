// The machine that the program runs on.
#pragma once

#include <string>

namespace bellwether {

// "AMD EPYC 9R14"; the architecture where the processor has no name.
std::string processor_name();
std::string host_name();
double memory_of_machine();  // bytes

}  // namespace bellwether
