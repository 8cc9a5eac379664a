// Texts of files as parts of messages.
#pragma once

#include <algorithm>
#include <string>

namespace bellwether {

// A message is one line, whatever the texts in it hold: control characters, which a terminal would obey, become spaces.
inline std::string one_line(std::string message) {
    std::replace_if(
        message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return message;
}

}  // namespace bellwether
