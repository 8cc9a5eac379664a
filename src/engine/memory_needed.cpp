#include "bellwether/learner.hpp"
#include "engine/backend.hpp"

namespace bellwether {

double memory_needed(const AlgorithmInfo& info, std::size_t dimension, bool sparse_traces) {
    return memory_needed<double>(info, dimension, sparse_traces);
}

}  // namespace bellwether
