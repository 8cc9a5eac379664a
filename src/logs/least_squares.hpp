// LSTD(λ) with cut traces, and what an estimate owes to weights that were learned from the same log.
//     w = (A + εI)⁻¹ b,   ε = 1e-9 tr(Σ x xᵀ)/d
//     lstd: x̄_0·w,   ψ_i = n yᵀ(b_i − A_i w) + (x_{0,i} − x̄_0)·w,   y = (A + εI)⁻ᵀ x̄_0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "logs/estimate.hpp"
#include "logs/held_out_values.hpp"
#include "logs/log.hpp"
#include "logs/starts.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

inline constexpr std::size_t most_features = 2'000;  // K d of action values

// ε of a log's systems, from Σ x xᵀ.
double ridge_of(const SquareMatrix& feature_moments);

// An estimate that reads weights w^(k) learned without fold k, its influences by segment, and its derivatives by them.
struct CrossFitted {
    double value = 0, effective = 0;
    LongVector<double> influence{};
    FoldWeights gradient{};  // ∂estimate/∂w^(k)
};

class LeastSquares {
public:
    // `moments` of the model with that λ.
    LeastSquares(const ValueModel& model, const LogMoments& moments, double lambda, double ridge);
    LeastSquares(LeastSquares&&) noexcept;
    ~LeastSquares();

    const ValueModel& model() const { return model_; }
    const std::vector<double>& weights() const { return weights_; }
    const FoldWeights& fold_weights() const { return fold_weights_; }  // without fold k

    // The value overall; to each of the others' influences, what they owe to the weights:
    //     ψ_i += n Σ_{k ≠ fold(i)} (b_i − A_i w^(k))ᵀ A_(−k)⁻ᵀ ∂estimate/∂w^(k)
    // and the values by w^(k) of the steps of fold k, in one pass over the segments, fold by fold
    // (for_each_part_by_fold).
    void start_influences(const Starts& starts, std::span<CrossFitted> others, HeldOutValues& held_out);
    void add_influence(std::size_t fold, std::size_t i, const Segment& segment);
    void finish_influences();

    // After that.
    PolicyEstimate estimate() const { return estimate_; }
    PolicyEstimate without_traces() const { return without_traces_; }  // of states: λ = 0
    // Σ = (1/(n(n−1))) Σ_i u_i u_iᵀ, u_i = n(A + εI)⁻¹(b_i − A_i w): the covariance of the weights of states, whose
    // features have that span.
    SquareMatrix covariance(const Basis& span) const;

private:
    class FoldErrors;
    struct Influences;

    bool of_states() const { return model_.of() == ValueModel::Of::states; }

    const Log& log_;
    const ValueModel& model_;
    double lambda_;
    std::vector<double> weights_, plain_weights_;
    FoldWeights fold_weights_;
    std::optional<Solver> solver_, plain_solver_;
    std::vector<Solver> fold_solvers_;
    std::unique_ptr<Influences> influences_;
    PolicyEstimate estimate_, without_traces_;
    SquareMatrix scatter_;  // Σ_i (b_i − A_i w)(b_i − A_i w)ᵀ
};

}  // namespace bellwether
