// A lane of a pack equals the scalar learner, bit for bit, in everything an algorithm remembers, whatever the width.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "conformance_rows.hpp"
#include "feed_lanes.hpp"
#include "state_numbers.hpp"
#include "stream.hpp"

namespace bellwether::test {
namespace {

// Lane k has parameters of its own: the row's, scaled down.
double parameter_of_lane(double value, std::size_t lane, std::size_t lanes) {
    return value * (1 - 0.5 * static_cast<double>(lane) / static_cast<double>(lanes));
}

// The row's parameters in one lane, its step size scaled by `scale_alpha`.
std::vector<NamedValue> parameters_of_lane(const ConformanceRow& row, double scale_alpha, std::size_t lane,
                                           std::size_t lanes) {
    std::vector<NamedValue> parameters = row.parameters;
    for (NamedValue& p : parameters)
        p.value = parameter_of_lane(p.name == "alpha" ? p.value * scale_alpha : p.value, lane, lanes);
    return parameters;
}

template <template <class, class> class Algorithm, std::size_t lanes>
void expect_lanes_equal_scalars(const ConformanceRow& row, FeatureKind kind, double scale_alpha, std::uint64_t seed) {
    using Wide = Pack<double, lanes>;
    const Case c =
        random_case(seed, 60, {.dimension = 11, .features = kind, .on_policy = info_of<Algorithm>.on_policy_only});

    typename Algorithm<Wide, DenseTraces>::Parameters wide_parameters;
    std::vector<Online<Algorithm<double, DenseTraces>>> scalars;
    for (std::size_t k = 0; k < lanes; ++k) {
        const std::vector<NamedValue> parameters = parameters_of_lane(row, scale_alpha, k, lanes);
        typename Algorithm<double, DenseTraces>::Parameters own;
        for (const NamedValue& p : parameters) {
            for (const auto& declared : wide_parameters.declare())
                if (p.name == declared.name) (wide_parameters.*declared.field).set(k, p.value);
            for (const auto& declared : own.declare())
                if (p.name == declared.name) own.*declared.field = p.value;
        }
        scalars.emplace_back(c.dimension, own);
    }
    Online<Algorithm<Wide, DenseTraces>> wide(c.dimension, wide_parameters);
    wide.set_weights(std::vector<Wide>(c.w_0.begin(), c.w_0.end()));
    for (auto& scalar : scalars) scalar.set_weights(c.w_0);
    for (std::size_t t = 0; t < c.stream.size(); ++t) {
        feed_lanes<Wide>(kind, wide, c.stream[t]);
        for (std::size_t k = 0; k < lanes; ++k) {
            feed_lanes<double>(kind, scalars[k], c.stream[t]);
            Flatten lane{k}, alone{0};
            wide.algorithm().visit(lane);
            scalars[k].algorithm().visit(alone);
            const std::vector<double>& scalar = alone.numbers_of_lane;
            ASSERT_EQ(lane.numbers_of_lane.size(), scalar.size());
            for (std::size_t i = 0; i < scalar.size(); ++i) {
                const double a = lane.numbers_of_lane[i], b = scalar[i];
                if (std::isnan(a) && std::isnan(b)) continue;  // a NaN's sign and payload carry nothing
                ASSERT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
                    << row.id << ", lane " << k << " of " << lanes << ", step " << t << ", number " << i << ": " << a
                    << " and " << b;
            }
        }
    }
}

// One algorithm of every shape of update: the widths that the engine uses are tested with all of them, by
// tests/stream/lane_learners_test.cpp, on the kernels themselves.
using Shapes = AlgorithmList<Td0, Td, Ptd, TdcMp, ToHtd, Lstd, AlphaBound, AutoTidbd, SwiftTd, WisLstd>;

template <std::size_t lanes>
void expect_all_equal(FeatureKind kind) {
    Shapes::for_each([&]<template <class, class> class Algorithm>() {
        for (const ConformanceRow& row : conformance_rows()) {
            if (row.id != info_of<Algorithm>.id) continue;
            for (std::uint64_t seed = 1; seed <= 3; ++seed)
                expect_lanes_equal_scalars<Algorithm, lanes>(row, kind, 1, seed);
            // Step sizes that make most methods overflow: infinities must take the same way too.
            expect_lanes_equal_scalars<Algorithm, lanes>(row, kind, 1e6, 4);
        }
    });
}

using Widths = testing::Types<std::integral_constant<std::size_t, 4>, std::integral_constant<std::size_t, 8>>;

template <class Width>
class Lanes : public testing::Test {};
TYPED_TEST_SUITE(Lanes, Widths);

TYPED_TEST(Lanes, EqualScalarsWithOneHotFeatures) {
    expect_all_equal<TypeParam::value>(FeatureKind::one_hot);
}
TYPED_TEST(Lanes, EqualScalarsWithSparseFeatures) {
    expect_all_equal<TypeParam::value>(FeatureKind::sparse);
}
TYPED_TEST(Lanes, EqualScalarsWithDenseFeatures) {
    expect_all_equal<TypeParam::value>(FeatureKind::dense);
}

template <class Real>
double number_of(const Real& value) {
    if constexpr (is_pack<Real>) {
        return value[0];
    } else {
        return value;
    }
}

// With λ = 0 all that is to settle is the component of the step before; sparse features settle every component, and
// one-hot ones without one to be sure of (at the start, or after a new segment) do too.
template <class Real, template <class, class> class Algorithm>
void expect_one_component_settles_as_all(const ConformanceRow& row) {
    const Case c = random_case(
        5, 200, {.dimension = 11, .features = FeatureKind::one_hot, .on_policy = info_of<Algorithm>.on_policy_only});
    typename Algorithm<Real, DenseTraces>::Parameters parameters;
    for (const NamedValue& p : row.parameters)
        for (const auto& declared : parameters.declare())
            if (p.name == declared.name) parameters.*declared.field = Real(p.name == "lambda" ? 0 : p.value);
    Online<Algorithm<Real, DenseTraces>> one(c.dimension, parameters), all(c.dimension, parameters);
    for (std::size_t t = 0; t < c.stream.size(); ++t) {
        feed_lanes<Real>(FeatureKind::one_hot, one, c.stream[t]);
        feed_lanes<Real>(FeatureKind::sparse, all, c.stream[t]);
        for (std::size_t i = 0; i < c.dimension; ++i)
            ASSERT_EQ(number_of(one.weights()[i]), number_of(all.weights()[i])) << row.id << ", step " << t;
    }
    Flatten of_one{0}, of_all{0};  // at the end alone: who is visited settles in full the next time
    one.algorithm().visit(of_one);
    all.algorithm().visit(of_all);
    EXPECT_EQ(of_one.numbers_of_lane, of_all.numbers_of_lane) << row.id;
}
TEST(OneStepTraces, SettleWhereTheyAre) {
    using Moving = AlgorithmList<Td, Gtd, Htd, ToTd, ToEtd, ToGtd, Gtd2Mp, TdcMp, ToHtd, OffPolicyTd, Etd, Gtd2>;
    Moving::for_each([&]<template <class, class> class Algorithm>() {
        for (const ConformanceRow& row : conformance_rows())
            if (row.id == info_of<Algorithm>.id) {
                expect_one_component_settles_as_all<double, Algorithm>(row);
                expect_one_component_settles_as_all<Pack<double, 4>, Algorithm>(row);
            }
    });
}

}  // namespace
}  // namespace bellwether::test
