// Products of ratios and discounts along the segments of a log, and how many segments they leave.
//     D_ih = Π_{j<h} γ_{j+1},   W_ih = Π_{j≤h} ρ_j, frozen after the end,   W_{i,−1} = 1
//     ESS_h = (Σ_i W_{i,h−1})² / Σ_i W_{i,h−1}²
#pragma once

#include <cstddef>
#include <vector>

#include "logs/log.hpp"

namespace bellwether {

struct Products {
    LongVector<double> ratio;     // W_ih by row of a step
    LongVector<double> discount;  // D_ih by row of a step
    std::vector<double> sum;      // Σ_i W_ih by h
    std::vector<double> ess;      // ESS after h + 1 steps, by h
    std::size_t longest = 0;

    // W_{i,h−1} for the step in a row.
    double ratio_before(const Segment& segment, std::size_t row) const {
        return row == segment.first ? 1 : ratio[row - 1];
    }
    // Σ_i W_{i,h−1}
    double sum_before(std::size_t h, std::size_t segments) const {
        return h == 0 ? static_cast<double>(segments) : sum[h - 1];
    }
    // The number of steps before the effective sample falls below `least` for the first time.
    std::size_t horizon(double least) const;
    // The least effective sample within so many steps.
    double least_ess(std::size_t steps) const;
};

Products products_of(const Log& log);

// What rests on learned values when returns are weighted for H steps:
//     rest = Σ_i W_{i,H−1} (D_iH + o_i) / Σ_i W_{i,H−1}
// with o_i the product of discounts of a segment that was cut off within H steps, else 0 (D_iH is 0 after the end); 1
// where H = 0.
double rest_of(const Log& log, const Products& products, std::size_t horizon);

}  // namespace bellwether
