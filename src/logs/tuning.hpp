// Which algorithm and parameters to learn with, chosen on a log alone, without truth. Held out, the score `projected`
// of configuration c is, with w_ckm its weights after m steps over the other folds in log order,
//     score_c = √( (1/5) Σ_k mean_m ‖U(b_k − A_k w_ckm)‖² ),   A_k = Σ_{i∈k} A_i/N_k, b_k likewise (cut traces),
//     C̄ = Σ x xᵀ/N + 1e-9 tr/d I = LLᵀ,   U = L⁻¹,
// over checkpoints m every ⌊T_k/20⌋ steps back from the last, in the last half. That is an evaluation set of the d rows
// of U A_k with the truth U b_k: five sweeps over 4/5 of the log.
// `return`, over the same checkpoints:  √( (1/5) Σ_k mean_m mean_{t∈k} (x_t·w_ckm − G_t)² ),
//     G_t = v_t + ρ_t (R_{t+1} + γ_{t+1} G_{t+1} − v_t), backwards from a learned tail, v by LSTD on the other folds:
// up to a constant, the value error without bias. `progressive` is one pass over the log: predictions before each
// update against the same G, over the last half.
// More features than least squares take leave `return` and `progressive`: v is then that of a learner, and how sure a
// choice is, is said by returns too (return_errors.hpp). Whatever v is, the expectation of G is the value.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/log.hpp"
#include "stream/stream_sweep.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

enum class TuningScore { projected, returns, progressive };
std::string_view name_of(TuningScore score);
TuningScore tuning_score_named(const std::string& name);

// What a result depends on, by name: another log, or another option.
using TuningIdentity = std::vector<std::pair<std::string, std::string>>;

// Keeps the work that is done: a unit is a fold and an algorithm.
class TuningKeeper {
public:
    virtual ~TuningKeeper() = default;
    // UsageError where what is kept is of something else.
    virtual void open(const TuningIdentity& identity) = 0;
    virtual std::optional<StreamScores> find(std::size_t fold, std::size_t algorithm) = 0;
    virtual void keep(std::size_t fold, std::size_t algorithm, const StreamScores& scores) = 0;
};

struct TuningOptions {
    std::vector<std::string> algorithms{};  // none: those that suit the log's ratios
    std::vector<ParameterValues> values{};  // that replace parts of the grid
    std::vector<AlgorithmGrid> grids{};     // that replace it whole
    std::optional<TuningScore> score{};     // none: projected, or return where there are too many features for it
    // Every so many segments one stays out of the choice, and what was chosen is scored on it; 0: none does. Logs with
    // fewer than 120 segments have none to spare.
    std::size_t fresh = 6;
    bool monitor = false;  // RUPEE of the best ones
    double lambda = 0.9;   // of the traces that score
    std::size_t threads = 1;
    TuningKeeper* keeper = nullptr;
    std::function<void(double done)> watch{};  // of all sweeps; what it throws ends the work
};

// An error with its interval.
struct FreshScore {
    double score = 0, lower = 0, upper = 0;
};

struct TunedConfiguration {
    const AlgorithmInfo* algorithm;
    std::vector<double> parameters;  // in the order of algorithm->parameters
    double score;                    // infinite where it diverged in a fold
    std::optional<FreshScore> fresh{};
    std::optional<double> rupee{};
};

inline constexpr std::size_t best_looked_at = 20;  // that are looked at more closely

struct Tuning {
    std::string name;
    TuningScore score = TuningScore::projected;
    std::vector<TunedConfiguration> configurations{};  // the best first
    std::size_t diverged = 0;
    double alpha_scale = 1;                 // max ‖x‖²
    double score_of_zero = 0;               // of w = 0
    double score_of_best = 0;               // of the best one's final weights, √S
    std::optional<double> least_squares{};  // LSTD on the other folds, as a reference; none with too many features
    // z_0 = (S_0 − S_ĉ) / (sd(φ_0 − φ_ĉ)/√n), of final weights (tuning_certainty.hpp).
    double z = 0;
    std::size_t indistinguishable = 0;  // S_c − S_ĉ < 2 sd(φ_c − φ_ĉ)/√n
    // Segments that the choice has not seen: √S of what was learned on all others, with 95% intervals.
    std::size_t fresh_segments = 0;
    FreshScore fresh_zero{};
    std::optional<FreshScore> fresh_least_squares{};
    bool ratios_in_columns = true;  // of the file that learn_command() names

    // Whether a configuration is clearly better than predicting 0.
    bool can_tell() const { return z >= 2; }
    const TunedConfiguration& best() const { return configurations.front(); }
};

// What is tried: the default grid with the options' parts. `alpha_scale`: max ‖x‖², which step sizes are divided by.
std::vector<AlgorithmGrid> tuning_grid(const Log& log, const TuningOptions& options, double alpha_scale);

// A log with its ratios (set_ratios), cut into pieces where it goes on and on. UsageError where a fold has no segment,
// or where too much of the returns would rest on values.
Tuning tune(Log log, const TuningOptions& options);

}  // namespace bellwether
