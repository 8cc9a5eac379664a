#include "stream/stream_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "bellwether/learner.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

using Field = TransitionField;

constexpr std::array<Field, transition_fields> every_field{Field::gamma,  Field::rho,         Field::pi,      Field::mu,
                                                           Field::lambda, Field::lambda_next, Field::interest};
constexpr NumberRule on_policy{1, 1, "1"};

// The numbers of a field; null where the stream has none.
LaneSignal signal_of(const StreamView& stream, Field field) {
    switch (field) {
        case Field::gamma:
            return stream.gamma;
        case Field::rho:
            return stream.rho;
        case Field::pi:
            return stream.pi;
        case Field::mu:
            return stream.mu;
        case Field::lambda:
            return {stream.lambda};
        case Field::lambda_next:
            return {stream.lambda_next};
        case Field::interest:
            break;
    }
    return {stream.interest};
}

// "gammas", "gammas[4]", "gammas[4, 2]", "gammas[2]" where there is one number a learner
std::string place(std::string_view name, const LaneSignal& signal, std::size_t t, std::size_t k) {
    std::string text;
    if (signal.by_step > 0) text = std::to_string(t);
    if (signal.by_learner) text += (text.empty() ? "" : ", ") + std::to_string(k);
    return text.empty() ? std::string(name) : std::string(name) + "[" + text + "]";
}

[[noreturn]] void refuse(const TransitionProblem& problem, const LaneSignal& signal, std::size_t t, std::size_t k) {
    throw UsageError(place(stream_names[problem.field], signal, t, k) + " " + problem.text);
}

// Where ρ stands beside π and μ: one number may agree with them in some steps and not in others.
LaneSignal beside_policies(const StreamView& stream) {
    LaneSignal signal = stream.rho;
    for (const LaneSignal& policy : {stream.pi, stream.mu}) {
        signal.by_step = std::max(signal.by_step, policy.by_step);
        signal.by_learner = signal.by_learner || policy.by_learner;
    }
    return signal;
}

// ---- a quick look, to find that nothing is wrong ----

// Whether some number may be one that is not allowed; never false where one is. Doubles that are not negative have the
// order of their bits, and compilers make packed instructions of whole numbers but not of comparisons that may trap.
bool suspicious(const double* numbers, std::size_t count, const NumberRule& rule) {
    const auto least = std::bit_cast<std::uint64_t>(rule.least);
    const auto greatest = std::bit_cast<std::uint64_t>(rule.greatest);
    std::uint64_t signs = 0;  // the highest bit is set once a number is negative, below or above
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = std::bit_cast<std::uint64_t>(numbers[i]);
        signs |= bits | (bits - least) | (greatest - bits);
    }
    return (signs >> 63) != 0;
}

// Whether work(first, count) is true for a run of steps with nothing between them that is none.
template <class Work>
bool any_run(const StreamView& stream, Work work) {
    if (!stream.marks) return work(std::size_t{0}, stream.steps);
    std::size_t first = 0;
    for (std::size_t t = 0; t <= stream.steps; ++t) {
        if (t < stream.steps && stream.is_step(t)) continue;
        if (t > first && work(first, t - first)) return true;
        first = t + 1;
    }
    return false;
}

bool suspicious(const StreamView& stream, const LaneSignal& signal, std::size_t learners, const NumberRule& rule) {
    if (!signal.numbers || stream.steps == 0) return false;
    const std::size_t columns = signal.by_learner ? learners : 1;
    if (signal.by_step == 0) return suspicious(signal.numbers, columns, rule);
    return any_run(stream, [&](std::size_t first, std::size_t count) {
        return suspicious(signal.numbers + first * signal.by_step, (count - 1) * signal.by_step + columns, rule);
    });
}

// ---- number by number ----

// Calls work(t, k) for every step, and for every learner where one of the signals has numbers of its own for it.
template <class Work>
void for_each_number(const StreamView& stream, std::size_t learners, std::initializer_list<LaneSignal> signals,
                     Work work) {
    const bool by_learner =
        std::any_of(signals.begin(), signals.end(), [](const LaneSignal& s) { return s.by_learner; });
    for (std::size_t t = 0; t < stream.steps; ++t)
        for (std::size_t k = 0; stream.is_step(t) && k < (by_learner ? learners : 1); ++k) work(t, k);
}

bool ratios_agree(const StreamView& stream, std::size_t learners) {
    bool agree = true;
    for_each_number(stream, learners, {stream.rho, stream.pi, stream.mu}, [&](std::size_t t, std::size_t k) {
        agree = agree && agrees(number_at(stream.rho, t, k), number_at(stream.pi, t, k) / number_at(stream.mu, t, k));
    });
    return agree;
}

TransitionNumbers numbers_at(const StreamView& stream, std::size_t t, std::size_t k) {
    TransitionNumbers numbers{.gamma = number_at(stream.gamma, t, k), .rho = number_at(stream.rho, t, k)};
    if (stream.has_policies) {
        numbers.pi = number_at(stream.pi, t, k);
        numbers.mu = number_at(stream.mu, t, k);
    }
    if (stream.lambda && !stream.rows_follow) {
        numbers.lambda = stream.lambda[t];
        numbers.lambda_next = stream.lambda_next[t];
    }
    if (stream.interest) numbers.interest = stream.interest[t];
    return numbers;
}

// λ of every row: also of one that nothing is learned from, since the step before it bootstraps on it.
void check_rows_of_lambda(const StreamView& stream) {
    if (!suspicious(stream.lambda, stream.steps + 1, rule_of(Field::lambda))) return;
    for (std::size_t row = 0; row <= stream.steps; ++row)
        if (const auto problem = find_problem(Field::lambda, stream.lambda[row]))
            refuse(*problem, {stream.lambda}, row, 0);
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

void check_transitions(const StreamView& stream, std::size_t learners) {
    if (stream.steps == 0) return;
    if (stream.lambda && stream.rows_follow) check_rows_of_lambda(stream);
    const bool doubtful = std::any_of(every_field.begin(), every_field.end(), [&](Field field) {
        return suspicious(stream, signal_of(stream, field), learners, rule_of(field));
    });
    if (!doubtful && (!stream.has_policies || ratios_agree(stream, learners))) return;
    for_each_number(stream, learners, {stream.gamma, stream.rho, stream.pi, stream.mu},
                    [&](std::size_t t, std::size_t k) {
                        const auto problem = find_problem(numbers_at(stream, t, k), stream_names);
                        if (!problem) return;
                        const bool disagrees =
                            problem->field == Field::rho && rule_of(Field::rho).allows(number_at(stream.rho, t, k));
                        refuse(*problem, disagrees ? beside_policies(stream) : signal_of(stream, problem->field), t, k);
                    });
}

void check_algorithm(const AlgorithmInfo& info, const StreamView& stream, std::size_t learners) {
    if (info.on_policy_only && suspicious(stream, stream.rho, learners, on_policy))
        for_each_number(stream, learners, {stream.rho}, [&](std::size_t t, std::size_t k) {
            if (const auto problem = find_off_policy(info, number_at(stream.rho, t, k)))
                refuse(*problem, stream.rho, t, k);
        });
    if (const std::string problem = missing_policies(info, stream.has_policies, stream_names); !problem.empty())
        throw UsageError(problem);
}

void check_finite(const StreamView& stream, std::size_t learners) {
    check_features(stream.x, stream.steps, "X");
    check_features(stream.x_next, stream.steps, "X_next");
    for_each_number(stream, learners, {stream.reward}, [&](std::size_t t, std::size_t k) {
        const double reward = number_at(stream.reward, t, k);
        if (!std::isfinite(reward))
            throw UsageError(place(stream.reward_name, stream.reward, t, k) + " is " + number_text(reward) +
                             ": it must be finite");
    });
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

}  // namespace bellwether
