// How sure a choice is, on final weights: with r_k = b_k − A_k w_ck of held-out segments,
//     S_c = mean_k r_kᵀ C̄⁻¹ r_k,   φ_ci = 2 r_kᵀ C̄⁻¹ (r_i − r_k),   r_i = (b_i − A_i w_ck) n_k/N_k.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logs/value_model.hpp"

namespace bellwether {

// What held-out segments measure by.
struct HeldOut {
    Moments moments;  // A_k, b_k: by step
    double steps = 0, segments = 0;
};
// UsageError where a fold has no segment.
void check_folds(const Log& log);
// By fold, from sums over their segments.
std::vector<HeldOut> held_out_folds(const Log& log, std::vector<Moments> sums);

// A w and Aᵀ w.
std::vector<double> product_of(const SquareMatrix& A, std::span<const double> w);
std::vector<double> transposed_product(const SquareMatrix& A, std::span<const double> w);

// ‖U r‖² of a fold's residual, and C̄⁻¹ r = Uᵀ U r.
struct Residual {
    double square;
    std::vector<double> direction;
    std::vector<double> r;
};
Residual residual_of(const HeldOut& fold, const SquareMatrix& U, std::span<const double> w);

// The configurations that did not diverge.
std::vector<std::size_t> finite_ones(const std::vector<bool>& finite);

// By configuration: S_c, and how sure S_c − S_ĉ is, sd(φ_c − φ_ĉ)/√n.
struct FinalErrors {
    std::vector<double> S, se_of_difference;
};
// Configuration c of fold k has the weights `weights[k][c·d …]`; those that are not `finite` are left out.
FinalErrors final_errors(const Log& log, const std::vector<HeldOut>& by_fold, const SquareMatrix& U, double lambda,
                         const std::vector<std::vector<double>>& weights, const std::vector<bool>& finite,
                         std::size_t best, std::size_t threads);

// √S of segments that were kept apart, and its standard error as that of S: sd(φ)/√n.
struct FreshError {
    double S, se;
};
// Of several weights, d numbers each, on all segments of the log.
std::vector<FreshError> fresh_errors(const Log& log, const HeldOut& fresh, const SquareMatrix& U, double lambda,
                                     std::span<const double> weights);

}  // namespace bellwether
