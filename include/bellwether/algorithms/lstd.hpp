// LSTD(λ), recursive
//     e ← ρ(g l e + x)
//     A ← A + e uᵀ, b ← b + eR, w = A⁻¹b,  u = x − g'x',  from A_0 = εI, b_0 = εw_0
// by Sherman–Morrison on B = A⁻¹:
//     k = Be, q = Bᵀu, n = 1 + u·k
//     B ← B − k qᵀ/n
//     w ← w + kδ/n,  since R − u·w = δ
// Quadratic in time and memory: the sample-efficiency reference, not one of the linear family.
#pragma once

#include "bellwether/algorithm.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct Lstd {
    static constexpr AlgorithmText text{.id = "lstd",
                                        .name = "LSTD(λ)",
                                        .summary = "least squares: the sample-efficiency reference",
                                        .source = "Boyan 2002",
                                        .family = Family::least_squares,
                                        .variant = Variant::reference,
                                        .mean_update = MeanUpdate::none,
                                        .quadratic = true,
                                        .plain_alpha = false};

    using Parameters = LeastSquaresParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Matrix<Real> B;
    Trace<Real, Traces> e;
    Vector<Real> k, q;  // scratch

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("B", B);
        visitor.cleared("e", e);
        visitor.cleared("k", k);
        visitor.cleared("q", q);
    }

    BELLWETHER_DEVICE void initialize() {
        for (std::size_t i = 0; i < B.size; ++i) B.row(i)[i] = Real(1) / parameters.epsilon;
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w);
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x));
        for (std::size_t i = 0; i < k.size; ++i) k[i] = dot(e, B.row(i));
        clear(q);
        add_rows(Real(1), s.x);
        add_rows(-s.gamma_next, s.x_next);
        const Real n = Real(1) + fma(-s.gamma_next, dot(s.x_next, k), dot(s.x, k));
        for (std::size_t i = 0; i < k.size; ++i) add(B.row(i), -(k[i] / n), q);
        add(w, delta / n, k);
    }

private:
    // q ← q + a Bᵀx
    template <class Features>
    BELLWETHER_INLINE void add_rows(const Real& a, const Features& x) {
        const auto add_row = [&](std::size_t i, Scalar<Real> value)
                                 BELLWETHER_INLINE_LAMBDA { add(q, a * Real(value), B.row(i)); };
        if constexpr (is_dense<Features>) {
            for (std::size_t i = 0; i < x.values.size(); ++i) add_row(i, x.values[i]);
        } else {
            for_each_entry(x, add_row);
        }
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
