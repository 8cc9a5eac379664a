// A stream in memory, as a user brings it. Views all: the caller owns the numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bellwether/info.hpp"
#include "engine/backend.hpp"

namespace bellwether {

inline constexpr double always_one = 1;
inline constexpr LaneSignal constant_one{&always_one, 0, false};

struct StreamView {
    std::size_t steps;
    LaneFeatures x, x_next;  // row t: the features of S_t and of S_{t+1}
    LaneSignal reward, gamma;
    LaneSignal rho = constant_one;
    LaneSignal pi = constant_one, mu = constant_one;
    bool has_policies = false;            // pi and mu were given
    const double* lambda = nullptr;       // by step: λ(S_t); null: the configuration's own
    const double* lambda_next = nullptr;  // λ(S_{t+1}), together with lambda
    bool rows_follow = false;          // S_{t+1} is the row after S_t: lambda has a number for every row, and one more
    const double* interest = nullptr;  // null: 1
    const std::uint8_t* marks = nullptr;  // null, or the LaneMarks of each step; what is no step is not read

    const char* reward_name = "rewards";  // what messages call them

    bool is_step(std::size_t t) const { return !marks || !(marks[t] & is_no_step); }
};

// The number of step t for learner k.
inline double number_at(const LaneSignal& signal, std::size_t t, std::size_t k = 0) {
    return signal.numbers[t * signal.by_step + (signal.by_learner ? k : 0)];
}

// The same features from row `rows` on. The next states of a stream without gaps are its states from row 1 on.
LaneFeatures rows_from(LaneFeatures features, std::size_t rows);

// Steps `begin` … `begin + steps` − 1.
LaneSource source_of(const StreamView& stream, std::size_t begin, std::size_t steps);

// How many steps learners take between two looks at whether to stop: a few hundredths of a second.
std::size_t steps_at_once(const AlgorithmInfo& info, std::size_t dimension);

}  // namespace bellwether
