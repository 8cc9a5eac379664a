#include "bellwether/tile_coding.hpp"

#include <gtest/gtest.h>
//
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "bellwether/algorithms/td0.hpp"
#include "bellwether/online.hpp"

namespace bellwether {
namespace {

using Indices = std::vector<std::uint32_t>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Indices encode(const TileCoder& coder, const std::vector<double>& input) {
    Indices indices(coder.active());
    coder.encode(input, indices);
    return indices;
}

std::size_t shared_tiles(const Indices& a, const Indices& b) {
    Indices both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both.size();
}

// A random way to cut one to three inputs.
struct Design {
    std::vector<TiledInput> inputs;
    TileCoderOptions options;

    TileCoder make() const { return make_tile_coder(inputs, options).value(); }
};

Design random_design(std::size_t most_tiles = 6) {
    Design design;
    design.options.tilings = *rc::gen::inRange<std::size_t>(1, 17).as("tilings");
    design.options.bias = *rc::gen::arbitrary<bool>().as("bias");
    const auto count = *rc::gen::inRange<std::size_t>(1, 4).as("inputs");
    for (std::size_t i = 0; i < count; ++i) {
        const double lower = *rc::gen::inRange(-8, 8).as("lower");
        design.inputs.push_back({.lower = lower,
                                 .upper = lower + *rc::gen::inRange(1, 9).as("width"),
                                 .tiles = *rc::gen::inRange<std::size_t>(1, most_tiles + 1).as("tiles"),
                                 .wraps = *rc::gen::arbitrary<bool>().as("wraps")});
    }
    return design;
}

// Any double: inside the bounds, on them, far outside, infinite or not a number.
double random_input() {
    return *rc::gen::oneOf(rc::gen::map(rc::gen::inRange(-20000, 20000), [](int n) { return n / 1000.0; }),
                           rc::gen::arbitrary<double>(), rc::gen::element(nan, infinity, -infinity, 1e308, -1e308))
                .as("input");
}
std::vector<double> random_point(const Design& design) {
    std::vector<double> point;
    for (std::size_t i = 0; i < design.inputs.size(); ++i) point.push_back(random_input());
    return point;
}

// The middle of part `number` of an axis, where a tile has as many parts as there are tilings: no rounding can move it
// over a boundary.
double middle_of_part(const Design& design, std::size_t axis, std::size_t number) {
    const TiledInput& input = design.inputs[axis];
    const auto parts = static_cast<double>(input.tiles * design.options.tilings);
    return input.lower + (input.upper - input.lower) * (static_cast<double>(number) + 0.5) / parts;
}

void expect_one_tile_per_tiling(const TileCoder& coder, const Indices& indices) {
    const std::size_t region = coder.size() / coder.tilings();  // the bias, if any, does not make a whole region
    RC_ASSERT(indices.size() == coder.active());
    RC_ASSERT(std::is_sorted(indices.begin(), indices.end()));
    RC_ASSERT(indices.back() < coder.size());
    if (coder.tilings() > 1) {
        for (std::size_t tiling = 0; tiling < coder.tilings(); ++tiling) RC_ASSERT(indices[tiling] / region == tiling);
    }
    if (coder.active() > coder.tilings()) RC_ASSERT(indices.back() == coder.size() - 1);
    RC_ASSERT(std::adjacent_find(indices.begin(), indices.end()) == indices.end());
}

RC_GTEST_PROP(TileCoder, HasOneActiveTileInEveryTilingWhateverTheInput, ()) {
    const Design design = random_design();
    const TileCoder coder = design.make();
    RC_ASSERT(!coder.hashed());
    const Indices indices = encode(coder, random_point(design));
    expect_one_tile_per_tiling(coder, indices);
}

RC_GTEST_PROP(TileCoder, HashedStaysInsideItsMemory, ()) {
    Design design = random_design(100000);
    design.options.memory = *rc::gen::inRange<std::size_t>(design.options.tilings + 1, 500).as("memory");
    const TileCoder coder = design.make();
    RC_ASSERT(coder.size() <= design.options.memory);
    RC_ASSERT(!coder.hashed() || coder.size() + design.options.tilings > design.options.memory);
    const Indices indices = encode(coder, random_point(design));
    expect_one_tile_per_tiling(coder, indices);
}

RC_GTEST_PROP(TileCoder, SizeIsTheNumberOfCells, ()) {
    const Design design = random_design();
    std::size_t cells = design.options.tilings;
    for (const TiledInput& input : design.inputs)
        cells *= input.wraps || design.options.tilings == 1 ? input.tiles : input.tiles + 1;
    RC_ASSERT(design.make().size() == cells + (design.options.bias ? 1 : 0));
}

RC_GTEST_PROP(TileCoder, AGridThatFitsItsMemoryIsNotHashed, ()) {
    Design design = random_design();
    const std::size_t size = design.make().size();
    design.options.memory = size;
    RC_ASSERT(!design.make().hashed());
    RC_ASSERT(design.make().size() == size);
    if (size > design.options.tilings + 1) {
        design.options.memory = size - 1;
        RC_ASSERT(design.make().hashed());
    }
}

// The definition in real arithmetic: tiling k is displaced by (k·d mod n)/n of a tile.
RC_GTEST_PROP(TileCoder, AgreesWithTheDefinition, ()) {
    Design design = random_design();
    design.options.tilings = std::size_t{1} << *rc::gen::inRange(0, 5).as("log2 of tilings");
    const TileCoder coder = design.make();
    const std::size_t n = design.options.tilings;
    std::vector<double> point;
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < design.inputs.size(); ++i) {
        parts.push_back(*rc::gen::inRange<std::size_t>(0, design.inputs[i].tiles * n).as("part"));
        point.push_back(middle_of_part(design, i, parts.back()));
    }
    const Indices indices = encode(coder, point);
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t index = k;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const TiledInput& input = design.inputs[i];
            const std::size_t displacement = k * (2 * i + 1) % n;
            std::size_t cell = (parts[i] + displacement) / n;
            if (input.wraps) cell %= input.tiles;
            index = index * (input.wraps || n == 1 ? input.tiles : input.tiles + 1) + cell;
        }
        RC_ASSERT(indices[k] == index);
    }
}

// Generalisation falls off linearly along an axis: j parts apart share n − j tiles.
RC_GTEST_PROP(TileCoder, NeighboursShareTiles, ()) {
    Design design = random_design();
    design.options.bias = false;
    const auto axis = *rc::gen::inRange<std::size_t>(0, design.inputs.size()).as("axis");
    design.inputs[axis].wraps = false;
    const TileCoder coder = design.make();
    const std::size_t n = design.options.tilings;
    const std::size_t parts = n * design.inputs[axis].tiles;
    const auto from = *rc::gen::inRange<std::size_t>(0, parts).as("from");
    const auto to = *rc::gen::inRange<std::size_t>(from, parts).as("to");

    std::vector<double> point;
    for (std::size_t i = 0; i < design.inputs.size(); ++i) point.push_back(design.inputs[i].lower);
    point[axis] = middle_of_part(design, axis, from);
    const Indices a = encode(coder, point);
    point[axis] = middle_of_part(design, axis, to);
    const Indices b = encode(coder, point);
    RC_ASSERT(shared_tiles(a, b) == n - std::min(n, to - from));
}

// For any number of tilings, also where 3 or 5 divides it: no axis is left without its n different offsets.
TEST(TileCoder, EveryAxisUsesEveryOffset) {
    for (std::size_t tilings = 1; tilings <= 30; ++tilings) {
        const Design design{.inputs = {4, TiledInput{.lower = 0, .upper = 1, .tiles = 1}},
                            .options = {.tilings = tilings}};
        const TileCoder coder = design.make();
        for (std::size_t axis = 0; axis < 4; ++axis) {
            std::set<Indices> distinct;
            for (std::size_t part = 0; part < tilings; ++part) {
                std::vector<double> point(4, 0.0);
                point[axis] = middle_of_part(design, axis, part);
                distinct.insert(encode(coder, point));
            }
            EXPECT_EQ(distinct.size(), tilings) << "axis " << axis;
        }
    }
}

TEST(TileCoder, InputsBeyondTheBoundsCountAsTheBound) {
    const TileCoder coder = make_tile_coder({{.lower = -1, .upper = 3, .tiles = 5}}, {.tilings = 8}).value();
    EXPECT_EQ(encode(coder, {-1e300}), encode(coder, {-1}));
    EXPECT_EQ(encode(coder, {-infinity}), encode(coder, {-1}));
    EXPECT_EQ(encode(coder, {1e300}), encode(coder, {3}));
    EXPECT_EQ(encode(coder, {infinity}), encode(coder, {3}));
    EXPECT_EQ(encode(coder, {nan}), encode(coder, {-1}));
    // The bound itself belongs to the last tile: it generalises like its neighbours.
    EXPECT_EQ(encode(coder, {3}), encode(coder, {std::nextafter(3.0, 0.0)}));
}

TEST(TileCoder, AnAngleWraps) {
    const TileCoder coder =
        make_tile_coder({{.lower = 0, .upper = 360, .tiles = 4, .wraps = true}}, {.tilings = 4}).value();
    EXPECT_EQ(coder.size(), 16u);
    EXPECT_EQ(encode(coder, {360}), encode(coder, {0}));
    EXPECT_EQ(encode(coder, {360 * 5 + 100}), encode(coder, {100}));
    EXPECT_EQ(encode(coder, {-10}), encode(coder, {350}));
    EXPECT_EQ(shared_tiles(encode(coder, {350}), encode(coder, {10})), 3u) << "one part apart, over the seam";
    EXPECT_EQ(encode(coder, {nan}), encode(coder, {0}));
    EXPECT_EQ(encode(coder, {infinity}), encode(coder, {0}));
    EXPECT_EQ(encode(coder, {-infinity}), encode(coder, {0}));
    EXPECT_LT(encode(coder, {-1e-300}).back(), 16u) << "wraps to 360 by rounding";
}

TEST(TileCoder, GoldenGrid) {
    const TileCoder coder =
        make_tile_coder({{.lower = 0, .upper = 1, .tiles = 4}, {.lower = -1, .upper = 1, .tiles = 3}},
                        {.tilings = 4, .bias = true})
            .value();
    EXPECT_EQ(coder.size(), 4u * 5 * 4 + 1);
    EXPECT_EQ(encode(coder, {0, -1}), (Indices{0, 20, 40, 60, 80}));
    EXPECT_EQ(encode(coder, {0.3, 0.5}), (Indices{6, 27, 46, 66, 80}));
    EXPECT_EQ(encode(coder, {1, 1}), (Indices{14, 39, 59, 79, 80}));
}

// These numbers may never change: weights learned with one build must mean the same in the next.
TEST(TileCoder, GoldenHash) {
    std::vector<TiledInput> inputs(20, TiledInput{.lower = 0, .upper = 1, .tiles = 10});
    const TileCoder coder = make_tile_coder(inputs, {.tilings = 8, .memory = 4099, .bias = true}).value();
    EXPECT_TRUE(coder.hashed());
    EXPECT_EQ(coder.size(), 8u * 512 + 1);
    EXPECT_EQ(encode(coder, std::vector<double>(20, 0.0)),
              (Indices{18, 595, 1244, 1855, 2052, 2632, 3089, 3943, 4096}));
    EXPECT_EQ(encode(coder, std::vector<double>(20, 0.7)),
              (Indices{489, 1006, 1467, 1551, 2359, 2844, 3326, 3870, 4096}));
}

TEST(TileCoder, TheHashSpreadsTilesEvenly) {
    const Design design{.inputs = {2, TiledInput{.lower = 0, .upper = 1, .tiles = 200}},
                        .options = {.tilings = 4, .memory = 400}};
    const TileCoder coder = design.make();
    std::vector<int> uses(coder.size());
    for (int i = 0; i < 200; ++i)
        for (int j = 0; j < 200; ++j)
            for (const std::uint32_t index : encode(coder, {(i + 0.125) / 200, (j + 0.125) / 200})) ++uses[index];
    // 40,000 tiles over 100 features of a tiling: 400 ± 20 each; five standard deviations either way.
    EXPECT_GT(*std::min_element(uses.begin(), uses.end()), 300);
    EXPECT_LT(*std::max_element(uses.begin(), uses.end()), 500);
}

TEST(TileCoder, BuffersAreFeatures) {
    const TileCoder coder = make_tile_coder({{.lower = 0, .upper = 1, .tiles = 4}}, {.tilings = 4}).value();
    SparseBuffer<float> x = coder.buffer<float>(), x_next = coder.buffer<float>();
    const Sparse<float> first = coder.encode(std::array{0.1}, x);
    coder.encode(std::array{0.9}, x_next);
    EXPECT_EQ(first.indices.size(), 4u);
    EXPECT_TRUE(std::all_of(first.values.begin(), first.values.end(), [](float value) { return value == 1; }));
    std::swap(x, x_next);
    EXPECT_EQ(x_next.view().indices.data(), first.indices.data()) << "a swap moves no numbers";
}

TEST(TileCoder, LearnsASmoothFunction) {
    const TileCoder coder = make_tile_coder({{.lower = 0, .upper = 6.3, .tiles = 8}}, {.tilings = 16}).value();
    SparseBuffer<double> buffer = coder.buffer();
    Online<Td0<double>> learner(coder.size(), {.alpha = 0.1 / 16});
    for (int sweep = 0; sweep < 60; ++sweep) {
        for (int i = 0; i < 63; ++i) {
            const Sparse<double> x = coder.encode(std::array{i / 10.0}, buffer);
            learner.step(Transition<Sparse<double>>{.x = x, .reward = std::sin(i / 10.0), .gamma = 0, .x_next = x});
        }
    }
    for (int i = 0; i < 63; ++i)
        EXPECT_NEAR(learner.predict(coder.encode(std::array{i / 10.0}, buffer)), std::sin(i / 10.0), 0.05);
}

struct Refusal {
    std::vector<TiledInput> inputs;
    TileCoderOptions options;
    std::string message;
};

TEST(TileCoder, RefusesWhatCannotBe) {
    const TiledInput fine{.lower = 0, .upper = 1, .tiles = 4};
    const std::vector<Refusal> refusals = {
        {{fine}, {.tilings = 0}, "tile coding: there must be at least one tiling"},
        {{}, {}, "tile coding: there must be at least one input"},
        {{fine, {.lower = 0, .upper = 1, .tiles = 0}}, {}, "tile coding: input 1: there must be at least one tile"},
        {{{.lower = 1, .upper = 1, .tiles = 4}},
         {},
         "tile coding: input 0: the lower bound must be below the upper bound"},
        {{{.lower = nan, .upper = 1, .tiles = 4}},
         {},
         "tile coding: input 0: the lower bound must be below the upper bound"},
        {{{.lower = 0, .upper = infinity, .tiles = 4}},
         {},
         "tile coding: input 0: the bounds must be finite, and neither too near nor too far for a double"},
        {{{.lower = -1e308, .upper = 1e308, .tiles = 4}},
         {},
         "tile coding: input 0: the bounds must be finite, and neither too near nor too far for a double"},
        {{{.lower = 0, .upper = 5e-324, .tiles = 4}},
         {},
         "tile coding: input 0: the bounds must be finite, and neither too near nor too far for a double"},
        {{{.lower = 0, .upper = 1, .tiles = SIZE_MAX}},
         {},
         "tile coding: input 0: 18446744073709551615 tiles are too many"},
        {std::vector<TiledInput>(20, fine),
         {},
         "tile coding: the grid has more than 4294967295 features: fewer tiles, or a memory to hash them into"},
        {std::vector<TiledInput>(65, fine),
         {.memory = 100},
         "tile coding: 65 inputs are more than the 64 there may be"},
        {{fine}, {.memory = 7}, "tile coding: 8 tilings do not fit a memory of 7 features"},
        {{fine}, {.memory = 8, .bias = true}, "tile coding: 8 tilings and the bias do not fit a memory of 8 features"},
        {{fine}, {.memory = std::size_t{1} << 32}, "tile coding: the memory may be at most 4294967295 features"},
    };
    for (const Refusal& refusal : refusals) {
        const auto made = make_tile_coder(refusal.inputs, refusal.options);
        EXPECT_FALSE(made) << refusal.message;
        EXPECT_EQ(made.error(), refusal.message);
    }
}

// 2³² − 1 = 65535·65537
TEST(TileCoder, AGridMayHaveAsManyFeaturesAsThereAreIndices) {
    auto made = make_tile_coder(
        std::vector<TiledInput>{{.lower = 0, .upper = 1, .tiles = 65535}, {.lower = 0, .upper = 1, .tiles = 65537}},
        {.tilings = 1});
    ASSERT_TRUE(made) << made.error();
    EXPECT_EQ(made.value().size(), std::size_t{4294967295});
}
TEST(TileCoder, MayHaveAsManyInputsAsItSays) {
    EXPECT_TRUE(make_tile_coder(std::vector<TiledInput>(64, {.lower = 0, .upper = 1, .tiles = 4}), {.memory = 100}));
}

// A tile has as many parts as there are tilings, and a double counts 2⁵² of them exactly.
TEST(TileCoder, MayHaveAsManyTilesAsCanBeCounted) {
    constexpr std::uint64_t most = (std::uint64_t{1} << 52) / 8;
    EXPECT_TRUE(make_tile_coder({{.lower = 0, .upper = 1, .tiles = most}}, {.tilings = 8, .memory = 1024}));
    EXPECT_FALSE(make_tile_coder({{.lower = 0, .upper = 1, .tiles = most + 1}}, {.tilings = 8, .memory = 1024}));
}

}  // namespace
}  // namespace bellwether
