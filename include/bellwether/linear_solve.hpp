// Small systems of equations, for the methods of least squares.
#pragma once

#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// x ← A⁻¹x by Gaussian elimination with partial pivoting; A becomes something else. Rows change places lane by lane,
// whenever a larger pivot comes along.
template <class Real>
[[gnu::noinline]] void solve(const Matrix<Real>& A, const Vector<Real>& x) {
    const auto exchange = [](const Real& a, const Real& b, Real& upper, Real& lower) BELLWETHER_INLINE_LAMBDA {
        const Real old = upper;
        upper = where_greater(a, b, lower, upper);
        lower = where_greater(a, b, old, lower);
    };
    const std::size_t size = A.size;
    for (std::size_t k = 0; k < size; ++k) {
        const Vector<Real> pivot = A.row(k);
        for (std::size_t i = k + 1; i < size; ++i) {
            const Vector<Real> row = A.row(i);
            const Real own = abs(pivot[k]), other = abs(row[k]);
            exchange(other, own, x[k], x[i]);
            for (std::size_t j = k; j < size; ++j) exchange(other, own, pivot[j], row[j]);
        }
        for (std::size_t i = k + 1; i < size; ++i) {
            const Real factor = -(A.row(i)[k] / pivot[k]);
            add(A.row(i), factor, pivot);
            x[i] = fma(factor, x[k], x[i]);
        }
    }
    for (std::size_t k = size; k-- > 0;) {
        for (std::size_t j = k + 1; j < size; ++j) x[k] = fma(-A.row(k)[j], x[j], x[k]);
        x[k] = x[k] / A.row(k)[k];
    }
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
