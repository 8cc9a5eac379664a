// Numbers that move together do what each of them would do alone.
#include "bellwether/pack.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

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

}  // namespace
}  // namespace bellwether::test
