// What a trace that stores its entries keeps, and what it forgets.
#include "bellwether/sparse_trace.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "bellwether/algorithms/td.hpp"
#include "bellwether/elementwise.hpp"
#include "bellwether/online.hpp"

namespace bellwether::test {
namespace {

// With room for `size` components, of which the first `entries` have 1, 1/2, 1/3, …
struct Trace {
    Trace(std::size_t size, std::size_t entries) : values(size), indices(size), slots(size, UINT32_MAX) {
        trace.values = values.data();
        trace.indices = indices.data();
        trace.slots = slots.data();
        trace.size = size;
        for (std::size_t i = 0; i < entries; ++i) trace.add(i, 1.0 / static_cast<double>(i + 1));
    }
    std::vector<double> values;
    std::vector<std::uint32_t> indices, slots;
    SparseTrace<double> trace;
};

TEST(SparseTrace, DropsWhatHasFadedWhereverItStands) {
    for (std::size_t entries = 0; entries <= 40; ++entries) {
        Trace t(40, entries);
        t.trace.cutoff = 0.05;
        t.trace.decay(0.5);  // 1/(2(i + 1)) > 0.05 for i < 9
        EXPECT_EQ(t.trace.count, std::min<std::size_t>(entries, 9));
        for (std::size_t i = 0; i < 40; ++i)
            EXPECT_EQ(t.trace[i], i < t.trace.count ? 0.5 / static_cast<double>(i + 1) : 0) << entries;
    }
}

// Entries stay while their feature is there or something else is remembered of them.
TEST(SparseTrace, KeepsIdleEntriesThatSomethingElseNeeds) {
    Trace t(4, 4);
    t.trace.decay(0);
    for (std::size_t i = 0; i < 4; ++i) t.trace.add(i, 0);
    const std::vector<double> x{1, 0, 0, 0};
    std::vector<double> memory{0, 0.5, 0, 0};
    Vector<double> remembered{memory.data(), memory.size()};
    drop_idle(t.trace, Dense<double>{x}, remembered);
    std::vector<bool> there;
    for (std::size_t i = 0; i < 4; ++i) there.push_back(t.slots[i] != UINT32_MAX);
    EXPECT_EQ(there, (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(memory[1], 0.5);
}

TEST(Online, IsAssignedWhole) {
    using Td2 = Online<Td<double, DenseTraces>>;
    const auto learned = [](double reward) {
        Td2 learner(3, {.alpha = 0.5, .lambda = 0.5});
        for (std::uint32_t i = 0; i < 5; ++i)
            learner.step({.x = OneHot{i % 3}, .reward = reward, .gamma = 0.9, .x_next = OneHot{(i + 1) % 3}});
        return learner;
    };
    Td2 one = learned(1), expected = learned(2), other(3, {.alpha = 0.1, .lambda = 0});
    other = learned(2);
    one = other;
    for (Td2* learner : {&one, &other, &expected})
        learner->step({.x = OneHot{2}, .reward = 3, .gamma = 0.9, .x_next = OneHot{0}});
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(one.weights()[i], expected.weights()[i]);
        EXPECT_EQ(other.weights()[i], expected.weights()[i]);
    }
}

}  // namespace
}  // namespace bellwether::test
