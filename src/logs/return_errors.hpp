// How sure a choice is by returns: with s_i = Σ_{t∈i} (x_t·w − G_t)² of the N steps of n held-out segments,
//     S = Σ_i s_i / N,   φ_i = (s_i − S T_i) n/N,   T_i the steps of segment i.
// It takes no matrix, so that any number of features will do.
#pragma once

#include <span>
#include <vector>

#include "logs/tuning_certainty.hpp"

namespace bellwether {

// As final_errors(), S_c the mean over the folds.
FinalErrors final_return_errors(const Log& log, const LongVector<double>& returns,
                                const std::vector<std::vector<double>>& weights, const std::vector<bool>& finite,
                                std::size_t best, std::size_t threads);

// As fresh_errors().
std::vector<FreshError> fresh_return_errors(const Log& log, const LongVector<double>& returns,
                                            std::span<const double> weights);

}  // namespace bellwether
