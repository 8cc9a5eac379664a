// Texts of files as parts of messages.
#pragma once

#include <string>
#include <string_view>

namespace bellwether {

// A message is one line that can be read, whatever the texts in it hold: line ends and tabs become spaces, other
// control characters (which a terminal would obey) and bytes that are no UTF-8 are shown as \xff, and what is very long
// is cut.
std::string one_line(std::string_view message);

}  // namespace bellwether
