// Reading and setting what an algorithm holds beside its weights.
#pragma once

#include <algorithm>

#include "bellwether/algorithm.hpp"
#include "oracle.hpp"

namespace bellwether::test {

inline Vec numbers_of(const Vector<double>& v) {
    return {v.data, v.data + v.size};
}
inline Vec numbers_of(const DenseTrace<double>& e) {
    return e.scale * numbers_of(e.values);
}

inline Vec numbers_of(const MovingVector<double>& v) {
    return numbers_of(v.base) + v.steps * numbers_of(v.along);
}

inline void put(const Vector<double>& to, const Vec& value) {
    std::copy(value.begin(), value.end(), to.data);
}
inline void put(DenseTrace<double>& to, const Vec& value) {
    put(to.values, value);
    to.scale = 1;
}
inline void put(MovingVector<double>& to, const Vec& value) {
    put(to.base, value);
    to.steps = 0;
}

// Some algorithms carry products of their traces and auxiliary weights from step to step. A test that sets one of the
// factors by hand has to set the products too.
template <class Algorithm>
void renew_products(Algorithm& a) {
    if constexpr (requires { renew(a.e_h, a.e, a.h); }) renew(a.e_h, a.e, a.h);
    if constexpr (requires { a.e_mu_h; }) renew(a.e_mu_h, a.e_mu, a.h);
    if constexpr (requires { a.h_e; }) renew(a.h_e, a.e, a.h);
}

}  // namespace bellwether::test
