// A pass over the components: with dense features, and for vectors that do not move along one trace only.
#pragma once

#include "bellwether/entry_pass.hpp"
#include "bellwether/statements.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// A place with the features there: those of the traces, and the others that the terms of the pass have.
template <class Place, class Real, class T>
struct PlaceWithFeatures : Place {
    const Dense<T>&x, &other;
    Components<Real> x_there, other_there;

    BELLWETHER_INLINE
    PlaceWithFeatures(Place at, const Dense<T>& first, const Dense<T>& second)
        : Place(at), x(first), other(second), x_there(held<Real>(load(x, at))) {
        if (&x != &other) other_there = held<Real>(load(other, at));
    }
    BELLWETHER_INLINE
    Components<Real> of(const Dense<T>& features) const {
        if (&features == &x) return x_there;
        if (&features == &other) return other_there;
        return load(features, static_cast<Place>(*this));
    }
};
template <class Real, class Place, class T>
BELLWETHER_INLINE auto with_features(Place at, const Dense<T>& x, const Dense<T>& other) {
    if constexpr (is_pack<Real>) {
        return at;  // a feature of packs is one number
    } else {
        return PlaceWithFeatures<Place, Real, T>(at, x, other);
    }
}
template <class Real, class Place, class Features>
BELLWETHER_INLINE Place with_features(Place at, const Features&, const Features&) {
    return at;
}
template <class Real, class Place, class T>
BELLWETHER_INLINE Components<Real> features_at(const Place& at, const Dense<T>& x) {
    if constexpr (requires { at.of(x); }) {
        return at.of(x);
    } else {
        return Components<Real>(load(x, at));
    }
}
// The first features of a term that are not x; x where there are none.
template <class Features, class... Items>
BELLWETHER_INLINE const Features& other_features(const Features& x, const Items&... items) {
    const Features* other = &x;
    [[maybe_unused]] const auto look_at = [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_target<std::remove_cvref_t<decltype(item)>>)
            for_each(item.items, [&](const auto& part) BELLWETHER_INLINE_LAMBDA {
                if constexpr (is_term<std::remove_cvref_t<decltype(part)>>)
                    if (other == &x) other = &part.x;
            });
    };
    (look_at(items), ...);
    return *other;
}

// What is left to do at a place after the preparation: compute, and then, when everything at the place is computed,
// store. (A load after a store to some other vector could not be shared with the one before it.)
struct NothingAt {
    template <class Place, class Traces>
    BELLWETHER_INLINE NothingAt compute(Place, const Traces&) const {
        return {};
    }
    template <class Place, class Value>
    BELLWETHER_INLINE void store_at(Place, const Value&) const {}
    template <std::size_t k>
    BELLWETHER_INLINE void fold(Fold<k>) const {}
    BELLWETHER_INLINE
    void finish() const {}
};

// A trace at a place, as it has become but is not stored yet.
template <class Real, std::size_t n>
struct TraceValue {
    static constexpr std::size_t number = n;
    Components<Real> value;
};
template <class T>
inline constexpr bool is_trace_value = false;
template <class Real, std::size_t n>
inline constexpr bool is_trace_value<TraceValue<Real, n>> = true;

// The n-th trace at a place: among those that the pass updates there, else as it lies in memory.
template <std::size_t n, class Traces>
inline constexpr bool has_trace = false;
template <std::size_t n, class... Values>
inline constexpr bool has_trace<n, List<Values...>> = ((Values::number == n) || ...);
template <std::size_t n, class Real, class Place, class Traces>
BELLWETHER_INLINE Components<Real> trace_at(Place at, const Vector<Real>& values, const Traces& traces) {
    if constexpr (has_trace<n, Traces>) {
        return trace_numbered<n>(traces).value;
    } else {
        return load(values, at);
    }
}

// e ← c·e + a·x: dense features rewrite every component, and the scale goes with them.
template <class Real, class Features, std::size_t n>
struct TraceAt : NothingAt {
    Vector<Real> values;
    Components<Real> c, a;
    const Features& x;

    template <class Place, class Traces>
    BELLWETHER_INLINE TraceValue<Real, n> compute(Place at, const Traces&) const {
        return {fma(a, features_at<Real>(at, x), c * load(values, at))};
    }
    template <class Place>
    BELLWETHER_INLINE void store_at(Place at, const TraceValue<Real, n>& trace) const {
        store(values, at, trace.value);
    }
};
template <class Real, class Features, std::size_t n>
BELLWETHER_INLINE auto prepare(const TraceUpdate<DenseTrace<Real>, Real, Features, n>& u) {
    u.e.only = u.e.any;
    if constexpr (is_dense<Features>) {
        const Real c = u.c * u.e.scale;
        u.e.scale = Real(1);
        return TraceAt<Real, Features, n>{{}, u.e.values, c, u.a, u.x};
    } else {
        u.e.scale = u.c * u.e.scale;
        if (!scale_in_range(u.e)) [[unlikely]]
            settle(u.e);
        add_entries(u.e.values, u.a / u.e.scale, u.x);
        return NothingAt{};
    }
}

// The items of a target, at a place.
template <class Real, std::size_t n>
struct TimesAt : NothingAt {
    Components<Real> b;
    Vector<Real> e;

    template <class Place, class Traces>
    BELLWETHER_INLINE Components<Real> operator()(Place at, const Components<Real>& sum, const Traces& traces) const {
        return fma(b, trace_at<n>(at, e, traces), sum);
    }
};
template <class Real, class T>
struct TermAt : NothingAt {
    Components<Real> a;
    const Dense<T>& x;

    template <class Place, class Traces>
    BELLWETHER_INLINE Components<Real> operator()(Place at, const Components<Real>& sum, const Traces&) const {
        return fma(a, features_at<Real>(at, x), sum);
    }
};
template <class Real>
struct ScaleAt : NothingAt {
    Components<Real> scale;

    template <class Place, class Traces>
    BELLWETHER_INLINE Components<Real> operator()(Place, const Components<Real>& sum, const Traces&) const {
        return scale * sum;
    }
};
// Products of vectors at rest; those of a plain number (not carried) have the scales in them.
template <class Real, class To, std::size_t n>
struct ProductAt {
    Vector<Real> e;
    To& to;
    Real scale;
    Sum<Real> sum;

    template <class Place, class Traces>
    BELLWETHER_INLINE Components<Real> operator()(Place at, const Components<Real>& v, const Traces& traces) {
        sum.add(at, trace_at<n>(at, e, traces), v);
        return v;
    }
    template <std::size_t k>
    BELLWETHER_INLINE void fold(Fold<k> part) {
        sum.fold(part);
    }
    BELLWETHER_INLINE
    void finish() const {
        if constexpr (std::is_same_v<To, Real>) {
            to = scale * sum.total();
        } else {
            to.with_base = sum.total();
            to.stale = 1;
        }
    }
};

template <class Item>
inline constexpr bool rides_in_pass = true;
template <class Real, class Features>
inline constexpr bool rides_in_pass<Term<Real, Features>> = is_dense<Features>;

// An item in the form that the pass takes. `scale` is that of the target, which is kept divided by it.
template <class Real, std::size_t n>
BELLWETHER_INLINE TimesAt<Real, n> prepare_item(const Times<Real, DenseTrace<Real>, n>& t, const Real& unscale,
                                                const Real&) {
    return {{}, unscale * (t.b * t.e.scale), t.e.values};
}
template <class Real, class T>
BELLWETHER_INLINE TermAt<Real, T> prepare_item(const Term<Real, Dense<T>>& t, const Real& unscale, const Real&) {
    return {{}, unscale * t.a, t.x};
}
template <class Real, class To, std::size_t n>
BELLWETHER_INLINE ProductAt<Real, To, n> prepare_item(const Product<To, DenseTrace<Real>, n>& p, const Real&,
                                                      const Real& scale) {
    return {p.e.values, p.to, scale * p.e.scale, {}};
}
template <class Real>
BELLWETHER_INLINE List<> prepare_items(const Vector<Real>&, const Real&, const Real&, const List<>&) {
    return {};
}
template <class Real, class Item, class... Items>
BELLWETHER_INLINE auto prepare_items(const Vector<Real>& v, const Real& unscale, const Real& scale,
                                     const List<Item, Items...>& items) {
    if constexpr (rides_in_pass<Item>) {
        return prepend(prepare_item(items.first, unscale, scale), prepare_items(v, unscale, scale, items.rest));
    } else {
        add_entries(v, unscale * items.first.a, items.first.x);
        return prepare_items(v, unscale, scale, items.rest);
    }
}

template <class Real, class... Items>
struct TargetAt : NothingAt {
    Vector<Real> v;
    List<Items...> items;

    template <class Place, class Traces>
    BELLWETHER_INLINE Components<Real> compute(Place at, const Traces& traces) {
        Components<Real> sum = load(v, at);
        for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA { sum = item(at, sum, traces); });
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
BELLWETHER_INLINE TargetAt<Real, Items...> target_at(const Vector<Real>& v, const List<Items...>& items) {
    return {{}, v, items};
}
template <class Real, class... Items>
BELLWETHER_INLINE auto prepare(const Target<Vector<Real>, Unscaled, Items...>& target) {
    return target_at(target.v, prepare_items(target.v, Real(1), Real(1), target.items));
}
template <class Real, class... Items>
BELLWETHER_INLINE auto prepare(const Target<MovingVector<Real>, Unscaled, Items...>& target) {
    return target_at(target.v.base, prepare_items(target.v.base, Real(1), Real(1), target.items));
}
// Where all items ride in the pass, the scale does too, and items of the same pass that read v find it as it was.
// Otherwise it must be dealt with before the entries are.
template <class Real, std::size_t n, class... Items>
BELLWETHER_INLINE auto prepare(const Target<NumberedTrace<Real, n>, Real, Items...>& target) {
    const Vector<Real> v = target.v.values;
    if constexpr ((rides_in_pass<Items> && ...)) {
        const Real scale = target.scale * target.v.scale;
        target.v.scale = Real(1);
        return target_at(v, prepend(ScaleAt<Real>{{}, scale}, prepare_items(v, Real(1), Real(1), target.items)));
    } else {
        target.v.scale = target.scale * target.v.scale;
        if (!scale_in_range(target.v)) [[unlikely]]
            settle(target.v);
        return target_at(v, prepare_items(v, Real(1) / target.v.scale, target.v.scale, target.items));
    }
}

template <class Real, std::size_t n>
struct SquareAt : NothingAt {
    Vector<Real> e;
    CarriedSquare<Real>& to;
    Sum<Real> sum;

    template <class Place, class Traces>
    BELLWETHER_INLINE NothingAt compute(Place at, const Traces& traces) {
        const Components<Real> value = trace_at<n>(at, e, traces);
        sum.add(at, value, value);
        return {};
    }
    template <std::size_t k>
    BELLWETHER_INLINE void fold(Fold<k> part) {
        sum.fold(part);
    }
    BELLWETHER_INLINE
    void finish() const { to.sum = sum.total(); }
};
template <class Real, std::size_t n>
BELLWETHER_INLINE SquareAt<Real, n> prepare(const Square<CarriedSquare<Real>, DenseTrace<Real>, n>& s) {
    return {{}, s.e.values, s.to, {}};
}

// Prepared in order, which matters where one item reads what another one changes.
BELLWETHER_INLINE
List<> prepare_all() {
    return {};
}
template <class First, class... Rest>
BELLWETHER_INLINE auto prepare_all(const First& first, const Rest&... rest) {
    const auto prepared = prepare(first);
    return prepend(prepared, prepare_all(rest...));
}

// Traces that are stored at once are read again by the items that follow.
template <bool traces_at_once, class Place, class Traces>
BELLWETHER_INLINE void compute_and_store(List<>&, Place, const Traces&) {}
template <bool traces_at_once, class Place, class Traces, class First, class... Rest>
BELLWETHER_INLINE void compute_and_store(List<First, Rest...>& ats, Place at, const Traces& traces) {
    const auto value = ats.first.compute(at, traces);
    constexpr bool is_trace = is_trace_value<std::remove_cvref_t<decltype(value)>>;
    if constexpr (is_trace && traces_at_once) {
        ats.first.store_at(at, value);
        compute_and_store<traces_at_once>(ats.rest, at, traces);
    } else {
        if constexpr (is_trace) {
            compute_and_store<traces_at_once>(ats.rest, at, prepend(value, traces));
        } else {
            compute_and_store<traces_at_once>(ats.rest, at, traces);
        }
        ats.first.store_at(at, value);
    }
}

template <class Item>
inline constexpr bool sums_up = is_product<Item> || is_square<Item>;
template <class Destination, class Scale, class... Items>
inline constexpr bool sums_up<Target<Destination, Scale, Items...>> = (is_product<Items> || ...);

template <class Item>
BELLWETHER_INLINE void bring_to_rest(const Item& item) {
    if constexpr (is_target<Item>)
        if constexpr (is_moving<std::remove_cvref_t<decltype(item.v)>>) settle(item.v);
}

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void component_pass(const TraceUpdate<DenseTrace<Real>, Real, Features>& first,
                                      const Items&... items) {
    (bring_to_rest(items), ...);
    auto ats = prepare_all(first, items...);
    const std::size_t size = first.e.values.size;
    // Several traces of packs are more than there are registers; a single one stored late gets in the way of the next
    // loads.
    constexpr bool traces_at_once = is_pack<Real> || !(is_trace_update<Items> || ...);
    const Features& other = other_features(first.x, items...);
    const auto body = [&](auto place) BELLWETHER_INLINE_LAMBDA {
        compute_and_store<traces_at_once>(ats, with_features<Real>(place, first.x, other), list());
    };
    if constexpr ((sums_up<Items> || ...)) {
        for_each_component_of_sum<Real>(size, body, [&](auto n) BELLWETHER_INLINE_LAMBDA {
            for_each(ats, [&](auto& at) BELLWETHER_INLINE_LAMBDA { at.fold(n); });
        });
        for_each(ats, [&](auto& at) BELLWETHER_INLINE_LAMBDA { at.finish(); });
    } else {
        for_each_component<Real>(size, body);
    }
}

template <class Item>
inline constexpr bool can_move = true;
template <class Destination, class Scale, class... Items>
inline constexpr bool can_move<Target<Destination, Scale, Items...>> = is_moving<Destination> ||
                                                                       (is_term<Items> && ...);

// Of the traces that a pass changes, which must have numbers of their own.
template <class Item>
inline constexpr std::size_t trace_bit = 0;
template <class Trace, class Real, class Features, std::size_t n>
inline constexpr std::size_t trace_bit<TraceUpdate<Trace, Real, Features, n>> = std::size_t{1} << n;
template <class Real, class Scale, std::size_t n, class... Items>
inline constexpr std::size_t trace_bit<Target<NumberedTrace<Real, n>, Scale, Items...>> = std::size_t{1} << n;
template <class Real, class Scale, class... Items>
inline constexpr std::size_t trace_bit<Target<DenseTrace<Real>, Scale, Items...>> = 1;

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void pass(const TraceUpdate<DenseTrace<Real>, Real, Features>& first, const Items&... items) {
    static_assert((1 + ... + trace_bit<Items>) == (1 | ... | trace_bit<Items>),
                  "the traces of an algorithm need numbers of their own: Trace<Real, Traces, 1>, ...");
    if constexpr (!is_dense<Features> && (can_move<Items> && ...)) {
        entry_pass(first, items...);
    } else {
        component_pass(first, items...);
    }
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
