#include "run/instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"

namespace bellwether {

namespace {

// From this dimension on, and up to this share of entries that are not 0, the sparse kernels are the faster ones.
constexpr std::size_t least_sparse_dimension = 16;
constexpr std::size_t least_zeros_per_entry = 4;

template <class Work>
auto naming(const Setting& setting, std::uint32_t instance, Work work) {
    try {
        return work();
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("setting {}, instance {}: {}", setting.id, instance, error.what()));
    }
}

}  // namespace

Instance::Instance(const Study& study, std::size_t setting, std::uint32_t instance, std::uint32_t run,
                   std::size_t question)
    : setting_(study.settings[setting]),
      seed_(study.seed),
      instance_(instance),
      mdp_(naming(setting_, instance, [&] { return setting_.problem.make(study.seed, instance, run, question); })),
      evaluation_(naming(setting_, instance,
                         [&] {
                             return study.is_outline ? outline_evaluation(mdp_)
                                                     : make_evaluation(mdp_, setting_.weighting, setting_.target);
                         })),
      problem_of_values_(setting_.values
                             ? std::make_unique<FiniteMdp>(setting_.values->problem.make(study.seed, instance, run))
                             : nullptr),
      sampler_(mdp_),
      systems_(mdp_, study.is_outline),
      later_(mdp_.changes_after() > 0
                 ? std::make_unique<Later>(mdp_.after_change(), setting_.weighting, study.is_outline)
                 : nullptr),
      has_interest_(std::any_of(evaluation_.interest.begin(), evaluation_.interest.end(),
                                [](double interest) { return interest != 1; })) {
    choose_features();
    if (setting_.episodes > 0 && !study.is_outline) naming(setting_, instance, [&] { check_episodes(); });
}

void Instance::check_episodes() const {
    if (episode_rate(mdp_) == 0)
        throw UsageError("a run may never end an episode: the behaviour meets no discount of 0");
}

void Instance::choose_features() {
    features_.dimension = evaluation_.dimension;
    const auto zeros = std::count(evaluation_.features.begin(), evaluation_.features.end(), 0.0);
    const std::size_t entries = evaluation_.features.size() - static_cast<std::size_t>(zeros);
    if (!evaluation_.feature_index.empty()) {
        features_.kind = LaneFeatures::Kind::one_hot;
        features_.indices = evaluation_.feature_index.data();
    } else if (evaluation_.dimension >= least_sparse_dimension &&
               entries * least_zeros_per_entry <= evaluation_.features.size()) {
        make_sparse();
    } else {
        features_.kind = LaneFeatures::Kind::dense;
        features_.values = evaluation_.features.data();
    }
}

void Instance::make_sparse() {
    for (std::size_t k = 0; k < evaluation_.features.size(); ++k) {
        const std::size_t i = k % evaluation_.dimension;
        if (i == 0) sparse_first_.push_back(static_cast<std::uint32_t>(sparse_indices_.size()));
        if (evaluation_.features[k] == 0) continue;
        sparse_indices_.push_back(static_cast<std::uint32_t>(i));
        sparse_values_.push_back(evaluation_.features[k]);
    }
    sparse_first_.push_back(static_cast<std::uint32_t>(sparse_indices_.size()));
    features_.kind = LaneFeatures::Kind::sparse;
    features_.first = sparse_first_.data();
    features_.indices = sparse_indices_.data();
    features_.values = sparse_values_.data();
}

LaneStates Instance::states() const {
    return {.lambda = evaluation_.lambda.empty() ? nullptr : evaluation_.lambda.data(),
            .interest = has_interest_ ? evaluation_.interest.data() : nullptr};
}

ErrorData Instance::error(std::size_t m, std::span<const double> lambda_of_configuration) {
    const Metric metric = setting_.metrics[m].metric;
    ErrorData error =
        naming(setting_, instance_, [&] { return error_of(metric, evaluation_, systems_, lambda_of_configuration); });
    if (setting_.target == LearningTarget::second_moment) error.subsets.clear();  // whose b stay as they are
    return error;
}

ErrorData Instance::later_error(std::size_t m, std::span<const double> lambda_of_configuration) {
    const Metric metric = setting_.metrics[m].metric;
    return naming(setting_, instance_,
                  [&] { return error_of(metric, later_->evaluation, later_->systems, lambda_of_configuration); });
}

std::vector<std::uint8_t> Instance::measured_of(const Trajectory& trajectory, bool is_whole) const {
    if (setting_.is_measured_every_step()) return {};
    std::vector<std::uint8_t> measured(trajectory.steps());
    // After a step is before the one that follows.
    const std::size_t first = setting_.measures_before && is_whole ? setting_.every - 1 : 0;
    for (std::size_t t = 0; t < measured.size(); ++t)
        measured[t] = setting_.episodes > 0 ? trajectory.gamma[t] == 0 : t % setting_.every == first;
    return measured;
}

void Instance::learn_variance(std::size_t k) {
    auto& [stream, offsets] = variance_[k];
    stream = variance_stream(setting_.target, *setting_.values, *problem_of_values_, trajectories_[k], measured_[k]);
    LaneTrajectory& trajectory = lane_trajectories_[k];
    trajectory.reward = stream.reward.data();
    trajectory.gamma = stream.gamma.data();
    offsets.clear();
    if (setting_.target == LearningTarget::variance) return;
    const std::span squares(stream.squared_values);
    for (std::size_t first = 0; first < squares.size(); first += evaluation_.rows)
        add_offsets(evaluation_, squares.subspan(first, evaluation_.rows), offsets);
    trajectory.offsets = offsets.data();
}

std::span<const LaneTrajectory> Instance::trajectories(std::uint32_t first_run, std::size_t count,
                                                       std::optional<std::size_t> steps) {
    const bool are_there =
        first_run == first_sampled_run_ && lane_trajectories_.size() == count && sampled_steps_ == steps;
    if (are_there) return lane_trajectories_;
    trajectories_.resize(count);
    measured_.resize(count);
    lane_trajectories_.clear();
    marks_.resize(mdp_.has_inactive() ? count : 0);
    ahead_.resize(setting_.steps_ahead > 1 ? count : 0);
    variance_.resize(problem_of_values_ ? count : 0);
    for (std::size_t k = 0; k < count; ++k) {
        Trajectory& drawn = trajectories_[k];
        const std::uint32_t run = first_run + static_cast<std::uint32_t>(k);
        if (setting_.episodes > 0 && !steps)
            sampler_.sample_episodes(seed_, instance_, run, setting_.episodes, drawn);
        else
            sampler_.sample(seed_, instance_, run, steps.value_or(setting_.learned_steps()), drawn);
        measured_[k] = measured_of(drawn, !steps);
        lane_trajectories_.push_back({.steps = drawn.steps(),
                                      .rows = drawn.features.data(),
                                      .reward = drawn.reward.data(),
                                      .gamma = drawn.gamma.data(),
                                      .rho = drawn.rho.data(),
                                      .pi = drawn.pi.data(),
                                      .mu = drawn.mu.data(),
                                      .measured = measured_[k].empty() ? nullptr : measured_[k].data()});
        if (setting_.steps_ahead > 1) {
            ahead_[k] = look_ahead(drawn, setting_.steps_ahead);
            lane_trajectories_.back().reward = ahead_[k].reward.data();
            lane_trajectories_.back().gamma = ahead_[k].gamma.data();
            lane_trajectories_.back().rows_next = ahead_[k].next.data();
        }
        if (problem_of_values_) learn_variance(k);
        if (!mdp_.has_inactive()) continue;
        marks_[k].resize(drawn.steps());
        for (std::size_t t = 0; t < drawn.steps(); ++t)
            marks_[k][t] = mdp_.active(drawn.features[t]) ? std::uint8_t{0} : std::uint8_t{is_idle};
        lane_trajectories_.back().marks = marks_[k].data();
    }
    first_sampled_run_ = first_run;
    sampled_steps_ = steps;
    return lane_trajectories_;
}

std::shared_ptr<Instance> InstanceCache::get(std::size_t setting, std::uint32_t instance, std::uint32_t run,
                                             std::size_t question) {
    const Problem& problem = study_.settings[setting].problem;
    const std::tuple key(setting, instance, problem.has_runs() ? run : 0);
    if (key != key_ || last_.empty()) {
        last_.clear();  // before the next one is made, so that there is never memory for two
        last_.resize(problem.questions());
        key_ = key;
    }
    std::shared_ptr<Instance>& wanted = last_[question];
    if (!wanted) wanted = std::make_shared<Instance>(study_, setting, instance, std::get<2>(key), question);
    return wanted;
}

}  // namespace bellwether
