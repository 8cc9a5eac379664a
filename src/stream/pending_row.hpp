// A row that waits for the next part of its stream, as bytes to keep with a learner's saved state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stream/stream_reader.hpp"

namespace bellwether {

std::vector<std::byte> write_pending_row(const StreamRow& row);
StreamRow read_pending_row(std::span<const std::byte> bytes);  // UsageError where the bytes are none

}  // namespace bellwether
