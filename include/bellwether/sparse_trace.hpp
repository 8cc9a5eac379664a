// A trace that stores its non-zero entries only: an update costs O(active entries), not O(d).
//
// Entries live side by side in `values` with their place in `indices`; `slots` finds the entry of an index. An entry
// whose magnitude is at most `cutoff` after its decay is dropped. At cutoff 0 that is an exact zero (an underflow, or a
// decay by zero), so the results equal those of a dense trace up to the order of summation.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
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
BELLWETHER_INLINE Real dot(const Features& x, const SparseTrace<Real>& e) {
    if constexpr (is_dense<Features>) {
        return dot(e, x.values);
    } else {
        Real sum = 0;
        for_each_entry(x, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA { sum = fma(value, e[i], sum); });
        return sum;
    }
}

// The parts of v ← scale·v + b·e + Σ terms, for dense and sparse v: one entry of e, the scale, and the terms.
template <class Real, class Scale, class... Terms>
BELLWETHER_INLINE void add_entry(const Target<Vector<Real>, Scale, Real, Terms...>& target, std::size_t i, Real value) {
    static_assert(!is_scaled<decltype(target)>, "scaling a dense vector would cost O(d): keep it as a sparse trace");
    target.v[i] = fma(target.b, value, target.v[i]);
}
template <class Real, class Scale, class... Terms>
BELLWETHER_INLINE void add_entry(const Target<SparseTrace<Real>, Scale, Real, Terms...>& target, std::size_t i,
                                 Real value) {
    target.v.add(i, target.b * value);
}
template <class Target>
BELLWETHER_INLINE void scale(const Target& target) {
    if constexpr (is_scaled<Target>) target.v.decay(target.scale);
}
template <class Destination, class Scale, class Real, class... Terms>
BELLWETHER_INLINE void add_terms(const Target<Destination, Scale, Real, Terms...>& target) {
    const auto add_one = [&](const auto& t) BELLWETHER_INLINE_LAMBDA {
        if constexpr (is_vector<Destination>) {
            add_features(target.v, t);
        } else {
            add_entries(target.v, t.a, t.x);
        }
    };
    std::apply([&](const auto&... t) BELLWETHER_INLINE_LAMBDA { (add_one(t), ...); }, target.terms);
}

// targets += e
template <class Real, class... Targets>
BELLWETHER_INLINE void add(const SparseTrace<Real>& e, const Targets&... targets) {
    (scale(targets), ...);
    for (std::size_t k = 0; k < e.count; ++k) (add_entry(targets, e.indices[k], e.values[k]), ...);
    (add_terms(targets), ...);
}

// e ← c·e + a·x
template <class Real, class Features>
BELLWETHER_INLINE void apply(const TraceUpdate<SparseTrace<Real>, Real, Features>& u) {
    prefetch(u.e, u.x);
    u.e.decay(u.c);
    add_entries(u.e, u.a, u.x);
}

// e ← c·e + a·x;  targets += e
template <class Real, class Features, class... Targets>
BELLWETHER_INLINE void apply_and_add(const TraceUpdate<SparseTrace<Real>, Real, Features>& u,
                                     const Targets&... targets) {
    (scale(targets), ...);
    prefetch(u.e, u.x);
    u.e.decay(u.c, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA { (add_entry(targets, i, value), ...); });
    add_entries(u.e, u.a, u.x);
    (add_terms(with_x(targets, u)), ...);
}

// A sparse trace has no part in a pass over the components.
template <class Real, class Place, class Features, class Right>
BELLWETHER_INLINE void multiply_at(Place, Sum<Real>&, const TraceUpdate<SparseTrace<Real>, Real, Features>&,
                                   const Right&) {}
template <class Real, class Features, class Right>
BELLWETHER_INLINE Real total(const Sum<Real>&, const TraceUpdate<SparseTrace<Real>, Real, Features>& u,
                             const Right& v) {
    Real sum = 0, other_sum = 0;  // take turns, so that one addition need not wait for the one before
    prefetch(u.e, u.x);
    u.e.decay(u.c, [&](std::size_t i, Real value)
                       BELLWETHER_INLINE_LAMBDA { sum = std::exchange(other_sum, fma(value, v[i], sum)); });
    add_entries(u.e, u.a, u.x);
    return fma(u.a, dot(u.x, v), sum + other_sum);
}

// e ← c·e + a·x;  returns e·h and e·e.
template <class Real, class Features>
BELLWETHER_INLINE std::array<Real, 2> apply_and_dot_square(const Vector<Real>& h,
                                                           const TraceUpdate<SparseTrace<Real>, Real, Features>& u) {
    apply(u);
    EntrySum<Real> e_h, e_e;
    for_each_turn(u.e.count, [&](auto turn, std::size_t k) BELLWETHER_INLINE_LAMBDA {
        e_h.add(turn, u.e.values[k], h[u.e.indices[k]]);
        e_e.add(turn, u.e.values[k], u.e.values[k]);
    });
    return {e_h.total(), e_e.total()};
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
