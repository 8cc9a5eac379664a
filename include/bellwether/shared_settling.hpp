// Shared traces brought back to scale 1, and what moves along them to rest; products and squares are summed anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/shared_trace.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

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

// Brings everything in a pass to rest: see settle_lanes in entry_settling.hpp.
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

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
