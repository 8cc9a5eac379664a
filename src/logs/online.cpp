#include "logs/online.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "engine/backend.hpp"
#include "logs/training_stream.hpp"
#include "stream/learn_steps.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/parallel_for.hpp"
#include "support/random.hpp"

namespace bellwether {

namespace {

// Learns segments in this order.
class LogLearner {
public:
    LogLearner(const Log& log, const OnlineLearner& learner)
        : log_(log), learner_(learner), stream_(log, std::nullopt), view_(stream_.view()) {}

    std::vector<double> operator()(std::span<const std::size_t> segments, const std::atomic<bool>& stop) const {
        const std::unique_ptr<Learner> learner =
            best_instruction_set().make_learner(*learner_.algorithm, log_.dimension, learner_.parameters, std::nullopt);
        for (const std::size_t i : segments) {
            if (stop) break;
            learner->start();
            learn_steps(*learner, view_, log_.segments[i].first, log_.segments[i].first + log_.segments[i].steps,
                        nullptr);
        }
        return {learner->weights().begin(), learner->weights().end()};
    }

    void check(std::span<const double> weights) const {
        for (const double weight : weights)
            if (!std::isfinite(weight))
                throw WorkError(
                    fmt::format("{} diverged: some weights are no longer finite; a smaller --alpha may help",
                                learner_.algorithm->id));
    }

private:
    const Log& log_;
    const OnlineLearner& learner_;
    TrainingStream stream_;
    StreamView view_;
};

// The average value of where segments start.
double start_value(const Log& log, const Starts& starts, std::span<const std::size_t> segments,
                   std::span<const double> w) {
    if (starts.from == Starts::From::rows)
        return dot(mean_start(log, ValueModel(log, ValueModel::Of::states), starts), w);
    double sum = 0;
    for (const std::size_t i : segments) {
        const Segment& segment = log.segments[i];
        const std::size_t rows = starts.from == Starts::From::all ? segment.steps : 1;
        for (std::size_t h = 0; h < rows; ++h) sum += dot(log.x(segment.first + h), w) / static_cast<double>(rows);
    }
    return sum / static_cast<double>(segments.size());
}

}  // namespace

double OnlineValues::deviation_of_values(std::span<const double> g) const {
    std::vector<double> values;
    for (const std::vector<double>& w : refits) values.push_back(dot(g, w));
    return deviation_of(values);
}

OnlineValues online_values(Log& log, const OnlineLearner& learner, const Starts& starts, double level,
                           std::size_t threads, const PassWatch& watch) {
    constexpr std::size_t refits = 200;
    pad_features(log);
    const LogLearner learned(log, learner);
    const std::size_t n = log.segments.size();
    std::vector<std::size_t> segments(n);
    std::iota(segments.begin(), segments.end(), std::size_t{0});
    std::atomic<bool> stop = false;
    OnlineValues values{.estimate = {.name = "online", .effective = static_cast<double>(n)},
                        .weights = learned(segments, stop),
                        .refits = std::vector<std::vector<double>>(refits)};
    learned.check(values.weights);
    values.estimate.value = start_value(log, starts, segments, values.weights);
    std::vector<double> drawn(refits);
    std::atomic<std::size_t> done = 0;
    parallel_for(
        threads, refits, stop,
        [&](std::size_t, std::size_t refit) {
            RandomStream random(0, 0, static_cast<std::uint32_t>(refit), Purpose::bootstrap);
            std::vector<std::size_t> sample(n);
            for (std::size_t& place : sample) place = random.below(n);
            values.refits[refit] = learned(sample, stop);
            drawn[refit] = start_value(log, starts, sample, values.refits[refit]);
            ++done;
        },
        [&] {
            stop_if_interrupted();
            watch(static_cast<double>(done) / refits);
        });
    values.estimate.se_of_values = deviation_of(drawn);
    set_interval(values.estimate, level);
    return values;
}

std::vector<double> online_weights(Log& log, const OnlineLearner& learner) {
    pad_features(log);
    const LogLearner learned(log, learner);
    std::vector<std::size_t> all(log.segments.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> weights = learned(all, std::atomic<bool>(false));
    learned.check(weights);
    return weights;
}

FoldWeights online_fold_weights(Log& log, const OnlineLearner& learner, std::size_t threads) {
    pad_features(log);
    const LogLearner learned(log, learner);
    FoldWeights weights;
    std::atomic<bool> stop = false;
    parallel_for(
        threads, folds, stop,
        [&](std::size_t, std::size_t k) {
            std::vector<std::size_t> others;
            for (std::size_t i = 0; i < log.segments.size(); ++i)
                if (i % folds != k) others.push_back(i);
            weights[k] = learned(others, stop);
        },
        [] { stop_if_interrupted(); });
    for (const std::vector<double>& w : weights) learned.check(w);
    return weights;
}

}  // namespace bellwether
