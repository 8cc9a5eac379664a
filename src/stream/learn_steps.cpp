#include "stream/learn_steps.hpp"

namespace bellwether {

namespace {

Dense<double> row_of(const LaneFeatures& features, std::size_t row, Dense<double>) {
    return {{features.values + row * features.dimension, features.dimension}};
}
OneHot row_of(const LaneFeatures& features, std::size_t row, OneHot) {
    return {features.indices[row]};
}
Sparse<double> row_of(const LaneFeatures& features, std::size_t row, Sparse<double>) {
    const std::size_t begin = features.first[row], size = features.first[row + 1] - begin;
    return {{features.indices + begin, size}, {features.values + begin, size}};
}

template <class Features>
Transition<Features> transition_at(const StreamView& stream, std::size_t t) {
    Transition<Features> transition{.x = row_of(stream.x, t, Features{}),
                                    .reward = number_at(stream.reward, t),
                                    .gamma = number_at(stream.gamma, t),
                                    .x_next = row_of(stream.x_next, t, Features{}),
                                    .rho = number_at(stream.rho, t),
                                    .interest = stream.interest ? stream.interest[t] : 1,
                                    .pi = number_at(stream.pi, t),
                                    .mu = number_at(stream.mu, t)};
    if (stream.lambda) {
        transition.lambda = stream.lambda[t];
        transition.lambda_next = stream.lambda_next[t];
    }
    return transition;
}

template <class Features>
void learn_from(Learner& learner, const StreamView& stream, std::size_t begin, std::size_t end, double* predictions) {
    for (std::size_t t = begin; t < end; ++t) {
        const std::uint8_t mark = stream.marks ? stream.marks[t] : std::uint8_t{0};
        if (mark & begins_segment) learner.start();
        if (predictions) predictions[t] = learner.predict(row_of(stream.x, t, Features{}));
        if (!(mark & is_no_step)) learner.step(transition_at<Features>(stream, t));
    }
}

}  // namespace

void learn_steps(Learner& learner, const StreamView& stream, std::size_t begin, std::size_t end, double* predictions) {
    switch (stream.x.kind) {
        case LaneFeatures::Kind::dense:
            return learn_from<Dense<double>>(learner, stream, begin, end, predictions);
        case LaneFeatures::Kind::sparse:
            return learn_from<Sparse<double>>(learner, stream, begin, end, predictions);
        case LaneFeatures::Kind::one_hot:
            return learn_from<OneHot>(learner, stream, begin, end, predictions);
    }
}

}  // namespace bellwether
