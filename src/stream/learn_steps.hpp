// A stream in memory, learned from by one learner.
#pragma once

#include <cstddef>

#include "bellwether/learner.hpp"
#include "stream/stream_view.hpp"

namespace bellwether {

// Steps `begin` … `end` − 1 of a stream that has been checked, with its segments. `predictions`: null, or where those
// of every step of the stream go, made before the step's update. The learners in lanes equal this to the bit.
void learn_steps(Learner& learner, const StreamView& stream, std::size_t begin, std::size_t end, double* predictions);

}  // namespace bellwether
