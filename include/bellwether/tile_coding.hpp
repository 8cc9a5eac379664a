// Tile coding: sparse binary features of continuous inputs.
//
//     auto made = bellwether::make_tile_coder({{.lower = 0, .upper = 12, .tiles = 10},                   // volts
//                                              {.lower = -pi, .upper = pi, .tiles = 8, .wraps = true}},  // a heading
//                                             {.tilings = 8});
//     if (!made) return complain(made.error());
//     const bellwether::TileCoder& coder = *made;
//     bellwether::SparseBuffer<double> x = coder.buffer(), x_next = coder.buffer();
//     coder.encode(std::array{volts, heading}, x);  // from here on nothing is allocated
//
// Each of n tilings cuts every input into `tiles` equal intervals and has exactly one active tile, so a feature vector
// has n ones (and a last one for the bias, where asked for) and a step size of about 1/(10n) learns at a gentle pace.
// Tiling k is displaced along input i by (k·d_i mod n)/n of a tile, where d = 1, 3, 5, ... (Miller & Glanz; Sutton &
// Barto, section 9.5.4), leaving out the odd numbers that share a factor with n, for which some offsets would never
// occur. A power of two that is at least four times the number of inputs is a good n.
//
// An input beyond its bounds counts as the bound it is beyond; one that `wraps` is periodic instead. NaN, and an
// infinite input that wraps, count as the lower bound. After the position inside the bounds everything is integer
// arithmetic: the same input has the same tiles on every machine.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bellwether/features.hpp"
#include "bellwether/result.hpp"

namespace bellwether {

// How one input is cut.
struct TiledInput {
    double lower;
    double upper;
    std::size_t tiles;   // intervals between the bounds, in every tiling
    bool wraps = false;  // the upper bound is the lower one again, as for an angle
};

struct TileCoderOptions {
    std::size_t tilings = 8;
    std::size_t memory = 0;  // size() may not exceed it: a grid that is larger is hashed; 0 for no bound
    bool bias = false;       // a last feature that is always 1
};

// Room for one feature vector whose values are all 1. x and x_next each need one; swapping them moves no numbers.
template <class T = double>
class SparseBuffer {
public:
    explicit SparseBuffer(std::size_t entries) : indices_(entries), values_(entries, T(1)) {}

    std::span<std::uint32_t> indices() noexcept { return indices_; }
    Sparse<T> view() const noexcept { return {indices_, values_}; }

private:
    std::vector<std::uint32_t> indices_;
    std::vector<T> values_;
};

class TileCoder {
public:
    static constexpr std::size_t maximum_inputs = 64;

    std::size_t inputs() const noexcept { return axes_.size(); }
    std::size_t tilings() const noexcept { return tilings_; }

    // The number of features: tilings · Π cells, plus one for the bias, where an input has tiles + 1 cells (`tiles`
    // where it wraps, or where there is one tiling only); at most the memory given where tiles are hashed.
    std::size_t size() const noexcept { return tilings_ * region_ + (bias_ ? 1 : 0); }

    // The number of features that are 1, whatever the input.
    std::size_t active() const noexcept { return tilings_ + (bias_ ? 1 : 0); }

    // Whether different tiles may share a feature. Two tiles of one input never do: every tiling has its own region.
    bool hashed() const noexcept { return hashed_; }

    template <class T = double>
    SparseBuffer<T> buffer() const {
        return SparseBuffer<T>(active());
    }

    // Writes the indices of the active features, ascending. `input` has inputs() numbers, `indices` room for active().
    void encode(std::span<const double> input, std::span<std::uint32_t> indices) const noexcept {
        assert(input.size() == inputs() && indices.size() == active());
        std::array<Place, maximum_inputs> places;
        for (std::size_t i = 0; i < axes_.size(); ++i) places[i] = place(axes_[i], input[i]);
        for (std::size_t tiling = 0; tiling < tilings_; ++tiling) {
            const std::uint64_t tile = hashed_ ? hashed_tile(tiling, places) : grid_tile(places);
            indices[tiling] = static_cast<std::uint32_t>(tiling * region_ + tile);
            for (std::size_t i = 0; i < axes_.size(); ++i) displace(axes_[i], places[i]);
        }
        if (bias_) indices[tilings_] = static_cast<std::uint32_t>(tilings_ * region_);
    }
    template <class T>
    Sparse<T> encode(std::span<const double> input, SparseBuffer<T>& buffer) const noexcept {
        encode(input, buffer.indices());
        return buffer.view();
    }

    friend Result<TileCoder> make_tile_coder(std::span<const TiledInput> inputs, const TileCoderOptions& options);

private:
    struct Axis {
        double lower;
        double scale;                // parts per unit of input
        double parts;                // tiles · tilings: a tile has as many parts as there are tilings
        std::uint64_t cells;         // of one tiling
        std::uint64_t displacement;  // from one tiling to the next, in parts
        bool wraps;
    };

    // Where an input lies along its axis: in which tile of the first tiling and which part of it, and how far the
    // current tiling is displaced, in parts.
    struct Place {
        std::uint64_t tile, part, offset;
    };

    Place place(const Axis& axis, double input) const noexcept {
        double position = (input - axis.lower) * axis.scale;
        if (axis.wraps) position = std::fma(-axis.parts, std::floor(position / axis.parts), position);
        std::uint64_t part = 0;
        if (position >= axis.parts) {
            part = static_cast<std::uint64_t>(axis.parts) - 1;
        } else if (position > 0) {  // not so for NaN
            part = static_cast<std::uint64_t>(position);
        }
        return {.tile = part / tilings_, .part = part % tilings_, .offset = 0};
    }
    void displace(const Axis& axis, Place& at) const noexcept {
        at.offset += axis.displacement;
        if (at.offset >= tilings_) at.offset -= tilings_;
    }
    std::uint64_t cell(const Axis& axis, const Place& at) const noexcept {
        const std::uint64_t cell = at.tile + (at.part + at.offset >= tilings_ ? 1 : 0);
        return cell == axis.cells ? 0 : cell;  // only an input that wraps gets there
    }

    std::uint64_t grid_tile(std::span<const Place> places) const noexcept {
        std::uint64_t tile = 0;
        for (std::size_t i = 0; i < axes_.size(); ++i) tile = tile * axes_[i].cells + cell(axes_[i], places[i]);
        return tile;
    }

    // h ← mix(tiling), then h ← mix(h ⊕ cell) for every input in turn; the tile is ⌊region · ⌊h / 2³²⌋ / 2³²⌋.
    std::uint64_t hashed_tile(std::size_t tiling, std::span<const Place> places) const noexcept {
        std::uint64_t hash = mix(tiling);
        for (std::size_t i = 0; i < axes_.size(); ++i) hash = mix(hash ^ cell(axes_[i], places[i]));
        return ((hash >> 32) * region_) >> 32;
    }
    // One step of SplitMix64 (Steele, Lea & Flood 2014).
    static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
        z += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    std::vector<Axis> axes_;
    std::size_t tilings_ = 0;
    std::uint64_t region_ = 0;  // features of one tiling
    bool hashed_ = false;
    bool bias_ = false;
};

inline Result<TileCoder> make_tile_coder(std::span<const TiledInput> inputs, const TileCoderOptions& options = {}) {
    const auto refuse = [](std::string why) { return Result<TileCoder>::failure("tile coding: " + std::move(why)); };
    constexpr std::uint64_t most_features = std::numeric_limits<std::uint32_t>::max();  // an index has 32 bits
    constexpr std::uint64_t most_parts = std::uint64_t{1} << 52;                        // a double counts them exactly
    const std::uint64_t tilings = options.tilings;
    const std::uint64_t bias = options.bias ? 1 : 0;

    if (tilings == 0) return refuse("there must be at least one tiling");
    if (inputs.empty()) return refuse("there must be at least one input");
    if (inputs.size() > TileCoder::maximum_inputs)
        return refuse(std::to_string(inputs.size()) + " inputs are more than the " +
                      std::to_string(TileCoder::maximum_inputs) + " there may be");
    const std::uint64_t most = options.memory == 0 ? most_features : options.memory;
    if (most > most_features) return refuse("the memory may be at most " + std::to_string(most_features) + " features");
    if (tilings + bias > most)
        return refuse(std::to_string(tilings) + " tilings" + (options.bias ? " and the bias" : "") +
                      " do not fit a memory of " + std::to_string(most) + " features");

    TileCoder coder;
    coder.tilings_ = options.tilings;
    coder.bias_ = options.bias;
    std::uint64_t grid = 1;  // cells of one tiling; 0 once they are too many
    std::uint64_t odd = 1;
    for (const TiledInput& input : inputs) {
        const std::string name = "input " + std::to_string(coder.axes_.size()) + ": ";
        if (input.tiles == 0) return refuse(name + "there must be at least one tile");
        if (input.tiles > most_parts / tilings)
            return refuse(name + std::to_string(input.tiles) + " tiles are too many");
        const double parts = static_cast<double>(input.tiles * tilings);
        const double scale = parts / (input.upper - input.lower);
        if (!(input.lower < input.upper)) return refuse(name + "the lower bound must be below the upper bound");
        if (!std::isfinite(input.lower) || !std::isfinite(input.upper) || !std::isfinite(scale) || scale == 0)
            return refuse(name + "the bounds must be finite, and neither too near nor too far for a double");
        while (std::gcd(odd, tilings) != 1) odd += 2;
        coder.axes_.push_back({.lower = input.lower,
                               .scale = scale,
                               .parts = parts,
                               .cells = input.wraps || tilings == 1 ? input.tiles : input.tiles + 1,
                               .displacement = odd % tilings,
                               .wraps = input.wraps});
        odd += 2;
        const std::uint64_t cells = coder.axes_.back().cells;
        grid = cells > most_features || grid * cells > most_features ? 0 : grid * cells;
    }
    coder.hashed_ = grid == 0 || grid > (most - bias) / tilings;
    if (coder.hashed_ && options.memory == 0)
        return refuse("the grid has more than " + std::to_string(most_features) +
                      " features: fewer tiles, or a memory to hash them into");
    coder.region_ = coder.hashed_ ? (most - bias) / tilings : grid;
    return coder;
}
inline Result<TileCoder> make_tile_coder(std::initializer_list<TiledInput> inputs,
                                         const TileCoderOptions& options = {}) {
    return make_tile_coder(std::span(inputs.begin(), inputs.size()), options);
}

}  // namespace bellwether
