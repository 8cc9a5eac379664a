// What the oracle's updates have in common, and those that stand in a file of their own.
#pragma once

#include "oracle.hpp"

namespace bellwether::test {

inline double td_error(const Oracle& o, const Sample& s) {
    return s.reward + s.gamma * dot(o.w, s.x_next) - dot(o.w, s.x);
}
inline double alpha_h(const Oracle& o) {
    return o.parameters.eta * o.parameters.alpha;
}
// u = x − g'x'
inline Vec u_of(const Sample& s) {
    return s.x - s.gamma * s.x_next;
}
// e ← ρ(g l e + x)
inline void common_trace(Oracle& o, const Sample& s) {
    o.e = s.rho * (o.gamma * s.lambda * o.e + s.x);
}
// g'(1−l')(e·h)x'
inline Vec correction(const Sample& s, const Vec& e, const Vec& h) {
    return s.gamma * (1 - s.lambda_next) * dot(e, h) * s.x_next;
}

// oracle_step_sizes.cpp
void obgd_td(Oracle& o, const Sample& s);
void alpha_bound(Oracle& o, const Sample& s);
void tidbd(Oracle& o, const Sample& s);
void tidbd_full(Oracle& o, const Sample& s);
void auto_tidbd(Oracle& o, const Sample& s);
void swift_td(Oracle& o, const Sample& s);
void wis_td(Oracle& o, const Sample& s);
void wis_lstd(Oracle& o, const Sample& s);
void variance(Oracle& o, const Sample& s);
void differential_td(Oracle& o, const Sample& s);

}  // namespace bellwether::test
