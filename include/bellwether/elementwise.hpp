// Updates that treat every component on its own: a step size for each, and what is not linear in the traces.
//
//     with_spread(spread_x, e, s.x, [&](const auto& x) { learn(x, …); })     x has all components, whatever s.x is
//     for_each_active(e, [&](auto at) {                                in learn:
//         store(e, at, fma(rho, load(x, at), decay * load(e, at)));          e ← c·e + ρx
//         … load(w, at), store(w, at, …)
//     });
//     drop_idle(e, x, p, …)                                                  p, …: other traces, as vectors
// With dense traces this goes over all components, whatever the features are. With sparse traces it goes over the
// entries of the first trace, which stands for all: where it has none, the features and the other traces are 0, and an
// update may rely on changing nothing there.
#pragma once

#include "bellwether/sparse_trace.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Room to spread features out in: zeros, but while a step is under way. It is no state; Online gives it its memory. A
// thread of a device has none: its features stand spread out already, and whoever runs it says where.
template <class T>
struct SpreadRow {
    const T* data = nullptr;
    std::size_t size = 0;
};
template <class Real>
using SpreadFeatures = std::conditional_t<is_lane<Real>, SpreadRow<Scalar<Real>>, Vector<Scalar<Real>>>;

// An entry of a sparse trace as a place: its index, and where it stands.
struct Entry {
    std::size_t i, slot;
};
template <class Real>
BELLWETHER_INLINE Real load(const Vector<Real>& v, Entry at) {
    return v[at.i];
}
template <class T>
BELLWETHER_INLINE T load(const Dense<T>& x, Entry at) {
    return x.values[at.i];
}
template <class Real>
BELLWETHER_INLINE Real load(const SparseTrace<Real>& e, Entry at) {
    return e.values[at.slot];
}
template <class Real, class Place>
BELLWETHER_INLINE Components<Real> load(const DenseTrace<Real>& e, Place at) {
    return load(e.values, at);  // dense passes leave its scale at 1
}
template <class Real>
BELLWETHER_INLINE void store(const Vector<Real>& v, Entry at, Real value) {
    v[at.i] = value;
}
template <class Real>
BELLWETHER_INLINE void store(const SparseTrace<Real>& e, Entry at, Real value) {
    e.values[at.slot] = value;
}
template <class Real, class Place>
BELLWETHER_INLINE void store(const DenseTrace<Real>& e, Place at, const Components<Real>& value) {
    store(e.values, at, value);
}

// Σ a_i b_i over places of either kind.
template <class Real>
class ActiveSum : public Sum<Real> {
public:
    using Sum<Real>::add;
    BELLWETHER_INLINE
    void add(Entry, const Real& a, const Real& b) { entries_ = fma(a, b, entries_); }
    BELLWETHER_INLINE
    Real total() const { return entries_ + Sum<Real>::total(); }

private:
    Real entries_ = Real(0);
};

// body(place) for all components, or for the entries of a sparse trace; and where the body adds to a sum.
template <class Real, class Body>
BELLWETHER_INLINE void for_each_active(const DenseTrace<Real>& e, Body body) {
    for_each_component<Real>(e.values.size, body);
}
template <class Real, class Body>
BELLWETHER_INLINE void for_each_active(const SparseTrace<Real>& e, Body body) {
    for (std::size_t k = 0; k < e.count; ++k) body(Entry{e.indices[k], k});
}
template <class Real, class Body>
BELLWETHER_INLINE void for_each_active(const DenseTrace<Real>& e, ActiveSum<Real>& sum, Body body) {
    for_each_component_of_sum<Real>(e.values.size, body, [&](auto n) BELLWETHER_INLINE_LAMBDA { sum.fold(n); });
}
template <class Real, class Body>
BELLWETHER_INLINE void for_each_active(const SparseTrace<Real>& e, ActiveSum<Real>&, Body body) {
    for_each_active(e, body);
}

// ---- features ----

// All of x: as it is where it is dense, else written to `to`, and then taken back.
template <class T>
BELLWETHER_INLINE const Dense<T>& spread_out(const Vector<T>&, const Dense<T>& x) {
    return x;
}
template <class T, class Features>
BELLWETHER_INLINE Dense<T> spread_out(const Vector<T>& to, const Features& x) {
    for_each_entry(x, [&](std::size_t i, T value) BELLWETHER_INLINE_LAMBDA { to[i] = value; });
    return {{to.data, to.size}};
}
template <class T, class Features>
BELLWETHER_INLINE Dense<T> spread_out(const SpreadRow<T>& row, const Features& x) {
    if constexpr (is_dense<Features>) {
        return x;
    } else {
        return {{row.data, row.size}};
    }
}
template <class T, class Features>
BELLWETHER_INLINE void take_back(const SpreadRow<T>&, const Features&) {}
template <class T, class Features>
BELLWETHER_INLINE void take_back(const Vector<T>& from, const Features& x) {
    if constexpr (!is_dense<Features>)
        for_each_entry(x, [&](std::size_t i, T) BELLWETHER_INLINE_LAMBDA { from[i] = 0; });
}

// A sparse trace gets an entry, of 0, wherever x is not 0.
template <class Real, class Features>
BELLWETHER_INLINE void enter(const DenseTrace<Real>&, const Features&) {}
template <class Real, class Features>
BELLWETHER_INLINE void enter(SparseTrace<Real>& e, const Features& x) {
    for_each_feature(x, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA {
        if (value != 0) e.add(i, 0);
    });
}

// learn(x), and learn(x, x') for updates that change something where x' alone is not 0.
template <class Room, class Trace, class Features, class Learn>
BELLWETHER_INLINE void with_spread(const Room& room, Trace& e, const Features& x, Learn learn) {
    enter(e, x);
    learn(spread_out(room, x));
    take_back(room, x);
}
template <class Room, class Trace, class Features, class Learn>
BELLWETHER_INLINE void with_spread(const Room& room, const Room& room_next, Trace& e, const Features& x,
                                   const Features& x_next, Learn learn) {
    enter(e, x_next);
    with_spread(room, e, x, [&](const auto& all) BELLWETHER_INLINE_LAMBDA {
        learn(all, spread_out(room_next, x_next));
        take_back(room_next, x_next);
    });
}

// Σ v_i x_i²
template <class Real>
BELLWETHER_INLINE Real dot_squares(const OneHot& x, const Vector<Real>& v) {
    return v[x.index];
}
template <class Real, class T>
BELLWETHER_INLINE Real dot_squares(const Sparse<T>& x, const Vector<Real>& v) {
    EntrySum<Real> sum;
    for_each_turn(x.indices.size(), [&](auto turn, std::size_t k) BELLWETHER_INLINE_LAMBDA {
        sum.add(turn, Real(x.values[k] * x.values[k]), v[x.indices[k]]);
    });
    return sum.total();
}
template <class Real, class T>
BELLWETHER_INLINE Real dot_squares(const Dense<T>& x, const Vector<Real>& v) {
    Sum<Real> sum;
    for_each_component_of_sum<Real>(
        v.size,
        [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto value = load(x, at);
            sum.add(at, load(v, at), Components<Real>(value * value));
        },
        [&](auto n) BELLWETHER_INLINE_LAMBDA { sum.fold(n); });
    return sum.total();
}

// ---- forgetting ----

// Entries go where x is 0 and all traces are within the cutoff.
template <class Real, class T, class... Others>
BELLWETHER_INLINE void drop_idle(const DenseTrace<Real>&, const Dense<T>&, const Others&...) {}
template <class Real, class... Others>
BELLWETHER_INLINE void drop_idle(SparseTrace<Real>& e, const Dense<Real>& x, const Others&... others) {
    e.drop_small([&](std::size_t i) BELLWETHER_INLINE_LAMBDA {
        if (x.values[i] != 0 || ((abs(others[i]) > e.cutoff) || ...)) return false;
        ((others[i] = 0), ...);
        return true;
    });
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
