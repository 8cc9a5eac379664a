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

// Learns segments in this order and gives the average value of where they start.
class OnlineValue {
public:
    OnlineValue(const Log& log, const OnlineLearner& learner, const Starts& starts)
        : log_(log),
          learner_(learner),
          starts_(starts),
          model_(log, ValueModel::Of::states),
          stream_(log, std::nullopt),
          view_(stream_.view()) {}

    double operator()(std::span<const std::size_t> segments, const std::atomic<bool>& stop) const {
        const std::unique_ptr<Learner> learner =
            best_instruction_set().make_learner(*learner_.algorithm, log_.dimension, learner_.parameters, std::nullopt);
        for (const std::size_t i : segments) {
            if (stop) return 0;
            learner->start();
            learn_steps(*learner, view_, log_.segments[i].first, log_.segments[i].first + log_.segments[i].steps,
                        nullptr);
        }
        const std::span<const double> w = learner->weights();
        if (starts_.from == Starts::From::rows) return dot(mean_start(log_, model_, starts_), w);
        double sum = 0;
        for (const std::size_t i : segments) {
            const Segment& segment = log_.segments[i];
            const std::size_t rows = starts_.from == Starts::From::all ? segment.steps : 1;
            for (std::size_t h = 0; h < rows; ++h) sum += dot(log_.x(segment.first + h), w) / static_cast<double>(rows);
        }
        return sum / static_cast<double>(segments.size());
    }

private:
    const Log& log_;
    const OnlineLearner& learner_;
    const Starts& starts_;
    ValueModel model_;
    TrainingStream stream_;
    StreamView view_;
};

}  // namespace

PolicyEstimate online_estimate(Log& log, const OnlineLearner& learner, const Starts& starts, double level,
                               std::size_t threads) {
    constexpr std::size_t refits = 200;
    pad_features(log);
    const OnlineValue value(log, learner, starts);
    const std::size_t n = log.segments.size();
    std::vector<std::size_t> segments(n);
    std::iota(segments.begin(), segments.end(), std::size_t{0});
    std::atomic<bool> stop = false;
    PolicyEstimate estimate{.name = "online", .value = value(segments, stop), .effective = static_cast<double>(n)};
    if (!std::isfinite(estimate.value))
        throw WorkError(fmt::format("{} diverged: some weights are no longer finite; a smaller --alpha may help",
                                    learner.algorithm->id));
    std::vector<double> drawn(refits);
    parallel_for(
        threads, refits, stop,
        [&](std::size_t, std::size_t refit) {
            RandomStream random(0, 0, static_cast<std::uint32_t>(refit), Purpose::bootstrap);
            std::vector<std::size_t> sample(n);
            for (std::size_t& place : sample) place = random.below(n);
            drawn[refit] = value(sample, stop);
        },
        [] { stop_if_interrupted(); });
    estimate.se = deviation_of(drawn);
    const double t = student_quantile(level, std::max(1.0, static_cast<double>(n) - 1));
    estimate.lower = estimate.value - t * estimate.se;
    estimate.upper = estimate.value + t * estimate.se;
    return estimate;
}

}  // namespace bellwether
