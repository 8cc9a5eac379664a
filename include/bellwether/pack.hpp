// Pack<T, N>: N numbers that move together. In a sweep each lane is another configuration; inside the scalar learner a
// pack is eight neighbouring components of one vector. Every operation is elementwise and rounds as the scalar
// operation does, on every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "bellwether/fma_by_splitting.hpp"
#include "bellwether/target.hpp"

#if defined(__AVX2__) || defined(__FMA__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bellwether {
inline namespace BELLWETHER_TARGET {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif

// a·b + c, rounded once.
BELLWETHER_INLINE
double fma(double a, double b, double c) {
#ifdef BELLWETHER_FMA_BY_SPLITTING
    return fma_by_splitting::fused(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}
BELLWETHER_INLINE
float fma(float a, float b, float c) {
#ifdef BELLWETHER_FMA_BY_SPLITTING
    return fma_by_splitting::fused(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

BELLWETHER_INLINE
double sqrt(double a) {
    return __builtin_sqrt(a);
}
BELLWETHER_INLINE
float sqrt(float a) {
    return __builtin_sqrtf(a);
}

// Written as comparisons, so that NaN and signed zeros fall the same way in every lane.
BELLWETHER_INLINE
double min(double a, double b) {
    return a < b ? a : b;
}
BELLWETHER_INLINE
float min(float a, float b) {
    return a < b ? a : b;
}
BELLWETHER_INLINE
double max(double a, double b) {
    return a > b ? a : b;
}
BELLWETHER_INLINE
float max(float a, float b) {
    return a > b ? a : b;
}

BELLWETHER_INLINE
double abs(double a) {
    return __builtin_fabs(a);
}
BELLWETHER_INLINE
float abs(float a) {
    return __builtin_fabsf(a);
}

// `yes` where a > b, else `no`.
template <class T>
requires std::is_floating_point_v<T> BELLWETHER_INLINE T where_greater(T a, T b, T yes, T no) {
    return a > b ? yes : no;
}

// The bits of a number as an integer, and back.
BELLWETHER_INLINE
std::int64_t bits_of(double a) {
    std::int64_t bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    return bits;
}
BELLWETHER_INLINE
double number_of_bits(std::int64_t bits) {
    double a;
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
}
BELLWETHER_INLINE
float number_of_bits(std::int32_t bits) {
    float a;
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
}

// 2^i for a whole i whose power is a normal number. The sum has i, with the offset of exponents, in the lowest bits of
// its fraction; from there they are shifted to where exponents stand.
BELLWETHER_INLINE
double power_of_two(double i) {
    return number_of_bits(static_cast<std::int64_t>(static_cast<std::uint64_t>(bits_of(i + (0x1.8p52 + 1023))) << 52));
}
BELLWETHER_INLINE
float power_of_two(float i) {
    const float sum = i + (0x1.8p23F + 127);
    std::uint32_t bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    return number_of_bits(static_cast<std::int32_t>(bits << 23));
}

// Whether low ≤ |a| ≤ high; of a pack, whether that holds in every lane.
template <class T>
requires std::is_floating_point_v<T> BELLWETHER_INLINE bool magnitude_within(T a, T low, T high) {
    const T magnitude = a < 0 ? -a : a;
    return magnitude >= low && magnitude <= high;
}
// `inside` where low ≤ |a| ≤ high, else `outside`.
template <class T>
requires std::is_floating_point_v<T> BELLWETHER_INLINE T by_magnitude(T a, T low, T high, T inside, T outside) {
    return magnitude_within(a, low, high) ? inside : outside;
}

#if defined(__CUDACC__)
template <class T, std::size_t N>
class Pack;  // a device has no vectors of the compiler's; its threads are lanes (lane.hpp)
#else
template <class T, std::size_t N>
class Pack {
    static_assert(std::is_floating_point_v<T> && N >= 2 && (N & (N - 1)) == 0,
                  "a pack holds a power of two of numbers");

public:
    static constexpr std::size_t lanes = N;

    Pack() = default;
    // Register by register: a compiler may copy a class in smaller pieces, and the next load waits for them.
    BELLWETHER_INLINE
    Pack(const Pack& other) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { registers_[i] = other.registers_[i]; });
    }
    BELLWETHER_INLINE
    Pack& operator=(const Pack& other) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { registers_[i] = other.registers_[i]; });
        return *this;
    }
    BELLWETHER_INLINE
    Pack(T value) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            registers_[i] = broadcast(value, std::make_index_sequence<native>{});
        });
    }

    BELLWETHER_INLINE
    T operator[](std::size_t lane) const { return registers_[lane / native][lane % native]; }
    BELLWETHER_INLINE
    void set(std::size_t lane, T value) { registers_[lane / native][lane % native] = value; }

    BELLWETHER_INLINE
    static Pack load(const T* from) {
        Pack pack;
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            pack.registers_[i] = reinterpret_cast<const InMemory*>(from)[i];
        });
        return pack;
    }
    BELLWETHER_INLINE
    void store(T* to) const {
        each_register([&](std::size_t i)
                          BELLWETHER_INLINE_LAMBDA { reinterpret_cast<InMemory*>(to)[i] = registers_[i]; });
    }

    // The first `count` numbers, and zeros; what follows them in memory is not read.
    BELLWETHER_INLINE
    static Pack load(const T* from, std::size_t count) {
        Pack pack(T(0));
#if defined(__AVX2__)
        if constexpr (native * sizeof(T) >= 32) {
            each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
                pack.registers_[i] = load_register(from + i * native, lanes_before(i, count));
            });
            return pack;
        }
#endif
        for (std::size_t lane = 0; lane < N; ++lane)
            if (lane < count) pack.set(lane, from[lane]);
        return pack;
    }

    // The first `count` lanes of a, the others of b.
    BELLWETHER_INLINE
    friend Pack join(std::size_t count, Pack a, const Pack& b) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            a.registers_[i] = lanes_before(i, count) ? a.registers_[i] : b.registers_[i];
        });
        return a;
    }

    // The compiler computes this here, neither earlier nor later: left alone, it may first compute a hundred things and
    // then have no register left for any.
    BELLWETHER_INLINE
    void compute_now() {
#if defined(__x86_64__)
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { asm volatile("" : "+v"(registers_[i])); });
#elif defined(__aarch64__)
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { asm volatile("" : "+w"(registers_[i])); });
#endif
    }

    // The sum of the lanes in a fixed order: upper half onto lower half, until one is left.
    BELLWETHER_INLINE
    T sum() const {
        Pack folded = *this;
        for (std::size_t half = registers / 2; half > 0; half /= 2)
            for (std::size_t i = 0; i < half; ++i) folded.registers_[i] += folded.registers_[i + half];
        return sum_register(folded.registers_[0]);
    }

    BELLWETHER_INLINE
    friend Pack operator+(Pack a, const Pack& b) {
        return a.apply(b, [](auto x, auto y) BELLWETHER_INLINE_LAMBDA { return x + y; });
    }
    BELLWETHER_INLINE
    friend Pack operator-(Pack a, const Pack& b) {
        return a.apply(b, [](auto x, auto y) BELLWETHER_INLINE_LAMBDA { return x - y; });
    }
    BELLWETHER_INLINE
    friend Pack operator*(Pack a, const Pack& b) {
        return a.apply(b, [](auto x, auto y) BELLWETHER_INLINE_LAMBDA { return x * y; });
    }
    BELLWETHER_INLINE
    friend Pack operator/(Pack a, const Pack& b) {
        return a.apply(b, [](auto x, auto y) BELLWETHER_INLINE_LAMBDA { return x / y; });
    }
    BELLWETHER_INLINE
    friend Pack operator-(Pack a) {
        return a.apply(a, [](auto x, auto) BELLWETHER_INLINE_LAMBDA { return -x; });
    }
    BELLWETHER_INLINE
    friend Pack min(Pack a, const Pack& b) {
        return a.apply(b, [](auto x, auto y) BELLWETHER_INLINE_LAMBDA { return x < y ? x : y; });
    }
    BELLWETHER_INLINE
    friend Pack max(Pack a, const Pack& b) {
        return a.apply(b, [](auto x, auto y) BELLWETHER_INLINE_LAMBDA { return x > y ? x : y; });
    }
    BELLWETHER_INLINE
    friend Pack abs(Pack a) {
        return a.apply(a, [](auto x, auto) BELLWETHER_INLINE_LAMBDA { return magnitude(x); });
    }
    BELLWETHER_INLINE
    friend Pack where_greater(const Pack& a, const Pack& b, Pack yes, const Pack& no) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            yes.registers_[i] = a.registers_[i] > b.registers_[i] ? yes.registers_[i] : no.registers_[i];
        });
        return yes;
    }
    BELLWETHER_INLINE
    friend Pack power_of_two(Pack i) {
        return i.apply(i, [](auto x, auto) BELLWETHER_INLINE_LAMBDA { return power_of_two_register(x); });
    }
    BELLWETHER_INLINE
    friend Pack sqrt(Pack a) {
        return a.apply(a, [](auto x, auto) BELLWETHER_INLINE_LAMBDA { return sqrt_register(x); });
    }
    // Whether some lane is neither infinite nor NaN.
    BELLWETHER_INLINE
    friend bool any_finite(const Pack& a) {
        bool any = false;
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            any = any || !every(~within(a.registers_[i], T(0), std::numeric_limits<T>::max()));
        });
        return any;
    }
    BELLWETHER_INLINE
    friend bool magnitude_within(const Pack& a, T low, T high) {
        Integers all = within(a.registers_[0], low, high);
        for (std::size_t i = 1; i < registers; ++i) all &= within(a.registers_[i], low, high);
        return every(all);
    }
    // Whether no lane is at most `high` in magnitude; a NaN is not.
    BELLWETHER_INLINE
    friend bool magnitude_above(const Pack& a, T high) {
        Integers all = ~(magnitude(a.registers_[0]) <= high);
        for (std::size_t i = 1; i < registers; ++i) all &= ~(magnitude(a.registers_[i]) <= high);
        return every(all);
    }
    BELLWETHER_INLINE
    friend Pack by_magnitude(const Pack& a, T low, T high, Pack inside, const Pack& outside) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            inside.registers_[i] = within(a.registers_[i], low, high) ? inside.registers_[i] : outside.registers_[i];
        });
        return inside;
    }
    BELLWETHER_INLINE
    friend Pack fma(const Pack& a, const Pack& b, Pack c) {
        each_register([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
            c.registers_[i] = fma_register(a.registers_[i], b.registers_[i], c.registers_[i]);
        });
        return c;
    }

private:
    static constexpr std::size_t native = N * sizeof(T) < register_bytes ? N : register_bytes / sizeof(T);
    static constexpr std::size_t registers = N / native;
    typedef T Register __attribute__((vector_size(native * sizeof(T))));
    typedef T InMemory __attribute__((vector_size(native * sizeof(T)), aligned(alignof(T))));
    // As wide as T, so that a comparison of them selects lanes.
    using Integer = std::conditional_t<sizeof(T) == 8, long long, int>;
    typedef Integer Integers __attribute__((vector_size(native * sizeof(T))));
    typedef std::make_unsigned_t<Integer> Unsigneds __attribute__((vector_size(native * sizeof(T))));

    BELLWETHER_INLINE
    static Register sqrt_register(Register a) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
        if constexpr (std::is_same_v<T, double> && native == 8)
            return _mm512_maskz_sqrt_pd(0xFF, a);  // (without a mask, g++ 12 warns of its own header)
#endif
#if defined(__AVX2__)
        if constexpr (std::is_same_v<T, double> && native == 4) return _mm256_sqrt_pd(a);
#endif
        for (std::size_t lane = 0; lane < native; ++lane) a[lane] = bellwether::sqrt(T(a[lane]));
        return a;
    }

    BELLWETHER_INLINE
    static Register power_of_two_register(Register i) {
        constexpr T sum = sizeof(T) == 8 ? T(0x1.8p52 + 1023) : T(0x1.8p23 + 127);
        return reinterpret_cast<Register>(reinterpret_cast<Unsigneds>(i + sum) << (sizeof(T) == 8 ? 52 : 23));
    }

    // The bits without the sign.
    BELLWETHER_INLINE
    static Register magnitude(Register a) {
        return reinterpret_cast<Register>(reinterpret_cast<Integers>(a) & std::numeric_limits<Integer>::max());
    }
    // All ones in the lanes with low ≤ |a| ≤ high.
    BELLWETHER_INLINE
    static Integers within(Register a, T low, T high) {
        const Register m = magnitude(a);
        return (m >= low) & (m <= high);
    }
    BELLWETHER_INLINE
    static bool every(Integers chosen) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
        if constexpr (sizeof(Integers) == 64 && sizeof(T) == 8)
            return _mm512_movepi64_mask(reinterpret_cast<__m512i>(chosen)) == 0xFF;
#endif
#if defined(__AVX2__)
        if constexpr (sizeof(Integers) == 32) return _mm256_movemask_epi8(reinterpret_cast<__m256i>(chosen)) == -1;
#endif
        bool all = true;
        for (std::size_t lane = 0; lane < native; ++lane) all = all && chosen[lane];
        return all;
    }

    template <std::size_t... Lane>
    BELLWETHER_INLINE static Integers lane_numbers(std::size_t reg, std::index_sequence<Lane...>) {
        return Integers{static_cast<Integer>(reg * native + Lane)...};
    }
    BELLWETHER_INLINE
    static Integers lane_numbers(std::size_t reg) {
        return lane_numbers(reg, std::make_index_sequence<native>{});
    }
    BELLWETHER_INLINE
    static Integers lanes_before(std::size_t reg, std::size_t count) {
        return lane_numbers(reg) < static_cast<Integer>(count);
    }
#if defined(__AVX2__)
    BELLWETHER_INLINE
    static Register load_register(const T* from, Integers chosen) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
        if constexpr (sizeof(Register) == 64 && sizeof(T) == 8)
            return _mm512_maskz_loadu_pd(_mm512_movepi64_mask(reinterpret_cast<__m512i>(chosen)), from);
        if constexpr (sizeof(Register) == 64 && sizeof(T) == 4)
            return _mm512_maskz_loadu_ps(_mm512_movepi32_mask(reinterpret_cast<__m512i>(chosen)), from);
#endif
        if constexpr (sizeof(Register) == 32 && sizeof(T) == 8)
            return _mm256_maskload_pd(from, reinterpret_cast<__m256i>(chosen));
        if constexpr (sizeof(Register) == 32 && sizeof(T) == 4)
            return _mm256_maskload_ps(from, reinterpret_cast<__m256i>(chosen));
    }
#endif

    // use(i) for the number of every register, written out: as loops, operations would be carried through the
    // compiler's passes at every level of inlining, and a kernel would take twice as long to compile.
    template <class Use, std::size_t... I>
    BELLWETHER_INLINE static void each_register(Use use, std::index_sequence<I...>) {
        (use(I), ...);
    }
    template <class Use>
    BELLWETHER_INLINE static void each_register(Use use) {
        each_register(use, std::make_index_sequence<registers>{});
    }

    template <std::size_t... Lane>
    BELLWETHER_INLINE static Register broadcast(T value, std::index_sequence<Lane...>) {
        return Register{((void)Lane, value)...};
    }

    template <class Operation>
    BELLWETHER_INLINE Pack& apply(const Pack& other, Operation operation) {
        each_register([&](std::size_t i)
                          BELLWETHER_INLINE_LAMBDA { registers_[i] = operation(registers_[i], other.registers_[i]); });
        return *this;
    }

    // The instruction itself: left to the compiler, a loop of scalar fma is vectorised only sometimes.
    BELLWETHER_INLINE
    static Register fma_register(Register a, Register b, Register c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
        if constexpr (std::is_same_v<T, double> && native == 8) return _mm512_fmadd_pd(a, b, c);
        if constexpr (std::is_same_v<T, float> && native == 16) return _mm512_fmadd_ps(a, b, c);
#endif
#if defined(__FMA__)
        if constexpr (std::is_same_v<T, double> && native == 4) return _mm256_fmadd_pd(a, b, c);
        if constexpr (std::is_same_v<T, double> && native == 2) return _mm_fmadd_pd(a, b, c);
        if constexpr (std::is_same_v<T, float> && native == 8) return _mm256_fmadd_ps(a, b, c);
        if constexpr (std::is_same_v<T, float> && native == 4) return _mm_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
        if constexpr (std::is_same_v<T, double> && native == 2) return vfmaq_f64(c, a, b);
        if constexpr (std::is_same_v<T, float> && native == 4) return vfmaq_f32(c, a, b);
#endif
#ifdef BELLWETHER_FMA_BY_SPLITTING
        if constexpr (sizeof(Register) == 16) return fma_by_splitting::fused(a, b, c);
#endif
        for (std::size_t lane = 0; lane < native; ++lane) c[lane] = bellwether::fma(T(a[lane]), T(b[lane]), T(c[lane]));
        return c;
    }

    template <class Vector, std::size_t... Lane>
    BELLWETHER_INLINE static T sum_halves(Vector v, std::index_sequence<Lane...>) {
        return sum_register(__builtin_shufflevector(v, v, Lane...) +
                            __builtin_shufflevector(v, v, (Lane + sizeof...(Lane))...));
    }
    template <class Vector>
    BELLWETHER_INLINE static T sum_register(Vector v) {
        constexpr std::size_t count = sizeof(Vector) / sizeof(T);
        if constexpr (count == 2) {
            return v[0] + v[1];
        } else {
            return sum_halves(v, std::make_index_sequence<count / 2>{});
        }
    }

    Register registers_[registers];
};
#endif

// The number type of one lane: T for Pack<T, N>, Real itself for a scalar.
template <class Real>
struct ScalarOf {
    using type = Real;
};
template <class T, std::size_t N>
struct ScalarOf<Pack<T, N>> {
    using type = T;
};
template <class Real>
using Scalar = typename ScalarOf<Real>::type;

template <class Real>
inline constexpr bool is_pack = !std::is_same_v<Real, Scalar<Real>>;

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
