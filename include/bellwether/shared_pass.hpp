// A pass over shared traces: the traces entry by entry as scalars, then a row of every vector in lanes.
#pragma once

#include <cstddef>

#include "bellwether/shared_settling.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// ---- what it works on

// What all lanes agree in.
template <class Real>
BELLWETHER_INLINE Scalar<Real> shared(const Real& lanes) {
    return lanes[0];
}

template <class Real, std::size_t n>
struct GainingTrace {
    static constexpr std::size_t number = n;
    Vector<Scalar<Real>> values;
    RowSet rows;
    Scalar<Real> gain;  // of the values, for an entry of value 1
};
template <class Real, std::size_t n>
struct GainingProduct {
    static constexpr std::size_t number = n;
    SharedProduct<Real>& to;
    Vector<Scalar<Real>> values;  // of the trace
    Real with_base;
    Scalar<Real> with_along;
};
template <class Real, std::size_t n>
struct GainingSquare {
    static constexpr std::size_t number = n;
    SharedSquare<Real>& to;
    Vector<Scalar<Real>> values;
    Scalar<Real> sum;
};
template <std::size_t n, class Real>
BELLWETHER_INLINE GainingSquare<Real, n> gaining_square(SharedSquare<Real>& to, const Vector<Scalar<Real>>& values) {
    return {to, values, to.sum};
}
template <class Real, class Products, class Items>
struct GainingVector {
    SharedMovingVector<Real>& v;
    Vector<Real> base;
    Vector<Scalar<Real>> along;
    Real steps;
    Products products;
    const Items& items;
};

struct MakeGainingTrace {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_trace_update<Item>) {
            using Real = std::remove_cvref_t<decltype(item.a)>;
            return list(GainingTrace<Real, Item::number>{item.e.values, item.e.rows, shared(item.a) / item.e.scale});
        } else {
            return List<>{};
        }
    }
};
struct MakeGainingProduct {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_product<Item>) {
            using Real = std::remove_cvref_t<decltype(item.to.with_base)>;
            return list(
                GainingProduct<Real, Item::number>{item.to, item.e.values, item.to.with_base, item.to.with_along});
        } else {
            return List<>{};
        }
    }
};
struct MakeGainingSquare {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_square<Item>) {
            return list(gaining_square<Item::number>(item.to, item.e.values));
        } else {
            return List<>{};
        }
    }
};
struct MakeGainingVector {
    template <class Item>
    BELLWETHER_INLINE auto operator()(const Item& item) const {
        if constexpr (is_shared_target<Item>) {
            using Real = std::remove_cvref_t<decltype(item.v.steps)>;
            auto products = map(item.items, MakeGainingProduct{});
            return list(GainingVector<Real, decltype(products), decltype(item.items)>{
                item.v, item.v.base, item.v.along, item.v.steps, products, item.items});
        } else {
            return List<>{};
        }
    }
};

// ---- the work

// The traces at one entry, with the products among them, which all lanes share: the rounds of add_entry in
// entry_pass.hpp.
template <class T, class Traces, class Squares, class Vectors>
BELLWETHER_INLINE void add_shared_entry(std::size_t i, T value, Traces& traces, Squares& squares, Vectors& vectors) {
    for_each(vectors, [&](auto& v) BELLWETHER_INLINE_LAMBDA {
        for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
            p.with_along = fma(trace_of(p, traces).gain * value, v.along[i], p.with_along);
        });
    });
    const auto add_to_square = [&](auto& s) BELLWETHER_INLINE_LAMBDA {
        s.sum = fma(trace_of(s, traces).gain * value, s.values[i], s.sum);
    };
    for_each(squares, add_to_square);
    for_each(traces, [&](auto& t) BELLWETHER_INLINE_LAMBDA {
        t.values[i] = fma(t.gain, value, t.values[i]);
        t.rows.add(i);
    });
    for_each(vectors, [&](auto& v) BELLWETHER_INLINE_LAMBDA {
        with_its_trace(v, [&](const auto& times) BELLWETHER_INLINE_LAMBDA {
            const T k = trace_of(times, traces).gain * value;
            for_each(v.products,
                     [&](auto& p) BELLWETHER_INLINE_LAMBDA { p.with_along = fma(p.values[i], k, p.with_along); });
        });
    });
    for_each(squares, add_to_square);
}

// A row of a vector at one entry, after the traces: first its products gain k·(old base), then the row changes so that
// the vector stays what it is.
template <class T, class Traces, class Vector>
BELLWETHER_INLINE void add_row(std::size_t i, T value, Traces& traces, Vector& v) {
    using Real = std::remove_cvref_t<decltype(v.steps)>;
    Real base = v.base[i];
    for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
        p.with_base = fma(Real(trace_of(p, traces).gain * value), base, p.with_base);
    });
    with_its_trace(v, [&](const auto& times) BELLWETHER_INLINE_LAMBDA {
        const Real change = -(Real(trace_of(times, traces).gain * value) * v.steps);
        base = base + change;
        for_each(v.products,
                 [&](auto& p) BELLWETHER_INLINE_LAMBDA { p.with_base = fma(Real(p.values[i]), change, p.with_base); });
    });
    v.base[i] = base;
}

// v ← v + b·e + Σ terms
template <class Vector>
BELLWETHER_INLINE void add_shared_items(Vector& v) {
    for_each(v.items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        using Item = std::remove_cvref_t<decltype(item)>;
        using Real = std::remove_cvref_t<decltype(v.steps)>;
        if constexpr (is_times<Item>) {
            v.steps = fma(item.b, Real(item.e.scale), v.steps);
            v.v.moving = 1;
        } else if constexpr (is_term<Item>) {
            for_each_entry(item.x, [&](std::size_t i, Scalar<Real> value) BELLWETHER_INLINE_LAMBDA {
                const Real change = item.a * Real(value);
                v.base[i] = v.base[i] + change;
                for_each(v.products, [&](auto& p) BELLWETHER_INLINE_LAMBDA {
                    p.with_base = fma(Real(p.values[i]), change, p.with_base);
                });
            });
        }
    });
}

// ---- the pass

// e ← c·e; whether its scale stays in range.
template <class Item>
BELLWETHER_INLINE bool decay_shared(const Item& item) {
    if constexpr (is_trace_update<Item>) {
        using Real = std::remove_cvref_t<decltype(item.a)>;
        item.e.scale = shared(item.c) * item.e.scale;
        return magnitude_within(item.e.scale, smallest_scale<Real>, largest_scale<Real>);
    } else {
        return true;
    }
}

// A vector that gains features only.
template <class Item>
BELLWETHER_INLINE void add_plain_terms(const Item& item) {
    if constexpr (is_target<Item> && !is_shared_target<Item>)
        for_each(item.items, [&](const auto& t) BELLWETHER_INLINE_LAMBDA { add_entries(item.v, t.a, t.x); });
}

template <class Real, class T, class... Items>
BELLWETHER_INLINE void pass(const TraceUpdate<SharedTrace<Real>, Real, Sparse<T>>& first, const Items&... items) {
    (refresh_shared(items), ...);
    const auto all = refer(first, items...);
    const bool in_range =
        (static_cast<unsigned>(decay_shared(first)) & ... & static_cast<unsigned>(decay_shared(items))) != 0;
    if (!in_range) [[unlikely]]
        settle_shared<Real>(first.e.rows.count, map(all, MakeRestingTrace{}), map(all, MakeRestingVector{}),
                            map(all, MakeRestingSquare{}));
    auto traces = map(all, MakeGainingTrace{});
    auto squares = map(all, MakeGainingSquare{});
    auto vectors = map(all, MakeGainingVector{});
    for_each_entry(first.x, [&](std::size_t i, T value)
                                BELLWETHER_INLINE_LAMBDA { add_shared_entry(i, value, traces, squares, vectors); });
    for_each(vectors, [&](auto& v) BELLWETHER_INLINE_LAMBDA {
        for_each_entry(first.x, [&](std::size_t i, T value) BELLWETHER_INLINE_LAMBDA { add_row(i, value, traces, v); });
        add_shared_items(v);
    });
    (add_plain_terms(items), ...);
    write_back(squares, vectors);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
