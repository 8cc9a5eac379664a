// The segments of all folds but one, in log order, as a stream to learn from: the rows of the log itself, with marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "logs/log.hpp"
#include "stream/stream_view.hpp"

namespace bellwether {

// A row of zeros after the last one: what the last step would bootstrap on is not read, but has to be there.
void pad_features(Log& log);

class TrainingStream {
public:
    // A log with pad_features(). None is left out: all segments.
    TrainingStream(const Log& log, std::optional<std::size_t> left_out);

    StreamView view() const;
    // Steps that are learned from.
    std::size_t length() const { return length_; }
    // By row: 1 for the steps after which weights are looked at, every `every`-th back from the last, in the last
    // `share`.
    std::vector<std::uint8_t> checkpoints(std::size_t every, double share) const;

private:
    const Log& log_;
    std::size_t length_ = 0;
    std::vector<std::uint8_t> marks_;
};

}  // namespace bellwether
