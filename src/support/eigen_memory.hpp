// Eigen's matrices, safe where memory runs out. DenseStorage::resize of Eigen 3.4 frees what a matrix has before it
// asks for memory of another size; where there is none, the matrix is left with what it had freed, and frees it once
// more. That second time is left out here. Whatever includes a header of Eigen includes this one too.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <utility>

namespace bellwether::eigen_memory {

inline thread_local void* freed = nullptr;     // the last block, where nothing was asked for since
inline thread_local void* dangling = nullptr;  // freed, and its matrix, which the exception ends, may still have it

}  // namespace bellwether::eigen_memory

namespace Eigen::internal {

template <>
inline void* conditional_aligned_malloc<true>(std::size_t size) {
    using namespace bellwether::eigen_memory;
    try {
        void* block = aligned_malloc(size);
        freed = nullptr;
        if (block == dangling) dangling = nullptr;
        return block;
    } catch (...) {
        dangling = std::exchange(freed, nullptr);
        throw;
    }
}
template <>
inline void conditional_aligned_free<true>(void* block) {
    using namespace bellwether::eigen_memory;
    if (block && block == dangling) {
        dangling = nullptr;
        return;
    }
    freed = block;
    aligned_free(block);
}

}  // namespace Eigen::internal
