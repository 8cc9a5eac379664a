#include "support/number.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

namespace bellwether {

std::optional<double> parse_number(std::string_view text) {
    const auto trim = [&](std::string_view characters) {
        while (!text.empty() && characters.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
        while (!text.empty() && characters.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
    };
    trim(" \t");
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
        text = text.substr(1, text.size() - 2);
        trim(" \t");
    }
    if (text.size() >= 2 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size()) return std::nullopt;
    // Out of range is a huge number or a tiny one: strtod tells them apart (infinity, or the nearest to zero).
    if (error == std::errc::result_out_of_range) return std::strtod(std::string(text).c_str(), nullptr);
    return value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace bellwether
