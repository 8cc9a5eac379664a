#include "stream/stream_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <numeric>

#include "bellwether/catalogue.hpp"
#include "stream/stream_check.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"
#include "support/parameter_order.hpp"

namespace bellwether {

namespace {

const std::vector<double>* find_values(std::span<const ParameterValues> values, std::string_view name) {
    for (const ParameterValues& parameter : values)
        if (parameter.name == name) return &parameter.values;
    return nullptr;
}

void refuse_unknown(std::span<const AlgorithmInfo* const> algorithms, std::span<const ParameterValues> values) {
    for (const ParameterValues& parameter : values) {
        const auto has_it = [&](const AlgorithmInfo* info) { return info->find(parameter.name) != nullptr; };
        if (std::none_of(algorithms.begin(), algorithms.end(), has_it))
            throw UsageError("none of the algorithms has a parameter '" + parameter.name + "'");
        if (parameter.values.empty()) throw UsageError(parameter.name + " has no values");
    }
}

std::vector<double> values_for(const AlgorithmInfo& info, const ParameterInfo& parameter,
                               std::span<const ParameterValues> values) {
    const std::vector<double>* given = find_values(values, parameter.name);
    if (!given && parameter.required())
        throw UsageError(std::string(info.id) + " needs " + std::string(parameter.name) + ": " +
                         std::string(parameter.help) + ", " + describe(parameter.range));
    if (!given) return {parameter.default_value};
    for (const double value : *given) check_range(parameter, value);
    return *given;
}

// ---- measuring

// The measured steps: the last ones, where the truth is known.
std::vector<std::uint8_t> measured_steps(const StreamView& stream, const StreamTruth& truth, double share) {
    if (truth.at) return {truth.at, truth.at + stream.steps};
    const double wanted = std::round(share * static_cast<double>(stream.steps));
    const std::size_t last = std::max<std::size_t>(1, static_cast<std::size_t>(wanted));
    std::size_t every = 1;
    if (!truth.by_step) every = truth.every > 0 ? truth.every : std::max<std::size_t>(1, last / 100);
    std::vector<std::uint8_t> counts(stream.steps, 0);
    for (std::size_t t = stream.steps - last; t < stream.steps; ++t) {
        const bool known = stream.is_step(t) && (!truth.by_step || !truth.known || truth.known[t]);
        counts[t] = known && (stream.steps - 1 - t) % every == 0;
    }
    return counts;
}

std::vector<double> evaluation_weights(const StreamTruth& truth) {
    std::vector<double> weights(truth.row_count, 1.0);
    if (truth.weights) weights.assign(truth.weights, truth.weights + truth.row_count);
    double total = 0;
    for (const double weight : weights) total += weight;
    for (double& weight : weights) weight /= total;
    return weights;
}

void check_truth(const StreamTruth& truth, const StreamView& stream, std::span<const std::uint8_t> counts) {
    if (std::find(counts.begin(), counts.end(), 1) == counts.end())
        throw UsageError(
            "no step that would be scored has a known truth: returns are known where their segment ends with "
            "gamma = 0, or far enough before its end; give values as truth, or score more of the stream");
    if (truth.by_step) {
        for (std::size_t t = 0; t < stream.steps; ++t)
            if (counts[t] && !std::isfinite(truth.by_step[t])) throw UsageError("truth must be finite");
        return;
    }
    if (truth.row_count == 0) throw UsageError("the evaluation set has no rows");
    if (truth.rows.dimension != stream.x.dimension)
        throw UsageError("the evaluation set has the dimension " + std::to_string(truth.rows.dimension) +
                         ", the stream has " + std::to_string(stream.x.dimension));
    check_features(truth.rows, truth.row_count, "the evaluation set");
    double total = 0;
    for (std::size_t k = 0; k < truth.row_count; ++k) {
        if (!std::isfinite(truth.values[k])) throw UsageError("truth must be finite");
        if (!truth.weights) continue;
        if (!(truth.weights[k] >= 0 && std::isfinite(truth.weights[k])))
            throw UsageError("the weights of the evaluation set must be finite and at least 0");
        total += truth.weights[k];
    }
    if (truth.weights && !(total > 0)) throw UsageError("the weights of the evaluation set must not all be 0");
}

// ---- the work

// Learners of one algorithm: those that fill a LaneLearners, or what a device takes at once.
struct Task {
    const AlgorithmGrid* algorithm;
    std::vector<std::size_t> configurations;  // of the algorithm's
    std::size_t results_before;               // of the algorithms before it
    bool on_device = false;
};

// An algorithm's configurations by λ: lanes bring their traces back to scale 1 together, and with λ = 0 that is in
// every step.
std::vector<std::size_t> by_lambda(const AlgorithmGrid& algorithm) {
    std::vector<std::size_t> order(algorithm.configurations());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const ParameterInfo* lambda = algorithm.info->find("lambda");
    if (!lambda) return order;
    const auto p = static_cast<std::size_t>(lambda - algorithm.info->parameters.data());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return algorithm.value(a, p) < algorithm.value(b, p); });
    return order;
}

// What a device takes at once: enough to matter, and so few that several tasks keep it busy together.
constexpr std::size_t configurations_on_device = 4096;

std::vector<Task> share_out(std::span<const AlgorithmGrid> algorithms, const DeviceStream* on_device,
                            std::size_t size_beside) {
    std::vector<Task> tasks;
    std::size_t before = 0;
    for (const AlgorithmGrid& algorithm : algorithms) {
        const std::vector<std::size_t> order = by_lambda(algorithm);
        const bool goes_there = on_device && on_device->takes(registry_index(*algorithm.info));
        const std::size_t size = goes_there ? configurations_on_device : size_beside;
        for (std::size_t first = 0; first < order.size(); first += size) {
            const std::span chosen = std::span(order).subspan(first, std::min(size, order.size() - first));
            tasks.push_back({&algorithm, {chosen.begin(), chosen.end()}, before, goes_there});
        }
        before += order.size();
    }
    // What a device does comes first: threads only wait for it.
    std::stable_partition(tasks.begin(), tasks.end(), [](const Task& task) { return task.on_device; });
    return tasks;
}

class StreamSweep {
public:
    StreamSweep(const StreamView& stream, std::span<const AlgorithmGrid> algorithms, const StreamTruth& truth,
                const StreamSweepOptions& options)
        : stream_(stream),
          options_(options),
          instruction_set_(options.instruction_set ? *options.instruction_set : best_instruction_set()),
          counts_(measured_steps(stream, truth, options.score_share)),
          evaluates_(!truth.by_step) {
        check_truth(truth, stream, counts_);
        if (evaluates_) weights_ = evaluation_weights(truth);
        const bool squared = options.metric != StreamMetric::mae;
        error_ = {.kind = squared ? LaneError::Kind::squared : LaneError::Kind::absolute,
                  .root = evaluates_ && options.metric == StreamMetric::rmse,
                  .of = evaluates_ ? LaneError::Of::rows : LaneError::Of::prediction,
                  .rows = truth.rows,
                  .row_count = truth.row_count,
                  .truth = truth.values,
                  .weight = weights_.data(),
                  .target = {truth.by_step, 1, false}};
        if (options.device)
            on_device_ = options.device->hold({.source = source_of(stream, 0, stream.steps),
                                               .initial_weights = options.initial_weights,
                                               .errors = &error_,
                                               .error_count = 1,
                                               .counts = counts_.data()});
        tasks_ = share_out(algorithms, on_device_.get(), instruction_set_.most_learners());
        if (tasks_.size() < options.threads) tasks_ = share_out(algorithms, on_device_.get(), instruction_set_.lanes());
        std::size_t count = 0;
        for (const AlgorithmGrid& algorithm : algorithms) count += algorithm.configurations();
        results_.scores.resize(count);
        results_.diverged.resize(count);
        if (options.keeps_weights) results_.weights.resize(count * stream.x.dimension);
    }

    StreamScores run() {
        parallel_for(
            options_.threads, tasks_.size(), stop_, [this](std::size_t, std::size_t task) { learn(tasks_[task]); },
            [this] { watch(); });
        watch();  // at least once, and with everything done
        finish_scores();
        return std::move(results_);
    }

private:
    void learn(const Task& task) {
        const AlgorithmGrid& grid = *task.algorithm;
        std::vector<double> parameters;
        for (std::size_t p = 0; p < grid.values.size(); ++p)
            for (const std::size_t c : task.configurations) parameters.push_back(grid.value(c, p));
        const std::size_t count = task.configurations.size();
        const LaneBlock block{.algorithm = registry_index(*grid.info), .count = count, .parameters = parameters.data()};
        if (task.on_device) return learn_on_device(task, block);
        const std::size_t d = stream_.x.dimension;
        const std::unique_ptr<LaneLearners> learners =
            instruction_set_.make_lane_learners({.block = block,
                                                 .first = 0,
                                                 .dimension = d,
                                                 .initial_weights = options_.initial_weights,
                                                 .error_count = 1});
        const std::size_t most = steps_at_once(*grid.info, d);
        for (std::size_t begin = 0; begin < stream_.steps && !stop_; begin += most) {
            const std::size_t steps = std::min(most, stream_.steps - begin);
            learn(*learners, begin, steps);
            done_ += steps * count;
        }
        take_results(task, *learners);
    }
    void learn_on_device(const Task& task, const LaneBlock& block) {
        std::vector<double> sums(block.count), weights(options_.keeps_weights ? block.count * stream_.x.dimension : 0);
        on_device_->learn(block, sums.data(), options_.keeps_weights ? weights.data() : nullptr);
        put_results(task, sums, weights);
        done_ += stream_.steps * block.count;
    }
    void take_results(const Task& task, const LaneLearners& learners) {
        const std::size_t count = task.configurations.size();
        std::vector<double> sums(count), weights(options_.keeps_weights ? count * stream_.x.dimension : 0);
        std::vector<std::uint8_t> finite(count);
        learners.sums(sums.data());
        learners.finite(finite.data());
        if (options_.keeps_weights) learners.weights(weights.data());
        for (std::size_t k = 0; k < count; ++k)
            if (!finite[k]) sums[k] = std::numeric_limits<double>::infinity();
        put_results(task, sums, weights);
    }
    void put_results(const Task& task, const std::vector<double>& sums, const std::vector<double>& weights) {
        const std::size_t d = stream_.x.dimension;
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const std::size_t place = task.results_before + task.configurations[k];
            results_.scores[place] = sums[k];
            if (options_.keeps_weights)
                std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(k * d), d,
                            results_.weights.begin() + static_cast<std::ptrdiff_t>(place * d));
        }
    }
    void learn(LaneLearners& learners, std::size_t begin, std::size_t steps) const {
        LaneError error = error_;
        if (!evaluates_) error.target.numbers += begin;
        learners.learn(source_of(stream_, begin, steps), {.errors = &error,
                                                          .error_count = 1,
                                                          .counts = counts_.data() + begin,
                                                          .may_stop = !options_.keeps_weights});
    }

    void watch() {
        if (!options_.watch) return;
        try {
            const double all = static_cast<double>(stream_.steps) * static_cast<double>(results_.scores.size());
            options_.watch(static_cast<double>(done_) / all);
        } catch (...) {
            stop_ = true;
            throw;
        }
    }

    void finish_scores() {
        double counted = 0;
        for (const std::uint8_t count : counts_) counted += count;
        const bool root = !evaluates_ && options_.metric == StreamMetric::rmse;
        for (std::size_t c = 0; c < results_.scores.size(); ++c) {
            double& score = results_.scores[c];
            score /= counted;
            if (root) score = std::sqrt(score);
            if (!std::isfinite(score)) score = std::numeric_limits<double>::infinity();
            results_.diverged[c] = !std::isfinite(score);
        }
    }

    const StreamView& stream_;
    const StreamSweepOptions& options_;
    const InstructionSet& instruction_set_;
    std::vector<std::uint8_t> counts_;
    bool evaluates_;
    std::vector<double> weights_;
    LaneError error_{};
    std::unique_ptr<DeviceStream> on_device_;
    std::vector<Task> tasks_;
    StreamScores results_;
    std::atomic<std::size_t> done_ = 0;
    std::atomic<bool> stop_ = false;
};

}  // namespace

std::vector<AlgorithmGrid> grids_of(std::span<const AlgorithmInfo* const> algorithms,
                                    std::span<const ParameterValues> values) {
    if (algorithms.empty()) throw UsageError("no algorithm is given");
    refuse_unknown(algorithms, values);
    std::vector<AlgorithmGrid> grids;
    for (const AlgorithmInfo* info : algorithms) {
        AlgorithmGrid& grid = grids.emplace_back(AlgorithmGrid{.info = info});
        for (const ParameterInfo& parameter : info->parameters)
            grid.values.push_back(values_for(*info, parameter, values));
        check_order(grid);
    }
    return grids;
}

Targets returns_of(const StreamView& stream) {
    Targets targets{.values = std::vector<double>(stream.steps), .known = std::vector<std::uint8_t>(stream.steps)};
    double next_return = 0, open = 1;  // open: the product of the discounts from here to the end of the segment
    for (std::size_t t = stream.steps; t-- > 0;) {
        const bool last = t + 1 < stream.steps && stream.marks && (stream.marks[t + 1] & begins_segment);
        if (last || !stream.is_step(t)) next_return = 0, open = 1;
        if (!stream.is_step(t)) continue;
        const double gamma = number_at(stream.gamma, t);
        next_return = number_at(stream.rho, t) * (number_at(stream.reward, t) + gamma * next_return);
        open *= gamma;
        targets.values[t] = next_return;
        targets.known[t] = open < least_discount;
    }
    return targets;
}

StreamScores sweep_stream(const StreamView& stream, std::span<const AlgorithmGrid> algorithms, const StreamTruth& truth,
                          const StreamSweepOptions& options) {
    if (!(options.score_share > 0 && options.score_share <= 1))
        throw UsageError("score = " + number_text(options.score_share) + " is out of range: it must be in (0, 1]");
    if (options.threads == 0) throw UsageError("threads must be at least 1");
    if (stream.steps == 0) throw UsageError("the stream has no steps");
    if (!options.is_checked) {
        check_finite(stream, 1);
        check_transitions(stream, 1);
    }
    for (const AlgorithmGrid& algorithm : algorithms) check_algorithm(*algorithm.info, stream, 1);
    if (!truth.returns) return StreamSweep(stream, algorithms, truth, options).run();
    const Targets targets = returns_of(stream);
    StreamTruth known = truth;
    known.by_step = targets.values.data();
    known.known = targets.known.data();
    return StreamSweep(stream, algorithms, known, options).run();
}

}  // namespace bellwether
