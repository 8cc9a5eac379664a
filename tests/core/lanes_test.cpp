// A lane of a pack equals the scalar learner, bit for bit, in everything an algorithm remembers. Compiled once per
// instruction set.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "conformance_rows.hpp"
#include "stream.hpp"

namespace bellwether::test {
namespace {

// Everything an algorithm lists in visit(), of one lane.
struct Flatten {
    std::size_t lane;
    std::vector<double> numbers{};

    template <class State>
    void kept(const char*, State& state) {
        add(state);
    }
    template <class State>
    void cleared(const char*, State& state) {
        add(state);
    }

private:
    template <class Real>
    void add(Vector<Real>& v) {
        for (std::size_t i = 0; i < v.size; ++i) add(v[i]);
    }
    template <class Real>
    void add(MovingVector<Real>& v) {
        for (std::size_t i = 0; i < v.base.size; ++i) {
            Real number = component(v, i);
            add(number);
        }
        add(v.base);
        add(v.steps);
    }
    template <class Real>
    void add(CarriedProduct<Real>& product) {
        add(product.with_base);
        add(product.with_along);
    }
    template <class Real>
    void add(CarriedSquare<Real>& square) {
        add(square.sum);
    }
    template <class Real>
    void add(DenseTrace<Real>& e) {
        add(e.values);
        add(e.scale);
    }
    template <class Real>
    void add(Matrix<Real>& m) {
        for (std::size_t i = 0; i < m.size; ++i)
            for (std::size_t j = 0; j < m.size; ++j) add(m.row(i)[j]);
    }
    template <std::size_t N>
    void add(Pack<double, N>& pack) {
        numbers.push_back(pack[lane]);
    }
    void add(double& number) { numbers.push_back(number); }
};

// Lane k has parameters of its own: the row's, scaled down.
double parameter_of_lane(double value, std::size_t lane, std::size_t lanes) {
    return value * (1 - 0.5 * static_cast<double>(lane) / static_cast<double>(lanes));
}

template <class Parameters>
void fill(Parameters& parameters, const ConformanceRow& row, double scale_alpha, auto value_of) {
    const auto declared = Parameters::declare();
    for (const auto& d : declared)
        for (const NamedValue& p : row.parameters)
            if (p.name == d.name) parameters.*d.field = value_of(p.name == "alpha" ? p.value * scale_alpha : p.value);
}

template <class Real, class Features, class Learner>
void step(Learner& learner, const Sample& s, const Features& x, const Features& x_next) {
    if (s.starts_segment) learner.start();
    learner.step(Transition<Features, Real>{.x = x,
                                            .reward = s.reward,
                                            .gamma = s.gamma,
                                            .x_next = x_next,
                                            .rho = s.rho,
                                            .interest = s.interest,
                                            .pi = s.pi,
                                            .mu = s.mu});
}

// Calls use(x, x_next) with the sample's features in the form of the kind.
void with_features(FeatureKind kind, const Sample& s, auto use) {
    const SparseVector x(s.x), x_next(s.x_next);
    if (kind == FeatureKind::dense) {
        use(Dense<double>{s.x}, Dense<double>{s.x_next});
    } else if (kind == FeatureKind::sparse) {
        use(Sparse<double>{x.indices, x.values}, Sparse<double>{x_next.indices, x_next.values});
    } else {
        use(OneHot{x.indices.at(0)}, OneHot{x_next.indices.at(0)});
    }
}

template <template <class, class> class Algorithm, std::size_t lanes>
void expect_lanes_equal_scalars(const ConformanceRow& row, FeatureKind kind, double scale_alpha, std::uint64_t seed) {
    using Wide = Pack<double, lanes>;
    const Case c =
        random_case(seed, 60, {.dimension = 11, .features = kind, .on_policy = info_of<Algorithm>.on_policy_only});

    typename Algorithm<Wide, DenseTraces>::Parameters wide_parameters;
    fill(wide_parameters, row, scale_alpha, [](double value) {
        Wide pack(0.0);
        for (std::size_t k = 0; k < lanes; ++k) pack.set(k, parameter_of_lane(value, k, lanes));
        return pack;
    });
    Online<Algorithm<Wide, DenseTraces>> wide(c.dimension, wide_parameters);
    std::vector<Online<Algorithm<double, DenseTraces>>> scalars;
    for (std::size_t k = 0; k < lanes; ++k) {
        typename Algorithm<double, DenseTraces>::Parameters parameters;
        fill(parameters, row, scale_alpha, [&](double value) { return parameter_of_lane(value, k, lanes); });
        scalars.emplace_back(c.dimension, parameters);
    }
    wide.set_weights(std::vector<Wide>(c.w_0.begin(), c.w_0.end()));
    for (auto& scalar : scalars) scalar.set_weights(c.w_0);
    for (std::size_t t = 0; t < c.stream.size(); ++t) {
        with_features(kind, c.stream[t], [&](const auto& x, const auto& x_next) {
            step<Wide>(wide, c.stream[t], x, x_next);
            for (auto& scalar : scalars) step<double>(scalar, c.stream[t], x, x_next);
        });
        for (std::size_t k = 0; k < lanes; ++k) {
            Flatten lane{k}, scalar{0};
            wide.algorithm().visit(lane);
            scalars[k].algorithm().visit(scalar);
            for (std::size_t i = 0; i < scalar.numbers.size(); ++i) {
                const double a = lane.numbers[i], b = scalar.numbers[i];
                if (std::isnan(a) && std::isnan(b)) continue;  // a NaN's sign and payload carry nothing
                ASSERT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
                    << row.id << ", lane " << k << " of " << lanes << ", step " << t << ", number " << i << ": " << a
                    << " and " << b;
            }
        }
    }
}

template <std::size_t lanes>
void expect_all_equal(FeatureKind kind) {
    // Code for an instruction set that the machine lacks can be compiled here, not run: it would be an illegal
    // instruction. The program does not choose it on such a machine either, and the portable build of this test runs.
#if defined(__AVX512F__)
    if (!__builtin_cpu_supports("avx512vl")) GTEST_SKIP() << "this machine has no AVX-512";
#elif defined(__AVX2__)
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this machine has no AVX2";
#endif
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        for (const ConformanceRow& row : conformance_rows()) {
            if (row.id != info_of<Algorithm>.id) continue;
            for (std::uint64_t seed = 1; seed <= 3; ++seed)
                expect_lanes_equal_scalars<Algorithm, lanes>(row, kind, 1, seed);
            // Step sizes that make most methods overflow: infinities must take the same way too.
            expect_lanes_equal_scalars<Algorithm, lanes>(row, kind, 1e6, 4);
        }
    });
}

// Every width on one instruction set: each takes a minute to compile.
#if defined(__AVX512F__)
using Widths = testing::Types<std::integral_constant<std::size_t, 16>>;
#elif defined(__AVX2__)
using Widths = testing::Types<std::integral_constant<std::size_t, 8>>;
#else
using Widths = testing::Types<std::integral_constant<std::size_t, 2>, std::integral_constant<std::size_t, 4>>;
#endif

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

}  // namespace
}  // namespace bellwether::test
