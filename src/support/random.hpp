// Counter-based random numbers (Philox4x32-10, Salmon et al. 2011): a number depends only on its address, so that any
// instance and any run can be made alone and anywhere. docs/random-numbers.md says the same to the bit.
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace bellwether {

// What a stream of random numbers is for. The numbers are part of the format: never renumber.
enum class Purpose : std::uint32_t {
    trajectory = 0,   // keyed by (seed, instance, run)
    transitions = 1,  // the rest by (seed, instance), with run 0 (features that are redrawn per run: with the run)
    rewards = 2,
    terminations = 3,
    policies = 4,
    features = 5,
    bootstrap = 6,  // by (seed, address of the bootstrap, resample)
    noise = 7,      // on rewards, by (seed, instance, run)
};

// The numbers of one address, in order. Block k is philox4x32(counter = {k, run, instance, purpose}, key = {seed mod
// 2³², seed / 2³²}), four 32-bit words v; it gives the 64-bit words v0 + 2³²·v1 and v2 + 2³²·v3.
class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, Purpose purpose)
        : counter_{{0, run, instance, static_cast<std::uint32_t>(purpose)}},
          key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}} {}

    std::uint64_t bits() {
        if (second_) {
            second_ = false;
            return waiting_;
        }
        const r123::Philox4x32::ctr_type v = philox_(counter_, key_);
        ++counter_[0];
        waiting_ = v[2] | (static_cast<std::uint64_t>(v[3]) << 32);
        second_ = true;
        return v[0] | (static_cast<std::uint64_t>(v[1]) << 32);
    }

    // In [0, 1): the upper 53 bits times 2⁻⁵³.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

    // In 0 … n−1: ⌊n·uniform⌋.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(static_cast<double>(n) * uniform()); }

    // Of mean 0 and variance 1, by Box and Muller, from two uniform numbers u, v: sqrt(−2 ln(1 − u)) cos(2πv).
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    r123::Philox4x32 philox_;
    r123::Philox4x32::ctr_type counter_;
    r123::Philox4x32::key_type key_;
    std::uint64_t waiting_ = 0;
    bool second_ = false;
};

}  // namespace bellwether
