// A trace that stores its non-zero entries only: an update costs O(active entries), not O(d).
//
// Entries live side by side in `values` with their place in `indices`; `slots` finds the entry of an index. An entry
// whose magnitude is at most `cutoff` after its decay is dropped. At cutoff 0 that is an exact zero (an underflow, or a
// decay by zero), so the results equal those of a dense trace up to the order of summation.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "bellwether/statements.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real>
struct SparseTrace {
    static_assert(!is_pack<Real>, "sparse traces are for the online learner: lanes of a pack have different entries");
    static constexpr std::uint32_t absent = UINT32_MAX;

    Real* values = nullptr;            // count of them in use, room for one per component
    std::uint32_t* indices = nullptr;  // likewise
    std::uint32_t* slots = nullptr;    // per component: where its entry stands, or absent
    std::size_t count = 0;
    std::size_t size = 0;  // the dimension d
    Real cutoff = 0;

    BELLWETHER_INLINE
    Real operator[](std::size_t i) const { return slots[i] == absent ? Real(0) : values[slots[i]]; }

    BELLWETHER_INLINE
    void add(std::size_t i, Real value) {
        if (slots[i] == absent) {
            slots[i] = static_cast<std::uint32_t>(count);
            indices[count] = static_cast<std::uint32_t>(i);
            values[count++] = value;
        } else {
            values[slots[i]] += value;
        }
    }

    // e ← c·e, dropping what has become too small and calling kept(index, value) for the rest. A NaN is never too
    // small.
    template <class Kept>
    BELLWETHER_INLINE void decay(Real c, Kept kept) {
        const Real limit = cutoff;
        std::size_t end = count;
        for (std::size_t k = 0; k < end;) {
            const Real value = c * values[k];
            if (std::fabs(value) <= limit) {
                drop(k, --end);
            } else {
                values[k] = value;
                kept(indices[k], value);
                ++k;
            }
        }
        count = end;
    }
    BELLWETHER_INLINE
    void decay(Real c) {
        decay(c, [](std::size_t, Real) BELLWETHER_INLINE_LAMBDA {});
    }

private:
    // Puts the last entry in the place of entry k.
    BELLWETHER_INLINE
    void drop(std::size_t k, std::size_t last) {
        slots[indices[k]] = absent;
        if (k == last) return;
        values[k] = values[last];
        indices[k] = indices[last];
        slots[indices[k]] = static_cast<std::uint32_t>(k);
    }
};

template <class Visitor, class Real>
void parts(Visitor& visitor, SparseTrace<Real>& e) {
    visitor.entries(e);
}

template <class Real>
BELLWETHER_INLINE void clear(SparseTrace<Real>& e) {
    for (std::size_t k = 0; k < e.count; ++k) e.slots[e.indices[k]] = SparseTrace<Real>::absent;
    e.count = 0;
}

template <class Real, class T>
BELLWETHER_INLINE void add_entries(SparseTrace<Real>& e, Real a, const Dense<T>& x) {
    for (std::size_t i = 0; i < e.size; ++i) e.add(i, a * x.values[i]);
}
template <class Real, class Features>
BELLWETHER_INLINE void add_entries(SparseTrace<Real>& e, Real a, const Features& x) {
    for_each_entry(x, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA { e.add(i, a * value); });
}

// Has the slots that add_entries(e, a, x) looks at on their way into the cache while the decay runs.
template <class Real, class Features>
BELLWETHER_INLINE void prefetch(const SparseTrace<Real>& e, const Features& x) {
    if constexpr (!is_dense<Features>)
        for_each_entry(x, [&](std::size_t i, Real) BELLWETHER_INLINE_LAMBDA { __builtin_prefetch(e.slots + i); });
}

// e·other, where other[i] is a component of a vector or of a sparse trace
template <class Real, class Other>
BELLWETHER_INLINE Real dot(const SparseTrace<Real>& e, const Other& other) {
    EntrySum<Real> sum;
    for_each_turn(e.count, [&](auto turn, std::size_t k)
                               BELLWETHER_INLINE_LAMBDA { sum.add(turn, e.values[k], other[e.indices[k]]); });
    return sum.total();
}
template <class Features, class Real>
requires(!std::is_same_v<Features, SparseTrace<Real>>) BELLWETHER_INLINE Real
    dot(const Features& x, const SparseTrace<Real>& e) {
    if constexpr (is_dense<Features>) {
        return dot(e, x.values);
    } else {
        Real sum = 0;
        for_each_entry(x, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA { sum = fma(value, e[i], sum); });
        return sum;
    }
}

// Nothing moves along a sparse trace, and no product is carried: the decay decides which entries are left.
template <class Real>
BELLWETHER_INLINE void move_along(const Vector<Real>&, const SparseTrace<Real>&) {}
template <class Real, class Use>
BELLWETHER_INLINE void for_each_left(const SparseTrace<Real>& e, Real c, Use use) {
    for (std::size_t k = 0; k < e.count; ++k)
        if (const Real value = c * e.values[k]; !(std::fabs(value) <= e.cutoff)) use(e.indices[k], value);
}
template <class Real, class V>
BELLWETHER_INLINE Real dot_after(const Real&, const SparseTrace<Real>& e, const V& v, Real c, Real a, Real x_v) {
    Real sum = 0, other_sum = 0;  // take turns, so that one addition need not wait for the one before
    for_each_left(e, c, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA {
        sum = std::exchange(other_sum, fma(value, v[i], sum));
    });
    return fma(a, x_v, sum + other_sum);
}
template <class Real>
BELLWETHER_INLINE Real square_after(const Real&, const SparseTrace<Real>& e, Real c, Real rest) {
    Real sum = 0;
    for_each_left(e, c, [&](std::size_t, Real value) BELLWETHER_INLINE_LAMBDA { sum = fma(value, value, sum); });
    return sum + rest;
}

// v ← v + a·x and v ← v + value at i, for dense and sparse v.
template <class Real, class T>
BELLWETHER_INLINE void add_term(const Vector<Real>& v, Real a, const T& x) {
    add_features(v, term(a, x));
}
template <class Real, class T>
BELLWETHER_INLINE void add_term(SparseTrace<Real>& e, Real a, const T& x) {
    add_entries(e, a, x);
}
template <class Real>
BELLWETHER_INLINE void add_times(const Vector<Real>& v, std::size_t i, Real b, Real value) {
    v[i] = fma(b, value, v[i]);
}
template <class Real>
BELLWETHER_INLINE void add_times(SparseTrace<Real>& e, std::size_t i, Real b, Real value) {
    e.add(i, b * value);
}

// ---- a pass over sparse traces ----
// Entries have no common order, so that the items take turns: what stands still is added first, then targets are
// scaled, and traces decay and are added on the way.

// Calls use(target, item) for every item of a target; other things have none.
template <class Use, class Other>
BELLWETHER_INLINE void for_each_target_item(Use&, const Other&) {}
template <class Use, class Destination, class Scale, class... Items>
BELLWETHER_INLINE void for_each_target_item(Use& use, const Target<Destination, Scale, Items...>& target) {
    for_each(target.items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA { use(target, item); });
}

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void decay_and_add(const TraceUpdate<SparseTrace<Real>, Real, Features>& u, const Items&... items) {
    const auto if_of_this = [&](const auto& item, auto use) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.b; })
            if (&item.e == &u.e) use(item.b);
    };
    prefetch(u.e, u.x);
    u.e.decay(u.c, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA {
        [[maybe_unused]] auto add = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
            if_of_this(item, [&](Real b) BELLWETHER_INLINE_LAMBDA { add_times(target.v, i, b, value); });
        };
        (for_each_target_item(add, items), ...);
    });
    add_entries(u.e, u.a, u.x);
    [[maybe_unused]] auto add_x = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
        if_of_this(item, [&](Real b) BELLWETHER_INLINE_LAMBDA { add_term(target.v, b * u.a, u.x); });
    };
    (for_each_target_item(add_x, items), ...);
}
template <class Other, class... Items>
BELLWETHER_INLINE void decay_and_add(const Other&, const Items&...) {}

template <class Item>
BELLWETHER_INLINE bool updates(const Item& item, const void* e) {
    if constexpr (requires { item.c; }) return static_cast<const void*>(&item.e) == e;
    return false;
}

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void pass(const TraceUpdate<SparseTrace<Real>, Real, Features>& first, const Items&... items) {
    [[maybe_unused]] auto add_standing = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.b; }) {
            if (updates(first, &item.e) || (updates(items, &item.e) || ...)) return;
            for (std::size_t k = 0; k < item.e.count; ++k)
                add_times(target.v, item.e.indices[k], item.b, item.e.values[k]);
        }
    };
    (for_each_target_item(add_standing, items), ...);
    [[maybe_unused]] const auto scale = [](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.v.decay(item.scale); }) item.v.decay(item.scale);
    };
    (scale(items), ...);
    decay_and_add(first, items...);
    (decay_and_add(items, items...), ...);
    [[maybe_unused]] auto add_terms = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.a; }) add_term(target.v, item.a, item.x);
    };
    (for_each_target_item(add_terms, items), ...);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
