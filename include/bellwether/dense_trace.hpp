// A trace over all components, kept as scale · values: decaying it is one multiplication, whatever the dimension, and
// an update with one-hot or sparse features writes to their own entries only.
#pragma once

#include <cstddef>
#include <limits>

#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real>
struct DenseTrace {
    Vector<Real> values;
    Real scale;
};

template <class Trace>
inline constexpr bool is_dense_trace = false;
template <class Real>
inline constexpr bool is_dense_trace<DenseTrace<Real>> = true;

// The scale stays between these, so that neither it nor the values leave the range of their number type before the
// trace itself does.
template <class Real>
inline constexpr Scalar<Real> largest_scale = [] {
    Scalar<Real> scale = 1;
    for (int i = 0; i < std::numeric_limits<Scalar<Real>>::max_exponent / 16; ++i) scale *= 2;
    return scale;
}();
template <class Real>
inline constexpr Scalar<Real> smallest_scale = 1 / largest_scale<Real>;

// Where the scale has left its range (a decay by zero among others), it moves into the values. A lane whose scale is in
// range has them multiplied by 1: it does not notice what its neighbours need. Out of line: it is rare.
template <class Real>
[[gnu::noinline, gnu::cold]] void move_scale_into_values(DenseTrace<Real>& e) {
    const Real into_values = keep_outside(e.scale, smallest_scale<Real>, largest_scale<Real>);
    e.scale = keep_within(e.scale, smallest_scale<Real>, largest_scale<Real>);
    const Vector<Real> values = e.values;
    for_each_component<Real>(values.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        store(values, at, Components<Real>(into_values) * load(values, at));
    });
}

// e ← c·e
template <class Real>
BELLWETHER_INLINE void decay(DenseTrace<Real>& e, const Real& c) {
    e.scale = c * e.scale;
    if (!magnitude_within(e.scale, smallest_scale<Real>, largest_scale<Real>)) [[unlikely]]
        move_scale_into_values(e);
}

template <class Real>
BELLWETHER_INLINE void clear(DenseTrace<Real>& e) {
    clear(e.values);
    e.scale = Real(1);
}

// x·e
template <class Features, class Real>
BELLWETHER_INLINE Real dot(const Features& x, const DenseTrace<Real>& e) {
    return e.scale * dot(x, e.values);
}
// e·v
template <class Real>
BELLWETHER_INLINE Real dot(const DenseTrace<Real>& e, const Vector<Real>& v) {
    return e.scale * dot(e.values, v);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
