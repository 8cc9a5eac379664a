// Linear values of states, or of actions in states, as least squares learns them from a log with cut traces.
//     states:  v(s) = x·w,                   q = v;           z_t = x_t + γ_t λ min(1, ρ_{t−1}) z_{t−1}
//              A_i = Σ_t z_t ρ_t (x_t − γ_{t+1} x_{t+1})ᵀ,    b_i = Σ_t z_t ρ_t R_{t+1}
//     actions: v(s) = Σ_a π(a|s) φ(s,a)·w,   q(s,a) = φ(s,a)·w;    z_t = φ_t + γ_t λ min(1, ρ_t) z_{t−1}  (Retrace)
//              A_i = Σ_t z_t (φ_t − γ_{t+1} Σ_a π(a|S_{t+1}) φ(S_{t+1},a))ᵀ,    b_i = Σ_t z_t R_{t+1}
// φ(s,a) is x in block a. E[ρ_t δ_t | S_t] = 0 at the true values whatever the trace: cutting it costs no bias where
// the features suffice, and removes the products of ratios.
// Sums over traces are made from the end of a segment: Σ_t z_t y_tᵀ = Σ_s φ_s u_sᵀ with u_s = y_s + decay_s u_{s+1},
// where z_{s+1} = φ_{s+1} + decay_s z_s. φ_s has one block where z_s has all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "logs/linear_system.hpp"
#include "logs/log.hpp"

namespace bellwether {

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

    const Log& log() const { return log_; }
    Of of() const { return of_; }
    std::size_t blocks() const { return of_ == Of::actions ? log_.actions : 1; }
    std::size_t dimension() const { return log_.dimension * blocks(); }

    // The block of φ(S_t, A_t), and what each block of ∂v(S_t)/∂w has x times.
    std::size_t block(std::size_t row) const { return of_ == Of::actions ? log_.action[row] : 0; }
    double share(std::size_t row, std::size_t block) const {
        return of_ == Of::actions ? log_.target[row * log_.actions + block] : 1;
    }

    double value(std::size_t row, std::span<const double> w) const;  // v(S_t)
    // to += scale · ∂v/∂w
    void add_value(std::size_t row, double scale, std::span<double> to) const;

    // What multiplies a step's error in b_i − A_i w: ρ_t, or 1 for actions.
    double weight(std::size_t row) const { return of_ == Of::states ? log_.rho[row] : 1; }
    bool bootstraps(const Segment& segment, std::size_t row) const {
        return row + 1 < segment.first + segment.steps || !segment.ended;
    }
    // Of the trace from the row to the next one of its segment; 0 in the last one.
    double decay(const Segment& segment, std::size_t row, double lambda) const {
        if (row + 1 == segment.first + segment.steps) return 0;
        const double rho = log_.rho[of_ == Of::states ? row : row + 1];
        const double cut[] = {1, rho};  // ratios are as chance has it: a branch would be foreseen half of the time
        return log_.gamma[row] * lambda * cut[rho < 1];
    }

private:
    const Log& log_;
    Of of_;
};

// What a log's least squares are made of.
struct LogMoments {
    std::vector<Moments> by_fold;  // Σ A_i and b_i over the segments of a fold
    Moments without_traces;        // of states: those of λ = 0 over all segments,
    SquareMatrix features;         // and Σ x xᵀ over the steps
};
LogMoments moments_of(const ValueModel& model, double lambda, std::size_t threads);
// Of several models of one log, in one pass over it, in which beside(fold, segment) is called too.
std::vector<LogMoments> moments_of(std::span<const ValueModel> models, double lambda, std::size_t threads,
                                   const std::function<void(std::size_t, const Segment&)>& beside,
                                   const PassWatch& watch = {});

// The products of rows of features with several vectors at once, part of a segment after part.
class RowProducts {
public:
    // `vectors`: count × dimension numbers, one after the other.
    RowProducts(const Log& log, std::span<const double> vectors);

    // x_row·w_p for rows first … last.
    void compute(std::size_t first, std::size_t last);
    const double* of(std::size_t row) const { return &products_[(row - first_) * padded(count_)]; }

    static constexpr std::size_t rows_at_once = 256;

private:
    const Log& log_;
    std::size_t count_, first_ = 0;
    std::vector<double> vectors_, products_;
};

}  // namespace bellwether
