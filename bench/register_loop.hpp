// Arithmetic alone: what two threads could gain on this machine at most, whatever its cores share.
#pragma once

#include <cstddef>

namespace bench {

// Fused multiply-adds on packs that never leave their registers.
double run_register_loop(std::size_t iterations);
// How many of them, counting every double of a pack, an iteration has.
std::size_t multiply_adds_of_iteration();

}  // namespace bench
