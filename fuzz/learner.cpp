// Saved states, and any sequence of calls of the learner that is a right one.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "bellwether/basic_learner.hpp"
#include "bellwether/catalogue.hpp"
#include "engine/backend.hpp"
#include "harness.hpp"
#include "stream/pending_row.hpp"

namespace bellwether::fuzz {
namespace {

using LearnerPointer = std::unique_ptr<Learner>;

LearnerPointer make(const AlgorithmInfo& info, std::size_t dimension, std::span<const double> parameters,
                    std::optional<double> cutoff) {
    return best_instruction_set().make_learner(info, dimension, parameters, cutoff);
}

// A transition of numbers that a stream may have, in all three forms where its features are one-hot.
struct Sample {
    Sample(Numbers& numbers, std::size_t dimension) : x(dimension), x_next(dimension) {
        form = numbers.below(3);
        if (form == 0) {
            index = {numbers.below(dimension), numbers.below(dimension)};
            x[index[0]] = x_next[index[1]] = 1;
        } else {
            for (std::vector<double>* features : {&x, &x_next})
                for (double& value : *features) value = numbers.small();
        }
        reward = numbers.small();
        gamma = numbers.unit();
        mu = std::max(numbers.unit(), 0.125);
        pi = numbers.unit();
        if (numbers.below(2) == 1) lambda = {numbers.unit(), numbers.unit()};
        interest = numbers.unit();
        for (std::size_t which = 0; which < 2; ++which) {
            const std::vector<double>& features = which == 0 ? x : x_next;
            for (std::size_t i = 0; i < dimension; ++i) {
                if (features[i] == 0) continue;
                indices[which].push_back(static_cast<std::uint32_t>(i));
                values[which].push_back(features[i]);
            }
        }
    }

    template <class Features>
    Transition<Features> with(const AlgorithmInfo& info, Features now, Features next) const {
        Transition<Features> t{.x = now, .reward = reward, .gamma = gamma, .x_next = next};
        t.pi = info.on_policy_only ? mu : pi;
        t.mu = mu;
        t.rho = t.pi / t.mu;
        t.interest = interest;
        if (lambda) t.lambda = lambda->front(), t.lambda_next = lambda->back();
        return t;
    }
    // form 0: one-hot, 1: sparse, 2: dense.
    void teach(Learner& learner, std::size_t as) const {
        const AlgorithmInfo& info = learner.info();
        if (as == 0) return learner.step(with(info, OneHot{index[0]}, OneHot{index[1]}));
        if (as == 1)
            return learner.step(
                with(info, Sparse<double>{indices[0], values[0]}, Sparse<double>{indices[1], values[1]}));
        learner.step(with(info, Dense<double>{x}, Dense<double>{x_next}));
    }

    std::size_t form;
    std::array<std::size_t, 2> index{};
    std::vector<double> x, x_next;
    std::array<std::vector<std::uint32_t>, 2> indices;
    std::array<std::vector<double>, 2> values;
    double reward, gamma, pi, mu, interest;
    std::optional<std::array<double, 2>> lambda;
};

std::vector<double> weights_of(const Learner& learner) {
    return {learner.weights().begin(), learner.weights().end()};
}

// A learner that was restored goes on as the one that was saved, to the bit.
void must_go_on_alike(Learner& one, Learner& other, Numbers numbers) {
    for (int step = 0; step < 4; ++step) {
        const Sample sample(numbers, one.dimension());
        sample.teach(one, sample.form);
        sample.teach(other, sample.form);
        must(same_bits(weights_of(one), weights_of(other)), "a restored learner goes on to the bit");
    }
    must(one.save() == other.save(), "its state too");
}

void state(Bytes bytes) {
    constexpr std::size_t largest = 64;  // the program refuses what does not fit into memory
    const auto given = std::as_bytes(bytes);
    SavedState state;
    if (!read_state(given, state).empty()) return;
    const AlgorithmInfo* info = find_algorithm(state.algorithm);
    if (!info || state.dimension == 0 || state.dimension > largest) return;
    auto parameters = check_parameters(*info, state.parameters);
    if (!parameters) return;
    const LearnerPointer learner = make(*info, state.dimension, parameters.value(), state.cutoff);
    if (!learner->restore(given).empty()) {
        const LearnerPointer fresh = make(*info, state.dimension, parameters.value(), state.cutoff);
        must(learner->save() == fresh->save(), "what is refused changes nothing");
        return;
    }
    const LearnerPointer again = make(*info, state.dimension, parameters.value(), state.cutoff);
    must(again->restore(learner->save()).empty(), "what was accepted is accepted again");
    must_go_on_alike(*learner, *again, Numbers(bytes));
    if (state.attachment.empty()) return;
    std::optional<StreamRow> row;
    if (refusal([&] { row = read_pending_row(state.attachment); })) return;
    must(write_pending_row(read_pending_row(write_pending_row(*row))) == write_pending_row(*row),
         "the row that waits is kept");
}

LearnerPointer any_learner(Numbers& numbers) {
    const AlgorithmInfo& info = algorithm_table[numbers.byte() % std::size(algorithm_table)];
    std::vector<NamedValue> given;
    for (const ParameterInfo& parameter : info.parameters) {
        const double value = numbers.unit() / (parameter.name == "alpha" ? 8 : 1);
        if (parameter.required() || numbers.below(2) == 1) given.push_back({parameter.name, value});
    }
    auto parameters = check_parameters(info, given);
    if (!parameters) return nullptr;
    const std::size_t dimension = 1 + numbers.below(9);
    const auto cutoff = numbers.below(2) == 1 ? std::optional(numbers.below(4) == 0 ? 0.125 : 0.0) : std::nullopt;
    return make(info, dimension, parameters.value(), cutoff);
}

// Calls of one learner, with a second one that is saved, restored and cloned all the time: they stay the same to the
// bit. And three that see the same features in other forms: they agree as far as the order of sums lets them.
void calls(Bytes bytes) {
    Numbers numbers(bytes);
    const LearnerPointer learner = any_learner(numbers);
    if (!learner) return;
    const std::size_t dimension = learner->dimension();
    LearnerPointer other = learner->clone();
    LearnerPointer forms[]{learner->clone(), learner->clone()};
    const bool drops = learner->cutoff().value_or(0) > 0;  // which entries are small depends on the order of sums
    for (int step = 0; step < 64 && !numbers.at_end(); ++step) {
        switch (numbers.below(8)) {
            case 0:
                for (Learner* each : {learner.get(), other.get(), forms[0].get(), forms[1].get()}) each->start();
                break;
            case 1: {
                std::vector<double> weights(dimension);
                for (double& weight : weights) weight = numbers.small();
                for (Learner* each : {learner.get(), other.get(), forms[0].get(), forms[1].get()})
                    each->set_weights(weights);
                must(same_bits(weights_of(*learner), weights), "weights are what they were set to");
                break;
            }
            case 2:
                must(other->restore(learner->save()).empty(), "a saved state is restored");
                break;
            case 3:
                other = other->clone();
                break;
            default: {
                const Sample sample(numbers, dimension);
                sample.teach(*learner, sample.form);
                sample.teach(*other, sample.form);
                sample.teach(*forms[0], 1);
                sample.teach(*forms[1], 2);
                const double seen[]{learner->predict(Dense<double>{sample.x}), other->predict(Dense<double>{sample.x})};
                must(same_bits(std::span(seen, 1), std::span(seen + 1, 1)), "predictions are the same");
            }
        }
        must(same_bits(weights_of(*learner), weights_of(*other)), "copies go on to the bit");
    }
    must(learner->save() == other->save(), "copies have the same state");
    must(learner->diverged() == std::any_of(learner->weights().begin(), learner->weights().end(),
                                            [](double w) { return !std::isfinite(w); }),
         "divergence is said");
    double largest = 1;
    for (const double weight : learner->weights()) largest = std::max(largest, std::fabs(weight));
    // Errors of rounding grow with divergence, and learned step sizes may run away from the smallest of them.
    const bool grows = !(largest < 1e6) || learner->info().family == Family::learned_steps;
    if (drops || learner->info().quadratic || grows) return;
    for (const LearnerPointer& form : forms)
        for (std::size_t i = 0; i < dimension; ++i)
            must(std::fabs(form->weights()[i] - learner->weights()[i]) <= 1e-9 * largest,
                 "dense, sparse and one-hot features agree");
}

const Registration registrations[]{Registration({"state", state, Form::state}), Registration({"calls", calls})};

}  // namespace
}  // namespace bellwether::fuzz
