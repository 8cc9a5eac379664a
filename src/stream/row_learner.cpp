#include "stream/row_learner.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace bellwether {

namespace {

template <class Features>
Features features_of(const StreamRow& row) {
    if constexpr (std::is_same_v<Features, Dense<double>>) {
        return {row.values};
    } else {
        return {row.indices, row.values};
    }
}

}  // namespace

void RowLearner::take(StreamRow& row) {
    if (waiting_) learn(row);
    waiting_ = !row.closes_segment;
    if (row.closes_segment) learner_.start();
    std::swap(last_, row);
}

void RowLearner::wait_with(StreamRow row) {
    last_ = std::move(row);
    waiting_ = true;
}

void RowLearner::finish() {
    if (waiting_) learn(last_);
    waiting_ = false;
}

void RowLearner::learn(const StreamRow& next) {
    if (sparse_) {
        learn_from<Sparse<double>>(next);
    } else {
        learn_from<Dense<double>>(next);
    }
    ++steps_;
}

template <class Features>
void RowLearner::learn_from(const StreamRow& next) {
    const auto x = features_of<Features>(last_);
    const auto x_next = features_of<Features>(next);
    if (predictions_) predictions_->write(fmt::format("{},{}\n", steps_, number_text(learner_.predict(x))));
    if (trace_) {
        const double prediction = learner_.predict(x);
        trace_->add(prediction, last_.reward + last_.gamma * learner_.predict(x_next) - prediction);
    }
    learner_.step(Transition<Features>{.x = x,
                                       .reward = last_.reward,
                                       .gamma = last_.gamma,
                                       .x_next = x_next,
                                       .rho = last_.rho,
                                       .lambda = last_.lambda,
                                       .lambda_next = next.lambda,
                                       .interest = last_.interest,
                                       .pi = last_.pi,
                                       .mu = last_.mu});
}

}  // namespace bellwether
