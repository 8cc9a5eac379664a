// Returns that ratios correct and values steady: G_t = v_t + ρ_t (R_{t+1} + γ_{t+1} G_{t+1} − v_t), backwards along a
// segment from its end, or from the value of the state that it was cut off in.
#pragma once

#include "logs/log.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

// By row of a step. v of a segment by the weights that were learned without its fold.
LongVector<double> corrected_returns(const Log& log, const FoldWeights& fold_weights);

}  // namespace bellwether
