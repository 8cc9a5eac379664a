// Run-time learners compiled for the instruction sets of this machine's family; the best one that runs here is used.
// All give the same results to the bit.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/basic_learner.hpp"
#include "bellwether/info.hpp"

namespace bellwether {

// As make_checked_learner.
using LearnerFactory = std::unique_ptr<Learner>(const AlgorithmInfo& info, std::size_t dimension,
                                                std::span<const double> parameters, std::optional<double> cutoff);

struct LearnerTarget {
    std::string_view name;
    LearnerFactory* make;
};

// The instruction sets that run on this machine, the best one first.
std::vector<LearnerTarget> learner_targets();

// As memory_needed() of bellwether/learner.hpp, which names every algorithm's type: compiled here, once.
double memory_needed(const AlgorithmInfo& info, std::size_t dimension, bool sparse_traces);

}  // namespace bellwether
