// Writes a tree as TOML.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bellwether/number_text.hpp"
#include "support/document.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + '"';
}

std::string key_text(const std::string& key) {
    const auto bare = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !key.empty() && std::all_of(key.begin(), key.end(), bare) ? key : in_quotes(key);
}

// A number that is read back as it is. TOML takes one without a point for a whole one, which has no −0 and 63 bits.
std::string number_as_toml(const DocumentNode& node) {
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    if (node.whole && *node.whole <= largest) return std::to_string(*node.whole);
    std::string text = number_text(node.number);
    const bool looks_whole = text.find_first_not_of("-0123456789") == std::string::npos;
    const bool fits = std::fabs(node.number) < 0x1p63 && !(node.number == 0 && std::signbit(node.number));
    return looks_whole && !fits ? text + ".0" : text;
}

std::string value_text(const DocumentNode& node) {
    std::string text;
    switch (node.kind) {
        case Kind::number:
            return number_as_toml(node);
        case Kind::text:
            return in_quotes(node.text);
        case Kind::boolean:
            return node.truth ? "true" : "false";
        case Kind::list:
            for (const DocumentNode& child : node.children) text += (text.empty() ? "" : ", ") + value_text(child);
            return "[" + text + "]";
        case Kind::table:
            for (const DocumentNode& child : node.children)
                text += fmt::format("{} {} = {}", text.empty() ? "" : ",", key_text(child.key), value_text(child));
            return text.empty() ? "{}" : "{" + text + " }";
        case Kind::other:
            break;  // a date; no reader takes one
    }
    return in_quotes("");
}

bool is_list_of_tables(const DocumentNode& node) {
    return node.kind == Kind::list && !node.children.empty() &&
           std::all_of(node.children.begin(), node.children.end(),
                       [](const DocumentNode& child) { return child.kind == Kind::table; });
}

void add_lines(const DocumentNode& table, std::string& text) {
    for (const DocumentNode& child : table.children)
        text += fmt::format("{} = {}\n", key_text(child.key), value_text(child));
}

}  // namespace

std::string toml_text(const DocumentNode& root) {
    std::string text;
    for (const DocumentNode& child : root.children)
        if (child.kind != Kind::table && !is_list_of_tables(child))
            text += fmt::format("{} = {}\n", key_text(child.key), value_text(child));
    for (const DocumentNode& child : root.children) {
        if (child.kind == Kind::table) {
            text += fmt::format("\n[{}]\n", key_text(child.key));
            add_lines(child, text);
        } else if (is_list_of_tables(child)) {
            for (const DocumentNode& entry : child.children) {
                text += fmt::format("\n[[{}]]\n", key_text(child.key));
                add_lines(entry, text);
            }
        }
    }
    return text;
}

}  // namespace bellwether
