// Vectors that move along a trace, at a cost that does not depend on the dimension.
//
// A trace is kept as scale · values: decaying it is one multiplication. With one-hot or sparse features, few of its
// values change in a step. A vector v that gains b·e in every step is kept as base + steps · values: gaining b·e is one
// addition to `steps`, and where a value changes by k, v stays what it is by base ← base − k·steps. A product e·v is
// carried from step to step in the same way:
//     e·v = scale (Σ values·base + steps Σ values·along),  along: the values of the trace that v moves along.
// So an update touches the entries of its features and nothing else. Now and then, when the scale has become small (or
// large), everything is brought back to scale 1 and steps 0 (`settle`).
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// A trace over all components: scale · values.
template <class Real>
struct DenseTrace {
    Vector<Real> values;
    Real scale;
    // The one component that may differ from 0; `any` where several may, or it is not known which.
    std::size_t only = any;
    static constexpr std::size_t any = SIZE_MAX;
};

// The traces of one algorithm beyond its first, numbered: which one a statement means is then part of its type.
template <class Real, std::size_t n>
struct NumberedTrace : DenseTrace<Real> {};

template <class Trace>
inline constexpr std::size_t number_of = 0;
template <class Real, std::size_t n>
inline constexpr std::size_t number_of<NumberedTrace<Real, n>> = n;

template <class Trace>
struct Unnumbered {
    using type = Trace;
};
template <class Real, std::size_t n>
struct Unnumbered<NumberedTrace<Real, n>> {
    using type = DenseTrace<Real>;
};
template <class Trace>
using WithoutNumber = typename Unnumbered<Trace>::type;

// base + steps · along.
template <class Real>
struct MovingVector {
    Vector<Real> base;
    Vector<Real> along;  // the values of a trace
    Real steps;
    std::uint32_t moving = 0;  // whether steps may differ from 0
};

// e·v of a trace and a moving vector, and e·e, up to the scale of e.
template <class Real>
struct CarriedProduct {
    Real with_base;           // Σ values·base
    Real with_along;          // Σ values·along
    std::uint32_t stale = 0;  // with_along is not up to date (and does not matter while steps are 0)
};
template <class Real>
struct CarriedSquare {
    Real sum;  // Σ values²
};

// `along` is a view of a trace's values, and no part.
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, DenseTrace<Real>& e) {
    visitor.numbers(e.values);
    visitor.number(e.scale, 1);
    e.only = e.any;  // whatever the visitor has made of them
}
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, MovingVector<Real>& v) {
    visitor.numbers(v.base);
    visitor.number(v.steps, 0);
    visitor.flag(v.moving);
}
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, CarriedProduct<Real>& product) {
    visitor.number(product.with_base, 0);
    visitor.number(product.with_along, 0);
    visitor.flag(product.stale);
}
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, CarriedSquare<Real>& square) {
    visitor.number(square.sum, 0);
}

template <class T>
inline constexpr bool is_dense_trace = false;
template <class Real>
inline constexpr bool is_dense_trace<DenseTrace<Real>> = true;
template <class Real, std::size_t n>
inline constexpr bool is_dense_trace<NumberedTrace<Real, n>> = true;
template <class T>
inline constexpr bool is_moving = false;
template <class Real>
inline constexpr bool is_moving<MovingVector<Real>> = true;

template <class Real>
BELLWETHER_INLINE void move_along(MovingVector<Real>& v, const DenseTrace<Real>& e) {
    v.along = e.values;
}

// e·v and e·e
template <class Real>
BELLWETHER_INLINE Real carried(const CarriedProduct<Real>& product, const DenseTrace<Real>& e,
                               const MovingVector<Real>& v) {
    return e.scale * fma(v.steps, product.with_along, product.with_base);
}
template <class Real>
BELLWETHER_INLINE Real carried(const CarriedSquare<Real>& square, const DenseTrace<Real>& e) {
    return e.scale * (e.scale * square.sum);
}

// (ce + ax)·v and |ce + ax|², from what is carried: x_v = x·v, and the rest of the square beside c²e·e.
template <class Real>
BELLWETHER_INLINE Real dot_after(const CarriedProduct<Real>& product, const DenseTrace<Real>& e,
                                 const MovingVector<Real>& v, const Real& c, const Real& a, const Real& x_v) {
    return fma(c, carried(product, e, v), a * x_v);
}
template <class Real>
BELLWETHER_INLINE Real dot_after(const Real& product, const DenseTrace<Real>&, const DenseTrace<Real>&, const Real& c,
                                 const Real& a, const Real& x_v) {
    return fma(c, product, a * x_v);
}
template <class Real>
BELLWETHER_INLINE Real square_after(const CarriedSquare<Real>& square, const DenseTrace<Real>& e, const Real& c,
                                    const Real& rest) {
    return fma(c * c, carried(square, e), rest);
}

// ---- settling ----

// What is lost in rounding grows with the ratio of the largest scale to the smallest.
template <class Real>
inline constexpr Scalar<Real> largest_scale = 256;
template <class Real>
inline constexpr Scalar<Real> smallest_scale = Scalar<Real>(1) / 256;

template <class Real>
BELLWETHER_INLINE bool scale_in_range(const DenseTrace<Real>& e) {
    return magnitude_within(e.scale, smallest_scale<Real>, largest_scale<Real>);
}

// 1 where the scale is in range, else 0; and a choice by such a number. Lanes settle one by one: a lane does not notice
// what its neighbours need.
template <class Real>
BELLWETHER_INLINE Real one_if_in_range(const DenseTrace<Real>& e) {
    return by_magnitude(e.scale, smallest_scale<Real>, largest_scale<Real>, Real(1), Real(0));
}
template <class Real, class Value>
BELLWETHER_INLINE Value choose(const Real& one_or_zero, const Value& if_one, const Value& if_zero) {
    return by_magnitude(Value(one_or_zero), Scalar<Real>(0.5), Scalar<Real>(2), if_one, if_zero);
}

// v ← base + steps·along, with steps 0.
template <class Real>
BELLWETHER_OUT_OF_LINE void settle_now(MovingVector<Real>& v) {
    add(v.base, v.steps, v.along);
    v.steps = Real(0);
}
template <class Real>
BELLWETHER_INLINE void settle(MovingVector<Real>& v) {
    if (v.moving) settle_now(v);
    v.moving = 0;
}

// The scale moves into the values where it is out of range.
template <class Real>
BELLWETHER_OUT_OF_LINE void settle(DenseTrace<Real>& e) {
    const Real keep = one_if_in_range(e), scale = e.scale;
    const Vector<Real> values = e.values;
    for_each_component<Real>(values.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> value = load(values, at);
        store(values, at, choose(keep, value, Components<Real>(scale) * value));
    });
    e.scale = choose(keep, scale, Real(1));
}

// e ← scale·e whatever the scale, with scale 1.
template <class Real>
BELLWETHER_OUT_OF_LINE void settle_now(DenseTrace<Real>& e) {
    for (std::size_t i = 0; i < e.values.size; ++i) e.values[i] = e.scale * e.values[i];
    e.scale = Real(1);
}

// The products of what is at rest.
template <class Real>
BELLWETHER_OUT_OF_LINE void renew(CarriedProduct<Real>& product, const DenseTrace<Real>& e,
                                  const MovingVector<Real>& v) {
    product = {dot(e.values, v.base), dot(e.values, v.along)};
}
template <class Real>
BELLWETHER_OUT_OF_LINE void renew(Real& product, const DenseTrace<Real>& e, const DenseTrace<Real>& h) {
    product = e.scale * (h.scale * dot(e.values, h.values));
}

// ---- reading ----

template <class Real>
BELLWETHER_INLINE Real component(const Vector<Real>& v, std::size_t i) {
    return v[i];
}
template <class Real>
BELLWETHER_INLINE Real component(const MovingVector<Real>& v, std::size_t i) {
    return fma(v.steps, v.along[i], v.base[i]);
}

template <class Real>
BELLWETHER_INLINE Real component(const DenseTrace<Real>& e, std::size_t i) {
    return e.scale * e.values[i];
}

// x·e and x·v
template <class Features, class Real>
BELLWETHER_INLINE Real dot(const Features& x, const DenseTrace<Real>& e) {
    return e.scale * dot(x, e.values);
}
template <class Features, class Real>
BELLWETHER_INLINE Real dot(const Features& x, const MovingVector<Real>& v) {
    if constexpr (is_dense<Features>) {
        return v.moving ? fma(v.steps, dot(x, v.along), dot(x, v.base)) : dot(x, v.base);
    } else {
        return fma(v.steps, dot(x, v.along), dot(x, v.base));
    }
}
// e·v
template <class Real>
BELLWETHER_INLINE Real dot(const DenseTrace<Real>& e, const Vector<Real>& v) {
    return e.scale * dot(e.values, v);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
