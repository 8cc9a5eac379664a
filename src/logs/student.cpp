// Student's distribution: P(|T| > t) = I_x(ν/2, 1/2) with x = ν/(ν + t²), the regularised incomplete beta function.
#include <cmath>
#include <limits>

#include "logs/estimate.hpp"

namespace bellwether {

namespace {

using Real = long double;

// The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22).
Real beta_fraction(Real a, Real b, Real x) {
    constexpr Real tiny = 1e-300L;
    const auto kept_from_zero = [](Real value) { return std::abs(value) < tiny ? tiny : value; };
    Real c = 1, d = 1 / kept_from_zero(1 - (a + b) * x / (a + 1)), f = d;
    for (int m = 1; m < 100'000; ++m) {
        const auto k = static_cast<Real>(m);
        const Real even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
        d = 1 / kept_from_zero(1 + even * d);
        c = kept_from_zero(1 + even / c);
        f *= c * d;
        const Real odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        d = 1 / kept_from_zero(1 + odd * d);
        c = kept_from_zero(1 + odd / c);
        f *= c * d;
        if (std::abs(c * d - 1) < std::numeric_limits<Real>::epsilon()) break;
    }
    return f;
}

// I_x(a, b), with y = 1 − x.
Real regularised_beta(Real a, Real b, Real x, Real y) {
    if (x <= 0) return 0;
    if (y <= 0) return 1;
    const Real front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(y));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

Real share_outside(Real t, Real degrees) {
    const Real whole = degrees + t * t;
    return regularised_beta(degrees / 2, Real{1} / 2, degrees / whole, t * t / whole);
}

}  // namespace

double student_quantile(double level, double degrees_of_freedom) {
    const Real outside = 1 - static_cast<Real>(level);
    Real low = 0, high = 1;
    while (share_outside(high, degrees_of_freedom) > outside) high *= 2;
    for (int halvings = 0; halvings < 80; ++halvings) {
        const Real middle = (low + high) / 2;
        (share_outside(middle, degrees_of_freedom) > outside ? low : high) = middle;
    }
    return static_cast<double>((low + high) / 2);
}

}  // namespace bellwether
