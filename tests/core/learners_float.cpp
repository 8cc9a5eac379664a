#include "learners.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template std::unique_ptr<BasicLearner<float>> make_checked_learner<float>(const AlgorithmInfo&, std::size_t,
                                                                          std::span<const double>,
                                                                          std::optional<double>);

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
