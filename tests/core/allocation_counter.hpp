// Counts calls of operator new in a program linked with allocation_counter.cpp.
#pragma once

#include <cstddef>

namespace bellwether::test {

std::size_t allocations();

}  // namespace bellwether::test
