#include "support/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bellwether {

namespace {

// How long a character of UTF-8 is that the text begins with; 0 where that is none, or a control character.
std::size_t printable_length(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
    const std::size_t length = byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc2 ? 2 : 0;
    if (length == 0 || byte(0) >= 0xf5 || text.size() < length) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if (byte(k) >> 6 != 2) return 0;
    return length;
}

}  // namespace

std::string one_line(std::string_view message) {
    constexpr std::size_t most = 2'000;
    std::string shown;
    while (!message.empty() && shown.size() < most) {
        const std::size_t length = printable_length(message);
        if (length > 0)
            shown += message.substr(0, length);
        else if (message[0] == '\n' || message[0] == '\r' || message[0] == '\t')
            shown += ' ';
        else
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(message[0]));
        message.remove_prefix(std::max<std::size_t>(1, length));
    }
    return message.empty() ? shown : shown + " ...";
}

}  // namespace bellwether
