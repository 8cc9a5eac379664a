// Code that depends on the instruction set lives in an inline namespace named after it, so that one program can hold
// several builds of the same templates (-march=x86-64-v3, -v4, ...) without the linker merging them.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define BELLWETHER_TARGET target_avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define BELLWETHER_TARGET target_avx2
#else
#define BELLWETHER_TARGET target_portable
#endif

// The innermost operations are always inlined: a call would spill every register of a pack. Not under a sanitizer,
// whose checks in every copy would take minutes to compile.
#if defined(__CUDACC__)
#define BELLWETHER_INLINE __host__ __device__ inline
#define BELLWETHER_INLINE_LAMBDA
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BELLWETHER_INLINE inline
#define BELLWETHER_INLINE_LAMBDA
#else
#define BELLWETHER_INLINE [[gnu::always_inline]] inline
#define BELLWETHER_INLINE_LAMBDA __attribute__((always_inline))
#endif
