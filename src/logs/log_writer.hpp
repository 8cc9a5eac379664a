// A log as a file in the stream format.
#pragma once

#include <string>

#include "logs/log.hpp"

namespace bellwether {

// Appears whole or not at all; what is read back is the same log, to the bit.
void write_log(const Log& log, const std::string& path);

}  // namespace bellwether
