// What a sparse trace takes from a saved body: entries that could be its own, and nothing else.
#include "bellwether/state_body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "bellwether/algorithms/td.hpp"
#include "bellwether/online.hpp"
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
    std::uint32_t behind = UINT32_MAX;  // what lies there is no slot, whatever it looks like
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
        std::array<double, 3> expected{};  // nothing of what the trace had before
        for (std::size_t k = 0; k < indices.size(); ++k) expected[indices[k]] = static_cast<double>(k + 1);
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(trace.trace[i], expected[i]);
        trace.trace.add(1, 7);
        EXPECT_EQ(trace.trace[1], expected[1] + 7);
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

// A learner takes a whole body or nothing of it.
template <class Traces>
void expect_all_or_nothing() {
    Online<Td<double, Traces>> learner(3, {.alpha = 0.5, .lambda = 0.5}), other = learner;
    learner.step({.x = {0}, .reward = 1, .gamma = 0.9, .x_next = {1}});
    other.step({.x = {2}, .reward = 3, .gamma = 0.5, .x_next = {1}});
    std::vector<std::byte> body(learner.body_size()), before(other.body_size()), after(other.body_size());
    learner.save_body(body.data());
    other.save_body(before.data());
    for (std::size_t size = 0; size < body.size(); ++size) {
        EXPECT_FALSE(other.restore_body(std::span(body).first(size))) << size;
        other.save_body(after.data());
        EXPECT_EQ(before, after) << size;
    }
    EXPECT_TRUE(other.restore_body(body));
    after.resize(other.body_size());
    other.save_body(after.data());
    EXPECT_EQ(after, body);
}
TEST(StateBody, IsTakenWholeOrNotAtAll) {
    expect_all_or_nothing<DenseTraces>();
    expect_all_or_nothing<SparseTraces>();
}

}  // namespace
}  // namespace bellwether::test
