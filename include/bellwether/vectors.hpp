// The few fused vector operations that every algorithm is written in.
//
// A trace e and its uses read like the equations:
//     apply_and_add(trace(e, c, a, x), to(w, b, term(k, x_next)))       e ← c·e + a·x;  w ← w + b·e + k·x'
//     const auto [e_h] = apply_and_dot(h, trace(e, c, a, x))            e ← c·e + a·x;  e·h
//     add(e, to(w, b), to(h, k, term(m, x)))                            w ← w + b·e;    h ← h + k·e + m·x
// Each is one pass over the components. Features enter additively everywhere, so one-hot and sparse features touch only
// their own entries beside that pass, and dense features ride in it.
//
// Evaluation order is part of the interface: sums run in eight interleaved partial sums, products are added by explicit
// fused multiply-adds. A vector of packs is walked component by component, a vector of scalars in blocks of eight
// components: component i belongs to partial sum i mod 8 in both, hence a lane of a pack equals the scalar bit for bit.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bellwether/features.hpp"
#include "bellwether/pack.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// A vector in the learner's memory (a view).
template <class Real>
struct Vector {
    Real* data = nullptr;
    std::size_t size = 0;

    BELLWETHER_INLINE
    Real& operator[](std::size_t i) const { return data[i]; }
};

// A d × d matrix in the learner's memory, by rows (a view).
template <class Real>
struct Matrix {
    Real* data = nullptr;
    std::size_t size = 0;

    BELLWETHER_INLINE
    Vector<Real> row(std::size_t i) const { return {data + i * size, size}; }
};

// ---- walking the components ----

inline constexpr std::size_t partial_sums = 8;

// Places in a vector: one component of a vector of packs (K = i mod 8), eight components of a vector of scalars, and
// the `count` components left at its end.
template <std::size_t K>
struct Component {
    std::size_t i;
};
struct Block {
    std::size_t i;
};
struct LastBlock {
    std::size_t i, count;
};

// What a place holds.
template <class Real>
using Components = std::conditional_t<is_pack<Real>, Real, Pack<Scalar<Real>, partial_sums>>;

template <class Real, class Body, std::size_t... K>
BELLWETHER_INLINE void for_each_pack(std::size_t size, Body& body, std::index_sequence<K...>) {
    std::size_t i = 0;
    for (; i + partial_sums <= size; i += partial_sums) (body(Component<K>{i + K}), ...);
    ((i + K < size ? body(Component<K>{i + K}) : void()), ...);
}

template <class Real, class Body>
BELLWETHER_INLINE void for_each_component(std::size_t size, Body body) {
    if constexpr (is_pack<Real>) {
        for_each_pack<Real>(size, body, std::make_index_sequence<partial_sums>{});
    } else {
        std::size_t i = 0;
        for (; i + partial_sums <= size; i += partial_sums) body(Block{i});
        if (i < size) body(LastBlock{i, size - i});
    }
}

template <class Real, std::size_t K>
BELLWETHER_INLINE Real load(const Vector<Real>& v, Component<K> at) {
    return v.data[at.i];
}
template <class Real>
BELLWETHER_INLINE Components<Real> load(const Vector<Real>& v, Block at) {
    return Components<Real>::load(v.data + at.i);
}
template <class Real>
BELLWETHER_INLINE Components<Real> load(const Vector<Real>& v, LastBlock at) {
    return Components<Real>::load(v.data + at.i, at.count);
}
template <class T, std::size_t K>
BELLWETHER_INLINE T load(const Dense<T>& x, Component<K> at) {
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

template <class Real, std::size_t K>
BELLWETHER_INLINE void store(const Vector<Real>& v, Component<K> at, const Real& value) {
    v.data[at.i] = value;
}
template <class Real>
BELLWETHER_INLINE void store(const Vector<Real>& v, Block at, const Components<Real>& value) {
    value.store(v.data + at.i);
}
template <class Real>
BELLWETHER_INLINE void store(const Vector<Real>& v, LastBlock at, const Components<Real>& value) {
    value.store(v.data + at.i, at.count);
}

// Σ a_i b_i in eight partial sums, folded as Pack::sum folds them.
template <class Real>
class Sum {
public:
    template <std::size_t K>
    BELLWETHER_INLINE void add(Component<K>, const Real& a, const Real& b) {
        parts_[K] = fma(a, b, parts_[K]);
    }
    BELLWETHER_INLINE
    Real total() const {
        return ((parts_[0] + parts_[4]) + (parts_[2] + parts_[6])) +
               ((parts_[1] + parts_[5]) + (parts_[3] + parts_[7]));
    }

private:
    Real parts_[partial_sums] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
};
template <class Real>
requires(!is_pack<Real>) class Sum<Real> {
public:
    template <class Place>
    BELLWETHER_INLINE void add(Place, const Components<Real>& a, const Components<Real>& b) {
        parts_ = fma(a, b, parts_);
    }
    BELLWETHER_INLINE
    Real total() const { return parts_.sum(); }

private:
    Components<Real> parts_ = Real(0);
};

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

// x·v for one or several v at once.
template <class Real, std::same_as<Vector<Real>>... Vectors>
BELLWETHER_INLINE auto dots(const OneHot& x, const Vector<Real>& v, const Vectors&... more) {
    return std::array<Real, 1 + sizeof...(more)>{v[x.index], more[x.index]...};
}
template <class T, class Real, std::same_as<Vector<Real>>... Vectors>
BELLWETHER_INLINE auto dots(const Sparse<T>& x, const Vector<Real>& v, const Vectors&... more) {
    // Few entries: four partial sums are enough to hide the latency of an addition.
    const auto one = [&x](const Vector<Real>& vector) BELLWETHER_INLINE_LAMBDA {
        Real parts[4] = {Real(0), Real(0), Real(0), Real(0)};
        for (std::size_t k = 0; k < x.indices.size(); ++k)
            parts[k % 4] = fma(Real(x.values[k]), vector[x.indices[k]], parts[k % 4]);
        return (parts[0] + parts[2]) + (parts[1] + parts[3]);
    };
    return std::array<Real, 1 + sizeof...(more)>{one(v), one(more)...};
}
template <class T, class Real, std::same_as<Vector<Real>>... Vectors>
BELLWETHER_INLINE auto dots(const Dense<T>& x, const Vector<Real>& v, const Vectors&... more) {
    std::array<Sum<Real>, 1 + sizeof...(more)> sums;
    for_each_component<Real>(v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> x_at = load(x, at);
        std::size_t k = 0;
        sums[k++].add(at, x_at, load(v, at));
        (sums[k++].add(at, x_at, load(more, at)), ...);
    });
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::array<Real, sizeof...(K)>{sums[K].total()...};
    }
    (std::make_index_sequence<1 + sizeof...(more)>{});
}

template <class Features, class Real>
BELLWETHER_INLINE Real dot(const Features& x, const Vector<Real>& v) {
    return dots(x, v)[0];
}

// x·y of two feature vectors.
template <class Real>
BELLWETHER_INLINE Real dot_features(const OneHot& x, const OneHot& y) {
    return x.index == y.index ? Real(1) : Real(0);
}
template <class Real, class T>
BELLWETHER_INLINE Real dot_features(const Dense<T>& x, const Dense<T>& y) {
    Sum<T> sum;
    for_each_component<T>(x.values.size(),
                          [&](auto at) BELLWETHER_INLINE_LAMBDA { sum.add(at, load(x, at), load(y, at)); });
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

// v ← v + a·x for features that have entries.
template <class Real, class Features>
BELLWETHER_INLINE void add_entries(const Vector<Real>& v, const Real& a, const Features& x) {
    for_each_entry(
        x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA { v[i] = fma(a, Real(value), v[i]); });
}

// ---- statements ----

// a·x in a sum.
template <class Real, class Features>
struct Term {
    Real a;
    const Features& x;
};
template <class Real, class Features>
BELLWETHER_INLINE Term<Real, Features> term(Real a, const Features& x) {
    return {a, x};
}

// e ← c·e + a·x
template <class Trace, class Real, class Features>
struct TraceUpdate {
    Trace& e;
    Real c, a;
    const Features& x;
};
template <class Trace, class Real, class Features>
BELLWETHER_INLINE TraceUpdate<Trace, Real, Features> trace(Trace& e, Real c, Real a, const Features& x) {
    return {e, c, a, x};
}

// v ← scale·v + b·e + Σ terms, for an e that the statement is used with.
struct Unscaled {};
template <class Destination, class Scale, class Real, class... Terms>
struct Target {
    Destination& v;
    Scale scale;
    Real b;
    std::tuple<Terms...> terms;
    static constexpr bool scaled = !std::is_same_v<Scale, Unscaled>;
};
template <class TargetType>
inline constexpr bool is_scaled = std::remove_cvref_t<TargetType>::scaled;
template <class Destination, class Real, class... Terms>
BELLWETHER_INLINE Target<Destination, Unscaled, Real, Terms...> to(Destination& v, Real b, Terms... terms) {
    return {v, {}, b, {terms...}};
}
template <class Destination, class Real, class... Terms>
BELLWETHER_INLINE Target<Destination, Real, Real, Terms...> scaled_to(Destination& v, Real scale, Real b,
                                                                      Terms... terms) {
    return {v, scale, b, {terms...}};
}

// The part of a target that is one place of the pass: everything but entries.
template <class Real, class Place, class Scale, class... Terms>
BELLWETHER_INLINE void add_at(Place at, const Components<Real>& e_at,
                              const Target<Vector<Real>, Scale, Real, Terms...>& target) {
    Components<Real> sum = load(target.v, at);
    if constexpr (is_scaled<decltype(target)>) sum = Components<Real>(target.scale) * sum;
    sum = fma(Components<Real>(target.b), e_at, sum);
    const auto add_dense = [&]<class Features>(const Term<Real, Features>& t) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_dense<Features>) sum = fma(Components<Real>(t.a), Components<Real>(load(t.x, at)), sum);
    };
    std::apply([&](const auto&... t) BELLWETHER_INLINE_LAMBDA { (add_dense(t), ...); }, target.terms);
    store(target.v, at, sum);
}

// The entries of a target's terms.
template <class Real, class Destination, class Scale, class... Terms>
BELLWETHER_INLINE void add_term_entries(const Target<Destination, Scale, Real, Terms...>& target) {
    const auto add_one = [&]<class Features>(const Term<Real, Features>& t) BELLWETHER_INLINE_LAMBDA {
        if constexpr (!is_dense<Features>) add_entries(target.v, t.a, t.x);
    };
    std::apply([&](const auto&... t) BELLWETHER_INLINE_LAMBDA { (add_one(t), ...); }, target.terms);
}

// v ← v + Σ terms, features alone.
template <class Real, class... Features>
BELLWETHER_INLINE void add_features(const Vector<Real>& v, const Term<Real, Features>&... terms) {
    if constexpr ((is_dense<Features> && ...)) {
        for_each_component<Real>(v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            Components<Real> sum = load(v, at);
            ((sum = fma(Components<Real>(terms.a), Components<Real>(load(terms.x, at)), sum)), ...);
            store(v, at, sum);
        });
    } else {
        (add_entries(v, terms.a, terms.x), ...);
    }
}

// One pass of `e_at` (the trace at a place) into targets. Entries of an unscaled target go in before the pass and those
// of a scaled one after it; `e_entries` adds what entries of the trace itself contribute.
template <class Real, class TraceAt, class EntriesOf, class... Targets>
BELLWETHER_INLINE void pass_into(std::size_t size, TraceAt trace_at, EntriesOf e_entries, const Targets&... targets) {
    const auto entries = [&](const auto& target) BELLWETHER_INLINE_LAMBDA {
        add_term_entries(target);
        e_entries(target);
    };
    ((is_scaled<Targets> ? void() : entries(targets)), ...);
    for_each_component<Real>(size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> e_at = trace_at(at);
        (add_at(at, e_at, targets), ...);
    });
    ((is_scaled<Targets> ? entries(targets) : void()), ...);
}

// targets += e
template <class Real, class... Targets>
BELLWETHER_INLINE void add(const Vector<Real>& e, const Targets&... targets) {
    pass_into<Real>(
        e.size, [&](auto at) BELLWETHER_INLINE_LAMBDA -> Components<Real> { return load(e, at); },
        [](const auto&) BELLWETHER_INLINE_LAMBDA {}, targets...);
}

// e ← c·e + a·x at one place, without entries.
template <class Place, class Real, class Features>
BELLWETHER_INLINE Components<Real> apply_at(Place at, const TraceUpdate<Vector<Real>, Real, Features>& u) {
    Components<Real> e_at = Components<Real>(u.c) * load(u.e, at);
    if constexpr (is_dense<Features>) e_at = fma(Components<Real>(u.a), Components<Real>(load(u.x, at)), e_at);
    store(u.e, at, e_at);
    return e_at;
}
template <class Real, class Features>
BELLWETHER_INLINE void apply_entries(const TraceUpdate<Vector<Real>, Real, Features>& u) {
    if constexpr (!is_dense<Features>) add_entries(u.e, u.a, u.x);
}

// e ← c·e + a·x;  targets += e
template <class Real, class Features, class... Targets>
BELLWETHER_INLINE void apply_and_add(const TraceUpdate<Vector<Real>, Real, Features>& u, const Targets&... targets) {
    pass_into<Real>(
        u.e.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { return apply_at(at, u); },
        [&](const auto& target) BELLWETHER_INLINE_LAMBDA {
            if constexpr (!is_dense<Features>) add_entries(target.v, target.b * u.a, u.x);
        },
        targets...);
    apply_entries(u);
}

// e ← c·e + a·x;  returns e·h, for one or several traces of the same features.
template <class Real, class Features, class... Updates>
BELLWETHER_INLINE auto apply_and_dot(const Vector<Real>& h, const TraceUpdate<Vector<Real>, Real, Features>& first,
                                     const Updates&... more) {
    std::array<Sum<Real>, 1 + sizeof...(more)> sums;
    for_each_component<Real>(h.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> h_at = load(h, at);
        std::size_t k = 0;
        sums[k++].add(at, apply_at(at, first), h_at);
        (sums[k++].add(at, apply_at(at, more), h_at), ...);
    });
    apply_entries(first);
    (apply_entries(more), ...);
    std::size_t k = 0;
    const auto total = [&](const auto& u) BELLWETHER_INLINE_LAMBDA {
        const Real sum = sums[k++].total();
        if constexpr (is_dense<Features>) {
            return sum;
        } else {
            return fma(u.a, dot(u.x, h), sum);
        }
    };
    return std::array<Real, 1 + sizeof...(more)>{total(first), total(more)...};
}

// e ← c·e + a·x;  returns e·h and e·e.
template <class Real, class Features>
BELLWETHER_INLINE std::array<Real, 2> apply_and_dot_square(const Vector<Real>& h,
                                                           const TraceUpdate<Vector<Real>, Real, Features>& u) {
    Sum<Real> e_h, e_e;
    for_each_component<Real>(h.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> e_at = apply_at(at, u);
        e_h.add(at, e_at, load(h, at));
        e_e.add(at, e_at, e_at);
    });
    if constexpr (is_dense<Features>) {
        return {e_h.total(), e_e.total()};
    } else {
        // (c·e + a·x)² = (c·e)² + a·x·(2c·e + a·x), entry by entry.
        Real square = e_e.total();
        for_each_entry(u.x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA {
            const Real added = u.a * Real(value);
            square = fma(added, fma(Real(2), u.e[i], added), square);
            u.e[i] = u.e[i] + added;
        });
        return {fma(u.a, dot(u.x, h), e_h.total()), square};
    }
}

// e ← c·e + a·x
template <class Real, class Features>
BELLWETHER_INLINE void apply(const TraceUpdate<Vector<Real>, Real, Features>& u) {
    for_each_component<Real>(u.e.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { apply_at(at, u); });
    apply_entries(u);
}

// v·u
template <class Real>
BELLWETHER_INLINE Real dot(const Vector<Real>& v, const Vector<Real>& u) {
    Sum<Real> sum;
    for_each_component<Real>(v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { sum.add(at, load(v, at), load(u, at)); });
    return sum.total();
}

template <class Real>
BELLWETHER_INLINE void clear(const Vector<Real>& v) {
    for (std::size_t i = 0; i < v.size; ++i) v.data[i] = Real(0);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
