// Code that depends on the instruction set lives in an inline namespace named after it, so that one program can hold
// several builds of the same templates (-march=x86-64-v3, -v4, ...) without the linker merging them.
#pragma once

#if defined(__CUDACC__)
#define BELLWETHER_TARGET target_device
#elif defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define BELLWETHER_TARGET target_avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define BELLWETHER_TARGET target_avx2
#else
#define BELLWETHER_TARGET target_portable
#endif

// What is needed on a device too, and where it is called from is all that there is to say, is BELLWETHER_DEVICE.
//
// The innermost operations are always inlined: a call would spill every register of a pack. Not under a sanitizer,
// whose checks in every copy would take minutes to compile, and not with BELLWETHER_COMPILE_FAST, for tests of which
// speed is no part: the same bits, later. What is rare is kept out of line, so that it takes no registers from the
// rest; not on a device, where a call puts whatever it refers to into memory. A device waits long for what it loads:
// where a loop says BELLWETHER_UNROLL, twice as much of it is on its way there; where it says BELLWETHER_ROLLED it is
// rare, and should take no registers from the rest.
#if defined(__CUDACC__)
#define BELLWETHER_DEVICE __host__ __device__
#define BELLWETHER_INLINE __host__ __device__ __forceinline__
#define BELLWETHER_INLINE_LAMBDA
#define BELLWETHER_OUT_OF_LINE __host__ __device__ __forceinline__
#define BELLWETHER_UNROLL _Pragma("unroll 2")
#define BELLWETHER_ROLLED _Pragma("unroll 1")
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(BELLWETHER_COMPILE_FAST)
#define BELLWETHER_DEVICE
#define BELLWETHER_INLINE inline
#define BELLWETHER_INLINE_LAMBDA
#define BELLWETHER_OUT_OF_LINE [[gnu::noinline]]
#define BELLWETHER_UNROLL
#define BELLWETHER_ROLLED
#else
#define BELLWETHER_DEVICE
#define BELLWETHER_INLINE [[gnu::always_inline]] inline
#define BELLWETHER_INLINE_LAMBDA __attribute__((always_inline))
#define BELLWETHER_OUT_OF_LINE [[gnu::noinline]]
#define BELLWETHER_UNROLL
#define BELLWETHER_ROLLED
#endif
