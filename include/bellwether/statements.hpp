// The few statements that every algorithm is written in.
//
//     const auto [w_x, h_x] = dots(of(x, w), of(x, h))     w·x, h·x
//     pass(trace(e, c, a, x),                              e ← c·e + a·x
//          to(w, times(b, e), term(k, x_next)),            w ← w + b·e + k·x'
//          scaled_to(h, m, times(n, e)))                   h ← m·h + n·e
//     pass(..., to(h, ..., product(e_h, e)))               and e_h ← e·h of what has become of them
// A pass goes once over the components and does there what its arguments say, in their order. One-hot and sparse
// features touch only their own entries, before the pass; dense features ride in it.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "bellwether/dense_trace.hpp"
#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// ---- what a pass is made of ----

// Things of different types, in order. (std::tuple and std::apply are not always inlined, and what is not inlined here
// lives in memory instead of registers.)
template <class... Types>
struct List {};
template <class First, class... Rest>
struct List<First, Rest...> {
    First first;
    List<Rest...> rest;
};
BELLWETHER_INLINE List<> list() {
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
// stored; a trace by reference.
template <class Held_>
using Held = std::conditional_t<is_vector<std::remove_const_t<Held_>>, Held_, Held_&>;

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

// b·e in a sum, for a trace or a vector e.
template <class Real, class Source>
struct Times {
    Real b;
    Held<const Source> e;
};
template <class Real, class Source>
BELLWETHER_INLINE Times<Real, Source> times(Real b, const Source& e) {
    return {b, e};
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

// The last items of a target: to ← e·v, once the pass is over.
template <class Real, class Trace>
struct Product {
    Real& to;
    Held<const Trace> e;
};
template <class Real, class Trace>
BELLWETHER_INLINE Product<Real, Trace> product(Real& to, const Trace& e) {
    return {to, e};
}

// to ← e·e, once the pass is over.
template <class Real, class Trace>
struct Square {
    Real& to;
    Held<const Trace> e;
};
template <class Real, class Trace>
BELLWETHER_INLINE Square<Real, Trace> square(Real& to, const Trace& e) {
    return {to, e};
}

// Whether an item of a pass adds something up.
template <class Item>
inline constexpr bool sums_up = false;
template <class Real, class Trace>
inline constexpr bool sums_up<Product<Real, Trace>> = true;
template <class Real, class Trace>
inline constexpr bool sums_up<Square<Real, Trace>> = true;
template <class Destination, class Scale, class... Items>
inline constexpr bool sums_up<Target<Destination, Scale, Items...>> = (sums_up<Items> || ...);

// ---- entries ----

// v ← v + a·x, entry by entry.
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

// ---- a pass over dense vectors and traces ----

// What is left to do at a place after the preparation: compute, and then, when everything at the place is computed,
// store. (A load after a store to some other vector could not be shared with the one before it.)
struct NothingAt {
    template <class Place>
    BELLWETHER_INLINE NothingAt compute(Place) const {
        return {};
    }
    template <class Place, class Value>
    BELLWETHER_INLINE void store_at(Place, const Value&) const {}
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n>) const {}
    BELLWETHER_INLINE
    void finish() const {}
};

template <class Real>
BELLWETHER_INLINE const Vector<Real>& components_of(const Vector<Real>& v) {
    return v;
}
template <class Real>
BELLWETHER_INLINE const Vector<Real>& components_of(const DenseTrace<Real>& e) {
    return e.values;
}
// b·scale of a source.
template <class Real>
BELLWETHER_INLINE Real scaled(const Real& b, const Vector<Real>&) {
    return b;
}
template <class Real>
BELLWETHER_INLINE Real scaled(const Real& b, const DenseTrace<Real>& e) {
    return b * e.scale;
}

// e ← c·e + a·x: dense features rewrite every component and take the scale with them.
template <class Real, class Features>
struct TraceAt : NothingAt {
    Vector<Real> values;
    Components<Real> c, a;
    Features x;

    // Stored at once: the other items read it.
    template <class Place>
    BELLWETHER_INLINE NothingAt compute(Place at) const {
        store(values, at, fma(a, Components<Real>(load(x, at)), c * load(values, at)));
        return {};
    }
};
template <class Real, class Features>
BELLWETHER_INLINE auto prepare(const TraceUpdate<DenseTrace<Real>, Real, Features>& u) {
    if constexpr (is_dense<Features>) {
        const Real c = u.c * u.e.scale;
        u.e.scale = Real(1);
        return TraceAt<Real, Features>{{}, u.e.values, c, u.a, u.x};
    } else {
        decay(u.e, u.c);
        add_entries(u.e.values, u.a / u.e.scale, u.x);
        return NothingAt{};
    }
}

// One item of a target at a place.
template <class Real>
struct TimesAt : NothingAt {
    Components<Real> b;
    Vector<Real> e;

    template <class Place>
    BELLWETHER_INLINE Components<Real> operator()(Place at, const Components<Real>& sum) const {
        return fma(b, load(e, at), sum);
    }
};
template <class Real, class T>
struct TermAt : NothingAt {
    Components<Real> a;
    Dense<T> x;

    template <class Place>
    BELLWETHER_INLINE Components<Real> operator()(Place at, const Components<Real>& sum) const {
        return fma(a, Components<Real>(load(x, at)), sum);
    }
};
template <class Real>
struct ScaleAt : NothingAt {
    Components<Real> scale;

    template <class Place>
    BELLWETHER_INLINE Components<Real> operator()(Place, const Components<Real>& sum) const {
        return scale * sum;
    }
};
template <class Real>
struct ProductAt {
    Vector<Real> e;
    Real& to;
    Real scale;
    Sum<Real> sum;

    template <class Place>
    BELLWETHER_INLINE Components<Real> operator()(Place at, const Components<Real>& v) {
        sum.add(at, load(e, at), v);
        return v;
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n> part) {
        sum.fold(part);
    }
    BELLWETHER_INLINE
    void finish() const { to = scale * sum.total(); }
};
template <class Item>
inline constexpr bool rides_in_pass = true;
template <class Real, class Features>
inline constexpr bool rides_in_pass<Term<Real, Features>> = is_dense<Features>;

// An item in the form that the pass takes. Where it does not ride in the pass it is added at once.
template <class Real, class Unscale, class Source>
BELLWETHER_INLINE TimesAt<Real> prepare_item(const Vector<Real>&, Unscale unscale, const Times<Real, Source>& t) {
    return {{}, unscale(scaled(t.b, t.e)), components_of(t.e)};
}
template <class Real, class Unscale, class T>
BELLWETHER_INLINE TermAt<Real, T> prepare_item(const Vector<Real>&, Unscale unscale, const Term<Real, Dense<T>>& t) {
    return {{}, unscale(t.a), t.x};
}
// v is kept divided by its scale, the sum is of what is kept.
template <class Real, class Unscale>
BELLWETHER_INLINE ProductAt<Real> prepare_item(const Vector<Real>&, Unscale, const Product<Real, DenseTrace<Real>>& p) {
    return {p.e.values, p.to, p.e.scale, {}};
}
template <class Real, class Unscale>
BELLWETHER_INLINE List<> prepare_items(const Vector<Real>&, Unscale, const List<>&) {
    return {};
}
template <class Real, class Unscale, class Item, class... Items>
BELLWETHER_INLINE auto prepare_items(const Vector<Real>& v, Unscale unscale, const List<Item, Items...>& items) {
    if constexpr (rides_in_pass<Item>) {
        return prepend(prepare_item(v, unscale, items.first), prepare_items(v, unscale, items.rest));
    } else {
        add_entries(v, unscale(items.first.a), items.first.x);
        return prepare_items(v, unscale, items.rest);
    }
}

template <class Real, class... Items>
struct TargetAt : NothingAt {
    Vector<Real> v;
    List<Items...> items;

    template <class Place>
    BELLWETHER_INLINE Components<Real> compute(Place at) {
        Components<Real> sum = load(v, at);
        for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA { sum = item(at, sum); });
        return sum;
    }
    template <class Place>
    BELLWETHER_INLINE void store_at(Place at, const Components<Real>& sum) const {
        store(v, at, sum);
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n> part) {
        for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA { item.fold(part); });
    }
    BELLWETHER_INLINE
    void finish() const {
        for_each(items, [](const auto& item) BELLWETHER_INLINE_LAMBDA { item.finish(); });
    }
};
template <class Real, class... Items>
BELLWETHER_INLINE auto target_at(const Vector<Real>& v, const List<Items...>& items) {
    if constexpr (sizeof...(Items) == 0) {
        return NothingAt{};
    } else {
        return TargetAt<Real, Items...>{{}, v, items};
    }
}
inline constexpr auto unchanged = [](const auto& a) BELLWETHER_INLINE_LAMBDA { return a; };
template <class Real, class... Items>
BELLWETHER_INLINE auto prepare(const Target<Vector<Real>, Unscaled, Items...>& target) {
    return target_at(target.v, prepare_items(target.v, unchanged, target.items));
}
// Where all items ride in the pass, the scale does too, and items of the same pass that read v find it as it was.
// Otherwise it must be dealt with before the entries are.
template <class Real, class... Items>
BELLWETHER_INLINE auto prepare(const Target<DenseTrace<Real>, Real, Items...>& target) {
    if constexpr ((rides_in_pass<Items> && ...)) {
        const Real scale = target.scale * target.v.scale;
        target.v.scale = Real(1);
        return target_at(target.v.values,
                         prepend(ScaleAt<Real>{{}, scale}, prepare_items(target.v.values, unchanged, target.items)));
    } else {
        decay(target.v, target.scale);
        const Real unscale = Real(1) / target.v.scale;
        const auto divided = [unscale](const Real& a) BELLWETHER_INLINE_LAMBDA { return unscale * a; };
        auto items = prepare_items(target.v.values, divided, target.items);
        const Real scale = target.v.scale;
        for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA {
            if constexpr (requires { item.sum; }) item.scale = item.scale * scale;
        });
        return target_at(target.v.values, items);
    }
}

template <class Real>
struct SquareAt : NothingAt {
    Vector<Real> e;
    Real& to;
    Real scale;
    Sum<Real> sum;

    template <class Place>
    BELLWETHER_INLINE NothingAt compute(Place at) {
        const Components<Real> value = load(e, at);
        sum.add(at, value, value);
        return {};
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n> part) {
        sum.fold(part);
    }
    BELLWETHER_INLINE
    void finish() const { to = scale * (scale * sum.total()); }
};
template <class Real>
BELLWETHER_INLINE SquareAt<Real> prepare(const Square<Real, DenseTrace<Real>>& s) {
    return {{}, s.e.values, s.to, s.e.scale, {}};
}

// Prepared in order, which matters where one item reads what another one changes.
BELLWETHER_INLINE List<> prepare_all() {
    return {};
}
template <class First, class... Rest>
BELLWETHER_INLINE auto prepare_all(const First& first, const Rest&... rest) {
    const auto prepared = prepare(first);
    return prepend(prepared, prepare_all(rest...));
}

template <class Place>
BELLWETHER_INLINE void compute_and_store(List<>&, Place) {}
template <class Place, class First, class... Rest>
BELLWETHER_INLINE void compute_and_store(List<First, Rest...>& ats, Place at) {
    const auto value = ats.first.compute(at);
    compute_and_store(ats.rest, at);
    ats.first.store_at(at, value);
}

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void pass(const TraceUpdate<DenseTrace<Real>, Real, Features>& first, const Items&... items) {
    auto ats = prepare_all(first, items...);
    const std::size_t size = first.e.values.size;
    const auto body = [&](auto place) BELLWETHER_INLINE_LAMBDA { compute_and_store(ats, place); };
    if constexpr ((sums_up<Items> || ...)) {
        for_each_component_of_sum<Real>(size, body, [&](auto n) BELLWETHER_INLINE_LAMBDA {
            for_each(ats, [&](auto& at) BELLWETHER_INLINE_LAMBDA { at.fold(n); });
        });
        for_each(ats, [&](auto& at) BELLWETHER_INLINE_LAMBDA { at.finish(); });
    } else {
        for_each_component<Real>(size, body);
    }
}

// ---- statements without a trace ----

// v ← v + Σ terms, features alone.
template <class Real, class... Features>
BELLWETHER_INLINE void add_features(Vector<Real> v, const Term<Real, Features>&... terms) {
    auto at = prepare(to(v, terms...));
    if constexpr (!std::is_same_v<decltype(at), NothingAt>)
        for_each_component<Real>(v.size,
                                 [&](auto place) BELLWETHER_INLINE_LAMBDA { at.store_at(place, at.compute(place)); });
}

// v ← v + b·u
template <class Real>
BELLWETHER_INLINE void add(const Vector<Real>& v, const Real& b, const Vector<Real>& u) {
    for_each_component<Real>(v.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
        store(v, at, fma(Components<Real>(b), load(u, at), load(v, at)));
    });
}

// What dots() takes: features times a vector or a trace.
template <class Features, class Right>
struct FeatureProduct {
    Features x;
    Held<const Right> v;
};
template <class Features, class Right>
BELLWETHER_INLINE FeatureProduct<Features, Right> of(const Features& x, const Right& v) {
    return {x, v};
}

template <class Real, std::size_t... K, class... Products>
BELLWETHER_INLINE std::array<Real, sizeof...(K)> dense_dots(std::size_t size, std::index_sequence<K...>,
                                                            const Products&... products) {
    std::array<Sum<Real>, sizeof...(K)> sums;
    for_each_component_of_sum<Real>(
        size,
        [&](auto at) BELLWETHER_INLINE_LAMBDA {
            (std::get<K>(sums).add(at, load(components_of(products.v), at), Components<Real>(load(products.x, at))),
             ...);
        },
        [&](auto n) BELLWETHER_INLINE_LAMBDA { (std::get<K>(sums).fold(n), ...); });
    return {scaled(std::get<K>(sums).total(), products.v)...};
}

// The products; of dense features with dense vectors and traces in one pass.
template <class Features, template <class> class First, class Real, class... Rights>
BELLWETHER_INLINE std::array<Real, 1 + sizeof...(Rights)> dots(const FeatureProduct<Features, First<Real>>& first,
                                                               const FeatureProduct<Features, Rights>&... more) {
    if constexpr (is_dense<Features> && ((is_vector<Rights> || is_dense_trace<Rights>)&&...)) {
        return dense_dots<Real>(first.x.values.size(), std::make_index_sequence<1 + sizeof...(more)>{}, first, more...);
    } else {
        return {dot(first.x, first.v), dot(more.x, more.v)...};
    }
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
