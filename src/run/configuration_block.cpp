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

LaneRequest ConfigurationBlock::request(const Question& question) const {
    return {.block = {.algorithm = algorithm_, .count = count_, .parameters = parameters_.data()},
            .features = question.instance->features(),
            .states = question.instance->states(),
            .initial_weights = question.instance->initial_weights(),
            .trajectories = nullptr,
            .trajectory_count = 0,
            .errors = nullptr,
            .error_count = 0,
            .scored_steps = 1,
            .scores = nullptr,
            .curves = nullptr,
            .step_sizes = setting_.step_sizes};
}

// The errors of w_0 are those of a learning curve without steps.
void ConfigurationBlock::enter(std::uint32_t first_run) {
    const std::size_t questions = setting_.problem.questions();
    if (!questions_.empty() &&
        questions_[0].instance == instances_.get(setting_number_, instance_number_, first_run, 0))
        return;
    questions_.clear();
    static constexpr LaneTrajectory no_steps{};
    std::vector<Asked> asked;
    for (std::size_t q = 0; q < questions; ++q) {
        Question& question = questions_.emplace_back();
        question.instance = instances_.get(setting_number_, instance_number_, first_run, q);
        Asked& at_start = asked.emplace_back();
        error_number_.clear();
        for (std::size_t m = 0; m < setting_.metrics.size(); ++m) {
            // Several scores of a metric stand together.
            if (m == 0 || setting_.metrics[m].metric != setting_.metrics[m - 1].metric) {
                question.errors.push_back(question.instance->error(m, lambda_));
                if (question.instance->changes_after() > 0)
                    question.later_errors.push_back(question.instance->later_error(m, lambda_));
            }
            error_number_.push_back(question.errors.size() - 1);
        }
        for (const std::size_t number : error_number_) at_start.errors.push_back(question.errors[number].view());
        at_start.request = request(question);
        at_start.request.trajectories = &no_steps;
        at_start.request.trajectory_count = 1;
        at_start.scores.resize(setting_.metrics.size() * count_);
        at_start.curves.resize(at_start.scores.size());
    }
    run(asked);
    take_means(asked);
    initial_ = std::move(curves_);
    initial_apart_ = apart(asked, &Asked::curves);
}

std::vector<std::vector<double>> ConfigurationBlock::apart(std::vector<Asked>& asked,
                                                           std::vector<double> Asked::*numbers) {
    std::vector<std::vector<double>> all;
    if (asked.size() > 1)
        for (Asked& one : asked) all.push_back(std::move(one.*numbers));
    return all;
}

std::size_t ConfigurationBlock::measurements(std::optional<std::size_t> steps) const {
    return steps ? (*steps + setting_.every - 1) / setting_.every : setting_.measurements();
}

ConfigurationBlock::Asked ConfigurationBlock::ask(const Question& question, std::uint32_t first, std::size_t runs,
                                                  std::span<const std::size_t> metrics,
                                                  std::optional<std::size_t> steps) {
    Asked asked{.request = request(question)};
    for (const std::size_t m : metrics) {
        asked.errors.push_back(question.errors[error_number_[m]].view());
        if (!question.later_errors.empty())
            asked.later_errors.push_back(question.later_errors[error_number_[m]].view());
        asked.scored.push_back(std::min(setting_.metrics[m].scored, measurements(steps)));
    }
    asked.request.trajectories = question.instance->trajectories(first, runs, steps).data();
    asked.request.trajectory_count = runs;
    asked.request.changes_after = question.instance->changes_after();
    asked.scores.resize(runs * metrics.size() * count_);
    if (keeps_curves_) asked.curves.resize(asked.scores.size() * (measurements(steps) + 1));
    return asked;
}

// All questions at once.
void ConfigurationBlock::run(std::vector<Asked>& asked) {
    std::vector<LaneRequest> batch;
    for (Asked& one : asked) {
        one.request.errors = one.errors.data();
        one.request.error_count = one.errors.size();
        one.request.later_errors = one.later_errors.data();
        one.request.scored_steps_of = one.scored.empty() ? nullptr : one.scored.data();
        one.request.scores = one.scores.data();
        one.request.curves = one.curves.empty() ? nullptr : one.curves.data();
        batch.push_back(one.request);
    }
    backend_->run(batch);
}

void ConfigurationBlock::count_initial_errors(std::vector<Asked>& asked, std::span<const std::size_t> metrics) const {
    for (std::size_t q = 0; q < asked.size(); ++q) {
        const std::vector<double>& initial = asked.size() > 1 ? initial_apart_[q] : initial_;
        for (std::size_t k = 0; k < asked[q].scores.size(); ++k) {
            const std::size_t m = metrics[k / count_ % metrics.size()];
            const auto counted = static_cast<double>(setting_.metrics[m].scored);
            if (setting_.metrics[m].scored <= setting_.measurements()) continue;
            double& score = asked[q].scores[k];
            score = (initial[m * count_ + k % count_] + score * (counted - 1)) / counted;
        }
    }
}

void ConfigurationBlock::take_means(std::vector<Asked>& asked) {
    const auto mean_of = [&](std::vector<double> Asked::*numbers) {
        if (asked.size() == 1) return std::move(asked.front().*numbers);
        std::vector<double> mean = asked.front().*numbers;
        for (std::size_t k = 0; k < mean.size(); ++k) {
            for (std::size_t q = 1; q < asked.size(); ++q) mean[k] += (asked[q].*numbers)[k];
            mean[k] /= static_cast<double>(asked.size());
        }
        return mean;
    };
    scores_ = mean_of(&Asked::scores);
    curves_ = mean_of(&Asked::curves);
}

void ConfigurationBlock::run(std::uint32_t first, std::size_t runs, std::span<const std::size_t> metrics,
                             std::optional<std::size_t> steps) {
    enter(first);
    metric_count_ = metrics.size();
    curve_length_ = measurements(steps) + 1;
    std::vector<Asked> asked;
    for (const Question& question : questions_) asked.push_back(ask(question, first, runs, metrics, steps));
    run(asked);
    if (!steps) count_initial_errors(asked, metrics);
    take_means(asked);
    scores_apart_ = apart(asked, &Asked::scores);
}

std::span<const double> ConfigurationBlock::curve(std::size_t place, std::size_t configuration, std::size_t n) const {
    const std::size_t number = (n * metric_count_ + place) * count_ + configuration;
    return std::span(curves_).subspan(number * curve_length_, curve_length_);
}

}  // namespace bellwether
