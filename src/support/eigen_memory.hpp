// Eigen's matrices, safe where memory runs out. Eigen 3.4 frees what a matrix (DenseStorage::resize) or a decomposition
// has before it asks for memory of another size; where there is none, what was freed is still in it, and is freed once
// more on the way out of the exception. That second time is left out here. Whatever includes a header of Eigen includes
// this one too.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>

namespace bellwether::eigen_memory {

struct LastFreed {
    std::array<void*, 32> blocks{};  // that were not given out again; a decomposition has some ten
    std::size_t next = 0;
    bool has_failed = false;  // there was no memory, and nothing was asked for since

    bool has(void* block) const { return std::find(blocks.begin(), blocks.end(), block) != blocks.end(); }
    void add(void* block) { blocks[next++ % blocks.size()] = block; }
    void given_out(void* block) {
        std::replace(blocks.begin(), blocks.end(), block, static_cast<void*>(nullptr));
        has_failed = false;
    }
};
inline thread_local LastFreed last_freed;

}  // namespace bellwether::eigen_memory

namespace Eigen::internal {

template <>
inline void* conditional_aligned_malloc<true>(std::size_t size) {
    bellwether::eigen_memory::LastFreed& last = bellwether::eigen_memory::last_freed;
    try {
        void* block = aligned_malloc(size);
        last.given_out(block);
        return block;
    } catch (...) {
        last.has_failed = true;
        throw;
    }
}
template <>
inline void conditional_aligned_free<true>(void* block) {
    if (!block) return;
    bellwether::eigen_memory::LastFreed& last = bellwether::eigen_memory::last_freed;
    if (last.has_failed && last.has(block)) return;
    last.add(block);
    aligned_free(block);
}

}  // namespace Eigen::internal
