// The page of a horde: which of its questions are learned. A file that opens anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stream/horde_summary.hpp"

namespace bellwether {

struct HordePage {
    std::string questions_file, stream;
    std::uint64_t steps = 0;
    std::string program;  // "bellwether 0.1.0"
};

// With the data that web/src/horde-data.ts describes; empty where this program was built without a page.
std::string horde_page(const std::vector<QuestionSummary>& questions, const HordePage& about);

}  // namespace bellwether
