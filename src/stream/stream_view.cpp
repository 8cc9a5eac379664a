#include "stream/stream_view.hpp"

#include <algorithm>

namespace bellwether {

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

LaneSource source_of(const StreamView& stream, std::size_t begin, std::size_t steps) {
    const auto signal_from = [&](LaneSignal signal) {
        signal.numbers += begin * signal.by_step;
        return signal;
    };
    const auto from = [&](auto* numbers) { return numbers ? numbers + begin : nullptr; };
    return {.steps = steps,
            .x = rows_from(stream.x, begin),
            .x_next = rows_from(stream.x_next, begin),
            .rows = nullptr,
            .rows_next = nullptr,
            .reward = signal_from(stream.reward),
            .gamma = signal_from(stream.gamma),
            .rho = signal_from(stream.rho),
            .pi = signal_from(stream.pi),
            .mu = signal_from(stream.mu),
            .lambda = from(stream.lambda),
            .lambda_next = from(stream.lambda_next),
            .interest = from(stream.interest),
            .marks = from(stream.marks)};
}

std::size_t steps_at_once(const AlgorithmInfo& info, std::size_t dimension) {
    constexpr double work = 4e6;
    const double d = static_cast<double>(dimension);
    return static_cast<std::size_t>(std::clamp(work / (info.quadratic ? d * d : d), 16.0, 65536.0));
}

}  // namespace bellwether
