#include "stream/stream_view.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>

#include "bellwether/number_text.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr Range any_number{.minimum = -std::numeric_limits<double>::max()};
constexpr Range at_least_zero{.minimum = 0};
constexpr Range probability{.minimum = 0, .maximum = 1};
constexpr Range positive_probability{.minimum = 0, .maximum = 1, .includes_minimum = false};

double at(const LaneSignal& signal, std::size_t t, std::size_t k) {
    return signal.numbers[t * signal.by_step + (signal.by_learner ? k : 0)];
}

// "gammas", "gammas[4]", "gammas[4, 2]", "gammas[2]" where there is one number a learner
std::string place(const char* name, const LaneSignal& signal, std::size_t t, std::size_t k) {
    std::string text;
    if (signal.by_step > 0) text = std::to_string(t);
    if (signal.by_learner) text += (text.empty() ? "" : ", ") + std::to_string(k);
    return text.empty() ? name : name + ("[" + text + "]");
}

// Calls work(t, k) for every number of the signals that is read.
template <class Work>
void for_each_number(const StreamView& stream, std::size_t learners, std::initializer_list<LaneSignal> signals,
                     Work work) {
    bool by_step = false, by_learner = false;
    for (const LaneSignal& signal : signals) {
        by_step = by_step || signal.by_step > 0;
        by_learner = by_learner || signal.by_learner;
    }
    for (std::size_t t = 0; t < (by_step ? stream.steps : 1); ++t)
        for (std::size_t k = 0; (!by_step || stream.is_step(t)) && k < (by_learner ? learners : 1); ++k) work(t, k);
}

void check_signal(const char* name, const LaneSignal& signal, const StreamView& stream, std::size_t learners,
                  const Range& range) {
    for_each_number(stream, learners, {signal}, [&](std::size_t t, std::size_t k) {
        const double value = at(signal, t, k);
        if (range.contains(value)) return;
        const std::string must = range.minimum < 0 ? "finite" : "finite and " + describe(range);
        throw UsageError(place(name, signal, t, k) + " is " + number_text(value) + ": it must be " + must);
    });
}
void check_numbers(const char* name, const double* numbers, const StreamView& stream, const Range& range) {
    if (numbers) check_signal(name, {numbers, 1, false}, stream, 1, range);
}

// How far a given ρ may be from π/μ: logs often carry six digits.
void check_ratios(const StreamView& stream, std::size_t learners) {
    for_each_number(stream, learners, {stream.rho, stream.pi, stream.mu}, [&](std::size_t t, std::size_t k) {
        const double rho = at(stream.rho, t, k), ratio = at(stream.pi, t, k) / at(stream.mu, t, k);
        if (std::abs(rho - ratio) > 1e-6 * std::max(1.0, ratio))
            throw UsageError(place("rhos", stream.rho, t, k) + " is " + number_text(rho) + ", but pis/mus is " +
                             number_text(ratio));
    });
}

void check_values(const char* name, const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i])) throw UsageError(std::string(name) + " must be finite");
}

void check_indices(const LaneFeatures& features, std::size_t begin, std::size_t end, const char* name) {
    for (std::size_t i = begin; i < end; ++i)
        if (features.indices[i] >= features.dimension)
            throw UsageError(std::string(name) + " has the index " + std::to_string(features.indices[i]) +
                             ", and the dimension is " + std::to_string(features.dimension));
}

}  // namespace

LaneFeatures rows_from(LaneFeatures features, std::size_t rows) {
    switch (features.kind) {
        case LaneFeatures::Kind::dense:
            features.values += rows * features.dimension;
            break;
        case LaneFeatures::Kind::sparse:
            features.first += rows;
            break;
        case LaneFeatures::Kind::one_hot:
            features.indices += rows;
            break;
    }
    return features;
}

LaneStretch stretch_of(const StreamView& stream, std::size_t begin, std::size_t steps) {
    const auto signal_from = [&](LaneSignal signal) {
        signal.numbers += begin * signal.by_step;
        return signal;
    };
    const auto from = [&](auto* numbers) { return numbers ? numbers + begin : nullptr; };
    return {.steps = steps,
            .x = rows_from(stream.x, begin),
            .x_next = rows_from(stream.x_next, begin),
            .reward = signal_from(stream.reward),
            .gamma = signal_from(stream.gamma),
            .rho = signal_from(stream.rho),
            .pi = signal_from(stream.pi),
            .mu = signal_from(stream.mu),
            .lambda = from(stream.lambda),
            .lambda_next = from(stream.lambda_next),
            .interest = from(stream.interest),
            .marks = from(stream.marks),
            .measure = nullptr,
            .predictions = nullptr,
            .predictions_by_step = 0,
            .may_stop = false};
}

std::size_t steps_at_once(const AlgorithmInfo& info, std::size_t dimension) {
    constexpr double work = 4e6;
    const double d = static_cast<double>(dimension);
    return static_cast<std::size_t>(std::clamp(work / (info.quadratic ? d * d : d), 16.0, 65536.0));
}

void check_features(const LaneFeatures& features, std::size_t rows, const char* name) {
    if (features.dimension == 0)
        throw UsageError(std::string(name) + " has no features: the dimension must be at least 1");
    switch (features.kind) {
        case LaneFeatures::Kind::dense:
            return check_values(name, features.values, rows * features.dimension);
        case LaneFeatures::Kind::sparse: {
            for (std::size_t row = 0; row < rows; ++row)
                if (features.first[row] > features.first[row + 1])
                    throw UsageError(std::string(name) + ": its row pointers must not decrease");
            const std::size_t begin = features.first[0], end = features.first[rows];
            check_indices(features, begin, end, name);
            return check_values(name, features.values + begin, end - begin);
        }
        case LaneFeatures::Kind::one_hot:
            return check_indices(features, 0, rows, name);
    }
}

void check_stream(const StreamView& stream, std::size_t learners) {
    if (stream.steps == 0) throw UsageError("the stream has no steps");
    check_features(stream.x, stream.steps, "X");
    check_features(stream.x_next, stream.steps, "X_next");
    check_signal(stream.reward_name, stream.reward, stream, learners, any_number);
    check_signal("gammas", stream.gamma, stream, learners, probability);
    check_signal("rhos", stream.rho, stream, learners, at_least_zero);
    check_signal("pis", stream.pi, stream, learners, probability);
    check_signal("mus", stream.mu, stream, learners, positive_probability);
    if (stream.has_policies) check_ratios(stream, learners);
    check_numbers("lambdas", stream.lambda, stream, probability);
    check_numbers("lambdas_next", stream.lambda_next, stream, probability);
    check_numbers("interests", stream.interest, stream, at_least_zero);
}

void check_algorithm(const AlgorithmInfo& info, const StreamView& stream, std::size_t learners) {
    const std::string id(info.id);
    if (info.on_policy_only)
        for_each_number(stream, learners, {stream.rho}, [&](std::size_t t, std::size_t k) {
            if (at(stream.rho, t, k) != 1)
                throw UsageError(place("rhos", stream.rho, t, k) + " is " + number_text(at(stream.rho, t, k)) + ": " +
                                 id + " learns on-policy only, where rho is 1");
        });
    if (info.needs_policies && !stream.has_policies)
        throw UsageError(id + " needs pis and mus, the probabilities of the actions taken");
}

}  // namespace bellwether
