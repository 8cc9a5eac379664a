// RUPEE, a running estimate of the projected error while a learner learns (White 2015): with its TD error δ and trace
// z,
//     h ← h + α_h (δz − (h·x) x),   d̄ ← d̄ + (β/τ)(δz − d̄),   τ ← (1−β)τ + β,   √|hᵀd̄|
// where β = 0.002, τ = 0 at first, and α_h = 0.05/max‖x‖². z = ρ_t (x_t + γ_t λ z_{t−1}), λ the learner's own.
#pragma once

#include <span>

#include "bellwether/info.hpp"
#include "logs/log.hpp"

namespace bellwether {

// After all steps of the log (pad_features). A monitor: nothing is chosen by it.
double rupee_of(const Log& log, const AlgorithmInfo& algorithm, std::span<const double> parameters,
                double largest_square);

}  // namespace bellwether
