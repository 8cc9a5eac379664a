#include "run/configuration_block.hpp"

#include <algorithm>

#include "support/algorithms.hpp"

namespace bellwether {

std::size_t runs_at_once(const Backend& backend, const Setting& setting, std::size_t configurations, std::size_t runs) {
    if (setting.problem.has_runs()) return 1;  // each has a problem of its own
    const std::uint64_t wanted = backend.agent_steps_at_once() / (setting.steps * configurations);
    return std::min(runs, std::max<std::size_t>(1, wanted));
}

ConfigurationBlock::ConfigurationBlock(InstanceCache& instances, const Backend* backend, std::size_t setting,
                                       std::size_t algorithm, std::uint32_t instance,
                                       std::span<const std::size_t> configurations)
    : instances_(instances),
      backend_(backend),
      setting_number_(setting),
      setting_(instances.study().settings[setting]),
      instance_number_(instance),
      count_(configurations.size()) {
    const AlgorithmGrid& grid = setting_.algorithms[algorithm];
    algorithm_ = registry_index(*grid.info);
    const std::size_t parameters = grid.values.size();
    parameters_.resize(parameters * count_);
    lambda_.resize(count_, 0.0);  // algorithms without the parameter have λ = 0
    std::vector<double> values(parameters);
    for (std::size_t c = 0; c < count_; ++c) {
        grid.learner_parameters(configurations[c], values);
        for (std::size_t p = 0; p < parameters; ++p) {
            parameters_[p * count_ + c] = values[p];
            if (grid.info->parameters[p].name == "lambda") lambda_[c] = values[p];
        }
    }
}

LaneRequest ConfigurationBlock::request() const {
    return {.block = {.algorithm = algorithm_, .count = count_, .parameters = parameters_.data()},
            .features = instance_->features(),
            .states = instance_->states(),
            .initial_weights = instance_->initial_weights(),
            .trajectories = nullptr,
            .trajectory_count = 0,
            .errors = nullptr,
            .error_count = 0,
            .scored_steps = 1,
            .scores = nullptr,
            .curves = nullptr};
}

// The errors of w_0 are those of a learning curve without steps.
void ConfigurationBlock::enter(std::shared_ptr<Instance> instance) {
    instance_ = std::move(instance);
    errors_.clear();
    later_errors_.clear();
    error_number_.clear();
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m) {
        // Several scores of a metric stand together.
        if (m == 0 || setting_.metrics[m].metric != setting_.metrics[m - 1].metric) {
            errors_.push_back(instance_->error(m, lambda_));
            if (instance_->changes_after() > 0) later_errors_.push_back(instance_->later_error(m, lambda_));
        }
        error_number_.push_back(errors_.size() - 1);
    }
    std::vector<LaneError> views;
    for (const std::size_t number : error_number_) views.push_back(errors_[number].view());
    initial_.resize(views.size() * count_);
    std::vector<double> unused(initial_.size());
    LaneRequest at_start = request();
    at_start.errors = views.data();
    at_start.error_count = views.size();
    at_start.scores = unused.data();
    at_start.curves = initial_.data();
    const LaneTrajectory no_steps{};
    at_start.trajectories = &no_steps;
    at_start.trajectory_count = 1;
    backend_->run({&at_start, 1});
}

void ConfigurationBlock::run(std::uint32_t first, std::size_t runs, std::span<const std::size_t> metrics,
                             std::optional<std::size_t> steps) {
    auto instance = instances_.get(setting_number_, instance_number_, first);
    if (instance != instance_) enter(std::move(instance));
    const std::size_t measurements = steps ? (*steps + setting_.every - 1) / setting_.every : setting_.measurements();
    std::vector<LaneError> views, later_views;
    std::vector<std::size_t> scored;
    for (const std::size_t m : metrics) {
        views.push_back(errors_[error_number_[m]].view());
        if (!later_errors_.empty()) later_views.push_back(later_errors_[error_number_[m]].view());
        scored.push_back(std::min(setting_.metrics[m].scored, measurements));
    }
    metric_count_ = metrics.size();
    scores_.resize(runs * metric_count_ * count_);
    LaneRequest whole = request();
    whole.trajectories = instance_->trajectories(first, runs, steps).data();
    whole.trajectory_count = runs;
    whole.errors = views.data();
    whole.error_count = views.size();
    whole.changes_after = instance_->changes_after();
    whole.later_errors = later_views.data();
    whole.scored_steps_of = scored.data();
    whole.scores = scores_.data();
    if (keeps_curves_) {
        curve_length_ = measurements + 1;
        curves_.resize(runs * metric_count_ * count_ * curve_length_);
        whole.curves = curves_.data();
    }
    backend_->run({&whole, 1});
}

std::span<const double> ConfigurationBlock::curve(std::size_t place, std::size_t configuration, std::size_t n) const {
    const std::size_t number = (n * metric_count_ + place) * count_ + configuration;
    return std::span(curves_).subspan(number * curve_length_, curve_length_);
}

}  // namespace bellwether
