// A pass with one-hot or sparse features over vectors that move along their traces: it costs a few operations per entry
// of the features, whatever the dimension. moving.hpp has the idea.
#pragma once

#include "bellwether/entry_settling.hpp"
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

// ---- the pass ----

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
    [[maybe_unused]] bool vanished = false;
    if (!in_range) [[unlikely]]
        vanished = settle_all<Real>(first.e.values.size, first.e.only, map(all, MakeToSettle{}));
    if constexpr (!is_lane<Real>) first.e.only = only_component(first.e.only, vanished, first.x);
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
