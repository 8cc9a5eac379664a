// Numbers and texts as bytes, and back: 8 bytes a number, little-endian, doubles by their bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.hpp"

namespace bellwether {

class Encoder {
public:
    void number(std::uint64_t value) {
        for (unsigned shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<std::byte>(value >> shift));
    }
    void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
    void reals(std::span<const double> values) {
        number(values.size());
        for (const double value : values) real(value);
    }
    void text(std::string_view value) {
        number(value.size());
        for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
    }
    void reserve(std::size_t bytes) { bytes_.reserve(bytes_.size() + bytes); }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

class Decoder {
public:
    explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::uint64_t number() {
        const std::span<const std::byte> eight = next(8);
        std::uint64_t value = 0;
        for (unsigned i = 0; i < 8; ++i) value |= static_cast<std::uint64_t>(eight[i]) << (8 * i);
        return value;
    }
    std::uint32_t index() { return static_cast<std::uint32_t>(number()); }
    double real() { return std::bit_cast<double>(number()); }
    std::vector<double> reals() {
        std::vector<double> values(length(8));
        for (double& value : values) value = real();
        return values;
    }
    std::string text() {
        const std::span<const std::byte> characters = next(length(1));
        return {reinterpret_cast<const char*>(characters.data()), characters.size()};
    }
    // How many things follow, each of at least so many bytes.
    std::size_t length(std::size_t bytes_of_each) {
        const std::uint64_t count = number();
        if (count > bytes_.size() / bytes_of_each) fail();
        return count;
    }
    // Nothing may follow.
    void end() const {
        if (!bytes_.empty()) garbled();
    }
    [[noreturn]] static void garbled() { throw WorkError("a message between processes was garbled"); }

private:
    std::span<const std::byte> next(std::size_t count) {
        if (count > bytes_.size()) fail();
        const std::span<const std::byte> taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    [[noreturn]] static void fail() { throw WorkError("a message between processes was cut off"); }

    std::span<const std::byte> bytes_;
};

}  // namespace bellwether
