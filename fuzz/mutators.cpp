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

// A part of a text. Parts are found around a place that is drawn, without a look at the whole text, which would take
// longer than what is fuzzed.
struct Piece {
    std::size_t begin = 0, size = 0;
};

// A value between separators; behind a place and not at it, so that a long one is not drawn more often than a short
// one.
Piece any_value(std::string_view text, std::string_view separators, Random& random) {
    const auto from = [&](std::size_t place) {
        const std::size_t begin = std::min(text.find_first_not_of(separators, place), text.size());
        return Piece{begin, std::min(text.find_first_of(separators, begin), text.size()) - begin};
    };
    const Piece value = from(std::min(text.find_first_of(separators, below(random, text.size())), text.size()));
    return value.size > 0 ? value : from(0);
}

// With its end.
Piece any_line(std::string_view text, Random& random) {
    const std::size_t place = below(random, text.size());
    const std::size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = text.find('\n', place);
    return {begin, (end == std::string_view::npos ? text.size() : end + 1) - begin};
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
                                                          "1_0",
                                                          "td",
                                                          "\"td\"",
                                                          "\"\\u0000\"",
                                                          "0.1 + ",
                                                          "\t"};

void change_value(std::string& text, Random& random, std::string_view separators) {
    const Piece value = any_value(text, separators, random), other = any_value(text, separators, random);
    if (below(random, 2) == 0)
        text.replace(value.begin, value.size, telling_values[below(random, telling_values.size())]);
    else
        text.replace(value.begin, value.size, text.substr(other.begin, other.size));
}

void change_lines(std::string& text, Random& random) {
    const Piece one = any_line(text, random), other = any_line(text, random);
    const std::string text_of_other = text.substr(other.begin, other.size);
    switch (below(random, 4)) {
        case 0:
            text.erase(one.begin, one.size);
            break;
        case 1:
            text.insert(one.begin, text_of_other);
            break;
        case 2: {  // they change places: the later one first, so that the place of the earlier one holds
            const std::string text_of_one = text.substr(one.begin, one.size);
            const bool one_is_later = one.begin > other.begin;
            const Piece &later = one_is_later ? one : other, &earlier = one_is_later ? other : one;
            text.replace(later.begin, later.size, one_is_later ? text_of_other : text_of_one);
            if (later.begin != earlier.begin)
                text.replace(earlier.begin, earlier.size, one_is_later ? text_of_one : text_of_other);
            break;
        }
        default:
            text.replace(one.begin, one.size, text_of_other);
    }
}

std::size_t mutate_text(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed,
                        std::string_view separators) {
    Random random(seed);
    if (size == 0 || below(random, 4) == 0) return LLVMFuzzerMutate(data, size, room);
    std::string text(reinterpret_cast<const char*>(data), size);
    for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) {
        if (below(random, 3) == 0)
            change_lines(text, random);
        else
            change_value(text, random, separators);
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
