// What is checked of a file's text before a parser sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/document.hpp"

namespace bellwether {

struct TextProblem {
    TextPosition position;
    std::string text;
};

// The place of a byte. A column is a character, however many bytes it has.
inline TextPosition position_in(std::string_view text, std::size_t byte) {
    TextPosition position{1, 1};
    for (const char c : text.substr(0, byte)) {
        if (c == '\n') {
            ++position.line;
            position.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
            ++position.column;
        }
    }
    return position;
}

// Well-formed UTF-8 as in the Unicode standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
inline std::optional<TextProblem> find_broken_utf8(std::string_view text) {
    const auto at = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned first = at(i), second = at(i + 1);
        std::size_t length = 1;
        bool good = first < 0x80;
        if (first >= 0xC2 && first <= 0xDF) {
            length = 2;
            good = second >= 0x80 && second <= 0xBF;
        } else if (first >= 0xE0 && first <= 0xEF) {
            length = 3;
            good = second >= (first == 0xE0 ? 0xA0u : 0x80u) && second <= (first == 0xED ? 0x9Fu : 0xBFu);
        } else if (first >= 0xF0 && first <= 0xF4) {
            length = 4;
            good = second >= (first == 0xF0 ? 0x90u : 0x80u) && second <= (first == 0xF4 ? 0x8Fu : 0xBFu);
        }
        for (std::size_t k = 2; k < length; ++k) good = good && (at(i + k) & 0xC0) == 0x80;
        if (!good) return TextProblem{position_in(text, i), "the text is not UTF-8 here"};
        i += length;
    }
    return std::nullopt;
}

// Two things that toml++ 3.3 must not be given.
// TOML is plain ASCII outside of comments and strings, but toml++ first asks whether another character is white space,
// and for some (U+00A1 to U+0499 among them) the answer is an unreachable default: undefined behaviour. It asks
// everywhere but in comments and one-line strings. A key of a hundred thousand parts, a.a.a…, is as many nested tables,
// which overflow the stack when they are destroyed.
inline std::optional<TextProblem> find_unfit_for_toml(std::string_view text) {
    constexpr std::size_t most_dots = 16;
    std::size_t dots = 0;                                      // since something that separates keys and values
    std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark
    const auto skip_line = [&] {
        while (i < text.size() && text[i] != '\n') ++i;
    };
    const auto skip_string = [&](char quote) {  // to its end or, where that is missing, to the end of the line
        for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i)
            if (text[i] == '\\' && quote == '"' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
        if (i < text.size()) ++i;
    };
    bool in_long_string = false;
    char long_quote = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (static_cast<unsigned char>(c) >= 0x80)
            return TextProblem{position_in(text, i),
                               "a character that is not ASCII, outside of a comment and of a one-line string"};
        const bool quote = c == '"' || c == '\'';
        const bool three = quote && text.substr(i, 3) == std::string(3, c);
        if (in_long_string) {
            if (three && c == long_quote) {
                in_long_string = false;
                i += 3;
                while (i < text.size() && text[i] == long_quote) ++i;  // up to two more belong to the string
            } else {
                i += c == '\\' && long_quote == '"' ? 2 : 1;
            }
        } else if (three) {
            in_long_string = true;
            long_quote = c;
            i += 3;
        } else if (quote) {
            skip_string(c);
        } else if (c == '#') {
            skip_line();
        } else {
            if (c == '.' && ++dots > most_dots) return TextProblem{position_in(text, i), "a key of too many parts"};
            if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0;
            ++i;
        }
    }
    return std::nullopt;
}

}  // namespace bellwether
