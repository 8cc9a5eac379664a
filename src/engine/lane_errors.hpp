// The errors of lanes.hpp, evaluated for a pack of weights. Weights are a Vector or a MovingVector of packs: whatever
// the algorithm and the features of its steps, the code is the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "bellwether/statements.hpp"
#include "engine/lanes.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// The features of a row, in the form that the algorithms take.
template <class Features>
BELLWETHER_INLINE Features features_of(const LaneFeatures& all, std::uint32_t row);
template <>
BELLWETHER_INLINE OneHot features_of<OneHot>(const LaneFeatures& all, std::uint32_t row) {
    return {all.indices[row]};
}
template <>
BELLWETHER_INLINE Sparse<double> features_of<Sparse<double>>(const LaneFeatures& all, std::uint32_t row) {
    const std::uint32_t begin = all.first[row], count = all.first[row + 1] - begin;
    return {{all.indices + begin, count}, {all.values + begin, count}};
}
template <>
BELLWETHER_INLINE Dense<double> features_of<Dense<double>>(const LaneFeatures& all, std::uint32_t row) {
    return {{all.values + row * all.dimension, all.dimension}};
}

// ---- of the states of a problem

// Σ over an error's terms, in four partial sums, for several packs at once: what is broadcast serves them all.
// y(pack, node) is the value of a node.
template <LaneError::Kind kind, class Real, std::size_t packs, class Nodes>
BELLWETHER_INLINE std::array<Real, packs> sum_terms(const LaneError::Term* terms, std::size_t count, Nodes y) {
    Real sums[packs][4];
    for (std::size_t p = 0; p < packs; ++p)
        for (Real& sum : sums[p]) sum = Real(0);
    std::size_t first = 0;
    const auto add = [&](std::size_t k) BELLWETHER_INLINE_LAMBDA {
        const LaneError::Term& of = terms[first + k];
        const Real a(of.a), b(of.b);
        for (std::size_t p = 0; p < packs; ++p) {
            const Real term = fma(a, y(p, of.node), b);
            sums[p][k] = kind == LaneError::Kind::absolute ? sums[p][k] + abs(term) : fma(term, term, sums[p][k]);
        }
    };
    BELLWETHER_UNROLL
    for (std::size_t fours = count / 4; fours > 0; --fours, first += 4) add(0), add(1), add(2), add(3);
    if (count % 4 > 0) add(0);
    if (count % 4 > 1) add(1);
    if (count % 4 > 2) add(2);
    std::array<Real, packs> totals;
    for (std::size_t p = 0; p < packs; ++p) totals[p] = (sums[p][0] + sums[p][2]) + (sums[p][1] + sums[p][3]);
    return totals;
}
template <class Real, std::size_t packs, class Nodes>
BELLWETHER_INLINE std::array<Real, packs> sum_terms(const LaneError& error, Nodes y) {
    return error.kind == LaneError::Kind::absolute
               ? sum_terms<LaneError::Kind::absolute, Real, packs>(error.terms, error.term_count, y)
               : sum_terms<LaneError::Kind::squared, Real, packs>(error.terms, error.term_count, y);
}

BELLWETHER_INLINE bool is_of_values(const LaneError& error) {
    return error.of == LaneError::Of::states && error.kind != LaneError::Kind::projected;
}
// Whether the terms are over the weights themselves.
BELLWETHER_INLINE bool is_of_weights(const LaneError& error) {
    return is_of_values(error) && error.node_count == 0;
}
template <class Real, std::size_t packs, class Weights>
BELLWETHER_INLINE std::array<Real, packs> weight_errors(const LaneError& error, const Weights* const (&w)[packs]) {
    return sum_terms<Real, packs>(
        error, [&](std::size_t p, std::size_t node) BELLWETHER_INLINE_LAMBDA { return component(*w[p], node); });
}
// The same where states have their weights in common, those with the same one beside each other: it is computed once.
template <class Real, std::size_t packs, class Weights>
BELLWETHER_INLINE std::array<Real, packs> shared_weight_errors(const LaneError& error,
                                                               const Weights* const (&w)[packs]) {
    std::size_t held = LaneError::none;
    Real values[packs];
    for (Real& value : values) value = Real(0);
    return sum_terms<Real, packs>(error, [&](std::size_t p, std::size_t node) BELLWETHER_INLINE_LAMBDA {
        if (p == 0 && node != held) {
            for (std::size_t each = 0; each < packs; ++each) values[each] = component(*w[each], node);
            held = node;
        }
        return values[p];
    });
}

// The same over all sets of d weights, whose sums build on each other in registers.
template <std::size_t d, std::size_t next, std::size_t set, class Real, class Use>
BELLWETHER_INLINE void for_each_subset(const Vector<Real>& w, const Real& sum, Use& use) {
    const auto with = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) BELLWETHER_INLINE_LAMBDA {
        if constexpr (i >= next) {
            constexpr std::size_t larger = set | std::size_t{1} << i;
            const Real larger_sum = set == 0 ? w[i] : sum + w[i];
            use(std::integral_constant<std::size_t, larger>{}, larger_sum);
            for_each_subset<d, i + 1, larger>(w, larger_sum, use);
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) BELLWETHER_INLINE_LAMBDA {
        (with(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<d>{});
}
template <std::size_t d, LaneError::Kind kind, class Real>
BELLWETHER_OUT_OF_LINE Real subset_error(const LaneError::Affine* terms, const Vector<Real> w) {
    Real sums[4] = {Real(0), Real(0), Real(0), Real(0)};
    auto add = [&](auto set, const Real& y) BELLWETHER_INLINE_LAMBDA {
        const Real t = fma(Real(terms[set].a), y, Real(terms[set].b));
        Real& sum = sums[set % 4];
        sum = kind == LaneError::Kind::absolute ? sum + abs(t) : fma(t, t, sum);
        sum.compute_now();
    };
    for_each_subset<d, 0, 0>(w, Real(0), add);
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}
template <LaneError::Kind kind, class Real>
BELLWETHER_INLINE Real subset_error(const LaneError& error, const Vector<Real>& w, std::size_t dimension) {
    switch (dimension) {
        case 1:
            return subset_error<1, kind>(error.subsets, w);
        case 2:
            return subset_error<2, kind>(error.subsets, w);
        case 3:
            return subset_error<3, kind>(error.subsets, w);
        case 4:
            return subset_error<4, kind>(error.subsets, w);
        case 5:
            return subset_error<5, kind>(error.subsets, w);
        default:
            return subset_error<LaneError::most_subset_features, kind>(error.subsets, w);
    }
}
template <class Real>
BELLWETHER_INLINE Real subset_error(const LaneError& error, const Vector<Real>& w, std::size_t dimension) {
    return error.kind == LaneError::Kind::absolute ? subset_error<LaneError::Kind::absolute>(error, w, dimension)
                                                   : subset_error<LaneError::Kind::squared>(error, w, dimension);
}

// `nodes` is room for the weights and the nodes.
template <class Real, class Weights, class Nodes>
BELLWETHER_INLINE Real value_error(const LaneError& error, const Weights& w, std::size_t dimension, Nodes nodes) {
    if (is_of_weights(error)) return weight_errors<Real>(error, {&w})[0];
    if (error.subsets && is_at_rest(w)) return subset_error(error, components_of(w), dimension);
    for (std::size_t i = 0; i < dimension; ++i) nodes[i] = component(w, i);
    for (std::size_t n = 0; n < error.node_count; ++n) {
        const LaneError::Node& of = error.nodes[n];
        const Real product = Real(of.coefficient) * nodes[of.feature];
        nodes[dimension + n] = of.parent == LaneError::none ? product : product + nodes[of.parent];
    }
    return sum_terms<Real, 1>(error,
                              [&](std::size_t, std::size_t node) BELLWETHER_INLINE_LAMBDA { return nodes[node]; })[0];
}

// ---- the same of several packs at once, nodes on the way to the terms that they are for

// What is known of a node before anything is computed.
struct NodeTraits {
    bool follows;    // it is a weight more than the node before it
    bool is_needed;  // it is read again when the next one has been computed: the others need no memory
};
inline void find_node_traits(const LaneError& error, std::size_t dimension, NodeTraits* traits) {
    for (std::size_t n = 0; n < error.node_count; ++n) {
        const LaneError::Node& of = error.nodes[n];
        const bool is_child_of_last = n > 0 && of.parent + std::size_t{1} == dimension + n;
        traits[n] = {.follows = is_child_of_last && of.coefficient == 1, .is_needed = false};
        if (of.parent != LaneError::none && of.parent >= dimension && !is_child_of_last)
            traits[of.parent - dimension].is_needed = true;
    }
    std::size_t next = dimension;  // the first node that no term before has asked for
    for (std::size_t k = 0; k < error.term_count; ++k) {
        const std::size_t node = error.terms[k].node;
        if (node >= next)
            next = node + 1;
        else if (node >= dimension && node + 1 != next)
            traits[node - dimension].is_needed = true;
    }
}
// Whether states have so many features that nodes are worth computing on the way; on shorter ways one looks up more
// than one computes.
BELLWETHER_INLINE bool has_long_ways(const LaneError& error) {
    return error.node_count >= 4 * error.term_count;
}

// The weights and nodes of several packs; nodes are computed in their order, up to the one that is asked for.
template <class Real, std::size_t packs>
class NodesOnTheWay {
public:
    // `scratch` is room for the weights and the nodes of each pack.
    template <class Weights>
    BELLWETHER_INLINE NodesOnTheWay(const LaneError& error, const NodeTraits* traits, std::size_t dimension,
                                    const Weights* const (&w)[packs], Real* const (&scratch)[packs])
        : nodes_(error.nodes), traits_(traits), dimension_(dimension), next_(dimension) {
        for (std::size_t p = 0; p < packs; ++p) {
            last_[p] = Real(0);
            values_[p] = scratch[p];
            if (is_at_rest(*w[p])) {
                weights_[p] = components_of(*w[p]).data;
                continue;
            }
            weights_[p] = scratch[p];
            for (std::size_t i = 0; i < dimension; ++i) scratch[p][i] = component(*w[p], i);
        }
    }
    BELLWETHER_INLINE
    Real operator()(std::size_t p, std::size_t node) {
        if (p == 0 && node >= next_) compute_up_to(node);
        return node + 1 == next_ && node >= dimension_ ? last_[p] : value(p, node);
    }

private:
    BELLWETHER_INLINE const Real& value(std::size_t p, std::size_t node) const {
        return (node < dimension_ ? weights_[p] : values_[p])[node];
    }
    // Out of line: what it works on has the registers to itself.
    BELLWETHER_OUT_OF_LINE void compute_up_to(std::size_t node) {
        Real last[packs];
        for (std::size_t p = 0; p < packs; ++p) last[p] = last_[p];
        for (std::size_t next = next_; next <= node; ++next) {
            const LaneError::Node& of = nodes_[next - dimension_];
            const NodeTraits traits = traits_[next - dimension_];
            if (traits.follows) [[likely]] {
                for (std::size_t p = 0; p < packs; ++p) last[p] = weights_[p][of.feature] + last[p];
            } else {
                const bool is_child_of_last = next > dimension_ && of.parent + std::size_t{1} == next;
                for (std::size_t p = 0; p < packs; ++p) {
                    const Real product = Real(of.coefficient) * weights_[p][of.feature];
                    if (of.parent == LaneError::none)
                        last[p] = product;
                    else if (is_child_of_last)  // (no choice between the two: it would be made in memory)
                        last[p] = product + last[p];
                    else
                        last[p] = product + value(p, of.parent);
                }
            }
            if (traits.is_needed)
                for (std::size_t p = 0; p < packs; ++p) values_[p][next] = last[p];
        }
        for (std::size_t p = 0; p < packs; ++p) last_[p] = last[p];
        next_ = node + 1;
    }

    const LaneError::Node* nodes_;
    const NodeTraits* traits_;
    std::size_t dimension_, next_;
    const Real* weights_[packs];
    Real* values_[packs];
    Real last_[packs];
};

// `traits` is what find_node_traits found of the error.
template <class Real, std::size_t packs, class Weights>
BELLWETHER_OUT_OF_LINE std::array<Real, packs> node_errors(const LaneError& error, const NodeTraits* traits,
                                                           std::size_t dimension, const Weights* const (&w)[packs],
                                                           Real* const (&scratch)[packs]) {
    NodesOnTheWay<Real, packs> nodes(error, traits, dimension, w, scratch);
    return sum_terms<Real, packs>(
        error, [&](std::size_t p, std::size_t node) BELLWETHER_INLINE_LAMBDA { return nodes(p, node); });
}
template <class Real, class Weights>
BELLWETHER_OUT_OF_LINE Real value_error_of_one(const LaneError& error, const Weights& w, std::size_t dimension,
                                               Real* scratch) {
    return value_error<Real>(error, w, dimension, scratch);
}
template <class Real, std::size_t packs, class Weights>
BELLWETHER_INLINE std::array<Real, packs> value_errors(const LaneError& error, const NodeTraits* traits,
                                                       std::size_t dimension, const Weights* const (&w)[packs],
                                                       Real* const (&scratch)[packs]) {
    if (is_of_weights(error))
        return error.term_count < 2 * dimension ? weight_errors<Real>(error, w) : shared_weight_errors<Real>(error, w);
    if (has_long_ways(error)) return node_errors<Real>(error, traits, dimension, w, scratch);
    std::array<Real, packs> errors;
    for (std::size_t p = 0; p < packs; ++p) errors[p] = value_error_of_one<Real>(error, *w[p], dimension, scratch[p]);
    return errors;
}

template <class Real, class Weights, class System>
BELLWETHER_INLINE Real projected_error(const LaneError& error, const Weights& w, std::size_t dimension, System system) {
    Real sum(0);
    for (std::size_t row = 0; row < error.rank; ++row, system += dimension + 1) {
        Real even = -system[dimension], odd(0);
        std::size_t i = 0;
        for (; i + 2 <= dimension; i += 2) {
            even = fma(system[i], component(w, i), even);
            odd = fma(system[i + 1], component(w, i + 1), odd);
        }
        if (i < dimension) even = fma(system[i], component(w, i), even);
        const Real residual = even + odd;
        sum = fma(residual, residual, sum);
    }
    return sum;
}

// ---- of an evaluation set, and of predictions

template <class Real>
BELLWETHER_INLINE Real deviation(const LaneError& error, const Real& difference) {
    return error.kind == LaneError::Kind::squared ? difference * difference : abs(difference);
}

template <class Features, class Real, class Weights>
BELLWETHER_OUT_OF_LINE Real row_error(const LaneError& error, const Weights& w) {
    Real sum(0);
    for (std::size_t k = 0; k < error.row_count; ++k) {
        const Features y = features_of<Features>(error.rows, static_cast<std::uint32_t>(k));
        sum = fma(Real(error.weight[k]), deviation(error, dot(y, w) - Real(error.truth[k])), sum);
    }
    return sum;
}
template <class Real, class Weights>
BELLWETHER_DEVICE Real row_error(const LaneError& error, const Weights& w) {
    switch (error.rows.kind) {
        case LaneFeatures::Kind::one_hot:
            return row_error<OneHot, Real>(error, w);
        case LaneFeatures::Kind::sparse:
            return row_error<Sparse<double>, Real>(error, w);
        default:
            return row_error<Dense<double>, Real>(error, w);
    }
}

// ---- all of them

// The scratch that an error needs: its nodes, or the systems of the lanes.
BELLWETHER_INLINE std::size_t scratch_of(const LaneError& error, std::size_t dimension) {
    if (error.kind == LaneError::Kind::projected) return error.rank * (dimension + 1);
    return error.node_count > 0 ? dimension + error.node_count : 0;
}

template <class Real>
BELLWETHER_INLINE Real rooted(const LaneError& error, const Real& value) {
    return error.root ? sqrt(value) : value;
}

template <class Real, class Weights>
BELLWETHER_OUT_OF_LINE Real weights_error(const LaneError& error, const NodeTraits* traits, const Weights& w,
                                          std::size_t dimension, Real* scratch) {
    if (error.of == LaneError::Of::rows) return rooted(error, row_error<Real>(error, w));
    return rooted(error, error.kind == LaneError::Kind::projected
                             ? projected_error<Real>(error, w, dimension, scratch)
                             : value_errors<Real>(error, traits, dimension, {&w}, {scratch})[0]);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
