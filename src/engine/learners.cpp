#include "engine/learners.hpp"

namespace bellwether {

using Factory = std::unique_ptr<Learner>(const AlgorithmInfo&, std::size_t, std::span<const double>,
                                         std::optional<double>);

// One per build of learners_target.cpp.
Factory make_learner_portable, make_learner_avx2, make_learner_avx512;

std::unique_ptr<Learner> make_fastest_learner(const AlgorithmInfo& info, std::size_t dimension,
                                              std::span<const double> parameters, std::optional<double> cutoff) {
#if defined(BELLWETHER_X86_TARGETS)
    if (__builtin_cpu_supports("x86-64-v4")) return make_learner_avx512(info, dimension, parameters, cutoff);
    if (__builtin_cpu_supports("x86-64-v3")) return make_learner_avx2(info, dimension, parameters, cutoff);
#endif
    return make_learner_portable(info, dimension, parameters, cutoff);
}

}  // namespace bellwether
