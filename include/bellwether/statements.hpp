// The few statements that every algorithm is written in.
//
//     const auto [w_x, h_x] = dots(of(x, w), of(x, h))     w·x, h·x
//     pass(trace(e, c, a, x),                              e ← c·e + a·x
//          to(w, times(b, e), term(k, x_next)),            w ← w + b·e + k·x'
//          scaled_to(h, m, times(n, e)))                   h ← m·h + n·e
//     pass(..., to(h, ..., product(e_h, e)))               and e_h ← e·h of what has become of them
// All traces of a pass have the same x. What a pass costs depends on its features: dense ones go once over the
// components (component_pass.hpp); one-hot and sparse ones touch their own entries only (entry_pass.hpp), where the
// vectors can move along their traces.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "bellwether/moving.hpp"
#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Things of different types, in order. (std::tuple and std::apply are not always inlined, and what is not inlined here
// lives in memory instead of registers.)
template <class... Types>
struct List {};
template <class First, class... Rest>
struct List<First, Rest...> {
    First first;
    List<Rest...> rest;
};
BELLWETHER_INLINE
List<> list() {
    return {};
}
template <class First, class... Rest>
BELLWETHER_INLINE List<First, Rest...> list(const First& first, const Rest&... rest) {
    return {first, list(rest...)};
}
template <class First, class... Rest>
BELLWETHER_INLINE List<First, Rest...> prepend(const First& first, const List<Rest...>& rest) {
    return {first, rest};
}
template <class... Rest>
BELLWETHER_INLINE List<Rest...> join(const List<>&, const List<Rest...>& rest) {
    return rest;
}
template <class First, class... More, class... Rest>
BELLWETHER_INLINE List<First, More..., Rest...> join(const List<First, More...>& some, const List<Rest...>& rest) {
    return {some.first, join(some.rest, rest)};
}
// The lists that make(item) gives, joined: a map that can leave items out.
template <class Make>
BELLWETHER_INLINE List<> map(const List<>&, Make) {
    return {};
}
template <class First, class... Rest, class Make>
BELLWETHER_INLINE auto map(const List<First, Rest...>& items, Make make) {
    return join(make(items.first), map(items.rest, make));
}
// The same things where they are.
template <class First, class... Rest>
BELLWETHER_INLINE List<const First&, const Rest&...> refer(const First& first, const Rest&... rest) {
    if constexpr (sizeof...(rest) == 0) {
        return {first, {}};
    } else {
        return {first, refer(rest...)};
    }
}
template <class Use>
BELLWETHER_INLINE void for_each(const List<>&, Use&&) {}
template <class ListType, class Use>
requires requires(ListType& items) {
    items.first;
}
BELLWETHER_INLINE void for_each(ListType& items, Use&& use) {
    use(items.first);
    for_each(items.rest, use);
}

// How a statement holds what it works on: a vector by value, so that its address stays in a register whatever is
// stored; anything else by reference.
template <class T>
using Held = std::conditional_t<is_vector<std::remove_const_t<T>>, T, T&>;

// ---- the items of a pass ----

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

// b·e in a sum, for a trace e.
template <class Real, class Trace, std::size_t n = 0>
struct Times {
    Real b;
    const Trace& e;
    static constexpr std::size_t number = n;  // of the trace
};
template <class Real, class Trace>
BELLWETHER_INLINE Times<Real, WithoutNumber<Trace>, number_of<Trace>> times(Real b, const Trace& e) {
    return {b, e};
}

// The last items of a target v: to ← e·v, once the pass is over.
template <class To, class Trace, std::size_t n = 0>
struct Product {
    To& to;
    const Trace& e;
    static constexpr std::size_t number = n;
};
template <class To, class Trace>
BELLWETHER_INLINE Product<To, WithoutNumber<Trace>, number_of<Trace>> product(To& to, const Trace& e) {
    return {to, e};
}

// to ← e·e, once the pass is over.
template <class To, class Trace, std::size_t n = 0>
struct Square {
    To& to;
    const Trace& e;
    static constexpr std::size_t number = n;
};
template <class To, class Trace>
BELLWETHER_INLINE Square<To, WithoutNumber<Trace>, number_of<Trace>> square(To& to, const Trace& e) {
    return {to, e};
}

// e ← c·e + a·x
template <class Trace, class Real, class Features, std::size_t n = 0>
struct TraceUpdate {
    Trace& e;
    Real c, a;
    const Features& x;
    static constexpr std::size_t number = n;
};
template <class Trace, class Real, class Features>
BELLWETHER_INLINE TraceUpdate<WithoutNumber<Trace>, Real, Features, number_of<Trace>> trace(Trace& e, Real c, Real a,
                                                                                            const Features& x) {
    return {e, c, a, x};
}

// v ← scale·v + Σ items. A v that is scaled is a trace.
struct Unscaled {};
template <class Destination, class Scale, class... Items>
struct Target {
    Held<Destination> v;
    Scale scale;
    List<Items...> items;
};
template <class Destination, class... Items>
BELLWETHER_INLINE Target<Destination, Unscaled, Items...> to(Destination& v, Items... items) {
    return {v, {}, list(items...)};
}
template <class Destination, class Real, class... Items>
BELLWETHER_INLINE Target<Destination, Real, Items...> scaled_to(Destination& v, Real scale, Items... items) {
    return {v, scale, list(items...)};
}

// What kind of item it is.
template <class Item>
inline constexpr bool is_trace_update = false;
template <class Trace, class Real, class Features, std::size_t n>
inline constexpr bool is_trace_update<TraceUpdate<Trace, Real, Features, n>> = true;
template <class Item>
inline constexpr bool is_target = false;
template <class Destination, class Scale, class... Items>
inline constexpr bool is_target<Target<Destination, Scale, Items...>> = true;
template <class Item>
inline constexpr bool is_times = false;
template <class Real, class Trace, std::size_t n>
inline constexpr bool is_times<Times<Real, Trace, n>> = true;
template <class Item>
inline constexpr bool is_term = false;
template <class Real, class Features>
inline constexpr bool is_term<Term<Real, Features>> = true;
template <class Item>
inline constexpr bool is_product = false;
template <class To, class Trace, std::size_t n>
inline constexpr bool is_product<Product<To, Trace, n>> = true;
template <class Item>
inline constexpr bool is_square = false;
template <class To, class Trace, std::size_t n>
inline constexpr bool is_square<Square<To, Trace, n>> = true;

// ---- entries ----

// v ← v + a·x, entry by entry.
template <class Real, class Features>
BELLWETHER_INLINE void add_entries(const Vector<Real>& v, const Real& a, const Features& x) {
    for_each_entry(
        x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA { v[i] = fma(a, Real(value), v[i]); });
}

// ---- statements without a trace ----

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

// What dots() takes: features times a vector or a trace.
template <class Features, class Right>
struct FeatureProduct {
    const Features& x;
    const Right& v;
};
template <class Features, class Right>
BELLWETHER_INLINE FeatureProduct<Features, Right> of(const Features& x, const Right& v) {
    return {x, v};
}

// How dense features see a vector: its components, times a factor.
template <class Real>
BELLWETHER_INLINE const Vector<Real>& components_of(const Vector<Real>& v) {
    return v;
}
template <class Real>
BELLWETHER_INLINE const Vector<Real>& components_of(const DenseTrace<Real>& e) {
    return e.values;
}
template <class Real>
BELLWETHER_INLINE const Vector<Real>& components_of(const MovingVector<Real>& v) {
    return v.base;
}
template <class Real, class V>
BELLWETHER_INLINE Real scaled(const Real& b, const V& v) {
    if constexpr (is_dense_trace<V>) {
        return b * v.scale;
    } else {
        return b;
    }
}
template <class V>
BELLWETHER_INLINE bool is_at_rest(const V& v) {
    if constexpr (is_moving<V>) return !v.moving;
    return true;
}

template <class Real, class T, std::size_t... K, class... Products>
BELLWETHER_INLINE std::array<Real, sizeof...(K)> dense_dots(const Dense<T>& first, std::index_sequence<K...>,
                                                            const Products&... products) {
    std::array<Sum<Real>, sizeof...(K)> sums;
    for_each_component_of_sum<Real>(
        first.values.size(),
        [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const Components<Real> x = held<Real>(load(first, at));
            (std::get<K>(sums).add(at, load(components_of(products.v), at),
                                   &products.x == &first ? x : Components<Real>(load(products.x, at))),
             ...);
        },
        [&](auto n) BELLWETHER_INLINE_LAMBDA { (std::get<K>(sums).fold(n), ...); });
    return {scaled(std::get<K>(sums).total(), products.v)...};
}

// The products; of dense features with vectors at rest in one pass.
template <class Features, template <class> class First, class Real, class... Rights>
BELLWETHER_INLINE std::array<Real, 1 + sizeof...(Rights)> dots(const FeatureProduct<Features, First<Real>>& first,
                                                               const FeatureProduct<Features, Rights>&... more) {
    if constexpr (is_dense<Features> && requires { components_of(first.v), (components_of(more.v), ...); }) {
        if (is_at_rest(first.v) && (is_at_rest(more.v) && ...))
            return dense_dots<Real>(first.x, std::make_index_sequence<1 + sizeof...(more)>{}, first, more...);
    }
    return {dot(first.x, first.v), dot(more.x, more.v)...};
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
