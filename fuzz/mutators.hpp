// Mutations that keep the form of a file, where changed bytes alone would nearly always break it. One in four is
// libFuzzer's own all the same.
#pragma once

#include "harness.hpp"

namespace bellwether::fuzz {

// Changes the first `size` bytes of `data`, which has room for `room`; the new size.
using Mutator = std::size_t(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed);

Mutator mutate_document;  // TOML and JSON: lines and values change places, are repeated, left out and replaced
Mutator mutate_table;     // CSV: likewise rows and cells
Mutator mutate_state;     // a saved state, whose size and checksum are made right again

}  // namespace bellwether::fuzz
