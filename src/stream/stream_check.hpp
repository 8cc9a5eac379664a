// Whether a stream in memory can be learned from. UsageError names the array and the index of what is wrong.
#pragma once

#include <cstddef>

#include "stream/stream_view.hpp"
#include "stream/transition_check.hpp"

namespace bellwether {

inline constexpr TransitionNames stream_names{{"gammas", "rhos", "pis", "mus", "lambdas", "lambdas_next", "interests"},
                                              true};

// The numbers of its transitions: in their ranges, and rho equal to pi/mu where all are given. `learners`: how many
// numbers a signal by learner has.
void check_transitions(const StreamView& stream, std::size_t learners);
// Whether the algorithm can learn from it: no ρ ≠ 1 on-policy, and policies where it needs them.
void check_algorithm(const AlgorithmInfo& info, const StreamView& stream, std::size_t learners);

// Rewards and features that are finite, and indices below the dimension: what learners in lanes need. (A learner on its
// own learns from what it is given.)
void check_finite(const StreamView& stream, std::size_t learners);
// The same of rows of features; `name` is whose.
void check_features(const LaneFeatures& features, std::size_t rows, const char* name);

}  // namespace bellwether
