// Who computes: a backend takes requests, each some trajectories of one problem and a block of configurations, and
// returns scores for each run. The instruction sets of the processor are backends; all give the same results to the
// bit.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bellwether/basic_learner.hpp"
#include "bellwether/info.hpp"
#include "engine/lanes.hpp"

namespace bellwether {

// One run. Feature rows of S_0 … S_N; everything else has one number per step.
struct LaneTrajectory {
    std::size_t steps;
    const std::uint32_t* rows;
    const double* reward;
    const double* gamma;
    const double* rho;
    const double* pi;
    const double* mu;
    const std::uint8_t* marks = nullptr;  // null, or the LaneMarks of each step
    // Null, or the row that each step leads to, where that is not the next one's.
    const std::uint32_t* rows_next = nullptr;
    // Null where errors are measured after every step; else a number per step, 1 after which they are. What comes after
    // the last of these is of no consequence.
    const std::uint8_t* measured = nullptr;
    // Null, or measurement by measurement the b of every term, where what is true changes as the run goes on: those of
    // the errors themselves are of w_0. All errors of the request have the same terms then, and no subsets.
    const double* offsets = nullptr;
};

// What a step takes from the state it is in, row by row.
struct LaneStates {
    const double* lambda;    // null: the configuration's own
    const double* interest;  // null: 1
};

struct LaneRequest {
    LaneBlock block;
    LaneFeatures features;
    LaneStates states;
    const double* initial_weights;
    const LaneTrajectory* trajectories;
    std::size_t trajectory_count;
    const LaneError* errors;
    std::size_t error_count;
    std::size_t scored_steps;  // the last so many measured ones of a trajectory

    // Results, trajectory by trajectory. A score is the mean error over the scored steps, or not finite.
    double* scores;  // error by error: a number for each configuration
    double* curves;  // null, or error by error, configuration by configuration: the error of w_0 and after each step
                     // that is measured

    // Where a problem changes in mid-run: after how many steps (0: it does not), and the errors from then on, as many.
    std::size_t changes_after = 0;
    const LaneError* later_errors = nullptr;
    // Null, or by error: in the place of scored_steps.
    const std::size_t* scored_steps_of = nullptr;
    // For algorithms with a plain α; others keep their step sizes.
    StepSizeRule step_sizes{};

    std::size_t scored_steps_of_error(std::size_t m) const {
        return scored_steps_of ? scored_steps_of[m] : scored_steps;
    }
};

// What many configurations learn from a stream, and what is observed of them: signals that all share, errors of
// predictions and of evaluation sets.
struct LaneStream {
    LaneSource source;
    const double* initial_weights;  // null: 0
    const LaneError* errors;
    std::size_t error_count;
    const std::uint8_t* counts;  // by step: 1 where errors add up
};

LaneSource source_of(const LaneRequest& request, const LaneTrajectory& trajectory);

// Of a trajectory, the part up to the last step that is measured. A run that diverges thereafter has its score.
LaneTrajectory up_to_last_measured(const LaneTrajectory& trajectory);
std::size_t measurements_of(const LaneTrajectory& trajectory);
// The step from which on the last `count` measured ones are counted.
std::size_t first_counted(const LaneTrajectory& trajectory, std::size_t count);

class Backend {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    virtual std::string_view name() const = 0;
    virtual void run(std::span<const LaneRequest> batch) const = 0;
    // How much a batch should have at least, where there is that much to do; 0 where the least there is will do.
    virtual std::uint64_t agent_steps_at_once() const { return 0; }
};

// What one build of the kernels has (lane_kernels.cpp, learner_kernels.cpp). Algorithms go by number in the registry.
struct Kernels {
    std::string_view name;
    std::size_t lanes;
    std::size_t most_learners;  // that one LaneLearners has
    LaneLearners* (*make_lane_learners)(const LaneLearnersRequest& request);
    std::size_t shared_learners;  // that one SharedLearners has
    SharedLearners* (*make_shared_learners)(const LaneBlock& block, std::size_t dimension);
    Learner* (*make_learner)(std::size_t algorithm, std::size_t dimension, const double* parameters,
                             const double* cutoff);
};

class InstructionSet final : public Backend {
public:
    explicit InstructionSet(const Kernels& kernels) : kernels_(kernels) {}

    std::string_view name() const override { return kernels_.name; }
    std::size_t lanes() const { return kernels_.lanes; }
    std::size_t most_learners() const { return kernels_.most_learners; }

    void run(std::span<const LaneRequest> batch) const override;

    std::unique_ptr<LaneLearners> make_lane_learners(const LaneLearnersRequest& request) const {
        return std::unique_ptr<LaneLearners>(kernels_.make_lane_learners(request));
    }
    // The most predictions that share a trace.
    std::size_t shared_learners() const { return kernels_.shared_learners; }
    // A block of at most so many; null where the algorithm's trace is not to be shared. Parameters that the trace reads
    // (trace_reads) must agree.
    std::unique_ptr<SharedLearners> make_shared_learners(const LaneBlock& block, std::size_t dimension) const {
        return std::unique_ptr<SharedLearners>(kernels_.make_shared_learners(block, dimension));
    }
    // As make_checked_learner.
    std::unique_ptr<Learner> make_learner(const AlgorithmInfo& info, std::size_t dimension,
                                          std::span<const double> parameters, std::optional<double> cutoff) const;

private:
    Kernels kernels_;
};

// As memory_needed() of bellwether/learner.hpp, which names every algorithm's type: compiled here, once.
double memory_needed(const AlgorithmInfo& info, std::size_t dimension, bool sparse_traces);

// Whether the trace of an algorithm depends on a parameter: those of true-online algorithms have step sizes in them.
bool trace_reads(const AlgorithmInfo& info, const ParameterInfo& parameter);

// The instruction sets that run on this machine, the best one first.
std::span<const InstructionSet* const> instruction_sets();
inline const InstructionSet& best_instruction_set() {
    return *instruction_sets().front();
}
// The one of that name, the best one where it is empty. UsageError where there is none; `option` is what the user calls
// the choice.
const InstructionSet& require_instruction_set(std::string_view option, std::string_view name);

}  // namespace bellwether
