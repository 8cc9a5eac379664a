#include <fmt/format.h>

#include <algorithm>
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

namespace {

LaneTrajectory part_of(const LaneTrajectory& whole, std::size_t from, std::size_t to) {
    return {.steps = to - from,
            .rows = whole.rows + from,
            .reward = whole.reward + from,
            .gamma = whole.gamma + from,
            .rho = whole.rho + from,
            .pi = whole.pi + from,
            .mu = whole.mu + from,
            .marks = whole.marks ? whole.marks + from : nullptr,
            .rows_next = whole.rows_next ? whole.rows_next + from : nullptr};
}

// A problem that changes on the way: the learners go on, and their errors are other ones. Curves of the two parts are
// joined; the error at the change is that of the step before it.
void learn_through_change(LaneLearners& learners, std::size_t made, const LaneRequest& request,
                          const LaneTrajectory& trajectory, const LaneObservation& whole) {
    const std::size_t ends[] = {request.changes_after, trajectory.steps};
    const LaneError* const errors[] = {request.errors, request.later_errors};
    std::vector<double> curves;
    std::size_t from = 0;
    for (std::size_t part = 0; part < 2; from = ends[part++]) {
        const LaneTrajectory steps = part_of(trajectory, from, ends[part]);
        LaneObservation observation = whole;
        observation.errors = errors[part];
        observation.counted_from = whole.counted_from - std::min(whole.counted_from, from);
        if (whole.curves) {
            curves.resize(request.error_count * whole.configurations * (steps.steps + 1));
            observation.curves = curves.data();
        }
        learners.learn(source_of(request, steps), observation);
        if (!whole.curves) continue;
        const std::size_t already = part == 0 ? 0 : 1;  // the error before the part's first step
        for (std::size_t m = 0; m < request.error_count; ++m)
            for (std::size_t k = whole.first; k < whole.first + made; ++k) {
                const std::size_t curve = m * whole.configurations + k;
                std::copy_n(curves.data() + curve * (steps.steps + 1) + already, steps.steps + 1 - already,
                            whole.curves + curve * (trajectory.steps + 1) + from + already);
            }
    }
}

}  // namespace

void InstructionSet::run(std::span<const LaneRequest> batch) const {
    for (const LaneRequest& request : batch) {
        const std::size_t count = request.block.count;
        std::vector<double> sums(request.error_count * kernels_.most_learners);
        double* scores = request.scores;
        double* curves = request.curves;
        for (std::size_t r = 0; r < request.trajectory_count; ++r) {
            const LaneTrajectory& trajectory = request.trajectories[r];
            const LaneSource source = source_of(request, trajectory);
            LaneObservation observation{
                .errors = request.errors,
                .error_count = request.error_count,
                .counted_from = trajectory.steps - std::min(trajectory.steps, request.scored_steps),
                .curves = curves,
                .may_stop = !curves,
                .configurations = count};
            for (std::size_t first = 0; first < count; first += kernels_.most_learners) {
                const auto learners = make_lane_learners({.block = request.block,
                                                          .first = first,
                                                          .dimension = request.features.dimension,
                                                          .initial_weights = request.initial_weights,
                                                          .error_count = request.error_count});
                observation.first = first;
                const std::size_t made = std::min(kernels_.most_learners, count - first);
                if (request.changes_after > 0 && request.changes_after < trajectory.steps)
                    learn_through_change(*learners, made, request, trajectory, observation);
                else
                    learners->learn(source, observation);
                learners->sums(sums.data());
                for (std::size_t m = 0; m < request.error_count; ++m)
                    for (std::size_t k = 0; k < made; ++k)
                        scores[m * count + first + k] = sums[m * made + k] / static_cast<double>(request.scored_steps);
            }
            scores += request.error_count * count;
            if (curves) curves += request.error_count * count * (trajectory.steps + 1);
        }
    }
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
