// One problem of a setting (one question where it has several), as the kernels take it: what does not depend on
// configurations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/backend.hpp"
#include "plan/study.hpp"
#include "problems/finite_mdp.hpp"
#include "problems/trajectory.hpp"
#include "run/errors.hpp"
#include "run/variance_stream.hpp"

namespace bellwether {

class Instance {
public:
    // UsageError names the setting and the instance where the problem cannot be made or measured.
    Instance(const Study& study, std::size_t setting, std::uint32_t instance, std::uint32_t run, std::size_t question);
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    const LaneFeatures& features() const { return features_; }
    LaneStates states() const;
    const double* initial_weights() const { return evaluation_.initial_weights.data(); }

    // The error of the setting's metric number m for configurations with these λ.
    ErrorData error(std::size_t m, std::span<const double> lambda_of_configuration);
    // Where the problem changes in mid-run: after how many steps (0: it does not), and the errors from then on.
    std::size_t changes_after() const { return mdp_.changes_after(); }
    ErrorData later_error(std::size_t m, std::span<const double> lambda_of_configuration);

    // The trajectories of some runs, whole or so many steps of them; kept until others are asked for.
    std::span<const LaneTrajectory> trajectories(std::uint32_t first_run, std::size_t count,
                                                 std::optional<std::size_t> steps = std::nullopt);

private:
    void choose_features();
    void make_sparse();
    void check_episodes() const;
    // After which steps of a run its error is measured; empty: after all.
    std::vector<std::uint8_t> measured_of(const Trajectory& trajectory, bool is_whole) const;
    // Makes the k-th trajectory that of a learner of the variance.
    void learn_variance(std::size_t k);

    const Setting& setting_;
    std::uint64_t seed_;
    std::uint32_t instance_;
    FiniteMdp mdp_;
    Evaluation evaluation_;
    std::unique_ptr<FiniteMdp> problem_of_values_;  // where a variance is learned; else null
    Sampler sampler_;
    ProjectedSystems systems_;
    // The problem as it is after its change.
    struct Later {
        Later(FiniteMdp changed, const Weighting& weighting, bool is_outline)
            : mdp(std::move(changed)),
              evaluation(is_outline ? outline_evaluation(mdp) : make_evaluation(mdp, weighting)),
              systems(mdp, is_outline) {}
        FiniteMdp mdp;
        Evaluation evaluation;
        ProjectedSystems systems;
    };
    std::unique_ptr<Later> later_;
    bool has_interest_;

    LaneFeatures features_{};
    std::vector<std::uint32_t> sparse_first_, sparse_indices_;
    std::vector<double> sparse_values_;

    std::vector<Trajectory> trajectories_;
    std::vector<std::vector<std::uint8_t>> measured_;  // of those
    std::vector<LaneTrajectory> lane_trajectories_;
    std::vector<std::vector<std::uint8_t>> marks_;  // of those, where some states are not active
    std::vector<TransitionsAhead> ahead_;           // of those, where the setting looks several steps ahead
    struct Variance {
        VarianceStream stream;
        std::vector<double> offsets;  // of its errors, where it is learned as a second moment
    };
    std::vector<Variance> variance_;       // of those, where a variance is learned
    std::uint32_t first_sampled_run_ = 0;  // of those
    std::optional<std::size_t> sampled_steps_;
};

// The instance used last, with all of its questions: neighbouring units share theirs. One per thread.
class InstanceCache {
public:
    explicit InstanceCache(const Study& study) : study_(study) {}

    // Problems whose features are drawn for every run have an instance per run.
    std::shared_ptr<Instance> get(std::size_t setting, std::uint32_t instance, std::uint32_t run,
                                  std::size_t question = 0);
    const Study& study() const { return study_; }

private:
    const Study& study_;
    std::tuple<std::size_t, std::uint32_t, std::uint32_t> key_;
    std::vector<std::shared_ptr<Instance>> last_;  // by question
};

}  // namespace bellwether
