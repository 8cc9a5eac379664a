// A pass with one-hot or sparse features over vectors that move along their traces: it costs a few operations per entry
// of the features, whatever the dimension. moving.hpp has the idea.
#pragma once

#include "bellwether/statements.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// ---- what is worked on ----
// Copies of everything but the vectors, which live in registers until the pass is over.

template <class Real, std::size_t n>
struct WorkingTrace {
    static constexpr std::size_t number = n;
    const DenseTrace<Real>& e;
    Vector<Real> values;
    Real gain;  // of the values, for an entry of value 1
};
template <class Real, std::size_t n>
struct WorkingProduct {
    static constexpr std::size_t number = n;
    CarriedProduct<Real>& to;
    const DenseTrace<Real>& e;
    Real with_base, with_along;
};
template <class Real, std::size_t n>
struct WorkingSquare {
    static constexpr std::size_t number = n;
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

// What an item is worked on as: nothing for those that are of another kind.
struct MakeWorkingTrace {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_trace_update<Item>) {
            using Real = std::remove_cvref_t<decltype(item.a)>;
            return list(WorkingTrace<Real, Item::number>{item.e, item.e.values, item.a / item.e.scale});
        } else {
            return List<>{};
        }
    }
};
struct MakeWorkingProduct {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_product<Item>) {
            using Real = std::remove_cvref_t<decltype(item.to.with_base)>;
            return list(WorkingProduct<Real, Item::number>{item.to, item.e, item.to.with_base, item.to.with_along});
        } else {
            return List<>{};
        }
    }
};
struct MakeWorkingSquare {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_square<Item>) {
            using Real = std::remove_cvref_t<decltype(item.to.sum)>;
            return list(WorkingSquare<Real, Item::number>{item.to, item.e, item.to.sum});
        } else {
            return List<>{};
        }
    }
};
struct MakeWorkingVector {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_moving_target<Item>) {
            auto products = map(item.items, MakeWorkingProduct{});
            using Real = std::remove_cvref_t<decltype(item.v.steps)>;
            return list(WorkingVector<Real, decltype(products), decltype(item.items)>{
                item.v, item.v.base, item.v.along, item.v.steps, products, item.items});
        } else {
            return List<>{};
        }
    }
};

// Of things that stand for traces, the one with that number.
template <std::size_t number, class First, class... Rest>
BELLWETHER_INLINE const auto& trace_numbered(const List<First, Rest...>& traces) {
    if constexpr (std::remove_cvref_t<First>::number == number) {
        return traces.first;
    } else {
        return trace_numbered<number>(traces.rest);
    }
}
template <class Item, class Traces>
BELLWETHER_INLINE const auto& trace_of(const Item&, const Traces& traces) {
    return trace_numbered<Item::number>(traces);
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
            const Real k = trace_of(p, traces).gain * value;
            p.with_base = fma(k, v.base[i], p.with_base);
            p.with_along = fma(k, v.along[i], p.with_along);
        });
    });
    for_each(squares, [&](auto& s) BELLWETHER_INLINE_LAMBDA {
        s.sum = fma(trace_of(s, traces).gain * value, s.e.values[i], s.sum);
    });
    // … then the traces gain k …
    for_each(traces, [&](auto& t) BELLWETHER_INLINE_LAMBDA { t.values[i] = fma(t.gain, value, t.values[i]); });
    // … and with the traces as they have become, a vector stays what it is.
    for_each(vectors, [&](auto& v) BELLWETHER_INLINE_LAMBDA {
        with_its_trace(v, [&](const auto& times) BELLWETHER_INLINE_LAMBDA {
            const Real k = trace_of(times, traces).gain * value;
            const Real change = -(k * v.steps);
            v.base[i] = v.base[i] + change;
            for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
                p.with_base = fma(p.e.values[i], change, p.with_base);
                p.with_along = fma(p.e.values[i], k, p.with_along);
            });
        });
    });
    for_each(squares, [&](auto& s) BELLWETHER_INLINE_LAMBDA {
        s.sum = fma(trace_of(s, traces).gain * value, s.e.values[i], s.sum);
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

// What settles, without the features of the pass: passes of the same shape share the code. First a trace at one place,
// as it was and as it becomes.
template <class Real, std::size_t n>
struct SettledTrace {
    static constexpr std::size_t number = n;
    Components<Real> old, settled;
};

// A product's sums, anew. What is passed on to be settled has no sums yet (they would live in memory): Begin makes
// them.
template <class Real, std::size_t n>
struct SettlingProduct {
    static constexpr std::size_t number = n;
    CarriedProduct<Real>& to;
    Sum<Real> with_base, with_along;
};
template <class Real, std::size_t n>
struct ProductToSettle {
    CarriedProduct<Real>& to;
    BELLWETHER_INLINE
    SettlingProduct<Real, n> begin() const { return {to, {}, {}}; }
};
struct BeginSettling {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        return list(item.begin());
    }
};
template <class Real, std::size_t n, class Products>
struct SettlingVector {
    static constexpr std::size_t number = n;  // of the trace it moves along
    MovingVector<Real>& v;
    Products products;

    template <class Place, class Lanes, class Traces>
    BELLWETHER_INLINE void settle_at(Place at, const Lanes& lanes, const Traces& traces) {
        const Components<Real> base = load(v.base, at);
        const auto& along = trace_of(*this, traces);
        const Components<Real> settled = lanes.choose(base, fma(Components<Real>(v.steps), along.old, base));
        store(v.base, at, settled);
        for_each(products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
            const Components<Real>& e = trace_of(p, traces).settled;
            p.with_base.add(at, e, settled);
            p.with_along.add(at, e, along.settled);
        });
    }
    template <std::size_t k>
    BELLWETHER_INLINE void fold(Fold<k> part) {
        for_each(products, [&](auto& p) BELLWETHER_INLINE_LAMBDA { p.with_base.fold(part), p.with_along.fold(part); });
    }
    template <class Lanes>
    BELLWETHER_INLINE void finish(const Lanes& lanes) const {
        v.steps = lanes.choose(v.steps, Real(0));
        for_each(products, [&](const auto& p) BELLWETHER_INLINE_LAMBDA {
            p.to.with_base = lanes.choose(p.to.with_base, p.with_base.total());
            p.to.with_along = lanes.choose(p.to.with_along, p.with_along.total());
        });
    }
};
template <class Real, std::size_t n, class Products>
struct VectorToSettle {
    MovingVector<Real>& v;
    Products products;
    BELLWETHER_INLINE
    auto begin() const {
        auto begun = map(products, BeginSettling{});
        return SettlingVector<Real, n, decltype(begun)>{v, begun};
    }
};
template <class Real, std::size_t n>
struct SettlingSquare {
    static constexpr std::size_t number = n;
    CarriedSquare<Real>& to;
    Sum<Real> sum;

    template <class Place, class Lanes, class Traces>
    BELLWETHER_INLINE void settle_at(Place at, const Lanes&, const Traces& traces) {
        const Components<Real>& value = trace_of(*this, traces).settled;
        sum.add(at, value, value);
    }
    template <std::size_t k>
    BELLWETHER_INLINE void fold(Fold<k> part) {
        sum.fold(part);
    }
    template <class Lanes>
    BELLWETHER_INLINE void finish(const Lanes& lanes) const {
        to.sum = lanes.choose(to.sum, sum.total());
    }
};
template <class Real, std::size_t n>
struct SquareToSettle {
    CarriedSquare<Real>& to;
    BELLWETHER_INLINE
    SettlingSquare<Real, n> begin() const { return {to, {}}; }
};
template <class Real, std::size_t n>
struct SettlingTrace {
    static constexpr std::size_t number = n;
    DenseTrace<Real>& e;
    BELLWETHER_INLINE
    SettlingTrace begin() const { return *this; }

    template <class Place, class Lanes, class Traces>
    BELLWETHER_INLINE void settle_at(Place at, const Lanes&, const Traces& traces) const {
        store(e.values, at, trace_of(*this, traces).settled);
    }
    template <std::size_t k>
    BELLWETHER_INLINE void fold(Fold<k>) const {}
    template <class Lanes>
    BELLWETHER_INLINE void finish(const Lanes& lanes) const {
        e.scale = lanes.choose(e.scale, Real(1));
    }
};

// The number of the trace that a vector with these items moves along.
template <class First, class... Rest>
constexpr auto number_moved_along(const List<First, Rest...>& items) {
    if constexpr (is_times<First>) {
        return std::integral_constant<std::size_t, First::number>{};
    } else {
        return number_moved_along(items.rest);
    }
}

struct MakeProductToSettle {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_product<Item>) {
            using Real = std::remove_cvref_t<decltype(item.to.with_base)>;
            return list(ProductToSettle<Real, Item::number>{item.to});
        } else {
            return List<>{};
        }
    }
};
struct MakeToSettle {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_moving_target<Item>) {
            using Real = std::remove_cvref_t<decltype(item.v.steps)>;
            auto products = map(item.items, MakeProductToSettle{});
            constexpr std::size_t along = decltype(number_moved_along(item.items))::value;
            return list(VectorToSettle<Real, along, decltype(products)>{item.v, products});
        } else if constexpr (is_square<Item>) {
            using Real = std::remove_cvref_t<decltype(item.to.sum)>;
            return list(SquareToSettle<Real, Item::number>{item.to});
        } else if constexpr (is_trace_update<Item>) {
            return list(SettlingTrace<std::remove_cvref_t<decltype(item.a)>, Item::number>{item.e});
        } else {
            return List<>{};
        }
    }
};
template <class Item>
inline constexpr bool is_settling_trace = false;
template <class Real, std::size_t n>
inline constexpr bool is_settling_trace<SettlingTrace<Real, n>> = true;

template <class Place, class Lanes>
struct SettleTraceAt {
    Place at;
    const Lanes& lanes;

    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_settling_trace<Item>) {
            using Real = std::remove_cvref_t<decltype(item.e.scale)>;
            const Components<Real> old = load(item.e.values, at);
            return list(SettledTrace<Real, Item::number>{old, lanes.choose(old, Components<Real>(item.e.scale) * old)});
        } else {
            return List<>{};
        }
    }
};
template <class Real, class Lanes, class Items>
BELLWETHER_INLINE void settle_lanes(std::size_t size, const Lanes& lanes, const Items& to_settle) {
    auto items = map(to_settle, BeginSettling{});
    for_each_component_of_sum<Real>(
        size,
        [&](auto at) BELLWETHER_INLINE_LAMBDA {
            const auto traces = map(items, SettleTraceAt<decltype(at), Lanes>{at, lanes});
            for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA { item.settle_at(at, lanes, traces); });
        },
        [&](auto n)
            BELLWETHER_INLINE_LAMBDA { for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA { item.fold(n); }); });
    for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA { item.finish(lanes); });
}

// Brings everything in a pass to rest, in the lanes in which the scale of one of its traces is out of range. Takes the
// items by value: by reference, they would have to live in memory wherever this may be called.
template <class Real, class Items>
BELLWETHER_OUT_OF_LINE void settle_all(std::size_t size, const Items items) {
    if constexpr (is_lane<Real>) return settle_lanes<Real>(size, AllLanes{}, items);  // it is the one that has to
    Real keep(1);
    for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_settling_trace<std::remove_cvref_t<decltype(item)>>) keep = keep * one_if_in_range(item.e);
    });
    if (magnitude_within(keep, Scalar<Real>(0), Scalar<Real>(0))) {
        settle_lanes<Real>(size, AllLanes{}, items);
    } else {
        settle_lanes<Real>(size, SomeLanes<Real>{keep}, items);
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
    const auto all = refer(first, items...);
    const bool in_range = (static_cast<unsigned>(decay(first)) & ... & static_cast<unsigned>(decay(items))) != 0;
    if (!in_range) [[unlikely]]
        settle_all<Real>(first.e.values.size, map(all, MakeToSettle{}));
    auto traces = map(all, MakeWorkingTrace{});
    auto squares = map(all, MakeWorkingSquare{});
    auto vectors = map(all, MakeWorkingVector{});
    for_each_entry(first.x, [&](std::size_t i, Scalar<Real> value)
                                BELLWETHER_INLINE_LAMBDA { add_entry(i, Real(value), traces, squares, vectors); });
    for_each(vectors, [](auto& v) BELLWETHER_INLINE_LAMBDA { add_items(v); });
    (add_terms(items), ...);
    write_back(squares, vectors);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
