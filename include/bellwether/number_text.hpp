// Numbers and their ranges as text.
#pragma once

#include <charconv>
#include <limits>
#include <string>

#include "bellwether/info.hpp"

namespace bellwether {

// The shortest text that reads back to the same double.
inline std::string number_text(double value) {
    if (value != value) return "nan";
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// "at least 0", "in [0, 1]", "above 0"
inline std::string describe(const Range& range) {
    if (range.maximum < std::numeric_limits<double>::infinity())
        return std::string("in ") + (range.includes_minimum ? "[" : "(") + number_text(range.minimum) + ", " +
               number_text(range.maximum) + "]";
    return (range.includes_minimum ? "at least " : "above ") + number_text(range.minimum);
}

}  // namespace bellwether
