// What moves along traces brought to rest, and their scales back to 1, between passes with one-hot or sparse features.
// moving.hpp has the idea, entry_pass.hpp the passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "bellwether/statements.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Item>
inline constexpr bool is_moving_target = false;
template <class Real, class... Items>
inline constexpr bool is_moving_target<Target<MovingVector<Real>, Unscaled, Items...>> = true;

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

// What is left of a sum whose traces are 0: nothing, but that what is not finite stays so.
template <class Real>
BELLWETHER_INLINE Real vanished(const Real& sum, const Real& rest = Real(0)) {
    return fma(Real(0), sum, rest);
}

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
    void settle_entry(const Real& settled) const {
        to.with_base = vanished(settled, vanished(to.with_base));
        to.with_along = vanished(to.with_along);
    }
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
    void settle_entry(std::size_t i) const {
        const Real settled = component(v, i);
        v.base[i] = settled;
        v.steps = Real(0);
        for_each(products, [&](const auto& p) BELLWETHER_INLINE_LAMBDA { p.settle_entry(settled); });
    }
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
    void settle_entry(std::size_t) const { to.sum = vanished(to.sum); }
    BELLWETHER_INLINE
    SettlingSquare<Real, n> begin() const { return {to, {}}; }
};
template <class Real, std::size_t n>
struct SettlingTrace {
    static constexpr std::size_t number = n;
    DenseTrace<Real>& e;
    BELLWETHER_INLINE
    void settle_entry(std::size_t i) const {
        e.values[i] = e.scale * e.values[i];
        e.scale = Real(1);
    }
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

// Where all traces are to become 0 and have one component only, at i. (Everywhere else there is 0 · 0 to be added; as
// in shared_trace.hpp, a −0 keeps its sign, and an infinite weight meets its first NaN later.)
template <class Items>
BELLWETHER_INLINE void settle_entry(std::size_t i, const Items& items) {
    for_each(items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (!is_settling_trace<std::remove_cvref_t<decltype(item)>>) item.settle_entry(i);
    });
    for_each(items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_settling_trace<std::remove_cvref_t<decltype(item)>>) item.settle_entry(i);
    });
}

// Brings everything in a pass to rest, in the lanes in which the scale of one of its traces is out of range. Takes the
// items by value: by reference, they would have to live in memory wherever this may be called. Returns whether all
// traces have become 0, as with λ = 0 in every step; `only` is the component that they have, if it is one.
template <class Real, class Items>
BELLWETHER_OUT_OF_LINE bool settle_all(std::size_t size, std::size_t only, const Items items) {
    if constexpr (is_lane<Real>) {  // it is the one that has to, and others wait for it in any case
        settle_lanes<Real>(size, AllLanes{}, items);
        return false;
    }
    Real keep(1);
    bool vanish = true;
    for_each(items, [&](auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_settling_trace<std::remove_cvref_t<decltype(item)>>) {
            keep = keep * one_if_in_range(item.e);
            vanish = vanish && magnitude_within(item.e.scale, Scalar<Real>(0), Scalar<Real>(0));
        }
    });
    if (vanish && only < size) {
        settle_entry(only, items);
    } else if (magnitude_within(keep, Scalar<Real>(0), Scalar<Real>(0))) {
        settle_lanes<Real>(size, AllLanes{}, items);
    } else {
        settle_lanes<Real>(size, SomeLanes<Real>{keep}, items);
    }
    return vanish;
}

// The component that a trace has which had the one of `only`, or none, and gains x.
BELLWETHER_INLINE
std::size_t only_component(std::size_t only, bool had_none, const OneHot& x) {
    return had_none || only == x.index ? x.index : DenseTrace<double>::any;
}
template <class T>
BELLWETHER_INLINE std::size_t only_component(std::size_t, bool, const Sparse<T>&) {
    return DenseTrace<double>::any;
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
