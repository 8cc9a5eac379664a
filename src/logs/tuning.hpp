// Which algorithm and parameters to learn with, chosen on a log alone, without truth. Held out, the score `projected`
// of configuration c is, with w_ckm its weights after m steps over the other folds in log order,
//     score_c = √( (1/5) Σ_k mean_m ‖U(b_k − A_k w_ckm)‖² ),   A_k = Σ_{i∈k} A_i/N_k, b_k likewise (cut traces),
//     C̄ = Σ x xᵀ/N + 1e-9 tr/d I = LLᵀ,   U = L⁻¹,
// over checkpoints m every ⌊T_k/20⌋ steps back from the last, in the last half. That is an evaluation set of the d rows
// of U A_k with the truth U b_k: five sweeps over 4/5 of the log.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log.hpp"
#include "stream/stream_sweep.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

struct TuningOptions {
    std::vector<std::string> algorithms{};  // none: those that suit the log's ratios
    std::vector<ParameterValues> values{};  // that replace parts of the grid
    double lambda = 0.9;                    // of the traces that score
    std::size_t threads = 1;
    std::function<void(double done)> watch{};  // of all sweeps; what it throws ends the work
};

struct TunedConfiguration {
    const AlgorithmInfo* algorithm;
    std::vector<double> parameters;  // in the order of algorithm->parameters
    double score;                    // infinite where it diverged in a fold
};

struct Tuning {
    std::string name;
    std::vector<TunedConfiguration> configurations{};  // the best first
    std::size_t diverged = 0;
    double alpha_scale = 1;    // max ‖x‖²
    double score_of_zero = 0;  // of w = 0
    double score_of_best = 0;  // of the best one's final weights, √S
    double least_squares = 0;  // LSTD on the other folds, as a reference
    // z_0 = (S_0 − S_ĉ) / (sd(φ_0 − φ_ĉ)/√n) with S_c = (1/5) Σ_k r_kᵀ C̄⁻¹ r_k of final weights, r_k = b_k − A_k w_ck,
    // φ_ci = 2 r_kᵀ C̄⁻¹ (r_i − r_k), r_i = (b_i − A_i w_ck) n_k/N_k.
    double z = 0;
    std::size_t indistinguishable = 0;  // S_c − S_ĉ < 2 sd(φ_c − φ_ĉ)/√n

    // Whether a configuration is clearly better than predicting 0.
    bool can_tell() const { return z >= 2; }
    const TunedConfiguration& best() const { return configurations.front(); }
};

// What is tried: the default grid with the options' parts. `alpha_scale`: max ‖x‖², which step sizes are divided by.
std::vector<AlgorithmGrid> tuning_grid(const Log& log, const TuningOptions& options, double alpha_scale);

// A log with its ratios (set_ratios), cut into pieces where it goes on and on. UsageError where a fold has no segment.
Tuning tune(const Log& log, const TuningOptions& options);

}  // namespace bellwether
