// Lane<T, stride>: one lane of a pack by itself, as a thread of a device has it. Whatever a pack does in one of its
// lanes a Lane does too, with the same rounding. Neighbouring components of a vector of lanes lie `stride` numbers
// apart: the vectors of so many threads are interleaved.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include "bellwether/pack.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class T, std::size_t stride>
class Lane {
public:
    static constexpr std::size_t lanes = 1;

    Lane() = default;
    BELLWETHER_INLINE
    constexpr Lane(T number) : number_(number) {}

    BELLWETHER_INLINE
    T operator[](std::size_t) const { return number_; }
    BELLWETHER_INLINE
    void set(std::size_t, T number) { number_ = number; }

    BELLWETHER_INLINE
    void compute_now() {}

    BELLWETHER_INLINE
    friend Lane operator+(Lane a, Lane b) { return a.number_ + b.number_; }
    BELLWETHER_INLINE
    friend Lane operator-(Lane a, Lane b) { return a.number_ - b.number_; }
    BELLWETHER_INLINE
    friend Lane operator*(Lane a, Lane b) { return a.number_ * b.number_; }
    BELLWETHER_INLINE
    friend Lane operator/(Lane a, Lane b) { return a.number_ / b.number_; }
    BELLWETHER_INLINE
    friend Lane operator-(Lane a) { return -a.number_; }
    BELLWETHER_INLINE
    friend Lane fma(Lane a, Lane b, Lane c) { return bellwether::fma(a.number_, b.number_, c.number_); }
    BELLWETHER_INLINE
    friend Lane sqrt(Lane a) { return bellwether::sqrt(a.number_); }
    BELLWETHER_INLINE
    friend Lane min(Lane a, Lane b) { return bellwether::min(a.number_, b.number_); }
    BELLWETHER_INLINE
    friend Lane max(Lane a, Lane b) { return bellwether::max(a.number_, b.number_); }
    BELLWETHER_INLINE
    friend Lane abs(Lane a) { return __builtin_fabs(a.number_); }
    BELLWETHER_INLINE
    friend Lane power_of_two(Lane i) { return bellwether::power_of_two(i.number_); }
    BELLWETHER_INLINE
    friend Lane where_greater(Lane a, Lane b, Lane yes, Lane no) { return a.number_ > b.number_ ? yes : no; }
    BELLWETHER_INLINE
    friend bool any_finite(Lane a) {
        return bellwether::magnitude_within(a.number_, T(0), std::numeric_limits<T>::max());
    }
    BELLWETHER_INLINE
    friend bool magnitude_within(Lane a, T low, T high) { return bellwether::magnitude_within(a.number_, low, high); }
    BELLWETHER_INLINE
    friend bool magnitude_above(Lane a, T high) { return !(__builtin_fabs(a.number_) <= high); }
    BELLWETHER_INLINE
    friend Lane by_magnitude(Lane a, T low, T high, Lane inside, Lane outside) {
        return bellwether::magnitude_within(a.number_, low, high) ? inside : outside;
    }

private:
    T number_;
};

template <class T, std::size_t stride>
struct ScalarOf<Lane<T, stride>> {
    using type = T;
};

template <class Real>
inline constexpr bool is_lane = false;
template <class T, std::size_t stride>
inline constexpr bool is_lane<Lane<T, stride>> = true;

// From one component of a vector to the next.
template <class Real>
inline constexpr std::size_t stride_of = 1;
template <class T, std::size_t stride>
inline constexpr std::size_t stride_of<Lane<T, stride>> = stride;

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
