// Weighted returns. Of a ratio with numerators num_ih and denominators den_ih,
//     θ_h = Σ_i num_ih / Σ_i den_ih,   estimate Σ_h θ_h,   ψ_i = n Σ_h (num_ih − den_ih θ_h) / Σ_j den_jh.
// What comes after the end of a segment that was cut off they leave out.
#pragma once

#include "logs/estimate.hpp"
#include "logs/log.hpp"
#include "logs/products.hpp"

namespace bellwether {

// Σ_h D_ih R_ih by segment, not weighted.
std::vector<double> returns_by_segment(const Log& log, const Products& products);

PolicyEstimate importance_sampling(const Log& log, const Products& products);           // W_{i,T} G_i over 1
PolicyEstimate weighted_importance_sampling(const Log& log, const Products& products);  // W_{i,T} G_i over W_{i,T}
PolicyEstimate per_decision(const Log& log, const Products& products);                  // Σ_h D W R over 1
PolicyEstimate weighted_per_decision(const Log& log, const Products& products);  // D_ih W_ih R_ih over W_ih, h by h

}  // namespace bellwether
