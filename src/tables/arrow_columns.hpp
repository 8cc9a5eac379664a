// Columns in the memory layout of Apache Arrow: texts as offsets and bytes, missing cells as zeros in a bitmap.
// https://arrow.apache.org/docs/format/Columnar.html
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tables/columns.hpp"

namespace bellwether {

struct ArrowColumn {
    std::string name;
    const char* format;  // as the C data interface writes types: "u" text, "l" whole number, "g" number
    std::size_t rows = 0, missing = 0;
    // Bitmap (empty where nothing is missing), offsets (of texts alone), values.
    std::vector<std::byte> bitmap{}, offsets{}, values{};

    // In the order of the format.
    std::vector<const std::vector<std::byte>*> buffers() const;
};

std::vector<ArrowColumn> arrow_columns(const Columns& columns);

}  // namespace bellwether
