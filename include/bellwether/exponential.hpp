// exp and log with the same bits everywhere: of numbers, of packs of any width, on every instruction set. The system's
// are not: they differ from library to library. Nothing but +, −, ·, fma, comparisons and a shift of the bits.
//
// The largest error found is 1.004 units in the last place for exp (0.50 for |x| ≤ 1e-3, where step sizes live), 1.051
// for exp of floats, 0.833 for log. exp(±0) = 1 exactly; beyond the range of numbers it is 0 or ∞; a NaN stays one.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bellwether/lane.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// ((c·r + next)·r + …): the coefficients from the highest power to the lowest.
template <class Real>
BELLWETHER_INLINE Real horner(const Real&, const Real& sum) {
    return sum;
}
template <class Real, class... Rest>
BELLWETHER_INLINE Real horner(const Real& r, const Real& sum, Scalar<Real> next, Rest... rest) {
    return horner(r, fma(sum, r, Real(next)), rest...);
}

// Σ_{n≥2} r^{n−2}/n!
template <class Real>
BELLWETHER_INLINE Real exponential_tail(const Real& r) {
    if constexpr (std::is_same_v<Scalar<Real>, float>) {
        return horner(r, Real(1.0F / 5040), 1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 1.0F / 2);
    } else {
        return horner(r, Real(0x1.6124613a86d09p-33), 0x1.1eed8eff8d898p-29, 0x1.ae64567f544e4p-26,
                      0x1.27e4fb7789f5cp-22, 0x1.71de3a556c734p-19, 0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-13,
                      0x1.6c16c16c16c17p-10, 0x1.1111111111111p-7, 0x1.5555555555555p-5, 0x1.5555555555555p-3, 0.5);
    }
}

// exp(y) = 2^k exp(r) with k the integer nearest to y/ln 2 and r = y − k ln 2, in two factors of 2 so that neither
// leaves the range before the result does.
template <class Real>
BELLWETHER_INLINE Real exp(const Real& x) {
    using T = Scalar<Real>;
    constexpr bool is_float = std::is_same_v<T, float>;
    const Real y = max(Real(is_float ? T(-104) : T(-746)), min(Real(is_float ? T(89) : T(710)), x));
    const Real rounding(is_float ? T(0x1.8p23) : T(0x1.8p52));  // added and taken away, it leaves the nearest integer
    const Real k = fma(y, Real(is_float ? T(0x1.715476p+0) : T(0x1.71547652b82fep+0)), rounding) - rounding;
    Real r = fma(-k, Real(is_float ? T(0x1.62e43p-1) : T(0x1.62e42fefa39efp-1)), y);  // exact
    r = fma(-k, Real(is_float ? T(-0x1.05c61p-29) : T(0x1.abc9e3b39803fp-56)), r);
    const Real p = fma(r * r, exponential_tail(r), r) + Real(1);
    const Real j = fma(k, Real(T(0.5)), rounding) - rounding;
    return (p * power_of_two(j)) * power_of_two(k - j);
}

// a·exp(y). Where no lane has anything to multiply by, there is nothing to compute: exp(0) is 1.
template <class Real>
BELLWETHER_INLINE Real times_exp(const Real& a, const Real& y) {
    if (magnitude_within(y, Scalar<Real>(0), Scalar<Real>(0))) return a;
    return a * exp(y);
}

// ln x, one number at a time: 2 artanh(f/(2 + f)) of x = 2^k(1 + f), where 1 + f lies about 1.
BELLWETHER_DEVICE inline double log(double x) {
    if (!(x > 0)) return x == 0 ? -__builtin_inf() : __builtin_nan("");
    if (x > 0x1.fffffffffffffp1023) return x;
    const bool subnormal = x < 0x1p-1022;
    std::int64_t bits = bits_of(subnormal ? x * 0x1p54 : x);
    const std::int64_t exponent = (bits - bits_of(0x1.6a09e667f3bcdp-1)) >> 52;
    const double f = number_of_bits(bits - exponent * (std::int64_t{1} << 52)) - 1;
    const double k = static_cast<double>(exponent) - (subnormal ? 54 : 0);
    const double s = f / (2 + f), z = s * s, d = (0.5 * f) * f;
    const double q = horner(z, 2.0 / 25, 2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                            2.0 / 7, 2.0 / 5, 2.0 / 3);
    return fma(k, 0x1.62e42fefa39efp-1, f - (d - fma(s, fma(q, z, d), k * 0x1.abc9e3b39803fp-56)));
}

BELLWETHER_INLINE
float log(float x) {
    return static_cast<float>(log(static_cast<double>(x)));
}
template <class T, std::size_t N>
inline Pack<T, N> log(Pack<T, N> x) {
    for (std::size_t lane = 0; lane < N; ++lane) x.set(lane, log(x[lane]));
    return x;
}
template <class T, std::size_t stride>
BELLWETHER_INLINE Lane<T, stride> log(Lane<T, stride> x) {
    return log(x[0]);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
