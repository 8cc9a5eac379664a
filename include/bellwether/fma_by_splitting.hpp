// a·b + c, rounded once, on x86 processors that have no instruction for it: two doubles or four floats at a time, some
// sixty operations out of sums and products whose rounding errors are known exactly. The mathematics library sets the
// processor's rounding mode for the same number, which takes ten times as long.
//
// [BM] S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd,
//      IEEE Transactions on Computers 57, 2008.
#pragma once

#include <cstdint>

#include "bellwether/target.hpp"

#if defined(__x86_64__) && !defined(__FMA__) && !defined(__CUDACC__)
#define BELLWETHER_FMA_BY_SPLITTING

namespace bellwether {
inline namespace BELLWETHER_TARGET {
namespace fma_by_splitting {

typedef double Doubles __attribute__((vector_size(16)));
typedef float Floats __attribute__((vector_size(16)));
typedef std::int64_t Integers __attribute__((vector_size(16)));
typedef std::uint64_t Bits __attribute__((vector_size(16)));

// sum + rest is exact, and sum is rounded.
struct Exact {
    Doubles sum;
    Doubles rest;
};

BELLWETHER_INLINE
Exact exact_sum(Doubles a, Doubles b) {
    const Doubles sum = a + b;
    const Doubles of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// Two numbers of half the digits each, so that products of them are exact.
BELLWETHER_INLINE
Exact split(Doubles a) {
    const Doubles shifted = a * 0x8000001p0;
    const Doubles high = shifted - (shifted - a);
    return {high, a - high};
}

BELLWETHER_INLINE
Exact exact_product(Doubles a, Doubles b) {
    const Doubles product = a * b;
    const Exact x = split(a), y = split(b);
    return {product, ((x.sum * y.sum - product) + x.sum * y.rest + x.rest * y.sum) + x.rest * y.rest};
}

// The sum rounded to odd: what is not exact ends in a bit 1, so that rounding once more to fewer digits is as if it
// were the first time.
BELLWETHER_INLINE
Doubles to_odd(const Exact& exact) {
    const Bits bits = reinterpret_cast<Bits>(exact.sum);
    const Integers inexact = (exact.rest < 0) | (exact.rest > 0);  // neither where the rest is NaN
    const Integers even = reinterpret_cast<Integers>((bits & 1) - 1);
    const Bits opposite = (bits ^ reinterpret_cast<Bits>(exact.rest)) >> 63;
    const Bits away = 1 - (opposite << 1);  // towards what the exact number is beyond the sum
    return reinterpret_cast<Doubles>(bits + (away & reinterpret_cast<Bits>(inexact & even)));
}

BELLWETHER_INLINE
Doubles magnitude(Doubles a) {
    return reinterpret_cast<Doubles>(reinterpret_cast<Bits>(a) & 0x7fffffffffffffffu);
}

BELLWETHER_INLINE
bool all(Integers chosen) {
    return __builtin_ia32_movmskpd(reinterpret_cast<Doubles>(chosen)) == 3;
}

[[gnu::noinline, gnu::const, gnu::cold]] inline Doubles by_library(Doubles a, Doubles b, Doubles c) {
    return Doubles{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}

// [BM], figure 5: c takes up the product's error first, and what is lost then is rounded to odd.
[[gnu::noinline, gnu::const]] inline Doubles split_fma(Doubles a, Doubles b, Doubles c) {
    const Exact product = exact_product(a, b);
    const Doubles size = magnitude(product.sum);
    // Where nothing overflows (nor is infinite or NaN), and the product's error is no smaller than the least number.
    const Integers fits =
        (magnitude(a) + magnitude(b) + magnitude(c) + size <= 0x1p990) & ((size >= 0x1p-960) | (a == 0) | (b == 0));
    if (__builtin_expect(!all(fits), 0)) return by_library(a, b, c);
    const Exact with_error = exact_sum(c, product.rest);
    const Exact sum = exact_sum(product.sum, with_error.sum);
    const Doubles fused = sum.sum + to_odd(exact_sum(with_error.rest, sum.rest));
    return fused == 0 ? product.sum + c : fused;  // the sign of zero
}

// A product of two floats is exact in double precision.
BELLWETHER_INLINE
Doubles split_fma_of_floats(Doubles a, Doubles b, Doubles c) {
    return to_odd(exact_sum(a * b, c));
}
[[gnu::noinline, gnu::const]] inline Floats split_fma(Floats a, Floats b, Floats c) {
    const Doubles low = split_fma_of_floats(Doubles{a[0], a[1]}, Doubles{b[0], b[1]}, Doubles{c[0], c[1]});
    const Doubles high = split_fma_of_floats(Doubles{a[2], a[3]}, Doubles{b[2], b[3]}, Doubles{c[2], c[3]});
    return Floats{float(low[0]), float(low[1]), float(high[0]), float(high[1])};
}

// The instruction, where the processor has it and the program was not compiled for it.
[[gnu::noinline, gnu::const, gnu::target("fma")]] inline double by_instruction(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
[[gnu::noinline, gnu::const, gnu::target("fma")]] inline float by_instruction(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
[[gnu::noinline, gnu::const, gnu::target("fma")]] inline Doubles by_instruction(Doubles a, Doubles b, Doubles c) {
    return Doubles{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
[[gnu::noinline, gnu::const, gnu::target("fma")]] inline Floats by_instruction(Floats a, Floats b, Floats c) {
    return Floats{__builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1]), __builtin_fmaf(a[2], b[2], c[2]),
                  __builtin_fmaf(a[3], b[3], c[3])};
}

BELLWETHER_INLINE
double split_fma(double a, double b, double c) {
    return split_fma(Doubles{a, 0}, Doubles{b, 0}, Doubles{c, 0})[0];
}
BELLWETHER_INLINE
float split_fma(float a, float b, float c) {
    return static_cast<float>(split_fma_of_floats(Doubles{a, 0}, Doubles{b, 0}, Doubles{c, 0})[0]);
}

template <class Numbers>
[[gnu::noinline, gnu::const]] Numbers fused(Numbers a, Numbers b, Numbers c) {
    return __builtin_cpu_supports("fma") ? by_instruction(a, b, c) : split_fma(a, b, c);
}

}  // namespace fma_by_splitting
}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
#endif
