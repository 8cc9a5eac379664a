// Run-time learners compiled for the instruction sets of this machine's family; the best one that runs here is used.
// All give the same results to the bit.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bellwether/learner.hpp"

namespace bellwether {

// As make_checked_learner, for the best instruction set this machine has.
std::unique_ptr<Learner> make_fastest_learner(const AlgorithmInfo& info, std::size_t dimension,
                                              std::span<const double> parameters, std::optional<double> cutoff);

}  // namespace bellwether
