// make_learner for the tests: every algorithm is compiled once, in learners_double.cpp and learners_float.cpp, and not
// again in each program.
#pragma once

#include "bellwether/learner.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

extern template std::unique_ptr<BasicLearner<double>> make_checked_learner<double>(const AlgorithmInfo&, std::size_t,
                                                                                   std::span<const double>,
                                                                                   std::optional<double>);
extern template std::unique_ptr<BasicLearner<float>> make_checked_learner<float>(const AlgorithmInfo&, std::size_t,
                                                                                 std::span<const double>,
                                                                                 std::optional<double>);

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
