// Numbers that move together do what each of them would do alone.
#include "bellwether/pack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "bellwether/lane.hpp"
#include "bellwether/vectors.hpp"

namespace bellwether::test {
namespace {

template <class T>
constexpr std::size_t lanes = 64 / sizeof(T);
// A different number in each lane.
template <class T>
Pack<T, lanes<T>> counted(T first) {
    Pack<T, lanes<T>> pack(T(0));
    for (std::size_t lane = 0; lane < lanes<T>; ++lane) pack.set(lane, first + static_cast<T>(lane));
    return pack;
}

template <class T>
class Packs : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(Packs, Numbers);

TYPED_TEST(Packs, LoadAsManyAsThereAre) {
    using Wide = Pack<TypeParam, lanes<TypeParam>>;
    for (std::size_t count = 0; count <= lanes<TypeParam>; ++count) {
        std::vector<TypeParam> numbers(count);
        for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<TypeParam>(i + 1);
        const Wide pack = Wide::load(numbers.data(), count);
        for (std::size_t lane = 0; lane < lanes<TypeParam>; ++lane)
            EXPECT_EQ(pack[lane], lane < count ? numbers[lane] : TypeParam(0));
        const Wide joined = join(count, counted<TypeParam>(100), counted<TypeParam>(200));
        for (std::size_t lane = 0; lane < lanes<TypeParam>; ++lane)
            EXPECT_EQ(joined[lane], static_cast<TypeParam>((lane < count ? 100 : 200) + lane));
    }
}

TYPED_TEST(Packs, SumTheirLanes) {
    EXPECT_EQ(counted<TypeParam>(1).sum(), static_cast<TypeParam>(lanes<TypeParam> * (lanes<TypeParam> + 1) / 2));
}

// Of +0 and −0 the second is taken, and of a NaN and a number too, in a pack as alone.
TYPED_TEST(Packs, TakeTheSecondOfEquals) {
    using Wide = Pack<TypeParam, lanes<TypeParam>>;
    using Bits = std::conditional_t<sizeof(TypeParam) == 8, std::uint64_t, std::uint32_t>;
    const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN(), zero = 0;
    for (const auto& [a, b] : {std::pair{zero, -zero}, {-zero, zero}, {nan, TypeParam(1)}, {TypeParam(1), nan}}) {
        const auto second = std::bit_cast<Bits>(b);
        EXPECT_EQ(std::bit_cast<Bits>(max(a, b)), second);
        EXPECT_EQ(std::bit_cast<Bits>(min(a, b)), second);
        EXPECT_EQ(std::bit_cast<Bits>(max(Wide(a), Wide(b))[1]), second);
        EXPECT_EQ(std::bit_cast<Bits>(min(Wide(a), Wide(b))[1]), second);
    }
}

TYPED_TEST(Packs, RangesIncludeTheirEnds) {
    using Wide = Pack<TypeParam, lanes<TypeParam>>;
    const TypeParam low = 2, high = 3, none = std::numeric_limits<TypeParam>::quiet_NaN();
    for (const TypeParam inside : {low, high, -low, -high, TypeParam(2.5)}) {
        EXPECT_TRUE(magnitude_within(inside, low, high));
        EXPECT_TRUE(magnitude_within(Wide(inside), low, high));
        EXPECT_EQ(by_magnitude(inside, low, high, TypeParam(7), TypeParam(8)), 7);
        EXPECT_EQ(by_magnitude(Wide(inside), low, high, Wide(7), Wide(8))[1], 7);
    }
    for (const TypeParam outside : {TypeParam(1.5), TypeParam(3.5), TypeParam(0), none}) {
        EXPECT_FALSE(magnitude_within(outside, low, high));
        EXPECT_EQ(by_magnitude(outside, low, high, TypeParam(7), TypeParam(8)), 8);
        for (std::size_t lane = 0; lane < lanes<TypeParam>; ++lane) {
            Wide pack(low);
            pack.set(lane, outside);
            EXPECT_FALSE(magnitude_within(pack, low, high));
            EXPECT_EQ(by_magnitude(pack, low, high, Wide(7), Wide(8))[lane], 8);
        }
    }
}

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
bool same_number(T a, T b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b);
}

// What is hard to fuse: sums that all but cancel, what lies just beside the middle of two numbers, the ends of the
// range, zeros of both signs, infinities, and any bits at all.
template <class T>
class HardFactors {
public:
    // a, b and c of a·b + c.
    std::array<T, 3> next() {
        const T a = any(), b = any();
        switch (random_() % 4) {
            case 0:
                return {a, b, any()};
            case 1:
                return {a, b, beside(-a * b)};
            case 2:
                return {a, b, std::ldexp(beside(a * b), shift())};
            default:
                return {beside(1), beside(1), std::ldexp(beside(1), shift())};
        }
    }

private:
    T any() {
        using Limits = std::numeric_limits<T>;
        switch (random_() % 8) {
            case 0:
                return std::bit_cast<T>(static_cast<BitsOf<T>>(random_()));
            case 1:
                return random_() % 2 == 0 ? T(0) : -T(0);
            case 2:
                return std::ldexp(beside(1), random_() % 2 == 0 ? Limits::min_exponent : Limits::max_exponent - 1);
            case 3:
                return static_cast<T>(random_() % 100);
            default:
                return (random_() % 2 == 0 ? 1 : -1) * std::ldexp(static_cast<T>(random_()), -64 + shift() / 4);
        }
    }
    T beside(T number) {
        for (auto steps = random_() % 4; steps > 0; --steps)
            number = std::nextafter(number, random_() % 2 == 0 ? T(1e30) : T(-1e30));
        return number;
    }
    int shift() {
        constexpr int digits = std::numeric_limits<T>::digits;
        return static_cast<int>(random_() % (4 * digits + 5)) - 2 * digits - 2;
    }

    std::mt19937_64 random_{20080401};
};

// However it is computed, a·b + c is rounded once; what the mathematics library does is the standard.
TYPED_TEST(Packs, FuseAsTheMathematicsLibrary) {
    HardFactors<TypeParam> factors;
    for (int n = 0; n < 100'000; ++n) {
        Pack<TypeParam, lanes<TypeParam>> a(0), b(0), c(0);
        for (std::size_t lane = 0; lane < lanes<TypeParam>; ++lane) {
            const auto [of_a, of_b, of_c] = factors.next();
            a.set(lane, of_a), b.set(lane, of_b), c.set(lane, of_c);
        }
        const auto fused = fma(a, b, c);
        for (std::size_t lane = 0; lane < lanes<TypeParam>; ++lane) {
            const TypeParam expected = std::fma(a[lane], b[lane], c[lane]);
            ASSERT_TRUE(same_number(fused[lane], expected)) << a[lane] << " * " << b[lane] << " + " << c[lane];
            ASSERT_TRUE(same_number(bellwether::fma(a[lane], b[lane], c[lane]), expected));
#ifdef BELLWETHER_FMA_BY_SPLITTING  // a processor that has the instruction takes that, above
            ASSERT_TRUE(same_number(fma_by_splitting::split_fma(a[lane], b[lane], c[lane]), expected))
                << a[lane] << " * " << b[lane] << " + " << c[lane];
#endif
        }
    }
}

#ifdef BELLWETHER_FMA_BY_SPLITTING
// Every lane for itself: one that is out of range leaves its neighbours right.
TEST(FmaBySplitting, FusesLanesSideBySide) {
    HardFactors<double> pairs;
    HardFactors<float> quads;
    for (int n = 0; n < 100'000; ++n) {
        fma_by_splitting::Doubles a{}, b{}, c{};
        for (int lane = 0; lane < 2; ++lane) {
            const auto [of_a, of_b, of_c] = pairs.next();
            a[lane] = of_a, b[lane] = of_b, c[lane] = of_c;
        }
        const fma_by_splitting::Doubles fused = fma_by_splitting::split_fma(a, b, c);
        for (int lane = 0; lane < 2; ++lane)
            ASSERT_TRUE(same_number(fused[lane], std::fma(double(a[lane]), double(b[lane]), double(c[lane]))));

        fma_by_splitting::Floats x{}, y{}, z{};
        for (int lane = 0; lane < 4; ++lane) {
            const auto [of_x, of_y, of_z] = quads.next();
            x[lane] = of_x, y[lane] = of_y, z[lane] = of_z;
        }
        const fma_by_splitting::Floats fused_floats = fma_by_splitting::split_fma(x, y, z);
        for (int lane = 0; lane < 4; ++lane)
            ASSERT_TRUE(same_number(fused_floats[lane], std::fma(float(x[lane]), float(y[lane]), float(z[lane]))));
    }
}
#endif

// A lane by itself sums as a vector of plain numbers does, in the same order, however many there are.
TEST(Lanes, SumAsPlainNumbersDo) {
    constexpr std::size_t stride = 3, most = 40;
    using One = Lane<double, stride>;
    std::mt19937_64 random(5);
    const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
    for (std::size_t size = 0; size <= most; ++size) {
        std::vector<double> a(most + 8), b(most + 8);
        std::vector<One> lanes_a(stride * most, One(99)), lanes_b(stride * most, One(99));
        for (std::size_t i = 0; i < size; ++i) {
            a[i] = number();
            b[i] = number();
            lanes_a[stride * i] = a[i];
            lanes_b[stride * i] = b[i];
        }
        const Vector<One> v{lanes_a.data(), size}, u{lanes_b.data(), size};
        const double plain = dot(Vector<double>{a.data(), size}, Vector<double>{b.data(), size});
        EXPECT_EQ(dot(v, u)[0], plain) << size;
        EXPECT_EQ(
            dot_features<One>(Dense<double>{std::span(a).first(size)}, Dense<double>{std::span(b).first(size)})[0],
            plain)
            << size;
    }
}

}  // namespace
}  // namespace bellwether::test
