// Vectors in the learner's memory: how they are walked, summed and multiplied with features.
//
// Evaluation order is part of the interface: sums run in eight interleaved partial sums, products are added by explicit
// fused multiply-adds. A vector of packs or of lanes is walked component by component, a vector of scalars in blocks of
// eight components: component i belongs to partial sum i mod 8 in all, hence a lane of a pack equals the scalar bit for
// bit.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "bellwether/features.hpp"
#include "bellwether/lane.hpp"
#include "bellwether/pack.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// A vector in the learner's memory (a view). The memory goes on for at least seven components more: the last block of
// eight is loaded and stored whole, and what lies beyond the vector may become anything.
template <class Real>
struct Vector {
    Real* data = nullptr;
    std::size_t size = 0;
    static constexpr std::size_t stride = stride_of<Real>;  // from one component to the next

    Vector() = default;
    BELLWETHER_INLINE
    Vector(Real* d, std::size_t n) : data(d), size(n) {}
    // Member by member: copied as one piece of memory, it would not live in registers.
    BELLWETHER_INLINE
    Vector(const Vector& other) : data(other.data), size(other.size) {}
    BELLWETHER_INLINE
    Vector& operator=(const Vector& other) {
        data = other.data;
        size = other.size;
        return *this;
    }

    BELLWETHER_INLINE
    Real& operator[](std::size_t i) const { return data[i * stride]; }
};

template <class V>
inline constexpr bool is_vector = false;
template <class Real>
inline constexpr bool is_vector<Vector<Real>> = true;

// A d × d matrix in the learner's memory, row after row, each with what a vector needs behind it (a view).
template <class Real>
struct Matrix {
    Real* data = nullptr;
    std::size_t size = 0;

    BELLWETHER_INLINE
    Vector<Real> row(std::size_t i) const { return {data + i * row_length(size), size}; }

    static constexpr std::size_t row_length(std::size_t size) { return is_pack<Real> ? size : (size + 7) / 8 * 8; }
};

// ---- what state is made of ----
// Every kind of state lists its parts once, for whoever lays it out, clears it, saves it or compares it:
//     visitor.numbers(vector or matrix)    visitor.number(scalar, its value at the start)
//     visitor.flag(integer)                visitor.entries(sparse trace)
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, Vector<Real>& v) {
    visitor.numbers(v);
}
template <class Visitor, class Real>
BELLWETHER_DEVICE void parts(Visitor& visitor, Matrix<Real>& m) {
    visitor.numbers(m);
}
template <class Visitor, class Real>
requires(is_pack<Real> || std::is_floating_point_v<Real>) BELLWETHER_DEVICE void parts(Visitor& visitor, Real& scalar) {
    visitor.number(scalar, 0);
}

// What Algorithm::visit takes, to do the same with what lives on in a new segment and what does not.
template <class Visitor>
struct EveryPart {
    Visitor& visitor;

    template <class State>
    BELLWETHER_DEVICE void kept(const char*, State& state) const {
        parts(visitor, state);
    }
    template <class State>
    BELLWETHER_DEVICE void cleared(const char*, State& state) const {
        parts(visitor, state);
    }
};

// ---- walking the components ----

inline constexpr std::size_t partial_sums = 8;

// Places in a vector: one component of a vector of packs, eight components of a vector of scalars, and the `count`
// components left at its end.
struct Component {
    std::size_t i;
};
template <std::size_t n>  // one whose partial sum is known
struct ComponentOfPart : Component {};
struct Block {
    std::size_t i;
};
struct LastBlock {
    std::size_t i, count;
};

// What a place holds.
template <class Real>
using Components = std::conditional_t<is_pack<Real>, Real, Pack<Scalar<Real>, partial_sums>>;

// body(place) for every component, in any order.
template <class Real, class Body>
BELLWETHER_INLINE void for_each_component(std::size_t size, Body body) {
    std::size_t i = 0;
    if constexpr (is_pack<Real>) {
        for (; i + 4 <= size; i += 4)
            body(Component{i}), body(Component{i + 1}), body(Component{i + 2}), body(Component{i + 3});
        for (; i < size; ++i) body(Component{i});
    } else {
        for (; i + partial_sums <= size; i += partial_sums) body(Block{i});
        if (i < size) body(LastBlock{i, size - i});
    }
}

// The same where the body adds to sums. Packs go partial sum by partial sum, so that only one of the eight occupies a
// register; after each, fold(Fold<n>) closes the n-th.
template <std::size_t n>
using Fold = std::integral_constant<std::size_t, n>;

template <class Body, class CloseSum, std::size_t... N>
BELLWETHER_INLINE void for_each_part(std::size_t size, Body& body, CloseSum& fold, std::index_sequence<N...>) {
    constexpr std::size_t order[partial_sums] = {0, 4, 2, 6, 1, 5, 3, 7};
    const auto part = [&](auto n) BELLWETHER_INLINE_LAMBDA {
        for (std::size_t i = order[n]; i < size; i += partial_sums) body(Component{i});
        fold(n);
    };
    (part(Fold<N>{}), ...);
}
// Lanes have registers for all eight, and each waits for itself only; so that few wait at the end, what is left there
// goes by four, two and one.
template <std::size_t first, class Body, std::size_t... N>
BELLWETHER_INLINE void for_some_of_eight(std::size_t i, Body& body, std::index_sequence<N...>) {
    (body(ComponentOfPart<first + N>{{i + first + N}}), ...);
}
template <std::size_t first, std::size_t count, class Body>
BELLWETHER_INLINE void for_rest_of_eight(std::size_t i, std::size_t left, Body& body) {
    if (left & count) {
        for_some_of_eight<first>(i, body, std::make_index_sequence<count>{});
        if constexpr (count > 1) for_rest_of_eight<first + count, count / 2>(i, left, body);
    } else {
        if constexpr (count > 1) for_rest_of_eight<first, count / 2>(i, left, body);
    }
}
template <class Body>
BELLWETHER_INLINE void for_each_in_eights(std::size_t size, Body& body) {
    std::size_t i = 0;
    for (; i + partial_sums <= size; i += partial_sums)
        for_some_of_eight<0>(i, body, std::make_index_sequence<partial_sums>{});
    for_rest_of_eight<0, partial_sums / 2>(i, size - i, body);
}
template <class Real, class Body, class CloseSum>
BELLWETHER_INLINE void for_each_component_of_sum(std::size_t size, Body body, CloseSum fold) {
    if constexpr (is_lane<Real>) {
        for_each_in_eights(size, body);
    } else if constexpr (is_pack<Real>) {
        for_each_part(size, body, fold, std::make_index_sequence<partial_sums>{});
    } else {
        for_each_component<Real>(size, body);
    }
}

template <class Real>
BELLWETHER_INLINE Real load(const Vector<Real>& v, Component at) {
    return v[at.i];
}
template <class Real>
BELLWETHER_INLINE Components<Real> load(const Vector<Real>& v, Block at) {
    return Components<Real>::load(v.data + at.i);
}
template <class Real>
BELLWETHER_INLINE Components<Real> load(const Vector<Real>& v, LastBlock at) {
    return Components<Real>::load(v.data + at.i);
}
template <class T>
BELLWETHER_INLINE T load(const Dense<T>& x, Component at) {
    return x.values[at.i];
}
template <class T>
BELLWETHER_INLINE Components<T> load(const Dense<T>& x, Block at) {
    return Components<T>::load(x.values.data() + at.i);
}
template <class T>
BELLWETHER_INLINE Components<T> load(const Dense<T>& x, LastBlock at) {
    return Components<T>::load(x.values.data() + at.i, at.count);
}

// Keeps what was loaded in registers. Left alone, a compiler may load it again at every use, and eight components of
// features mostly lie across two cache lines.
template <class Real>
BELLWETHER_INLINE Components<Real> held(Components<Real> loaded) {
    if constexpr (!is_pack<Real>) loaded.compute_now();
    return loaded;
}

template <class Real>
BELLWETHER_INLINE void store(const Vector<Real>& v, Component at, const Real& value) {
    v[at.i] = value;
}
template <class Real>
BELLWETHER_INLINE void store(const Vector<Real>& v, Block at, const Components<Real>& value) {
    value.store(v.data + at.i);
}
template <class Real>
BELLWETHER_INLINE void store(const Vector<Real>& v, LastBlock at, const Components<Real>& value) {
    value.store(v.data + at.i);
}

// Σ a_i b_i in eight partial sums p, folded as Pack::sum folds them:
// ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)).
template <class Real>
class Sum {
public:
    BELLWETHER_INLINE
    void add(Component, const Real& a, const Real& b) { part_ = fma(a, b, part_); }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n>) {
        constexpr std::size_t depth[partial_sums] = {0, 0, 1, 0, 1, 1, 2, 0};  // where the n-th part goes
        if constexpr (n == 0 || n == 2 || n == 4 || n == 6) {
            folded_[depth[n]] = part_;
        } else if constexpr (n == 1 || n == 5) {
            folded_[depth[n]] = folded_[depth[n]] + part_;
        } else if constexpr (n == 3) {
            folded_[0] = folded_[0] + (folded_[1] + part_);
        } else {
            folded_[0] = folded_[0] + (folded_[1] + (folded_[2] + part_));
        }
        part_ = Real(0);
    }
    BELLWETHER_INLINE
    Real total() const { return folded_[0]; }

private:
    Real part_ = Real(0);
    Real folded_[3] = {Real(0), Real(0), Real(0)};
};
template <class Real>
requires is_lane<Real>
class Sum<Real> {
public:
    template <std::size_t n>
    BELLWETHER_INLINE void add(ComponentOfPart<n>, const Real& a, const Real& b) {
        parts_[n] = fma(a, b, parts_[n]);
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n>) {}
    BELLWETHER_INLINE
    Real total() const {
        const Real* p = parts_;
        return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
    }

private:
    Real parts_[partial_sums] = {0, 0, 0, 0, 0, 0, 0, 0};
};
template <class Real>
requires(!is_pack<Real>) class Sum<Real> {
public:
    BELLWETHER_INLINE
    void add(Block, const Components<Real>& a, const Components<Real>& b) { parts_ = fma(a, b, parts_); }
    // What lies beyond the vector may be anything, such as infinity times zero.
    BELLWETHER_INLINE
    void add(LastBlock at, const Components<Real>& a, const Components<Real>& b) {
        parts_ = join(at.count, fma(a, b, parts_), parts_);
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n>) {}
    BELLWETHER_INLINE
    Real total() const { return parts_.sum(); }

private:
    Components<Real> parts_ = Real(0);
};

// The same over entries, which have no fixed place: four partial sums take turns.
inline constexpr std::size_t turns = 4;
template <std::size_t K>
using Turn = std::integral_constant<std::size_t, K>;

template <class Real>
class EntrySum {
public:
    template <std::size_t K>
    BELLWETHER_INLINE void add(Turn<K>, const Real& a, const Real& b) {
        parts_[K] = fma(a, b, parts_[K]);
    }
    BELLWETHER_INLINE
    Real total() const { return (parts_[0] + parts_[2]) + (parts_[1] + parts_[3]); }

private:
    Real parts_[turns] = {Real(0), Real(0), Real(0), Real(0)};
};

// body(turn, k) for k = 0 ... count − 1
template <class Body, std::size_t... K>
BELLWETHER_INLINE void for_each_turn(std::size_t count, Body& body, std::index_sequence<K...>) {
    std::size_t k = 0;
    for (; k + turns <= count; k += turns) (body(Turn<K>{}, k + K), ...);
    ((k + K < count ? body(Turn<K>{}, k + K) : void()), ...);
}
template <class Body>
BELLWETHER_INLINE void for_each_turn(std::size_t count, Body body) {
    for_each_turn(count, body, std::make_index_sequence<turns>{});
}

// ---- features ----

template <class Features>
inline constexpr bool is_dense = false;
template <class T>
inline constexpr bool is_dense<Dense<T>> = true;

template <class Body>
BELLWETHER_INLINE void for_each_entry(const OneHot& x, Body body) {
    body(x.index, 1);
}
template <class T, class Body>
BELLWETHER_INLINE void for_each_entry(const Sparse<T>& x, Body body) {
    for (std::size_t k = 0; k < x.indices.size(); ++k) body(x.indices[k], x.values[k]);
}

// x·v
template <class Real>
BELLWETHER_INLINE Real dot(const OneHot& x, const Vector<Real>& v) {
    return v[x.index];
}
template <class T, class Real>
BELLWETHER_INLINE Real dot(const Sparse<T>& x, const Vector<Real>& v) {
    EntrySum<Real> sum;
    for_each_turn(x.indices.size(), [&](auto turn, std::size_t k) BELLWETHER_INLINE_LAMBDA {
        sum.add(turn, Real(x.values[k]), v[x.indices[k]]);
    });
    return sum.total();
}
template <class T, class Real>
BELLWETHER_INLINE Real dot(const Dense<T>& x, const Vector<Real>& v) {
    Sum<Real> sum;
    for_each_component_of_sum<Real>(
        v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { sum.add(at, load(v, at), Components<Real>(load(x, at))); },
        [&](auto n) BELLWETHER_INLINE_LAMBDA { sum.fold(n); });
    return sum.total();
}

// x·y of two feature vectors.
template <class Real>
BELLWETHER_INLINE Real dot_features(const OneHot& x, const OneHot& y) {
    return x.index == y.index ? Real(1) : Real(0);
}
template <class Real, class T>
BELLWETHER_INLINE Real dot_features(const Dense<T>& x, const Dense<T>& y) {
    using Number = std::conditional_t<is_lane<Real>, Real, T>;  // the same for all lanes of a pack
    Sum<Number> sum;
    for_each_component_of_sum<Number>(
        x.values.size(),
        [&](auto at)
            BELLWETHER_INLINE_LAMBDA { sum.add(at, Components<Number>(load(x, at)), Components<Number>(load(y, at))); },
        [&](auto n) BELLWETHER_INLINE_LAMBDA { sum.fold(n); });
    return Real(sum.total());
}
template <class T>
BELLWETHER_INLINE bool ascending(const Sparse<T>& x) {
    for (std::size_t k = 1; k < x.indices.size(); ++k)
        if (x.indices[k] <= x.indices[k - 1]) return false;
    return true;
}
template <class Real, class T>
BELLWETHER_INLINE Real dot_features(const Sparse<T>& x, const Sparse<T>& y) {
    T sum = 0;
    if (ascending(x) && ascending(y)) {
        for (std::size_t i = 0, j = 0; i < x.indices.size() && j < y.indices.size();) {
            if (x.indices[i] == y.indices[j]) sum = fma(x.values[i], y.values[j], sum);
            const bool advance_x = x.indices[i] <= y.indices[j], advance_y = y.indices[j] <= x.indices[i];
            i += advance_x;
            j += advance_y;
        }
    } else {
        for (std::size_t i = 0; i < x.indices.size(); ++i)
            for (std::size_t j = 0; j < y.indices.size(); ++j)
                if (x.indices[i] == y.indices[j]) sum = fma(x.values[i], y.values[j], sum);
    }
    return Real(sum);
}

// v·u
template <class Real>
BELLWETHER_INLINE Real dot(const Vector<Real>& v, const Vector<Real>& u) {
    Sum<Real> sum;
    for_each_component_of_sum<Real>(
        v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { sum.add(at, load(v, at), load(u, at)); },
        [&](auto n) BELLWETHER_INLINE_LAMBDA { sum.fold(n); });
    return sum.total();
}

// v ← v + b·u
template <class Real>
BELLWETHER_INLINE void add(const Vector<Real>& v, const Real& b, const Vector<Real>& u) {
    for_each_component<Real>(v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        store(v, at, fma(Components<Real>(b), load(u, at), load(v, at)));
    });
}

template <class Real>
BELLWETHER_INLINE void fill(const Vector<Real>& v, const Real& value) {
    for (std::size_t i = 0; i < v.size; ++i) v[i] = value;
}
template <class Real>
BELLWETHER_INLINE void clear(const Vector<Real>& v) {
    fill(v, Real(0));
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
