#include "logs/training_stream.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether {

void pad_features(Log& log) {
    log.features.resize((log.rows() + 1) * log.dimension);
}

TrainingStream::TrainingStream(const Log& log, std::optional<std::size_t> left_out)
    : log_(log), marks_(log.rows(), is_no_step) {
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        if (left_out && i % folds == *left_out) continue;
        const Segment& segment = log.segments[i];
        std::fill_n(marks_.begin() + static_cast<std::ptrdiff_t>(segment.first), segment.steps, std::uint8_t{0});
        marks_[segment.first] |= begins_segment;
        length_ += segment.steps;
    }
}

StreamView TrainingStream::view() const {
    StreamView view{
        .steps = log_.rows(),
        .x = {LaneFeatures::Kind::dense, log_.dimension, nullptr, nullptr, log_.features.data()},
        .x_next = {},
        .reward = {log_.reward.data()},
        .gamma = {log_.gamma.data()},
        .rho = {log_.rho.data()},
    };
    view.x_next = rows_from(view.x, 1);
    view.marks = marks_.data();
    return view;
}

std::vector<std::uint8_t> TrainingStream::checkpoints(std::size_t every, double share) const {
    const double wanted = std::round(share * static_cast<double>(length_));
    const std::size_t last = std::max<std::size_t>(1, static_cast<std::size_t>(wanted));
    std::vector<std::uint8_t> counts(log_.rows());
    std::size_t after = 0;  // steps after this one
    for (std::size_t row = log_.rows(); row-- > 0 && after < last;) {
        if (marks_[row] & is_no_step) continue;
        counts[row] = after % every == 0;
        ++after;
    }
    return counts;
}

}  // namespace bellwether
