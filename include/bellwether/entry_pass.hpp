// A pass with one-hot or sparse features over vectors that move along their traces: it costs a few operations per entry
// of the features, whatever the dimension. moving.hpp has the idea.
#pragma once

#include "bellwether/statements.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// ---- what is worked on ----
// Copies of everything but the vectors, which live in registers until the pass is over.

template <class Real>
struct WorkingTrace {
    const DenseTrace<Real>& e;
    Vector<Real> values;
    Real gain;  // of the values, for an entry of value 1
};
template <class Real>
struct WorkingProduct {
    CarriedProduct<Real>& to;
    const DenseTrace<Real>& e;
    Real with_base, with_along;
};
template <class Real>
struct WorkingSquare {
    CarriedSquare<Real>& to;
    const DenseTrace<Real>& e;
    Real sum;
};
template <class Real, class Products, class Items>
struct WorkingVector {
    MovingVector<Real>& v;
    Vector<Real> base, along;
    Real steps;
    Products products;
    const Items& items;
};

template <class Item>
inline constexpr bool is_moving_target = false;
template <class Real, class... Items>
inline constexpr bool is_moving_target<Target<MovingVector<Real>, Unscaled, Items...>> = true;

BELLWETHER_INLINE
List<> products_among(const List<>&) {
    return {};
}
template <class Item, class... Rest>
BELLWETHER_INLINE auto products_among(const List<Item, Rest...>& items) {
    if constexpr (is_product<Item>) {
        auto& [to, e] = items.first;
        return prepend(WorkingProduct<std::remove_cvref_t<decltype(to.with_base)>>{to, e, to.with_base, to.with_along},
                       products_among(items.rest));
    } else {
        return products_among(items.rest);
    }
}

// Lists of the traces, the squares and the moving vectors among the items.
BELLWETHER_INLINE
List<> traces_among() {
    return {};
}
template <class Item, class... Rest>
BELLWETHER_INLINE auto traces_among(const Item& item, const Rest&... rest) {
    if constexpr (is_trace_update<Item>) {
        using Real = std::remove_cvref_t<decltype(item.a)>;
        return prepend(WorkingTrace<Real>{item.e, item.e.values, item.a / item.e.scale}, traces_among(rest...));
    } else {
        return traces_among(rest...);
    }
}
BELLWETHER_INLINE
List<> squares_among() {
    return {};
}
template <class Item, class... Rest>
BELLWETHER_INLINE auto squares_among(const Item& item, const Rest&... rest) {
    if constexpr (is_square<Item>) {
        using Real = std::remove_cvref_t<decltype(item.to.sum)>;
        return prepend(WorkingSquare<Real>{item.to, item.e, item.to.sum}, squares_among(rest...));
    } else {
        return squares_among(rest...);
    }
}
BELLWETHER_INLINE
List<> vectors_among() {
    return {};
}
template <class Item, class... Rest>
BELLWETHER_INLINE auto vectors_among(const Item& item, const Rest&... rest) {
    if constexpr (is_moving_target<Item>) {
        auto products = products_among(item.items);
        using Real = std::remove_cvref_t<decltype(item.v.steps)>;
        return prepend(
            WorkingVector<Real, decltype(products), decltype(item.items)>{item.v, item.v.base, item.v.along,
                                                                          item.v.steps, products, item.items},
            vectors_among(rest...));
    } else {
        return vectors_among(rest...);
    }
}

// The gain of one of the traces. (Which one is known when this is compiled: they are members of one object.)
template <class Traces, class Real>
BELLWETHER_INLINE Real gain_of(Traces& traces, const DenseTrace<Real>& e) {
    Real gain(0);
    for_each(traces, [&](const auto& t) BELLWETHER_INLINE_LAMBDA {
        if (&t.e == &e) gain = t.gain;
    });
    return gain;
}

// use(times) for the item that says which trace a vector moves along.
template <class Vector, class Use>
BELLWETHER_INLINE void with_its_trace(const Vector& vector, Use use) {
    for_each(vector.items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_times<std::remove_cvref_t<decltype(item)>>) use(item);
    });
}

// ---- the work ----

// One entry, i with value `value`, in three rounds, so that two traces that are equal give products that are equal to
// the bit. First the products gain k·(old base) and k·(old along) …
template <class Real, class Traces, class Squares, class Vectors>
BELLWETHER_INLINE void add_entry(std::size_t i, const Real& value, Traces& traces, Squares& squares, Vectors& vectors) {
    for_each(vectors, [&](auto& v) BELLWETHER_INLINE_LAMBDA {
        for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
            const Real k = gain_of(traces, p.e) * value;
            p.with_base = fma(k, v.base[i], p.with_base);
            p.with_along = fma(k, v.along[i], p.with_along);
        });
    });
    for_each(squares, [&](auto& s) BELLWETHER_INLINE_LAMBDA {
        s.sum = fma(gain_of(traces, s.e) * value, s.e.values[i], s.sum);
    });
    // … then the traces gain k …
    for_each(traces, [&](auto& t) BELLWETHER_INLINE_LAMBDA { t.values[i] = fma(t.gain, value, t.values[i]); });
    // … and with the traces as they have become, a vector stays what it is.
    for_each(vectors, [&](auto& v) BELLWETHER_INLINE_LAMBDA {
        with_its_trace(v, [&](const auto& times) BELLWETHER_INLINE_LAMBDA {
            const Real k = gain_of(traces, times.e) * value;
            const Real change = -(k * v.steps);
            v.base[i] = v.base[i] + change;
            for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
                p.with_base = fma(p.e.values[i], change, p.with_base);
                p.with_along = fma(p.e.values[i], k, p.with_along);
            });
        });
    });
    for_each(squares, [&](auto& s) BELLWETHER_INLINE_LAMBDA {
        s.sum = fma(gain_of(traces, s.e) * value, s.e.values[i], s.sum);
    });
}

// v ← v + b·e + Σ terms
template <class WorkingVectorType>
BELLWETHER_INLINE void add_items(WorkingVectorType& v) {
    for_each(v.items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        using Item = std::remove_cvref_t<decltype(item)>;
        if constexpr (is_times<Item>) {
            v.steps = fma(item.b, item.e.scale, v.steps);
            v.v.moving = 1;
        } else if constexpr (is_term<Item>) {
            using Real = std::remove_cvref_t<decltype(item.a)>;
            for_each_entry(item.x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA {
                const Real change = item.a * Real(value);
                v.base[i] = v.base[i] + change;
                for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
                    p.with_base = fma(p.e.values[i], change, p.with_base);
                });
            });
        }
    });
}
// The same for a vector that gains features only.
template <class Item>
BELLWETHER_INLINE void add_terms(const Item& item) {
    if constexpr (is_target<Item> && !is_moving_target<Item>)
        for_each(item.items, [&](const auto& t) BELLWETHER_INLINE_LAMBDA { add_entries(item.v, t.a, t.x); });
}

template <class Squares, class Vectors>
BELLWETHER_INLINE void write_back(const Squares& squares, const Vectors& vectors) {
    for_each(squares, [](const auto& s) BELLWETHER_INLINE_LAMBDA { s.to.sum = s.sum; });
    for_each(vectors, [](const auto& v) BELLWETHER_INLINE_LAMBDA {
        v.v.steps = v.steps;
        for_each(v.products, [](const auto& p) BELLWETHER_INLINE_LAMBDA {
            p.to.with_base = p.with_base;
            p.to.with_along = p.with_along;
        });
    });
}

// ---- settling ----

// Which lanes settle: those where `keep` is 0, or all of them.
template <class Real>
struct SomeLanes {
    Real keep;
    template <class Value>
    BELLWETHER_INLINE Value choose(const Value& old, const Value& settled) const {
        return bellwether::choose(keep, old, settled);
    }
};
struct AllLanes {
    template <class Value>
    BELLWETHER_INLINE Value choose(const Value&, const Value& settled) const {
        return settled;
    }
};

// A trace at one place, as it was and as it becomes.
template <class Real>
struct SettledTrace {
    const DenseTrace<Real>& e;
    Components<Real> old, settled;
};
template <class Real, class Place, class Lanes>
BELLWETHER_INLINE List<> settle_traces(Place, const Lanes&) {
    return {};
}
template <class Real, class Place, class Lanes, class Item, class... Rest>
BELLWETHER_INLINE auto settle_traces(Place at, const Lanes& lanes, const Item& item, const Rest&... rest) {
    if constexpr (is_trace_update<Item>) {
        const Components<Real> old = load(item.e.values, at);
        const Components<Real> settled = lanes.choose(old, Components<Real>(item.e.scale) * old);
        return prepend(SettledTrace<Real>{item.e, old, settled}, settle_traces<Real>(at, lanes, rest...));
    } else {
        return settle_traces<Real>(at, lanes, rest...);
    }
}
template <class Traces, class Real>
BELLWETHER_INLINE SettledTrace<Real> settled_trace(const Traces& traces, const DenseTrace<Real>& e) {
    Components<Real> old(Scalar<Real>(0)), settled(Scalar<Real>(0));
    for_each(traces, [&](const auto& t) BELLWETHER_INLINE_LAMBDA {
        if (&t.e == &e) old = t.old, settled = t.settled;
    });
    return {e, old, settled};
}

// A product's sums, anew.
template <class Real>
struct RenewedProduct {
    CarriedProduct<Real>& to;
    const DenseTrace<Real>& e;
    Sum<Real> with_base, with_along;
};
BELLWETHER_INLINE
List<> renewed_products(const List<>&) {
    return {};
}
template <class Item, class... Rest>
BELLWETHER_INLINE auto renewed_products(const List<Item, Rest...>& items) {
    if constexpr (is_product<Item>) {
        using Real = std::remove_cvref_t<decltype(items.first.to.with_base)>;
        return prepend(RenewedProduct<Real>{items.first.to, items.first.e, {}, {}}, renewed_products(items.rest));
    } else {
        return renewed_products(items.rest);
    }
}

// What settling does to each item.
template <class Real, class TargetType, class Products>
struct SettleVector {
    const TargetType& target;
    Products products;

    template <class Place, class Lanes, class Traces>
    BELLWETHER_INLINE void settle_at(Place at, const Lanes& lanes, const Traces& traces) {
        const Components<Real> base = load(target.v.base, at);
        Components<Real> settled = base, along(Scalar<Real>(0));
        with_its_trace(target, [&](const auto& times) BELLWETHER_INLINE_LAMBDA {
            const SettledTrace<Real> trace = settled_trace(traces, times.e);
            settled = lanes.choose(base, fma(Components<Real>(target.v.steps), trace.old, base));
            along = trace.settled;
        });
        store(target.v.base, at, settled);
        for_each(products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
            const Components<Real> e = settled_trace(traces, p.e).settled;
            p.with_base.add(at, e, settled);
            p.with_along.add(at, e, along);
        });
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n> part) {
        for_each(products, [&](auto& p) BELLWETHER_INLINE_LAMBDA { p.with_base.fold(part), p.with_along.fold(part); });
    }
    template <class Lanes>
    BELLWETHER_INLINE void finish(const Lanes& lanes) const {
        target.v.steps = lanes.choose(target.v.steps, Real(0));
        for_each(products, [&](const auto& p) BELLWETHER_INLINE_LAMBDA {
            p.to.with_base = lanes.choose(p.to.with_base, p.with_base.total());
            p.to.with_along = lanes.choose(p.to.with_along, p.with_along.total());
        });
    }
};
template <class Real>
struct SettleSquare {
    CarriedSquare<Real>& to;
    const DenseTrace<Real>& e;
    Sum<Real> sum;

    template <class Place, class Lanes, class Traces>
    BELLWETHER_INLINE void settle_at(Place at, const Lanes&, const Traces& traces) {
        const Components<Real> value = settled_trace(traces, e).settled;
        sum.add(at, value, value);
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n> part) {
        sum.fold(part);
    }
    template <class Lanes>
    BELLWETHER_INLINE void finish(const Lanes& lanes) const {
        to.sum = lanes.choose(to.sum, sum.total());
    }
};
template <class Real>
struct SettleTrace {
    DenseTrace<Real>& e;

    template <class Place, class Lanes, class Traces>
    BELLWETHER_INLINE void settle_at(Place at, const Lanes&, const Traces& traces) const {
        store(e.values, at, settled_trace(traces, e).settled);
    }
    template <std::size_t n>
    BELLWETHER_INLINE void fold(Fold<n>) const {}
    template <class Lanes>
    BELLWETHER_INLINE void finish(const Lanes& lanes) const {
        e.scale = lanes.choose(e.scale, Real(1));
    }
};
template <class Real>
BELLWETHER_INLINE List<> settlements() {
    return {};
}
template <class Real, class Item, class... Rest>
BELLWETHER_INLINE auto settlements(const Item& item, const Rest&... rest) {
    if constexpr (is_moving_target<Item>) {
        auto products = renewed_products(item.items);
        return prepend(SettleVector<Real, Item, decltype(products)>{item, products}, settlements<Real>(rest...));
    } else if constexpr (is_square<Item>) {
        return prepend(SettleSquare<Real>{item.to, item.e, {}}, settlements<Real>(rest...));
    } else if constexpr (is_trace_update<Item>) {
        return prepend(SettleTrace<Real>{item.e}, settlements<Real>(rest...));
    } else {
        return settlements<Real>(rest...);
    }
}

template <class Real, class Lanes, class... Items>
BELLWETHER_INLINE void settle_lanes(std::size_t size, const Lanes& lanes, const Items&... items) {
    auto all = settlements<Real>(items...);
    for_each_component_of_sum<Real>(
        size,
        [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto traces = settle_traces<Real>(at, lanes, items...);
            for_each(all, [&](auto& each) BELLWETHER_INLINE_LAMBDA { each.settle_at(at, lanes, traces); });
        },
        [&](auto n)
            BELLWETHER_INLINE_LAMBDA { for_each(all, [&](auto& each) BELLWETHER_INLINE_LAMBDA { each.fold(n); }); });
    for_each(all, [&](auto& each) BELLWETHER_INLINE_LAMBDA { each.finish(lanes); });
}

// Brings everything in a pass to rest, in the lanes in which the scale of one of its traces is out of range. Takes the
// items by value: by reference, they would have to live in memory wherever this may be called.
template <class Real, class... Items>
[[gnu::noinline]] void settle_all(std::size_t size, const Items... items) {
    Real keep(1);
    const auto look = [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_trace_update<std::remove_cvref_t<decltype(item)>>) keep = keep * one_if_in_range(item.e);
    };
    (look(items), ...);
    if (magnitude_within(keep, Scalar<Real>(0), Scalar<Real>(0))) {
        settle_lanes<Real>(size, AllLanes{}, items...);
    } else {
        settle_lanes<Real>(size, SomeLanes<Real>{keep}, items...);
    }
}

// e ← c·e; whether its scale stays in range.
template <class Item>
BELLWETHER_INLINE bool decay(const Item& item) {
    if constexpr (is_trace_update<Item>) {
        item.e.scale = item.c * item.e.scale;
        return scale_in_range(item.e);
    } else {
        return true;
    }
}

// After a pass with dense features.
template <class Item>
BELLWETHER_INLINE void refresh(const Item& item) {
    if constexpr (is_moving_target<Item>)
        for_each(item.items, [&](const auto& p) BELLWETHER_INLINE_LAMBDA {
            if constexpr (is_product<std::remove_cvref_t<decltype(p)>>)
                if (p.to.stale) [[unlikely]]
                    renew(p.to, p.e, item.v);
        });
}

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void entry_pass(const TraceUpdate<DenseTrace<Real>, Real, Features>& first, const Items&... items) {
    (refresh(items), ...);
    const bool in_range = (static_cast<unsigned>(decay(first)) & ... & static_cast<unsigned>(decay(items))) != 0;
    if (!in_range) [[unlikely]]
        settle_all<Real>(first.e.values.size, first, items...);
    auto traces = traces_among(first, items...);
    auto squares = squares_among(items...);
    auto vectors = vectors_among(items...);
    for_each_entry(first.x, [&](std::size_t i, Scalar<Real> value)
                                BELLWETHER_INLINE_LAMBDA { add_entry(i, Real(value), traces, squares, vectors); });
    for_each(vectors, [](auto& v) BELLWETHER_INLINE_LAMBDA { add_items(v); });
    (add_terms(items), ...);
    write_back(squares, vectors);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
