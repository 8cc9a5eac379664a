// The cut of a study (docs/study-file.md): a fixed part of its runs that takes minutes.
#pragma once

#include <span>

#include "plan/study.hpp"
#include "support/document.hpp"

namespace bellwether {

// What stands under "cut", into the settings.
void read_cut(const Document& file, const DocumentNode& cut, std::span<Setting> settings);

}  // namespace bellwether
