// Numbers as text: the whole text or nothing, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bellwether {

// A floating-point number ("0.5", "1e-3", "+2", "inf", "nan"), with spaces or double quotes around it or not.
std::optional<double> parse_number(std::string_view text);

// A whole number from 0.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace bellwether
