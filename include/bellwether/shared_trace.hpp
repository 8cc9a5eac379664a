// Traces that all lanes of a pack share.
//
// Predictions with the same features, λ, discounts and importance ratios have the same trace, number by number. It is
// kept once, as scalars, and only what is a prediction's own stands in lanes: a row of weights for every feature, a
// column for every prediction. The arithmetic is that of moving.hpp and entry_pass.hpp, in the same order: a lane
// equals the learner that has its trace for itself, bit for bit. (What is 0 in the trace is left alone when everything
// is brought back to scale 1, where that learner adds 0: a weight of −0, left by an underflow, keeps its sign, and an
// infinite one meets its first NaN later.)
//
// For sparse features, of which one-hot ones are a case.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/algorithm.hpp"

namespace bellwether {

// The kind of trace that an algorithm is instantiated with, for a Real that is a pack. Whatever its trace is made from
// must be the same in all lanes.
struct SharedTraces {};

inline namespace BELLWETHER_TARGET {

// A set of rows, one bit each, that is walked in ascending order.
struct RowSet {
    std::uint64_t* words = nullptr;
    std::size_t count = 0;  // of the words

    static std::size_t words_for(std::size_t rows) { return (rows + 63) / 64; }

    BELLWETHER_INLINE
    void add(std::size_t row) const { words[row / 64] |= std::uint64_t{1} << (row % 64); }
    void remove(std::size_t row) const { words[row / 64] &= ~(std::uint64_t{1} << (row % 64)); }
};

// scale · values; `rows` has every row in which a value is not 0.
template <class Real>
struct SharedTrace {
    Vector<Scalar<Real>> values;
    Scalar<Real> scale;
    RowSet rows;
};
template <class Real, std::size_t n>
struct NumberedSharedTrace : SharedTrace<Real> {};

template <class Real, std::size_t n>
inline constexpr std::size_t number_of<NumberedSharedTrace<Real, n>> = n;
template <class Real, std::size_t n>
struct Unnumbered<NumberedSharedTrace<Real, n>> {
    using type = SharedTrace<Real>;
};

// Products with features that are known already; they are recognised by their place.
template <class Real>
struct KnownProducts {
    const void* x = nullptr;
    const void* x_next = nullptr;
    Real with_x, with_x_next;
};

// base + steps · along.
template <class Real>
struct SharedMovingVector {
    Vector<Real> base;
    Vector<Scalar<Real>> along;  // the values of a trace
    RowSet rows;                 // those of that trace
    Real steps;
    std::uint32_t moving = 0;
    const KnownProducts<Real>* known = nullptr;
};

// As CarriedProduct and CarriedSquare.
template <class Real>
struct SharedProduct {
    Real with_base;
    Scalar<Real> with_along;
    std::uint32_t stale = 0;
};
template <class Real>
struct SharedSquare {
    Scalar<Real> sum;
};

template <class Real, std::size_t number>
struct TraceOf<Real, SharedTraces, number> {
    using type = NumberedSharedTrace<Real, number>;
};
template <class Real>
struct MovingTypes<Real, SharedTraces> {
    using Weights = SharedMovingVector<Real>;
    using Dot = SharedProduct<Real>;
    using Norm = SharedSquare<Real>;
};

// ---- parts, as those of their relatives in moving.hpp

template <class Visitor, class Real>
void parts(Visitor& visitor, SharedTrace<Real>& e) {
    visitor.numbers(e.values);
    visitor.number(e.scale, 1);
    if constexpr (requires { visitor.rows(e); }) visitor.rows(e);
}
template <class Visitor, class Real>
void parts(Visitor& visitor, SharedMovingVector<Real>& v) {
    visitor.numbers(v.base);
    visitor.number(v.steps, 0);
    visitor.flag(v.moving);
}
template <class Visitor, class Real>
void parts(Visitor& visitor, SharedProduct<Real>& product) {
    visitor.number(product.with_base, 0);
    visitor.number(product.with_along, 0);
    visitor.flag(product.stale);
}
template <class Visitor, class Real>
void parts(Visitor& visitor, SharedSquare<Real>& square) {
    visitor.number(square.sum, 0);
}

// ---- reading

template <class Real>
BELLWETHER_INLINE void move_along(SharedMovingVector<Real>& v, const SharedTrace<Real>& e) {
    v.along = e.values;
    v.rows = e.rows;
}
template <class Real>
BELLWETHER_INLINE Real component(const SharedMovingVector<Real>& v, std::size_t i) {
    return fma(v.steps, Real(v.along[i]), v.base[i]);
}

template <class Real, class T>
BELLWETHER_INLINE Real dot(const Sparse<T>& x, const SharedTrace<Real>& e) {
    return Real(e.scale * dot(x, e.values));
}
template <class Real, class T>
BELLWETHER_INLINE Real dot(const Sparse<T>& x, const SharedMovingVector<Real>& v) {
    if (v.known && v.known->x == &x) return v.known->with_x;
    if (v.known && v.known->x_next == &x) return v.known->with_x_next;
    return fma(v.steps, Real(dot(x, v.along)), dot(x, v.base));
}

template <class Real>
BELLWETHER_INLINE Real carried(const SharedProduct<Real>& product, const SharedTrace<Real>& e,
                               const SharedMovingVector<Real>& v) {
    return Real(e.scale) * fma(v.steps, Real(product.with_along), product.with_base);
}
template <class Real>
BELLWETHER_INLINE Real dot_after(const SharedProduct<Real>& product, const SharedTrace<Real>& e,
                                 const SharedMovingVector<Real>& v, const Real& c, const Real& a, const Real& x_v) {
    return fma(c, carried(product, e, v), a * x_v);
}
template <class Real>
BELLWETHER_INLINE Real square_after(const SharedSquare<Real>& square, const SharedTrace<Real>& e, const Real& c,
                                    const Real& rest) {
    return fma(c * c, Real(e.scale * (e.scale * square.sum)), rest);
}

// A target of a pass that moves along a shared trace.
template <class Item>
inline constexpr bool is_shared_target = false;
template <class Real, class... Items>
inline constexpr bool is_shared_target<Target<SharedMovingVector<Real>, Unscaled, Items...>> = true;

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
