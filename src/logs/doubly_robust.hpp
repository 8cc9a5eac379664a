// Doubly robust estimates: weighted returns, corrected by learned values, over the first so many steps and with learned
// values after them. With v_h and q_h by the weights that were learned without the segment's fold, they are
//     the ratio of D_h W_h (R + g_h − q_h) over W_h  plus  the ratio of D_h W_{h−1} v_h over W_{h−1}
// (not weighted: both over 1), where g_h = γ v(S_{h+1}) in the last step of a segment or of the horizon, else 0.
#pragma once

#include <span>
#include <vector>

#include "logs/least_squares.hpp"
#include "logs/products.hpp"

namespace bellwether {

struct DoublyRobust {
    std::size_t horizon;  // at least 1
    bool weighted;
};

// LeastSquares::finish() adds what the influences owe to the learned values.
std::vector<CrossFitted> doubly_robust(const Products& products, const ValueModel& model,
                                       const FoldWeights& fold_weights, std::span<const DoublyRobust> estimates,
                                       std::size_t threads);

}  // namespace bellwether
