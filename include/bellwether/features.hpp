// The three kinds of feature vector. All are views: the caller owns the numbers, and they must live through the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bellwether {

// A single 1 at `index`: a tabular or aggregated state.
struct OneHot {
    std::size_t index = 0;
};

// Index and value of the non-zero components, each index at most once.
template <class T = double>
struct Sparse {
    std::span<const std::uint32_t> indices;
    std::span<const T> values;
};

// Every component.
template <class T = double>
struct Dense {
    std::span<const T> values;
};

}  // namespace bellwether
