// The Fourier basis (Konidaris, Osentoski & Thomas 2011): dense features cos(π c·s) of continuous inputs, for every c
// in {0, ..., order}^k, where s is the input scaled from its bounds to [0, 1].
//
//     auto made = bellwether::make_fourier_basis({{.lower = -1.2, .upper = 0.5}, {.lower = -0.07, .upper = 0.07}},
//                                                {.order = 3});
//     if (!made) return complain(made.error());
//     const bellwether::FourierBasis& basis = *made;
//     std::vector<double> x(basis.size()), x_next(basis.size());
//     basis.encode(std::array{position, velocity}, x);  // from here on nothing is allocated
//
// An input beyond its bounds counts as the bound it is beyond, and NaN as the lower bound. std::cos may differ in its
// last bit between math libraries: streams of these features are reproducible to the bit on one system only.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bellwether/features.hpp"
#include "bellwether/result.hpp"

namespace bellwether {

// Where one input lies.
struct Bounds {
    double lower;
    double upper;
};

struct FourierOptions {
    std::size_t order = 3;
    // Multiplies feature i by sqrt(step_size_scale(i)). A learner with one step size α then learns the very predictions
    // that per-feature step sizes α · step_size_scale(i) would give on the plain features: with x̃ = √s x and
    // w = √s w̃, the update w̃ += α δ ẽ is w += α s δ e, and w̃·x̃ = w·x.
    bool scaled = false;
};

class FourierBasis {
public:
    static constexpr std::size_t maximum_inputs = 24;
    static constexpr std::size_t maximum_size = std::size_t{1} << maximum_inputs;

    std::size_t inputs() const noexcept { return bounds_.size(); }
    std::size_t order() const noexcept { return order_; }

    // The number of features, (order + 1)^inputs().
    std::size_t size() const noexcept { return amplitudes_.size(); }

    // The c of one feature. Features are in lexicographic order of c: the first is the constant, and c of the last
    // input changes fastest.
    std::span<const std::uint32_t> coefficients(std::size_t feature) const noexcept {
        return std::span(coefficients_).subspan(feature * inputs(), inputs());
    }

    // The step size of a feature as a multiple of the constant's: 1/‖c‖, and 1 where c = 0.
    double step_size_scale(std::size_t feature) const noexcept {
        double square = 0;
        for (const std::uint32_t c : coefficients(feature)) square += static_cast<double>(c) * c;
        return square == 0 ? 1 : 1 / std::sqrt(square);
    }

    // Writes the features. `input` has inputs() numbers, `features` room for size().
    Dense<double> encode(std::span<const double> input, std::span<double> features) const noexcept {
        return write(input, features);
    }
    Dense<float> encode(std::span<const double> input, std::span<float> features) const noexcept {
        return write(input, features);
    }

    friend Result<FourierBasis> make_fourier_basis(std::span<const Bounds> inputs, const FourierOptions& options);

private:
    template <class T>
    Dense<T> write(std::span<const double> input, std::span<T> features) const noexcept {
        assert(input.size() == inputs() && features.size() == size());
        std::array<double, maximum_inputs> s;
        for (std::size_t i = 0; i < inputs(); ++i) s[i] = scaled_to_unit(bounds_[i], input[i]);
        for (std::size_t feature = 0; feature < size(); ++feature) {
            double angle = 0;  // c·s
            for (std::size_t i = 0; i < inputs(); ++i) angle += coefficients(feature)[i] * s[i];
            features[feature] = static_cast<T>(amplitudes_[feature] * std::cos(std::numbers::pi * angle));
        }
        return {features};
    }
    static double scaled_to_unit(const Bounds& bounds, double input) noexcept {
        if (!(input > bounds.lower)) return 0;
        if (input >= bounds.upper) return 1;
        return (input - bounds.lower) / (bounds.upper - bounds.lower);
    }

    std::vector<Bounds> bounds_;
    std::size_t order_ = 0;
    std::vector<std::uint32_t> coefficients_;  // inputs() of them per feature
    std::vector<double> amplitudes_;
};

inline Result<FourierBasis> make_fourier_basis(std::span<const Bounds> inputs, const FourierOptions& options = {}) {
    const auto refuse = [](std::string why) {
        return Result<FourierBasis>::failure("Fourier basis: " + std::move(why));
    };
    if (inputs.empty()) return refuse("there must be at least one input");
    if (options.order == 0) return refuse("the order must be at least 1");
    std::size_t size = 1;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string name = "input " + std::to_string(i) + ": ";
        if (!(inputs[i].lower < inputs[i].upper)) return refuse(name + "the lower bound must be below the upper bound");
        if (!std::isfinite(inputs[i].upper - inputs[i].lower))
            return refuse(name + "the bounds must be finite, and not too far apart for a double");
        if (options.order >= FourierBasis::maximum_size / size)
            return refuse("order " + std::to_string(options.order) + " on " + std::to_string(inputs.size()) +
                          " inputs makes more than " + std::to_string(FourierBasis::maximum_size) + " features");
        size *= options.order + 1;
    }

    FourierBasis basis;
    basis.bounds_.assign(inputs.begin(), inputs.end());
    basis.order_ = options.order;
    basis.coefficients_.resize(size * inputs.size());
    basis.amplitudes_.resize(size);
    for (std::size_t feature = 0; feature < size; ++feature) {
        std::size_t digits = feature;  // c is the feature's number in base order + 1
        for (std::size_t i = inputs.size(); i-- > 0; digits /= options.order + 1)
            basis.coefficients_[feature * inputs.size() + i] = static_cast<std::uint32_t>(digits % (options.order + 1));
        basis.amplitudes_[feature] = options.scaled ? std::sqrt(basis.step_size_scale(feature)) : 1;
    }
    return basis;
}
inline Result<FourierBasis> make_fourier_basis(std::initializer_list<Bounds> inputs,
                                               const FourierOptions& options = {}) {
    return make_fourier_basis(std::span(inputs.begin(), inputs.size()), options);
}

}  // namespace bellwether
