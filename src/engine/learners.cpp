#include "engine/learners.hpp"

namespace bellwether {

// One per build of learners_target.cpp.
LearnerFactory make_learner_portable, make_learner_avx2, make_learner_avx512;

std::vector<LearnerTarget> learner_targets() {
    std::vector<LearnerTarget> targets;
#if defined(BELLWETHER_X86_TARGETS)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (avx512) targets.push_back({"avx512", make_learner_avx512});
    if (avx2) targets.push_back({"avx2", make_learner_avx2});
#endif
    targets.push_back({"portable", make_learner_portable});
    return targets;
}

}  // namespace bellwether
