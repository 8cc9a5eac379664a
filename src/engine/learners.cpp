#include "engine/learners.hpp"

#include "bellwether/learner.hpp"
#include "engine/instruction_sets.hpp"

namespace bellwether {

// One per build of learners_target.cpp.
LearnerFactory make_learner_portable, make_learner_avx2, make_learner_avx512;

std::vector<LearnerTarget> learner_targets() {
    std::vector<LearnerTarget> targets;
#if defined(BELLWETHER_X86_TARGETS)
    if (runs_avx512()) targets.push_back({"avx512", make_learner_avx512});
    if (runs_avx2()) targets.push_back({"avx2", make_learner_avx2});
#endif
    targets.push_back({"portable", make_learner_portable});
    return targets;
}

double memory_needed(const AlgorithmInfo& info, std::size_t dimension, bool sparse_traces) {
    return memory_needed<double>(info, dimension, sparse_traces);
}

}  // namespace bellwether
