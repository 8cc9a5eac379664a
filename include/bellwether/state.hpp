// A learner's complete state as bytes, for files and messages. All numbers are little-endian.
//
//     8 bytes   "BELLWTHR"
//     u32       format version, 2
//     u32       size of a number: 8 (double) or 4 (float)
//     u64       size of everything, the checksum included
//     u64       dimension
//     f64       cutoff of sparse traces, -1 for dense traces
//     u32 + text                           the algorithm's id
//     u32, then (u32 + text, f64) each     the parameters
//     u64 + bytes                          the body: state_body.hpp
//     u64 + bytes                          an attachment: the caller's own, opaque here
//     u64       checksum: FNV-1a over all bytes before it
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

static_assert(std::endian::native == std::endian::little, "saved states are written little-endian");

// A parameter by name.
struct NamedValue {
    std::string_view name;
    double value;
};

// What a saved state holds. The views point into the bytes it was read from.
struct SavedState {
    std::uint32_t scalar_bytes = 8;
    std::uint64_t dimension = 0;
    std::optional<double> cutoff{};  // of sparse traces
    std::string_view algorithm{};
    std::vector<NamedValue> parameters{};
    std::span<const std::byte> body{};
    std::span<const std::byte> attachment{};
};

namespace state_format {

inline constexpr std::string_view magic = "BELLWTHR";
inline constexpr std::uint32_t version = 2;

inline std::uint64_t checksum(std::span<const std::byte> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::byte b : bytes) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    return hash;
}

class Writer {
public:
    template <class Number>
    void number(Number value) {
        bytes(std::as_bytes(std::span(&value, 1)));
    }
    void text(std::string_view text) {
        number(static_cast<std::uint32_t>(text.size()));
        bytes(std::as_bytes(std::span(text)));
    }
    void block(std::span<const std::byte> block) {
        number(static_cast<std::uint64_t>(block.size()));
        bytes(block);
    }
    void bytes(std::span<const std::byte> bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte> out_;
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> from) : from_(from) {}

    bool good() const { return good_; }

    template <class Number>
    Number number() {
        Number value{};
        const auto bytes = take(sizeof value);
        if (good_) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::string_view text() {
        const auto bytes = take(number<std::uint32_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::span<const std::byte> block() { return take(number<std::uint64_t>()); }
    std::span<const std::byte> take(std::uint64_t count) {
        if (!good_ || count > from_.size()) {
            good_ = false;
            return {};
        }
        const auto taken = from_.first(count);
        from_ = from_.subspan(count);
        return taken;
    }

private:
    std::span<const std::byte> from_;
    bool good_ = true;
};

}  // namespace state_format

inline std::vector<std::byte> write_state(const SavedState& state) {
    using namespace state_format;
    Writer writer;
    writer.bytes(std::as_bytes(std::span(magic)));
    writer.number(version);
    writer.number(state.scalar_bytes);
    const std::size_t size_at = writer.out_.size();
    writer.number(std::uint64_t{0});
    writer.number(state.dimension);
    writer.number(state.cutoff.value_or(-1.0));
    writer.text(state.algorithm);
    writer.number(static_cast<std::uint32_t>(state.parameters.size()));
    for (const NamedValue& parameter : state.parameters) {
        writer.text(parameter.name);
        writer.number(parameter.value);
    }
    writer.block(state.body);
    writer.block(state.attachment);
    const std::uint64_t size = writer.out_.size() + sizeof(std::uint64_t);
    std::memcpy(writer.out_.data() + size_at, &size, sizeof size);
    writer.number(checksum(writer.out_));
    return std::move(writer.out_);
}

// Returns what is wrong with the bytes; empty where `state` has been read.
inline std::string read_state(std::span<const std::byte> bytes, SavedState& state) {
    using namespace state_format;
    if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return "it is not a saved state of bellwether";
    Reader reader(bytes.subspan(magic.size()));
    const auto found_version = reader.number<std::uint32_t>();
    if (reader.good() && found_version != version)
        return "its format version is " + std::to_string(found_version) + ", this program reads version " +
               std::to_string(version);
    SavedState read;
    read.scalar_bytes = reader.number<std::uint32_t>();
    const auto size = reader.number<std::uint64_t>();
    if (!reader.good() || bytes.size() < size)
        return "it is truncated: " + std::to_string(bytes.size()) + " bytes" +
               (reader.good() ? " of " + std::to_string(size) : "");
    if (bytes.size() > size) return "it is corrupted: " + std::to_string(bytes.size() - size) + " bytes too many";
    std::uint64_t stored_checksum = 0;
    if (size < sizeof stored_checksum) return "it is corrupted: the checksum does not match";
    std::memcpy(&stored_checksum, bytes.data() + size - sizeof stored_checksum, sizeof stored_checksum);
    if (checksum(bytes.first(size - sizeof stored_checksum)) != stored_checksum)
        return "it is corrupted: the checksum does not match";
    read.dimension = reader.number<std::uint64_t>();
    const auto cutoff = reader.number<double>();
    if (cutoff >= 0) read.cutoff = cutoff;
    read.algorithm = reader.text();
    const auto parameters = reader.number<std::uint32_t>();
    for (std::uint32_t i = 0; reader.good() && i < parameters; ++i) {
        const std::string_view name = reader.text();
        read.parameters.push_back({name, reader.number<double>()});
    }
    read.body = reader.block();
    read.attachment = reader.block();
    // A body has the weights at least: what it claims beyond that would be memory for nothing.
    const bool holds_weights = read.dimension <= read.body.size() / sizeof(float);
    if (!reader.good() || !holds_weights) return "it is corrupted: its parts do not fit its size";
    state = std::move(read);
    return {};
}

}  // namespace bellwether
