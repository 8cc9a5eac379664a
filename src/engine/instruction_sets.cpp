#include <fmt/format.h>

#include <vector>

#include "engine/backend.hpp"
#include "support/algorithms.hpp"
#include "support/error.hpp"

namespace bellwether {

LaneLearners::~LaneLearners() = default;
SharedLearners::~SharedLearners() = default;

bool trace_reads(const AlgorithmInfo& info, const ParameterInfo& parameter) {
    const bool is_step_size = parameter.name == "alpha" || parameter.name == "eta";
    return !is_step_size || info.id.starts_with("to-");  // true-online
}

LaneSource source_of(const LaneRequest& request, const LaneTrajectory& trajectory) {
    return {.steps = trajectory.steps,
            .x = request.features,
            .x_next = request.features,
            .rows = trajectory.rows,
            .rows_next = trajectory.rows_next   ? trajectory.rows_next
                         : trajectory.steps > 0 ? trajectory.rows + 1
                                                : nullptr,
            .reward = {trajectory.reward},
            .gamma = {trajectory.gamma},
            .rho = {trajectory.rho},
            .pi = {trajectory.pi},
            .mu = {trajectory.mu},
            .lambda = request.states.lambda,
            .lambda_next = request.states.lambda,
            .interest = request.states.interest,
            .marks = trajectory.marks};
}

std::unique_ptr<Learner> InstructionSet::make_learner(const AlgorithmInfo& info, std::size_t dimension,
                                                      std::span<const double> parameters,
                                                      std::optional<double> cutoff) const {
    return std::unique_ptr<Learner>(
        kernels_.make_learner(registry_index(info), dimension, parameters.data(), cutoff ? &*cutoff : nullptr));
}

// ---- which there are

// One per build of the kernels, each in the namespace that include/bellwether/target.hpp names.
#define BELLWETHER_DECLARE_KERNELS(target)                                                                          \
    namespace target {                                                                                              \
    extern const std::size_t lanes_of_kernels, most_learners_of_kernels, shared_learners_of_kernels;                \
    LaneLearners* new_lane_learners(const LaneLearnersRequest& request);                                            \
    SharedLearners* new_shared_learners(const LaneBlock& block, std::size_t dimension);                             \
    Learner* new_learner(std::size_t algorithm, std::size_t dimension, const double* values, const double* cutoff); \
    }
BELLWETHER_DECLARE_KERNELS(target_portable)
#if defined(BELLWETHER_X86_KERNELS)
BELLWETHER_DECLARE_KERNELS(target_avx2)
BELLWETHER_DECLARE_KERNELS(target_avx512)
#endif

namespace {

#define BELLWETHER_KERNELS(name, target)                                                             \
    Kernels {                                                                                        \
        name, target::lanes_of_kernels, target::most_learners_of_kernels, target::new_lane_learners, \
            target::shared_learners_of_kernels, target::new_shared_learners, target::new_learner     \
    }

std::vector<const InstructionSet*> find_instruction_sets() {
    std::vector<const InstructionSet*> found;
#if defined(BELLWETHER_X86_KERNELS)
    const bool runs_avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool runs_avx512 = runs_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                             __builtin_cpu_supports("avx512vl");
    static const InstructionSet avx512(BELLWETHER_KERNELS("avx512", target_avx512));
    static const InstructionSet avx2(BELLWETHER_KERNELS("avx2", target_avx2));
    if (runs_avx512) found.push_back(&avx512);
    if (runs_avx2) found.push_back(&avx2);
#endif
    static const InstructionSet portable(BELLWETHER_KERNELS("portable", target_portable));
    found.push_back(&portable);
    return found;
}

}  // namespace

std::span<const InstructionSet* const> instruction_sets() {
    static const std::vector<const InstructionSet*> found = find_instruction_sets();
    return found;
}

const InstructionSet& require_instruction_set(std::string_view option, std::string_view name) {
    if (name.empty()) return best_instruction_set();
    std::vector<std::string_view> names;
    for (const InstructionSet* set : instruction_sets()) {
        if (set->name() == name) return *set;
        names.push_back(set->name());
    }
    throw UsageError(fmt::format("{}: '{}' is not an instruction set of this machine (there is: {})", option, name,
                                 fmt::join(names, ", ")));
}

}  // namespace bellwether
