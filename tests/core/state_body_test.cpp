// What a sparse trace takes from a saved body: entries that could be its own, and nothing else.
#include "bellwether/state_body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "bellwether/state.hpp"

namespace bellwether::test {
namespace {

// A trace in three components, with one entry.
struct Trace {
    Trace() {
        trace.values = values.data();
        trace.indices = indices.data();
        trace.slots = slots.data();
        trace.size = slots.size();
        trace.add(1, 0.5);
    }
    std::array<double, 3> values{};
    std::array<std::uint32_t, 3> indices{};
    std::array<std::uint32_t, 3> slots{UINT32_MAX, UINT32_MAX, UINT32_MAX};
    SparseTrace<double> trace;
};

std::vector<std::byte> body_of(const std::vector<std::uint32_t>& indices) {
    state_format::Writer writer;
    writer.number(std::uint64_t{indices.size()});
    for (std::size_t k = 0; k < indices.size(); ++k) writer.number(static_cast<double>(k + 1));
    for (const std::uint32_t index : indices) writer.number(index);
    return std::move(writer.out_);
}

bool fits(Trace& trace, const std::vector<std::byte>& body) {
    BodyReader reader(body, BodyReader::Mode::check);
    reader.entries(trace.trace);
    return reader.complete();
}

TEST(StateBody, TakesEntriesOfATrace) {
    for (const auto& indices : {std::vector<std::uint32_t>{}, {2}, {2, 0}, {1, 2, 0}}) {
        Trace trace;
        const std::vector<std::byte> body = body_of(indices);
        EXPECT_TRUE(fits(trace, body));
        EXPECT_EQ(trace.slots, (std::array<std::uint32_t, 3>{UINT32_MAX, 0, UINT32_MAX})) << "a check changes nothing";
        BodyReader reader(body, BodyReader::Mode::read);
        reader.entries(trace.trace);
        EXPECT_EQ(trace.trace.count, indices.size());
        for (std::size_t k = 0; k < indices.size(); ++k) EXPECT_EQ(trace.trace[indices[k]], static_cast<double>(k + 1));
    }
}

// With an index twice there would be more entries than components, and the next one would be written behind them.
TEST(StateBody, RefusesEntriesThatNoTraceHas) {
    for (const auto& indices : {std::vector<std::uint32_t>{3}, {0, 0}, {0, 1, 0}, {0, 1, 2, 0}, {UINT32_MAX}}) {
        Trace trace;
        EXPECT_FALSE(fits(trace, body_of(indices)));
        EXPECT_EQ(trace.slots, (std::array<std::uint32_t, 3>{UINT32_MAX, 0, UINT32_MAX}));
        EXPECT_EQ(trace.trace.count, 1U);
    }
    Trace trace;
    std::vector<std::byte> cut = body_of({0, 2});
    cut.pop_back();
    EXPECT_FALSE(fits(trace, cut));
}

TEST(StateBody, RefusesNumbersThatAreNotAllThere) {
    std::array<double, 3> numbers{};
    Vector<double> v{numbers.data(), numbers.size()};
    for (std::size_t size = 0; size <= sizeof numbers + 1; ++size) {
        const std::vector<std::byte> body(size);
        BodyReader reader(body, BodyReader::Mode::check);
        reader.numbers(v);
        EXPECT_EQ(reader.complete(), size == sizeof numbers) << size;
    }
}

TEST(State, KeepsWhatItsCallerAttached) {
    const std::array<std::byte, 16> body{};
    const std::array<std::byte, 3> attachment{std::byte{1}, std::byte{2}, std::byte{3}};
    const auto bytes = write_state({.dimension = 4, .algorithm = "td0", .body = body, .attachment = attachment});
    SavedState read;
    ASSERT_EQ(read_state(bytes, read), "");
    EXPECT_TRUE(std::equal(read.attachment.begin(), read.attachment.end(), attachment.begin(), attachment.end()));
    EXPECT_EQ(read_state(std::span(bytes).first(8), read), "it is truncated: 8 bytes");
    EXPECT_EQ(read_state(std::span(bytes).first(7), read), "it is not a saved state of bellwether");
}

TEST(StateBody, ADimensionThatTheBodyCannotHoldIsRefused) {
    const std::array<std::byte, 16> body{};
    SavedState state{.dimension = 4, .algorithm = "td0", .body = body}, read;
    EXPECT_EQ(read_state(write_state(state), read), "");
    state.dimension = std::uint64_t{1} << 40;
    EXPECT_EQ(read_state(write_state(state), read), "it is corrupted: its parts do not fit its size");
}

}  // namespace
}  // namespace bellwether::test
