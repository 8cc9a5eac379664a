// Compiled once per instruction set, with that set's flags: everything in it lives in the set's own inline namespace.
#include "bellwether/learner.hpp"
#include "engine/learners.hpp"

namespace bellwether {

#if defined(__AVX512F__)
#define BELLWETHER_FACTORY make_learner_avx512
#elif defined(__AVX2__)
#define BELLWETHER_FACTORY make_learner_avx2
#else
#define BELLWETHER_FACTORY make_learner_portable
#endif

LearnerFactory BELLWETHER_FACTORY;

std::unique_ptr<Learner> BELLWETHER_FACTORY(const AlgorithmInfo& info, std::size_t dimension,
                                            std::span<const double> parameters, std::optional<double> cutoff) {
    return make_checked_learner<double>(info, dimension, parameters, cutoff);
}

}  // namespace bellwether
