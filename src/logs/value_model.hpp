// Linear values of states, or of actions in states, as least squares learns them from a log with cut traces.
//     states:  v(s) = x·w,                   q = v;           z_t = x_t + γ_t λ min(1, ρ_{t−1}) z_{t−1}
//              A_i = Σ_t z_t ρ_t (x_t − γ_{t+1} x_{t+1})ᵀ,    b_i = Σ_t z_t ρ_t R_{t+1}
//     actions: v(s) = Σ_a π(a|s) φ(s,a)·w,   q(s,a) = φ(s,a)·w;    z_t = φ_t + γ_t λ min(1, ρ_t) z_{t−1}  (Retrace)
//              A_i = Σ_t z_t (φ_t − γ_{t+1} Σ_a π(a|S_{t+1}) φ(S_{t+1},a))ᵀ,    b_i = Σ_t z_t R_{t+1}
// φ(s,a) is x in block a. E[ρ_t δ_t | S_t] = 0 at the true values whatever the trace: cutting it costs no bias where
// the features suffice, and removes the products of ratios.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "logs/linear_system.hpp"
#include "logs/log.hpp"

namespace bellwether {

inline constexpr std::size_t folds = 5;  // segment i belongs to fold i mod 5
using FoldWeights = std::array<std::vector<double>, folds>;

// A and b of a system Aw = b.
struct Moments {
    explicit Moments(std::size_t dimension = 0) : A(dimension), b(dimension) {}
    void add(const Moments& other);

    SquareMatrix A;
    std::vector<double> b;
};

class ValueModel {
public:
    enum class Of { states, actions };

    ValueModel(const Log& log, Of of) : log_(log), of_(of) {}

    Of of() const { return of_; }
    std::size_t dimension() const { return log_.dimension * (of_ == Of::actions ? log_.actions : 1); }

    double value(std::size_t row, std::span<const double> w) const;      // v(S_t)
    double predicted(std::size_t row, std::span<const double> w) const;  // q(S_t, A_t)
    // to += scale · ∂v/∂w, and of q.
    void add_value(std::size_t row, double scale, std::span<double> to) const;
    void add_predicted(std::size_t row, double scale, std::span<double> to) const;

    // ρ_t (R + γ v(S_{t+1}) − q(S_t, A_t)), without ρ for actions: what multiplies z_t in b_i − A_i w.
    double error(const Segment& segment, std::size_t row, std::span<const double> w) const;

    // Calls work(row, z) for every step of the segment.
    template <class Work>
    void for_each_trace(const Segment& segment, double lambda, std::vector<double>& z, const Work& work) const {
        std::fill(z.begin(), z.end(), 0.0);
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) {
            if (row > segment.first) {
                const double ratio = log_.rho[of_ == Of::states ? row - 1 : row];
                const double decay = log_.gamma[row - 1] * lambda * std::min(1.0, ratio);
                for (double& entry : z) entry *= decay;
            }
            add_predicted(row, 1, z);
            work(row, z);
        }
    }

    // A_i and b_i, summed by fold.
    std::vector<Moments> moments_by_fold(double lambda) const;
    Moments moments(double lambda) const;
    Moments moments_of(const Segment& segment, double lambda) const;

private:
    class Accumulator;

    double weight(std::size_t row) const { return of_ == Of::states ? log_.rho[row] : 1; }
    bool bootstraps(const Segment& segment, std::size_t row) const {
        return row + 1 < segment.first + segment.steps || !segment.ended;
    }

    const Log& log_;
    Of of_;
};

}  // namespace bellwether
