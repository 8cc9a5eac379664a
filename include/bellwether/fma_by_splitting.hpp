// a·b + c rounded once, two at a time, where the processor has no instruction for it: the C library's way takes a
// hundred nanoseconds, this one six.
//
//   u + u' = a·b                    Dekker's product of halves, exact
//   t + t' = c + u'                 Knuth's sum, exact
//   v + v' = u + t
//   a·b + c = v + odd(t' + v')      Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008
//
// where odd(s) is s rounded to the neighbour whose last bit is 1 if it is not exact: rounding again to fewer bits, in
// the last sum, then goes where rounding once would have gone. The products of halves need room below and above them;
// without it, and for what is not finite, the C library is asked.
#pragma once

#if defined(__x86_64__) && !defined(__FMA__) && !defined(__CUDACC__)
#define BELLWETHER_SPLITS_FMA

#include "bellwether/target.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Not compiled for the instruction, a program may yet run where it is: the C library uses it then, in three
// nanoseconds.
inline bool has_fma_instruction() {
    return __builtin_cpu_supports("fma");
}

typedef double TwoDoubles __attribute__((vector_size(16)));
typedef long long TwoIntegers __attribute__((vector_size(16)));

namespace splitting {

inline void add(TwoDoubles a, TwoDoubles b, TwoDoubles& sum, TwoDoubles& error) {
    sum = a + b;
    const TwoDoubles b_in_sum = sum - a;
    error = (a - (sum - b_in_sum)) + (b - b_in_sum);
}
// The upper 26 bits; the others are left in a.
inline TwoDoubles take_upper_half(TwoDoubles& a) {
    const TwoDoubles scaled = a * 0x1.0000002p27;  // 2^27 + 1
    const TwoDoubles upper = scaled - (scaled - a);
    a = a - upper;
    return upper;
}
inline TwoDoubles magnitude(TwoDoubles a) {
    return reinterpret_cast<TwoDoubles>(reinterpret_cast<TwoIntegers>(a) & 0x7FFF'FFFF'FFFF'FFFF);
}

}  // namespace splitting

inline TwoDoubles fma_by_splitting(TwoDoubles a, TwoDoubles b, TwoDoubles c) {
    using splitting::magnitude;
    const TwoDoubles u = a * b;
    TwoDoubles a_lower = a, b_lower = b;
    const TwoDoubles a_upper = splitting::take_upper_half(a_lower), b_upper = splitting::take_upper_half(b_lower);
    const TwoDoubles u_error = ((a_upper * b_upper - u) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower;
    TwoDoubles t, t_error, v, v_error, s, s_error;
    splitting::add(c, u_error, t, t_error);
    splitting::add(u, t, v, v_error);
    splitting::add(t_error, v_error, s, s_error);
    // One step of the last bit towards the error, unless that bit is 1 already.
    const TwoIntegers bits = reinterpret_cast<TwoIntegers>(s);
    const TwoIntegers step = ((bits ^ reinterpret_cast<TwoIntegers>(s_error)) >> 63) | 1;
    const TwoIntegers odd = bits + (step & (s_error != 0.0) & ((bits & 1) == 0));
    // Where the product is exact, so is its sign, of zeros too.
    const TwoDoubles result = u_error == 0.0 ? u + c : v + reinterpret_cast<TwoDoubles>(odd);
    const TwoIntegers has_room = (magnitude(a) <= 0x1p995) & (magnitude(b) <= 0x1p995) &
                                 (magnitude(result) <= 0x1.fffffffffffffp1023) &
                                 ((magnitude(u) >= 0x1p-960) | (a == 0.0) | (b == 0.0));
    if (!(has_room[0] & has_room[1])) [[unlikely]]
        return TwoDoubles{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
    return result;
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
#endif
