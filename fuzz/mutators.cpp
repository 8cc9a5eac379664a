#include "mutators.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <random>

#include "bellwether/state.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace bellwether::fuzz {

namespace {

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t limit) {
    return limit == 0 ? 0 : random() % limit;
}

// A text as pieces: those at even places are values, those at odd places what separates them.
std::vector<std::string> pieces_of(std::string_view text, std::string_view separators) {
    std::vector<std::string> pieces(1);
    for (const char c : text) {
        const bool separates = separators.find(c) != std::string_view::npos;
        const bool in_separator = pieces.size() % 2 == 0;
        if (separates != in_separator) pieces.emplace_back();
        pieces.back() += c;
    }
    return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    return text;
}

constexpr std::array<std::string_view, 34> telling_values{"0",
                                                          "1",
                                                          "-1",
                                                          "0.5",
                                                          "1e308",
                                                          "-1e-308",
                                                          "1e400",
                                                          "inf",
                                                          "nan",
                                                          "-nan",
                                                          "-0",
                                                          "+1",
                                                          "2147483648",
                                                          "4294967296",
                                                          "9223372036854775807",
                                                          "18446744073709551616",
                                                          "1e9",
                                                          "1000001",
                                                          "true",
                                                          "false",
                                                          "\"\"",
                                                          "\"x\"",
                                                          "[]",
                                                          "{}",
                                                          "[[]]",
                                                          "''",
                                                          "1979-05-27",
                                                          "0x10",
                                                          "1_000",
                                                          "td",
                                                          "\"td\"",
                                                          "\"\\u0000\"",
                                                          "0.1 + ",
                                                          "\t"};

void change_value(std::vector<std::string>& pieces, Random& random) {
    const std::size_t values = (pieces.size() + 1) / 2;
    std::string& value = pieces[2 * below(random, values)];
    if (below(random, 2) == 0)
        value = telling_values[below(random, telling_values.size())];
    else
        value = pieces[2 * below(random, values)];
}

void change_lines(std::string& text, Random& random) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        lines.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    if (lines.empty()) return;
    const std::size_t at = below(random, lines.size()), other = below(random, lines.size());
    switch (below(random, 4)) {
        case 0:
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1:
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(lines[other]));
            break;
        case 2:
            std::swap(lines[at], lines[other]);
            break;
        default:
            lines[at] = lines[other];
    }
    text = joined(lines);
}

std::size_t mutate_text(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed,
                        std::string_view separators) {
    Random random(seed);
    if (size == 0 || below(random, 4) == 0) return LLVMFuzzerMutate(data, size, room);
    std::string text(reinterpret_cast<const char*>(data), size);
    for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) {
        if (below(random, 3) == 0) {
            change_lines(text, random);
        } else {
            std::vector<std::string> pieces = pieces_of(text, separators);
            change_value(pieces, random);
            text = joined(pieces);
        }
    }
    const std::size_t length = std::min(text.size(), room);
    std::memcpy(data, text.data(), length);
    return length;
}

}  // namespace

std::size_t mutate_document(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
    return mutate_text(data, size, room, seed, " \t\r\n=,:[]{}");
}

std::size_t mutate_table(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
    return mutate_text(data, size, room, seed, ",\r\n");
}

std::size_t mutate_state(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
    const std::size_t changed = LLVMFuzzerMutate(data, size, room);
    constexpr std::size_t size_at = 16;
    if (seed % 8 == 0 || changed < size_at + 2 * sizeof(std::uint64_t)) return changed;
    const std::uint64_t whole = changed;
    std::memcpy(data + size_at, &whole, sizeof whole);
    const std::size_t before = changed - sizeof(std::uint64_t);
    const std::uint64_t checksum = state_format::checksum(std::as_bytes(std::span(data, before)));
    std::memcpy(data + before, &checksum, sizeof checksum);
    return changed;
}

}  // namespace bellwether::fuzz
