// A trace that stores its non-zero entries only: an update costs O(active entries), not O(d).
//
// Entries live side by side in `values` with their place in `indices`; `slots` finds the entry of an index. An entry
// whose magnitude is at most `cutoff` after its decay is dropped. At cutoff 0 that is an exact zero (an underflow, or a
// decay by zero), so the results equal those of a dense trace up to the order of summation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bellwether/vectors.hpp"

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

    // e ← c·e, dropping what has become too small. A NaN is never too small.
    BELLWETHER_INLINE
    void decay(Real c) {
        for (std::size_t k = 0; k < count;) {
            const Real value = c * values[k];
            if (value <= cutoff && value >= -cutoff) {
                slots[indices[k]] = absent;
                if (k != --count) {
                    values[k] = values[count];
                    indices[k] = indices[count];
                    slots[indices[k]] = static_cast<std::uint32_t>(k);
                }
            } else {
                values[k++] = value;
            }
        }
    }

    // The sum over the entries of value·other(index), in four partial sums.
    template <class Other>
    BELLWETHER_INLINE Real sum(Other other) const {
        Real parts[4] = {0, 0, 0, 0};
        for (std::size_t k = 0; k < count; ++k) parts[k % 4] = fma(values[k], other(indices[k]), parts[k % 4]);
        return (parts[0] + parts[2]) + (parts[1] + parts[3]);
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

template <class Real>
BELLWETHER_INLINE Real dot(const SparseTrace<Real>& e, const Vector<Real>& v) {
    return e.sum([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { return v[i]; });
}
template <class Real>
BELLWETHER_INLINE Real dot(const SparseTrace<Real>& e, const SparseTrace<Real>& other) {
    return e.sum([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { return other[i]; });
}
template <class Features, class Real>
BELLWETHER_INLINE Real dot(const Features& x, const SparseTrace<Real>& e) {
    if constexpr (is_dense<Features>) {
        return e.sum([&](std::size_t i) BELLWETHER_INLINE_LAMBDA { return x.values[i]; });
    } else {
        Real sum = 0;
        for_each_entry(x, [&](std::size_t i, Real value) BELLWETHER_INLINE_LAMBDA { sum = fma(value, e[i], sum); });
        return sum;
    }
}

// v ← scale·v + b·e + Σ terms, for dense and sparse v.
template <class Real, class Destination, class Scale, class... Terms>
BELLWETHER_INLINE void add_to(const SparseTrace<Real>& e, const Target<Destination, Scale, Real, Terms...>& target) {
    constexpr bool sparse = std::is_same_v<Destination, SparseTrace<Real>>;
    static_assert(sparse || !is_scaled<decltype(target)>,
                  "scaling a dense vector would cost O(d): keep it as a sparse trace");
    if constexpr (is_scaled<decltype(target)>) target.v.decay(target.scale);
    for (std::size_t k = 0; k < e.count; ++k) {
        if constexpr (sparse) {
            target.v.add(e.indices[k], target.b * e.values[k]);
        } else {
            target.v[e.indices[k]] = fma(target.b, e.values[k], target.v[e.indices[k]]);
        }
    }
    const auto add_one = [&](const auto& t) BELLWETHER_INLINE_LAMBDA {
        if constexpr (sparse) {
            add_entries(target.v, t.a, t.x);
        } else {
            add_features(target.v, t);
        }
    };
    std::apply([&](const auto&... t) BELLWETHER_INLINE_LAMBDA { (add_one(t), ...); }, target.terms);
}

template <class Real, class... Targets>
BELLWETHER_INLINE void add(const SparseTrace<Real>& e, const Targets&... targets) {
    (add_to(e, targets), ...);
}

template <class Real, class Features>
BELLWETHER_INLINE void apply(const TraceUpdate<SparseTrace<Real>, Real, Features>& u) {
    u.e.decay(u.c);
    add_entries(u.e, u.a, u.x);
}
template <class Real, class Features, class... Targets>
BELLWETHER_INLINE void apply_and_add(const TraceUpdate<SparseTrace<Real>, Real, Features>& u,
                                     const Targets&... targets) {
    apply(u);
    add(u.e, targets...);
}
template <class H, class Real, class Features, class... Updates>
BELLWETHER_INLINE auto apply_and_dot(const H& h, const TraceUpdate<SparseTrace<Real>, Real, Features>& first,
                                     const Updates&... more) {
    apply(first);
    (apply(more), ...);
    return std::array<Real, 1 + sizeof...(more)>{dot(first.e, h), dot(more.e, h)...};
}
template <class Real, class Features>
BELLWETHER_INLINE std::array<Real, 2> apply_and_dot_square(const Vector<Real>& h,
                                                           const TraceUpdate<SparseTrace<Real>, Real, Features>& u) {
    apply(u);
    return {dot(u.e, h), dot(u.e, u.e)};
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
