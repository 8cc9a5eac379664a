// WIS-LSTD(λ): LSTD(λ) with weighted importance sampling
//     e ← ρ(g l e + x)
//     A ← A + e uᵀ + (ρ−1)F,  b ← b + eR + (ρ−1)f,  w = A⁻¹b,  u = x − g'x',  from A_0 = εI, b_0 = εw_0
//     F ← g'l'(ρF + e(x − x')ᵀ),  f ← g'l'(ρf + eR)
// b is not kept: it was Aw before the step, hence
//     w ← w + A⁻¹[δe + (ρ−1)(f − Fw)]  with the new A.
// F has full rank, and with it every step solves a system: cubic in time, quadratic in memory.
#pragma once

#include "bellwether/algorithm.hpp"
#include "bellwether/linear_solve.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <class Real, class Traces = DenseTraces>
struct WisLstd {
    static constexpr AlgorithmText text{.id = "wis-lstd",
                                        .name = "WIS-LSTD(λ)",
                                        .summary = "least squares with weighted importance sampling; cubic time",
                                        .source = "Mahmood, van Hasselt & Sutton 2014",
                                        .family = Family::least_squares,
                                        .variant = Variant::second,
                                        .mean_update = MeanUpdate::none,
                                        .quadratic = true,
                                        .plain_alpha = false};

    using Parameters = LeastSquaresParameters<Real>;
    Parameters parameters;

    Vector<Real> w;
    Matrix<Real> A, F;
    Vector<Real> f;
    Trace<Real, Traces> e;
    Matrix<Real> left;                  // scratch: what A becomes while a system is solved,
    Vector<Real> right, u, difference;  // its right side, and x − x'

    template <class Visitor>
    BELLWETHER_DEVICE void visit(Visitor&& visitor) {
        visitor.kept("w", w);
        visitor.kept("A", A);
        visitor.cleared("F", F);
        visitor.cleared("f", f);
        visitor.cleared("e", e);
        visitor.cleared("left", left);
        visitor.cleared("right", right);
        visitor.cleared("u", u);
        visitor.cleared("difference", difference);
    }

    BELLWETHER_DEVICE void initialize() {
        for (std::size_t i = 0; i < A.size; ++i) A.row(i)[i] = parameters.epsilon;
    }

    template <class Features>
    BELLWETHER_INLINE void update(const Step<Real, Features>& s) {
        const Real delta = td_error(s, w);
        pass(trace(e, s.rho * s.gamma * s.lambda, s.rho, s.x));
        clear(u);
        clear(difference);
        add_features(u, term(Real(1), s.x), term(-s.gamma_next, s.x_next));
        add_features(difference, term(Real(1), s.x), term(Real(-1), s.x_next));
        learn(s.rho, s.gamma_next * s.lambda_next, s.reward, delta);
    }

private:
    BELLWETHER_OUT_OF_LINE void learn(const Real& rho, const Real& decay, const Real& reward, const Real& delta) {
        const Real excess = rho - Real(1);
        for (std::size_t i = 0; i < w.size; ++i) {
            const Real e_i = component(e, i);
            const Vector<Real> A_i = A.row(i), F_i = F.row(i), left_i = left.row(i);
            right[i] = fma(delta, e_i, excess * (f[i] - dot(F_i, w)));
            for_each_component<Real>(w.size, [&](auto at) BELLWETHER_INLINE_LAMBDA {
                const Components<Real> old = load(F_i, at);
                const Components<Real> sum =
                    fma(Components<Real>(excess), old, fma(Components<Real>(e_i), load(u, at), load(A_i, at)));
                store(A_i, at, sum);
                store(left_i, at, sum);
                store(F_i, at,
                      Components<Real>(decay) *
                          fma(Components<Real>(e_i), load(difference, at), Components<Real>(rho) * old));
            });
            f[i] = decay * fma(rho, f[i], e_i * reward);
        }
        solve(left, right);
        add(w, Real(1), right);
    }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
