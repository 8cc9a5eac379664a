#include "stream/learning_trace.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether {

void LearningTrace::add(double prediction, double td_error) {
    if (steps_ == most_spans * length_) {
        for (std::size_t k = 0; k < most_spans / 2; ++k)
            spans_[k] = {spans_[2 * k].prediction + spans_[2 * k + 1].prediction,
                         spans_[2 * k].td_error + spans_[2 * k + 1].td_error};
        spans_.resize(most_spans / 2);
        length_ *= 2;
    }
    if (steps_ % length_ == 0) spans_.emplace_back();
    spans_.back().prediction += prediction;
    spans_.back().td_error += std::abs(td_error);
    ++steps_;
}

LearningTrace::Means LearningTrace::means() const {
    Means means;
    for (std::size_t k = 0; k < spans_.size(); ++k) {
        const std::uint64_t first = k * length_;
        const auto count = static_cast<double>(std::min(length_, steps_ - first));
        means.steps.push_back(static_cast<double>(first));
        means.predictions.push_back(spans_[k].prediction / count);
        means.td_errors.push_back(spans_[k].td_error / count);
    }
    return means;
}

}  // namespace bellwether
