#include "bellwether/fourier.hpp"

#include <gtest/gtest.h>
//
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "bellwether/algorithms/td.hpp"
#include "bellwether/online.hpp"

namespace bellwether {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> encode(const FourierBasis& basis, std::span<const double> input) {
    std::vector<double> features(basis.size());
    basis.encode(input, features);
    return features;
}
std::vector<double> encode(const FourierBasis& basis, std::initializer_list<double> input) {
    return encode(basis, std::span(input.begin(), input.size()));
}

FourierBasis unit_basis(std::size_t inputs, const FourierOptions& options) {
    return make_fourier_basis(std::vector<Bounds>(inputs, Bounds{.lower = 0, .upper = 1}), options).value();
}

TEST(FourierBasis, HasEveryCoefficientVectorOnce) {
    const FourierBasis basis = unit_basis(3, {.order = 4});
    ASSERT_EQ(basis.size(), 125u);
    for (std::size_t feature = 0; feature < 125; ++feature) {
        const auto c = basis.coefficients(feature);
        EXPECT_EQ(c[0] * 25 + c[1] * 5 + c[2], feature);
        EXPECT_LE(std::max({c[0], c[1], c[2]}), 4u);
    }
}

RC_GTEST_PROP(FourierBasis, IsTheCosineOfItsDefinition, ()) {
    const double lower = *rc::gen::inRange(-8, 8).as("lower");
    const double width = *rc::gen::inRange(1, 9).as("width");
    const FourierBasis basis =
        make_fourier_basis({{.lower = lower, .upper = lower + width}, {.lower = -1, .upper = 1}}, {.order = 5}).value();
    const double s0 = *rc::gen::inRange(0, 1001).as("s0, thousandths") / 1000.0;
    const double s1 = *rc::gen::inRange(0, 1001).as("s1, thousandths") / 1000.0;
    const std::vector<double> x = encode(basis, {lower + width * s0, 2 * s1 - 1});
    for (std::size_t feature = 0; feature < basis.size(); ++feature) {
        const auto c = basis.coefficients(feature);
        // cos(a + b) = cos a cos b − sin a sin b; angles up to 10π carry errors of some 1e-15 each
        const double a = std::numbers::pi * c[0] * s0, b = std::numbers::pi * c[1] * s1;
        RC_ASSERT(std::abs(x[feature] - (std::cos(a) * std::cos(b) - std::sin(a) * std::sin(b))) < 1e-13);
    }
    RC_ASSERT(x[0] == 1);
}

// Over the midpoints of a fine grid, features of one input are orthogonal (the discrete cosine transform).
TEST(FourierBasis, FeaturesAreOrthogonal) {
    const FourierBasis basis = unit_basis(1, {.order = 7});
    constexpr int points = 64;
    std::vector<std::vector<double>> x;
    for (int i = 0; i < points; ++i) x.push_back(encode(basis, {(i + 0.5) / points}));
    for (std::size_t a = 0; a < basis.size(); ++a) {
        for (std::size_t b = 0; b < basis.size(); ++b) {
            double sum = 0;
            for (const auto& features : x) sum += features[a] * features[b];
            EXPECT_NEAR(sum, a != b ? 0 : a == 0 ? points : points / 2, 1e-12) << a << ", " << b;
        }
    }
}

TEST(FourierBasis, InputsBeyondTheBoundsCountAsTheBound) {
    const FourierBasis basis = make_fourier_basis({{.lower = -1, .upper = 3}}, {.order = 6}).value();
    EXPECT_EQ(encode(basis, {-2}), encode(basis, {-1}));
    EXPECT_EQ(encode(basis, {-infinity}), encode(basis, {-1}));
    EXPECT_EQ(encode(basis, {nan}), encode(basis, {-1}));
    EXPECT_EQ(encode(basis, {1e300}), encode(basis, {3}));
    EXPECT_EQ(encode(basis, {infinity}), encode(basis, {3}));
    const std::vector<double> at_lower = encode(basis, {-1}), at_upper = encode(basis, {3});
    for (std::size_t feature = 0; feature < basis.size(); ++feature) {
        EXPECT_EQ(at_lower[feature], 1);
        EXPECT_NEAR(at_upper[feature], feature % 2 == 0 ? 1 : -1, 1e-14);
    }
}

TEST(FourierBasis, FloatsAreTheRoundedDoubles) {
    const FourierBasis basis = unit_basis(2, {.order = 3});
    std::vector<float> rounded(basis.size());
    const Dense<float> view = basis.encode(std::array{0.3, 0.8}, rounded);
    EXPECT_EQ(view.values.data(), rounded.data());
    const std::vector<double> exact = encode(basis, {0.3, 0.8});
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_EQ(rounded[i], static_cast<float>(exact[i]));
}

TEST(FourierBasis, StepSizeScaleIsOneOverTheNorm) {
    const FourierBasis basis = unit_basis(2, {.order = 4});
    EXPECT_EQ(basis.step_size_scale(0), 1) << "the constant";
    EXPECT_EQ(basis.step_size_scale(1), 1) << "c = (0, 1)";
    EXPECT_EQ(basis.step_size_scale(3 * 5 + 4), 0.2) << "c = (3, 4)";
    EXPECT_EQ(basis.step_size_scale(5 + 1), 1 / std::sqrt(2.0)) << "c = (1, 1)";
}

// TD(λ) with one step size on scaled features against TD(λ), written out here, with a step size per feature.
RC_GTEST_PROP(FourierBasis, ScaledFeaturesAreStepSizesPerFeature, ()) {
    const FourierBasis plain = unit_basis(2, {.order = 3});
    const FourierBasis scaled = unit_basis(2, {.order = 3, .scaled = true});
    const double alpha = 0.02, lambda = 0.8, gamma = 0.9;
    Online<Td<double>> learner(scaled.size(), {.alpha = alpha, .lambda = lambda});
    std::vector<double> w(plain.size(), 0.0), e(plain.size(), 0.0);

    const auto random_point = [] {
        return std::array{*rc::gen::inRange(0, 1001) / 1000.0, *rc::gen::inRange(0, 1001) / 1000.0};
    };
    const auto predict = [&](const std::vector<double>& x) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += w[i] * x[i];
        return sum;
    };
    std::array<double, 2> point = random_point();
    for (int t = 0; t < 30; ++t) {
        const std::array<double, 2> point_next = random_point();
        const double reward = point[0] - point_next[1];
        const std::vector<double> x = encode(plain, point), x_next = encode(plain, point_next);
        const double delta = reward + gamma * predict(x_next) - predict(x);
        for (std::size_t i = 0; i < e.size(); ++i) {
            e[i] = (t == 0 ? 0 : gamma * lambda) * e[i] + x[i];
            w[i] += alpha * plain.step_size_scale(i) * delta * e[i];
        }
        const std::vector<double> y = encode(scaled, point), y_next = encode(scaled, point_next);
        learner.step({.x = {y}, .reward = reward, .gamma = gamma, .x_next = {y_next}});
        RC_ASSERT(std::abs(learner.predict({y_next}) - predict(x_next)) < 1e-12);  // orders of summation differ
        point = point_next;
    }
}

struct Refusal {
    std::vector<Bounds> inputs;
    FourierOptions options;
    std::string message;
};

TEST(FourierBasis, RefusesWhatCannotBe) {
    const Bounds fine{.lower = 0, .upper = 1};
    const std::vector<Refusal> refusals = {
        {{}, {}, "Fourier basis: there must be at least one input"},
        {{fine}, {.order = 0}, "Fourier basis: the order must be at least 1"},
        {{fine, {.lower = 2, .upper = 1}}, {}, "Fourier basis: input 1: the lower bound must be below the upper bound"},
        {{{.lower = 0, .upper = nan}}, {}, "Fourier basis: input 0: the lower bound must be below the upper bound"},
        {{{.lower = -infinity, .upper = 0}},
         {},
         "Fourier basis: input 0: the bounds must be finite, and not too far apart for a double"},
        {{{.lower = -1e308, .upper = 1e308}},
         {},
         "Fourier basis: input 0: the bounds must be finite, and not too far apart for a double"},
        {std::vector<Bounds>(13, fine),
         {.order = 3},
         "Fourier basis: order 3 on 13 inputs makes more than 16777216 features"},
        {{fine, fine}, {.order = 4096}, "Fourier basis: order 4096 on 2 inputs makes more than 16777216 features"},
        {{fine}, {.order = 16777216}, "Fourier basis: order 16777216 on 1 inputs makes more than 16777216 features"},
        {{fine, fine},
         {.order = SIZE_MAX},
         "Fourier basis: order 18446744073709551615 on 2 inputs makes more than 16777216 features"},
    };
    for (const Refusal& refusal : refusals) {
        const auto made = make_fourier_basis(refusal.inputs, refusal.options);
        EXPECT_FALSE(made) << refusal.message;
        EXPECT_EQ(made.error(), refusal.message);
    }
}

}  // namespace
}  // namespace bellwether
