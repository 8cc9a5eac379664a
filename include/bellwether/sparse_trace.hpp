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
    bool decayed = false;        // in the update that is under way
    bool keeps_entries = false;  // in a new segment, as zeros: for what else remembers the last step in its entries

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

    // e ← c·e, dropping what has become too small; a NaN never is. From the last entry to the first: what takes the
    // place of a dropped one has been looked at.
    BELLWETHER_INLINE
    void decay(Real c) {
        std::size_t k = count;
        for (; k % block != 0; --k) {
            values[k - 1] = c * values[k - 1];
            drop_if_small(k - 1);
        }
        for (; k > 0; k -= block) {
            const Components<Real> several = Components<Real>(c) * Components<Real>::load(values + k - block);
            several.store(values + k - block);
            if (magnitude_above(several, cutoff)) [[likely]]
                continue;
            for (std::size_t j = k; j > k - block; --j) drop_if_small(j - 1);
        }
    }
    // The decay of the update that is under way, by whoever comes first: a product, or the pass, which ends the update.
    BELLWETHER_INLINE
    void decay_once(Real c) {
        if (!decayed) decay(c);
        decayed = true;
    }

    // Drops the small entries for which may_go(index).
    template <class MayGo>
    BELLWETHER_INLINE void drop_small(MayGo may_go) {
        for (std::size_t k = count; k > 0; --k)
            if (std::fabs(values[k - 1]) <= cutoff && may_go(indices[k - 1])) drop(k - 1, --count);
    }

    // use(index, value) for every entry
    template <class Use>
    BELLWETHER_INLINE void for_each(Use use) const {
        std::size_t k = 0;
        for (; k + block <= count; k += block) for_each_of_block(k, use, std::make_index_sequence<block>{});
        for (; k < count; ++k) use(indices[k], values[k]);
    }

private:
    static constexpr std::size_t block = Components<Real>::lanes;

    template <class Use, std::size_t... K>
    BELLWETHER_INLINE void for_each_of_block(std::size_t k, Use& use, std::index_sequence<K...>) const {
        (use(indices[k + K], values[k + K]), ...);
    }
    BELLWETHER_INLINE
    void drop_if_small(std::size_t k) {
        if (std::fabs(values[k]) <= cutoff) drop(k, --count);
    }
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
// As a new segment does it.
template <class Real>
BELLWETHER_INLINE void clear_segment(SparseTrace<Real>& e) {
    if (!e.keeps_entries) return clear(e);
    for (std::size_t k = 0; k < e.count; ++k) e.values[k] = 0;
}

template <class Real>
BELLWETHER_INLINE Real component(const SparseTrace<Real>& e, std::size_t i) {
    return e[i];
}

// body(i, value) for all features, or for those that are not zero where they are listed
template <class T, class Body>
BELLWETHER_INLINE void for_each_feature(const Dense<T>& x, Body body) {
    for (std::size_t i = 0; i < x.values.size(); ++i) body(i, x.values[i]);
}
template <class Features, class Body>
BELLWETHER_INLINE void for_each_feature(const Features& x, Body body) {
    for_each_entry(x, body);
}

// Has the slots that adding x looks at on their way into the cache while the decay runs.
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

// Nothing moves along a sparse trace, and no product is carried: the decay decides which entries are left, and happens
// when the first product is asked for.
template <class Real>
BELLWETHER_INLINE void move_along(const Vector<Real>&, const SparseTrace<Real>&) {}
template <class Real, class V>
BELLWETHER_INLINE Real dot_after(const Real&, SparseTrace<Real>& e, const V& v, Real c, Real a, Real x_v) {
    Real s0 = 0, s1 = 0, s2 = 0, s3 = 0;  // take turns, so that one addition need not wait for the one before
    e.decay_once(c);
    e.for_each([&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA {
        s0 = std::exchange(s1, std::exchange(s2, std::exchange(s3, fma(value, v[i], s0))));
    });
    return fma(a, x_v, (s0 + s2) + (s1 + s3));
}
// This one leaves the trace as it is: c need not be what it decays by, unless it has already.
template <class Real>
BELLWETHER_INLINE Real square_after(const Real&, const SparseTrace<Real>& e, Real c, Real rest) {
    const Real factor = e.decayed ? Real(1) : c;
    Real sum = 0;
    e.for_each([&](std::size_t, Real entry) BELLWETHER_INLINE_LAMBDA {
        const Real value = factor * entry;
        if (!(std::fabs(value) <= e.cutoff)) sum = fma(value, value, sum);
    });
    return sum + rest;
}

// v ← v + b·value at i, for dense and sparse v
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
// scaled, traces decay and are added, and at last the features.

// Calls use(target, item) for every item of a target; other things have none.
template <class Use, class Other>
BELLWETHER_INLINE void for_each_target_item(Use&, const Other&) {}
template <class Use, class Destination, class Scale, class... Items>
BELLWETHER_INLINE void for_each_target_item(Use& use, const Target<Destination, Scale, Items...>& target) {
    for_each(target.items, [&](const auto& item) BELLWETHER_INLINE_LAMBDA { use(target, item); });
}

// e ← c·e, and targets add what is left of it.
template <class Real, class Features, class... Items>
BELLWETHER_INLINE void decay_and_add(const TraceUpdate<SparseTrace<Real>, Real, Features>& u, const Items&... items) {
    prefetch(u.e, u.x);
    u.e.decay_once(u.c);
    u.e.decayed = false;
    u.e.for_each([&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA {
        [[maybe_unused]] auto add = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
            if constexpr (requires { item.b; })
                if (&item.e == &u.e) add_times(target.v, i, item.b, value);
        };
        (for_each_target_item(add, items), ...);
    });
}
template <class Other, class... Items>
BELLWETHER_INLINE void decay_and_add(const Other&, const Items&...) {}

template <class Item>
BELLWETHER_INLINE bool updates(const Item& item, const void* e) {
    if constexpr (is_trace_update<Item>) return static_cast<const void*>(&item.e) == e;
    return false;
}

// v ← v + factor·x, for the x of a pass.
template <class Destination, class Real>
struct AddsX {
    Held<Destination> v;
    Real factor;
};
// What a trace takes up, and what a target adds by terms in x and by the traces that have taken it up.
template <class Real, class Features, class Item, class... Items>
BELLWETHER_INLINE auto adds_x(const Features& x, const Item& item, const Items&... all) {
    if constexpr (is_trace_update<Item>) {
        return list(AddsX<SparseTrace<Real>, Real>{item.e, item.a});
    } else if constexpr (is_target<Item>) {
        Real factor = 0;
        for_each(item.items, [&](const auto& part) BELLWETHER_INLINE_LAMBDA {
            if constexpr (requires { part.b; }) {
                [[maybe_unused]] const auto add_share = [&](const auto& other) BELLWETHER_INLINE_LAMBDA {
                    if constexpr (is_trace_update<std::remove_cvref_t<decltype(other)>>)
                        if (&other.e == &part.e) factor = fma(part.b, other.a, factor);
                };
                (add_share(all), ...);
            } else if constexpr (requires { part.a; }) {
                if (&part.x == &x) factor = factor + part.a;
            }
        });
        return list(AddsX<std::remove_cvref_t<decltype(item.v)>, Real>{item.v, factor});
    } else {
        return list();
    }
}

template <class Real, class Features, class... Items>
BELLWETHER_INLINE void pass(const TraceUpdate<SparseTrace<Real>, Real, Features>& first, const Items&... items) {
    [[maybe_unused]] auto add_standing = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.b; }) {
            if (updates(first, &item.e) || (updates(items, &item.e) || ...)) return;
            item.e.for_each([&](std::size_t i, Real value)
                                BELLWETHER_INLINE_LAMBDA { add_times(target.v, i, item.b, value); });
        }
    };
    (for_each_target_item(add_standing, items), ...);
    [[maybe_unused]] const auto scale = [](const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.v.decay(item.scale); }) item.v.decay(item.scale);
    };
    (scale(items), ...);
    decay_and_add(first, items...);
    (decay_and_add(items, items...), ...);

    const Features& x = first.x;
    const auto sums = map(refer(first, items...), [&](const auto& item) BELLWETHER_INLINE_LAMBDA {
        return adds_x<Real>(x, item, first, items...);
    });
    for_each_feature(x, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA {
        for_each(sums, [&](const auto& sum) BELLWETHER_INLINE_LAMBDA { add_times(sum.v, i, sum.factor, value); });
    });
    [[maybe_unused]] auto add_others = [&](const auto& target, const auto& item) BELLWETHER_INLINE_LAMBDA {
        if constexpr (requires { item.a; })
            if (&item.x != &x)
                for_each_feature(item.x, [&](std::size_t i, Real value)
                                             BELLWETHER_INLINE_LAMBDA { add_times(target.v, i, item.a, value); });
    };
    (for_each_target_item(add_others, items), ...);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
