#include "engine/learners.hpp"

namespace bellwether {

// One per build of learners_target.cpp.
LearnerFactory make_learner_portable, make_learner_avx2, make_learner_avx512;

std::vector<LearnerTarget> learner_targets() {
    std::vector<LearnerTarget> targets;
#if defined(BELLWETHER_X86_TARGETS)
    if (__builtin_cpu_supports("x86-64-v4")) targets.push_back({"avx512", make_learner_avx512});
    if (__builtin_cpu_supports("x86-64-v3")) targets.push_back({"avx2", make_learner_avx2});
#endif
    targets.push_back({"portable", make_learner_portable});
    return targets;
}

}  // namespace bellwether
