// The few statements that every algorithm is written in.
//
// A trace e and its uses read like the equations:
//     apply_and_add(trace(e, c, a, x), to(w, b, term(k, x_next)))       e ← c·e + a·x;  w ← w + b·e + k·x'
//     const auto [w_x, e_h] = dots(of(x, w), of(trace(e, c, a, x), h))  w·x;  e ← c·e + a·x;  e·h
//     add(e, to(w, b), to(h, k, term(m, x)))                            w ← w + b·e;    h ← h + k·e + m·x
// Each is one pass over the components. Features enter additively everywhere, so one-hot and sparse features touch only
// their own entries beside that pass, and dense features ride in it.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Whether features go into the pass over the components, as dense ones do, or are added beside it, entry by entry. With
// mask registers, one-hot features of a scalar learner are cheapest in the pass.
template <class Real, class Features>
inline constexpr bool in_pass = is_dense<Features> ||
                                (std::is_same_v<Features, OneHot> && !is_pack<Real> && register_bytes == 64);

// sum + a·x at a place, for features in the pass.
template <class Real, class Place, class T>
BELLWETHER_INLINE Components<Real> plus(const Components<Real>& sum, const Real& a, const Dense<T>& x, Place at) {
    return fma(Components<Real>(a), Components<Real>(load(x, at)), sum);
}
template <class Real, class Place>
BELLWETHER_INLINE Components<Real> plus(const Components<Real>& sum, const Real& a, const OneHot& x, Place at) {
    return sum.plus_at(x.index - at.i, a);
}

// v ← v + a·x for features beside the pass.
template <class Real, class Features>
BELLWETHER_INLINE void add_entries(const Vector<Real>& v, const Real& a, const Features& x) {
    for_each_entry(
        x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA { v[i] = fma(a, Real(value), v[i]); });
}

// The eight components around a single entry are stored: had only one been, the next load of the eight would wait.
template <class Real>
requires(!is_pack<Real>) BELLWETHER_INLINE void add_entries(const Vector<Real>& v, const Real& a, const OneHot& x) {
    const std::size_t lane = x.index % partial_sums;
    const Block at{x.index - lane};
    store(v, at, load(v, at).plus_at(lane, a));
}

// How a statement holds what it works on: a vector by value, so that its address stays in a register whatever is
// stored; a sparse trace by reference.
template <class Trace>
using Held = std::conditional_t<is_vector<std::remove_const_t<Trace>>, Trace, Trace&>;

// a·x in a sum.
template <class Real, class Features>
struct Term {
    Real a;
    Features x;
};
template <class Real, class Features>
BELLWETHER_INLINE Term<Real, Features> term(Real a, const Features& x) {
    return {a, x};
}

// e ← c·e + a·x
template <class Trace, class Real, class Features>
struct TraceUpdate {
    Held<Trace> e;
    Real c, a;
    Features x;
};
template <class Trace, class Real, class Features>
BELLWETHER_INLINE TraceUpdate<Trace, Real, Features> trace(Trace& e, Real c, Real a, const Features& x) {
    return {e, c, a, x};
}

// v ← scale·v + b·e + Σ terms, for an e that the statement is used with.
struct Unscaled {};
template <class Destination, class Scale, class Real, class... Terms>
struct Target {
    Held<Destination> v;
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

// The part of a target that is one place of the pass.
template <class Real, class Place, class Scale, class... Terms>
BELLWETHER_INLINE void add_at(Place at, const Components<Real>& e_at,
                              const Target<Vector<Real>, Scale, Real, Terms...>& target) {
    Components<Real> sum = load(target.v, at);
    if constexpr (is_scaled<decltype(target)>) sum = Components<Real>(target.scale) * sum;
    sum = fma(Components<Real>(target.b), e_at, sum);
    const auto add_one = [&]<class Features>(const Term<Real, Features>& t) BELLWETHER_INLINE_LAMBDA {
        if constexpr (in_pass<Real, Features>) sum = plus<Real>(sum, t.a, t.x, at);
    };
    std::apply([&](const auto&... t) BELLWETHER_INLINE_LAMBDA { (add_one(t), ...); }, target.terms);
    store(target.v, at, sum);
}

// The part of a target that is beside the pass, and comes after it.
template <class Real, class Scale, class... Terms>
BELLWETHER_INLINE void add_beside(const Target<Vector<Real>, Scale, Real, Terms...>& target) {
    const auto add_one = [&]<class Features>(const Term<Real, Features>& t) BELLWETHER_INLINE_LAMBDA {
        if constexpr (!in_pass<Real, Features>) add_entries(target.v, t.a, t.x);
    };
    std::apply([&](const auto&... t) BELLWETHER_INLINE_LAMBDA { (add_one(t), ...); }, target.terms);
}

// One pass of `trace_at(place)` into targets.
template <class Real, class TraceAt, class... Targets>
BELLWETHER_INLINE void pass_into(std::size_t size, TraceAt trace_at, const Targets&... targets) {
    for_each_component<Real>(size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> e_at = trace_at(at);
        (add_at(at, e_at, targets), ...);
    });
    (add_beside(targets), ...);
}

// targets += e
template <class Real, class... Targets>
BELLWETHER_INLINE void add(const Vector<Real>& e, const Targets&... targets) {
    pass_into<Real>(
        e.size, [&](auto at) BELLWETHER_INLINE_LAMBDA -> Components<Real> { return load(e, at); }, targets...);
}

// v ← v + Σ terms, features alone.
template <class Real, class... Features>
BELLWETHER_INLINE void add_features(const Vector<Real>& v, const Term<Real, Features>&... terms) {
    if constexpr ((is_dense<Features> && ...)) {
        for_each_component<Real>(v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
            Components<Real> sum = load(v, at);
            ((sum = plus<Real>(sum, terms.a, terms.x, at)), ...);
            store(v, at, sum);
        });
    } else {
        (add_entries(v, terms.a, terms.x), ...);
    }
}

// e ← c·e + a·x at one place. What it returns has a·x in it for dense features only; otherwise with_x and total add its
// share.
template <class Place, class Real, class Features>
BELLWETHER_INLINE Components<Real> apply_at(Place at, const TraceUpdate<Vector<Real>, Real, Features>& u) {
    const Components<Real> decayed = Components<Real>(u.c) * load(u.e, at);
    Components<Real> e_at = decayed;
    if constexpr (in_pass<Real, Features>) e_at = plus<Real>(e_at, u.a, u.x, at);
    store(u.e, at, e_at);
    return is_dense<Features> ? e_at : decayed;
}
template <class Real, class Features>
BELLWETHER_INLINE void apply_beside(const TraceUpdate<Vector<Real>, Real, Features>& u) {
    if constexpr (!in_pass<Real, Features>) add_entries(u.e, u.a, u.x);
}

// e ← c·e + a·x
template <class Real, class Features>
BELLWETHER_INLINE void apply(const TraceUpdate<Vector<Real>, Real, Features>& u) {
    for_each_component<Real>(u.e.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { apply_at(at, u); });
    apply_beside(u);
}

// A target of e ← c·e + a·x, with the share of a·x.
template <class Destination, class Scale, class Real, class Trace, class Features, class... Terms>
BELLWETHER_INLINE auto with_x(const Target<Destination, Scale, Real, Terms...>& target,
                              const TraceUpdate<Trace, Real, Features>& u) {
    if constexpr (is_dense<Features> && is_vector<Trace>) {
        return target;
    } else {
        return Target<Destination, Scale, Real, Term<Real, Features>, Terms...>{
            target.v, target.scale, target.b, std::tuple_cat(std::make_tuple(term(target.b * u.a, u.x)), target.terms)};
    }
}

// e ← c·e + a·x;  targets += e
template <class Real, class Features, class... Targets>
BELLWETHER_INLINE void apply_and_add(const TraceUpdate<Vector<Real>, Real, Features>& u, const Targets&... targets) {
    pass_into<Real>(
        u.e.size, [&](auto at) BELLWETHER_INLINE_LAMBDA { return apply_at(at, u); }, with_x(targets, u)...);
    apply_beside(u);
}

// What dots() takes: features, or a trace on its way, times a vector.
template <class Real, class Left, class Right>
struct Product {
    Left left;
    Held<const Right> right;
};
template <class Left, template <class> class Right, class Real>
BELLWETHER_INLINE Product<Real, Left, Right<Real>> of(const Left& left, const Right<Real>& right) {
    return {left, right};
}

// The part of a product that is one place of the pass, and the whole of it.
template <class Real, class Place, class Features, class Right>
BELLWETHER_INLINE void multiply_at(Place at, Sum<Real>& sum, const Features& x, const Right& v) {
    if constexpr (is_dense<Features> && is_vector<Right>) sum.add(at, load(v, at), Components<Real>(load(x, at)));
}
template <class Real, class Features, class Right>
BELLWETHER_INLINE Real total(const Sum<Real>& sum, const Features& x, const Right& v) {
    if constexpr (is_dense<Features> && is_vector<Right>) {
        return sum.total();
    } else {
        return dot(x, v);
    }
}
template <class Real, class Place, class Features>
BELLWETHER_INLINE void multiply_at(Place at, Sum<Real>& sum, const TraceUpdate<Vector<Real>, Real, Features>& u,
                                   const Vector<Real>& v) {
    sum.add(at, apply_at(at, u), load(v, at));
}
template <class Real, class Features>
BELLWETHER_INLINE Real total(const Sum<Real>& sum, const TraceUpdate<Vector<Real>, Real, Features>& u,
                             const Vector<Real>& v) {
    apply_beside(u);
    if constexpr (is_dense<Features>) {
        return sum.total();
    } else {
        return fma(u.a, dot(u.x, v), sum.total());
    }
}

template <class Real, std::size_t... K, class... Products>
BELLWETHER_INLINE std::array<Real, sizeof...(K)> dots_in_pass(std::size_t size, std::index_sequence<K...>,
                                                              const Products&... products) {
    std::array<Sum<Real>, sizeof...(K)> sums;
    for_each_component<Real>(size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        (multiply_at(at, std::get<K>(sums), products.left, products.right), ...);
    });
    return {total(std::get<K>(sums), products.left, products.right)...};
}

// The products, in one pass; traces among them are updated.
template <class Real, class Left, class Right, class... More>
BELLWETHER_INLINE std::array<Real, 1 + sizeof...(More)> dots(const Product<Real, Left, Right>& first,
                                                             const More&... more) {
    if constexpr (is_pack<Real> && sizeof...(more) > 0) {
        return {dots(first)[0], dots(more)[0]...};  // the registers hold the partial sums of one product, not of many
    } else {
        return dots_in_pass<Real>(first.right.size, std::make_index_sequence<1 + sizeof...(more)>{}, first, more...);
    }
}

// e ← c·e + a·x;  returns e·h and e·e.
template <class Real, class Features>
BELLWETHER_INLINE std::array<Real, 2> apply_and_dot_square(const Vector<Real>& h,
                                                           const TraceUpdate<Vector<Real>, Real, Features>& u) {
    // (c·e + a·x)² = (c·e)² + a·x·(2c·e + a·x), entry by entry.
    Real square_of_x = Real(0);
    if constexpr (!is_dense<Features>)
        for_each_entry(u.x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA {
            const Real added = u.a * Real(value);
            square_of_x = fma(added, fma(Real(2), u.c * u.e[i], added), square_of_x);
        });
    Sum<Real> sum, square;
    for_each_component<Real>(h.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        const Components<Real> e_at = apply_at(at, u);
        sum.add(at, e_at, load(h, at));
        square.add(at, e_at, e_at);
    });
    return {total(sum, u, h), square.total() + square_of_x};
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
