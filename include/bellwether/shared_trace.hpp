// Traces that all lanes of a pack share.
//
// Predictions with the same features, λ, discounts and importance ratios have the same trace, number by number. It is
// kept once, as scalars, and only what is a prediction's own stands in lanes: a row of weights for every feature, a
// column for every prediction. The arithmetic is that of moving.hpp and entry_pass.hpp, in the same order: a lane
// equals the learner that has its trace for itself, bit for bit. (What is 0 in the trace is left alone when everything
// is brought back to scale 1, where that learner adds 0: a weight of −0, left by an underflow, keeps its sign, and an
// infinite one meets its first NaN later.)
//
// For sparse features, of which one-hot ones are a case.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/algorithm.hpp"

namespace bellwether {

// The kind of trace that an algorithm is instantiated with, for a Real that is a pack. Whatever its trace is made from
// must be the same in all lanes.
struct SharedTraces {};

inline namespace BELLWETHER_TARGET {

// A set of rows, one bit each, that is walked in ascending order.
struct RowSet {
    std::uint64_t* words = nullptr;
    std::size_t count = 0;  // of the words

    static std::size_t words_for(std::size_t rows) { return (rows + 63) / 64; }

    BELLWETHER_INLINE
    void add(std::size_t row) const { words[row / 64] |= std::uint64_t{1} << (row % 64); }
    void remove(std::size_t row) const { words[row / 64] &= ~(std::uint64_t{1} << (row % 64)); }
};

// scale · values; `rows` has every row in which a value is not 0.
template <class Real>
struct SharedTrace {
    Vector<Scalar<Real>> values;
    Scalar<Real> scale;
    RowSet rows;
};
template <class Real, std::size_t n>
struct NumberedSharedTrace : SharedTrace<Real> {};

template <class Real, std::size_t n>
inline constexpr std::size_t number_of<NumberedSharedTrace<Real, n>> = n;
template <class Real, std::size_t n>
struct Unnumbered<NumberedSharedTrace<Real, n>> {
    using type = SharedTrace<Real>;
};

// Products with features that are known already; they are recognised by their place.
template <class Real>
struct KnownProducts {
    const void* x = nullptr;
    const void* x_next = nullptr;
    Real with_x, with_x_next;
};

// base + steps · along.
template <class Real>
struct SharedMovingVector {
    Vector<Real> base;
    Vector<Scalar<Real>> along;  // the values of a trace
    RowSet rows;                 // those of that trace
    Real steps;
    std::uint32_t moving = 0;
    const KnownProducts<Real>* known = nullptr;
};

// As CarriedProduct and CarriedSquare.
template <class Real>
struct SharedProduct {
    Real with_base;
    Scalar<Real> with_along;
    std::uint32_t stale = 0;
};
template <class Real>
struct SharedSquare {
    Scalar<Real> sum;
};

template <class Real, std::size_t number>
struct TraceOf<Real, SharedTraces, number> {
    using type = NumberedSharedTrace<Real, number>;
};
template <class Real>
struct MovingTypes<Real, SharedTraces> {
    using Weights = SharedMovingVector<Real>;
    using Dot = SharedProduct<Real>;
    using Norm = SharedSquare<Real>;
};

// ---- parts, as those of their relatives in moving.hpp

template <class Visitor, class Real>
void parts(Visitor& visitor, SharedTrace<Real>& e) {
    visitor.numbers(e.values);
    visitor.number(e.scale, 1);
    if constexpr (requires { visitor.rows(e); }) visitor.rows(e);
}
template <class Visitor, class Real>
void parts(Visitor& visitor, SharedMovingVector<Real>& v) {
    visitor.numbers(v.base);
    visitor.number(v.steps, 0);
    visitor.flag(v.moving);
}
template <class Visitor, class Real>
void parts(Visitor& visitor, SharedProduct<Real>& product) {
    visitor.number(product.with_base, 0);
    visitor.number(product.with_along, 0);
    visitor.flag(product.stale);
}
template <class Visitor, class Real>
void parts(Visitor& visitor, SharedSquare<Real>& square) {
    visitor.number(square.sum, 0);
}

// ---- reading

template <class Real>
BELLWETHER_INLINE void move_along(SharedMovingVector<Real>& v, const SharedTrace<Real>& e) {
    v.along = e.values;
    v.rows = e.rows;
}
template <class Real>
BELLWETHER_INLINE Real component(const SharedMovingVector<Real>& v, std::size_t i) {
    return fma(v.steps, Real(v.along[i]), v.base[i]);
}

template <class Real, class T>
BELLWETHER_INLINE Real dot(const Sparse<T>& x, const SharedTrace<Real>& e) {
    return Real(e.scale * dot(x, e.values));
}
template <class Real, class T>
BELLWETHER_INLINE Real dot(const Sparse<T>& x, const SharedMovingVector<Real>& v) {
    if (v.known && v.known->x == &x) return v.known->with_x;
    if (v.known && v.known->x_next == &x) return v.known->with_x_next;
    return fma(v.steps, Real(dot(x, v.along)), dot(x, v.base));
}

template <class Real>
BELLWETHER_INLINE Real carried(const SharedProduct<Real>& product, const SharedTrace<Real>& e,
                               const SharedMovingVector<Real>& v) {
    return Real(e.scale) * fma(v.steps, Real(product.with_along), product.with_base);
}
template <class Real>
BELLWETHER_INLINE Real dot_after(const SharedProduct<Real>& product, const SharedTrace<Real>& e,
                                 const SharedMovingVector<Real>& v, const Real& c, const Real& a, const Real& x_v) {
    return fma(c, carried(product, e, v), a * x_v);
}
template <class Real>
BELLWETHER_INLINE Real square_after(const SharedSquare<Real>& square, const SharedTrace<Real>& e, const Real& c,
                                    const Real& rest) {
    return fma(c * c, Real(e.scale * (e.scale * square.sum)), rest);
}

// ---- what a pass works on

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

template <class Item>
inline constexpr bool is_shared_target = false;
template <class Real, class... Items>
inline constexpr bool is_shared_target<Target<SharedMovingVector<Real>, Unscaled, Items...>> = true;

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

// ---- settling

// use(i) for every row of some trace of the pass, in ascending order.
template <class Traces, class Use>
BELLWETHER_INLINE void for_each_row(const Traces& traces, std::size_t words, Use use) {
    for (std::size_t word = 0; word < words; ++word) {
        std::uint64_t rows = 0;
        for_each(traces, [&](const auto& t) BELLWETHER_INLINE_LAMBDA { rows |= t.e.rows.words[word]; });
        for (; rows != 0; rows &= rows - 1) use(word * 64 + static_cast<std::size_t>(__builtin_ctzll(rows)));
    }
}

// As Sum, with all partial sums at hand.
template <class Number>
struct EightSums {
    Number parts[partial_sums] = {Number(0), Number(0), Number(0), Number(0),
                                  Number(0), Number(0), Number(0), Number(0)};

    BELLWETHER_INLINE
    void add(std::size_t i, const Number& a, const Number& b) {
        parts[i % partial_sums] = fma(a, b, parts[i % partial_sums]);
    }
    Number total() const {
        return ((parts[0] + parts[4]) + (parts[2] + parts[6])) + ((parts[1] + parts[5]) + (parts[3] + parts[7]));
    }
};

template <class Real, std::size_t n>
struct RestingProduct {
    static constexpr std::size_t number = n;
    SharedProduct<Real>& to;
    EightSums<Real> with_base;
    EightSums<Scalar<Real>> with_along;
};
template <class Real, std::size_t n, class Products>
struct RestingVector {
    static constexpr std::size_t number = n;  // of the trace that it moves along
    SharedMovingVector<Real>& v;
    Products products;
};
template <class Real, std::size_t n>
struct RestingSquare {
    static constexpr std::size_t number = n;
    SharedSquare<Real>& to;
    EightSums<Scalar<Real>> sum;
};
template <std::size_t n, class Real>
RestingSquare<Real, n> resting_square(SharedSquare<Real>& to) {
    return {to, {}};
}
template <class Real, std::size_t n>
struct RestingTrace {
    static constexpr std::size_t number = n;
    SharedTrace<Real>& e;
    Scalar<Real> old, settled;
};

struct MakeRestingTrace {
    template <class Item>
    auto operator()(const Item& item) const {
        if constexpr (is_trace_update<Item>) {
            return list(RestingTrace<std::remove_cvref_t<decltype(item.a)>, Item::number>{item.e, 0, 0});
        } else {
            return List<>{};
        }
    }
};
struct MakeRestingProduct {
    template <class Item>
    auto operator()(const Item& item) const {
        if constexpr (is_product<Item>) {
            return list(
                RestingProduct<std::remove_cvref_t<decltype(item.to.with_base)>, Item::number>{item.to, {}, {}});
        } else {
            return List<>{};
        }
    }
};
struct MakeRestingVector {
    template <class Item>
    auto operator()(const Item& item) const {
        if constexpr (is_shared_target<Item>) {
            using Real = std::remove_cvref_t<decltype(item.v.steps)>;
            auto products = map(item.items, MakeRestingProduct{});
            constexpr std::size_t along = decltype(number_moved_along(item.items))::value;
            return list(RestingVector<Real, along, decltype(products)>{item.v, products});
        } else {
            return List<>{};
        }
    }
};
struct MakeRestingSquare {
    template <class Item>
    auto operator()(const Item& item) const {
        if constexpr (is_square<Item>) {
            return list(resting_square<Item::number>(item.to));
        } else {
            return List<>{};
        }
    }
};

// Brings everything in a pass to rest: see settle_lanes in entry_pass.hpp.
template <class Real, class Traces, class Vectors, class Squares>
[[gnu::noinline]] void settle_shared(std::size_t words, Traces traces, Vectors vectors, Squares squares) {
    for_each_row(traces, words, [&](std::size_t i) {
        for_each(traces, [&](auto& t) {
            t.old = t.e.values[i];
            t.settled = t.e.scale * t.old;
        });
        for_each(vectors, [&](auto& v) {
            const auto& along = trace_of(v, traces);
            const Real settled = fma(v.v.steps, Real(along.old), v.v.base[i]);
            v.v.base[i] = settled;
            for_each(v.products, [&](auto& p) {
                const Scalar<Real> e = trace_of(p, traces).settled;
                p.with_base.add(i, Real(e), settled);
                p.with_along.add(i, e, along.settled);
            });
        });
        for_each(squares, [&](auto& s) {
            const Scalar<Real> value = trace_of(s, traces).settled;
            s.sum.add(i, value, value);
        });
        for_each(traces, [&](auto& t) {
            t.e.values[i] = t.settled;
            if (t.settled == 0) t.e.rows.remove(i);
        });
    });
    for_each(traces, [](auto& t) { t.e.scale = 1; });
    for_each(vectors, [](auto& v) {
        v.v.steps = Real(0);
        for_each(v.products, [](auto& p) {
            p.to.with_base = p.with_base.total();
            p.to.with_along = p.with_along.total();
        });
    });
    for_each(squares, [](auto& s) { s.to.sum = s.sum.total(); });
}

// A vector alone, before its trace is cleared.
template <class Real>
void settle(SharedMovingVector<Real>& v) {
    if (!v.moving) return;
    for (std::size_t word = 0; word < v.rows.count; ++word)
        for (std::uint64_t rows = v.rows.words[word]; rows != 0; rows &= rows - 1) {
            const std::size_t i = word * 64 + static_cast<std::size_t>(__builtin_ctzll(rows));
            v.base[i] = component(v, i);
        }
    v.steps = Real(0);
    v.moving = 0;
}

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

// After a step with dense features, in a learner of its own: see refresh in entry_pass.hpp.
template <class Item>
BELLWETHER_INLINE void refresh_shared(const Item& item) {
    if constexpr (is_shared_target<Item>)
        for_each(item.items, [&](const auto& p) BELLWETHER_INLINE_LAMBDA {
            if constexpr (is_product<std::remove_cvref_t<decltype(p)>>)
                if (p.to.stale) [[unlikely]]
                    renew_shared(p.to, p.e, item.v);
        });
}
template <class Real>
[[gnu::noinline]] void renew_shared(SharedProduct<Real>& product, const SharedTrace<Real>& e,
                                    const SharedMovingVector<Real>& v) {
    EightSums<Real> with_base;
    EightSums<Scalar<Real>> with_along;
    for (std::size_t i = 0; i < e.values.size; ++i) {
        with_base.add(i, Real(e.values[i]), v.base[i]);
        with_along.add(i, e.values[i], v.along[i]);
    }
    product.with_base = with_base.total();
    product.with_along = with_along.total();
    product.stale = 0;
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
